"""Two frozen versions of a question set beside each other, for programs."""

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from benchmark.comparing import as_json
from jobs.api.jobs import JobSerializer, accepted
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.problems import Invalid, Problem
from reports.leaderboard.versions import begin, compared_now, fetch_versions


class TwoVersions(ProjectView):
    """The scores in both, for every model. Of many answers a worker compares them: GET is refused (422) until POST has
    begun it (202) and the job is done; 404 where one of the two is a draft."""

    permission = "dashboard.read"

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def get(self, request: SignedInRequest, slug: str, question_set: str, version: int, later: int) -> Response:
        compared = compared_now(*fetch_versions(self.project, question_set, version, later))
        if compared is None:
            return refusal(Invalid(Problem("not_compared", _("Not compared yet: send POST to this address."))))
        return Response(as_json(compared))

    @extend_schema(request=None, responses={200: OpenApiTypes.OBJECT, 202: JobSerializer})
    def post(self, request: SignedInRequest, slug: str, question_set: str, version: int, later: int) -> Response:
        before, after = fetch_versions(self.project, question_set, version, later)
        compared = compared_now(before, after)
        if compared is None:
            return accepted(begin(before, after, request.user), request)
        return Response(as_json(compared))
