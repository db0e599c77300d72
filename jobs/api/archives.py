"""Archives of projects, for programs: take one, make a project of one."""

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response
from rest_framework.views import APIView

from jobs.api.imports import Untouched, sent_with
from jobs.api.jobs import JobWithResultSerializer, accepted
from jobs.archiving import PERMISSION, begin_archiving, begin_restoring, restored_by
from jobs.importing import limit_in_megabytes
from jobs.listing import Jobs
from jobs.models import Job
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.creation import may_create_projects
from projects.problems import Invalid, Problem


class ProjectArchive(ProjectView):
    """Write the archive of a project: the answer names the job, whose `file` has the address, size and SHA-256."""

    permission = PERMISSION

    @extend_schema(operation_id="projects_archive_create", request=None, responses={202: JobWithResultSerializer})
    def post(self, request: SignedInRequest, slug: str) -> Response:
        return accepted(begin_archiving(self.project, request.user), request)


class ProjectArchives(APIView):
    """Make a project of an archive, which you lead then."""

    parser_classes = [MultiPartParser, Untouched]

    @extend_schema(operation_id="project_archives_list", responses=JobWithResultSerializer(many=True))
    def get(self, request: SignedInRequest) -> Response:
        """The archives that you brought in last, the newest first: how far they are, and what came of them."""
        if not may_create_projects(request.user):
            raise PermissionDenied
        return Response(_told(restored_by(request.user)))

    @extend_schema(
        operation_id="project_archives_create",
        parameters=[OpenApiParameter("slug", OpenApiTypes.STR, description="left out: the one that it had")],
        request={"application/zip": OpenApiTypes.BINARY},
        responses={
            202: OpenApiResponse(JobWithResultSerializer, "A worker brings it in; ask by GET how far it is"),
            413: OpenApiResponse(OpenApiTypes.OBJECT, "Too large; nothing was stored"),
        },
    )
    def post(self, request: SignedInRequest) -> Response:
        if not may_create_projects(request.user):
            raise PermissionDenied
        if int(request.META.get("CONTENT_LENGTH") or 0) > settings.IMPORT_MAX_BYTES:
            message = _("The file is larger than %(limit)d MB. Ask an administrator to import it by command.")
            answer = refusal(Invalid(Problem("file_too_large", message % {"limit": limit_in_megabytes()})))
            answer.status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
            return answer
        sent = sent_with(request)
        if sent is None:
            return refusal(Invalid(Problem("missing", _("The form has no part “file”."), "file")))
        job = begin_restoring(sent.blocks, sent.name, request.query_params.get("slug", ""), request.user)
        job.refresh_from_db()
        return Response(_told([job])[0], status.HTTP_202_ACCEPTED)


def _told(rows: list[Job]) -> list[dict]:
    entries = Jobs().entries(rows)
    return [
        {**JobWithResultSerializer(entry).data, "result": row.result if row.is_over else None, "file": None}
        for row, entry in zip(rows, entries, strict=True)
    ]
