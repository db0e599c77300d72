"""Taking an import back, for programs."""

from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.response import Response

from formats.importing.taking_back import is_large, take_back
from jobs.api.imports import refusals
from jobs.api.jobs import JobSerializer, accepted
from jobs.taking_back import begin_taking_back
from projects.api.access import ProjectView, SignedInRequest
from projects.models import Import
from projects.problems import Invalid


class TakeBack(ProjectView):
    """Take an import back: all that came with it (200), or nothing where anything rests on that (422, with what does).

    One of very many rows becomes a job (202), whose address is in `Location`.
    """

    permission = "data.import"

    @extend_schema(request=None, responses={200: OpenApiTypes.OBJECT, 202: JobSerializer, 422: OpenApiTypes.OBJECT})
    def post(self, request: SignedInRequest, slug: str, uuid: UUID) -> Response:
        brought = Import.objects.filter(project=self.project, uuid=uuid).first()
        if brought is None:
            return Response(status=status.HTTP_404_NOT_FOUND)
        if is_large(brought):
            return accepted(begin_taking_back(brought, request.user), request)
        try:
            return Response({"taken_back": take_back(brought, request.user)})
        except Invalid as problems:
            return refusals(problems)
