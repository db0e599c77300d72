"""Results, for programs."""

from django.http import Http404
from django.utils import translation
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from projects.api.access import ProjectView
from projects.problems import Invalid
from reports.dashboards import all_filters, as_json, tables


class Agreement(ProjectView):
    """Every table of the project's dashboards: figures with intervals, or the reason why there is none, and recipes.

    Labels and names of measures are English whatever language is asked for, so that programs can rely on them.
    """

    permission = "dashboard.read"

    @extend_schema(
        parameters=[
            OpenApiParameter("table", str, description="id of the one table to answer with"),
            *(OpenApiParameter(name, str, description=about) for name, about in all_filters().items()),
        ],
        responses={200: OpenApiTypes.OBJECT},
    )
    def get(self, request: Request, slug: str) -> Response:
        asked = request.query_params.dict()
        wanted = asked.pop("table", "")
        with translation.override("en"):
            try:
                found = tables(self.project, asked)
            except Invalid as invalid:
                raise ValidationError({"problems": [problem.as_json() for problem in invalid.problems]}) from None
        if wanted:
            found = [table for table in found if table.id == wanted]
            if not found:
                raise Http404
        return Response(as_json(self.project, found))
