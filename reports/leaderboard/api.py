"""The board, for programs."""

from django.utils import translation
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from projects.api.access import ProjectView, SignedInRequest
from projects.problems import Invalid
from reports.leaderboard.files import as_json
from reports.leaderboard.scope import BoardScope
from reports.leaderboard.standings import standings


class Leaderboard(ProjectView):
    """Configurations with score, interval, rank set, size class, words per second, flags and notes."""

    permission = "dashboard.read"

    @extend_schema(
        parameters=[OpenApiParameter(name, str, description=about) for name, about in BoardScope.abouts().items()],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: SignedInRequest, slug: str) -> Response:
        with translation.override("en"):
            try:
                scope = BoardScope.within(self.project, request.query_params.dict())
            except Invalid as invalid:
                raise ValidationError({"problems": [problem.as_json() for problem in invalid.problems]}) from None
            return Response(as_json(self.project, standings(self.project, scope)))
