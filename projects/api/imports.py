"""Import for programs: the file as the body of the request, or as the part `file` of a form."""

from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from projects.api.access import ProjectView
from projects.importing.reading import FORMATS, Source, format_of
from projects.importing.registry import importers
from projects.importing.running import run_import
from projects.problems import Problem


class Untouched(BaseParser):
    """Leaves the body a stream, to be read line by line."""

    media_type = "*/*"

    def parse(self, stream: IO, media_type: str | None = None, parser_context: Any = None) -> IO:
        return stream


class Imports(ProjectView):
    """Import a file: all of it (201), or nothing and every problem by line and field (422)."""

    permission = "data.import"
    parser_classes = [MultiPartParser, Untouched]

    @extend_schema(
        parameters=[
            OpenApiParameter("kind", OpenApiTypes.STR, description="items (default) or answers"),
            OpenApiParameter("file_format", OpenApiTypes.STR, enum=FORMATS),
            OpenApiParameter("dry_run", OpenApiTypes.BOOL, description="1: everything but storing"),
        ],
        request={"application/jsonl": OpenApiTypes.BINARY},
        responses={
            201: OpenApiResponse(OpenApiTypes.OBJECT, "Stored"),
            200: OpenApiResponse(OpenApiTypes.OBJECT, "A dry run without problems"),
            422: OpenApiResponse(OpenApiTypes.OBJECT, "Refused; nothing was stored"),
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        kind = request.query_params.get("kind", "items")
        if kind not in importers():
            message = _("One of these is expected: %(kinds)s.") % {"kinds": ", ".join(importers())}
            return refusal(Problem("not_a_choice", message, "kind"), status.HTTP_400_BAD_REQUEST)
        if int(request.META.get("CONTENT_LENGTH") or 0) > settings.IMPORT_MAX_BYTES:
            message = _("The file is larger than %(limit)d MB. Use the command import_items or import_answers.")
            problem = Problem("file_too_large", message % {"limit": settings.IMPORT_MAX_BYTES // 1_000_000})
            return refusal(problem, status.HTTP_413_REQUEST_ENTITY_TOO_LARGE)
        source = uploaded(request)
        if source is None:
            return refusal(Problem("missing", _("The form has no part “file”."), "file"), status.HTTP_400_BAD_REQUEST)
        file_format = request.query_params.get("file_format", format_of(source.name))
        if file_format not in FORMATS:
            message = _("One of these is expected: %(kinds)s.") % {"kinds": ", ".join(FORMATS)}
            return refusal(Problem("not_a_choice", message, "file_format"), status.HTTP_400_BAD_REQUEST)
        is_dry_run = request.query_params.get("dry_run", "").lower() in ("1", "true")
        outcome = run_import(self.project, source, kind, file_format, dry_run=is_dry_run, actor=request.user)
        if outcome.is_stored:
            return Response(outcome.as_json(), status.HTTP_201_CREATED)
        good = status.HTTP_200_OK
        return Response(outcome.as_json(), good if outcome.is_clean else status.HTTP_422_UNPROCESSABLE_ENTITY)


def uploaded(request: Request) -> Source | None:
    if request.content_type.startswith("multipart/"):
        file = request.FILES.get("file")
        return Source(file, file.name, file.size) if file else None
    return Source(request.data, "request", int(request.META.get("CONTENT_LENGTH") or 0))


def refusal(problem: Problem, code: int) -> Response:
    return Response({"stored": False, "problem_count": 1, "problems": [problem.as_json()]}, code)
