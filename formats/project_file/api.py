"""The project file for programs: take it, make a project what a file says, make a new one, compare two."""

from typing import IO, Any

import orjson
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.response import Response
from rest_framework.views import APIView

from formats.project_file.applying import apply_file, create_from_file
from formats.project_file.comparing import differences
from formats.project_file.describing import described, file_of
from formats.project_file.pages import CONTENT_TYPE, led_by
from formats.project_file.reading import MAX_BYTES
from projects.api.access import ProjectView, SignedInRequest
from projects.api.refusals import refusal
from projects.creation import may_create_projects
from projects.problems import Invalid, Problem

DRY_RUN = OpenApiParameter("dry_run", OpenApiTypes.BOOL, description="1: say what would change, and change nothing")
REFUSED = OpenApiResponse(OpenApiTypes.OBJECT, "Refused, with every problem; nothing was changed")


class Body(BaseParser):
    """The body as bytes, of which no more are read than a project file may have."""

    media_type = "*/*"

    def parse(self, stream: IO, media_type: str | None = None, parser_context: Any = None) -> Any:
        return bytes(stream.read(MAX_BYTES + 1))


class AsYaml(BaseRenderer):
    """Bytes as they are; what else there is to say (a refusal) as JSON, which is YAML."""

    media_type = CONTENT_TYPE
    format = "yaml"
    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return data if isinstance(data, bytes) else orjson.dumps(data)


def is_dry_run(request: SignedInRequest) -> bool:
    return request.query_params.get("dry_run", "").lower() in ("1", "true")


def body_of(request: SignedInRequest) -> bytes:
    body: Any = request.data  # the bytes that Body leaves
    return body if isinstance(body, bytes) else b""


class ProjectFile(ProjectView):
    """The project file: what a project is made of, but its texts and answers, as YAML (docs/project-file.md)."""

    permission = "project.edit"
    parser_classes = [Body]

    def get_renderers(self) -> list[BaseRenderer]:
        return [AsYaml()] if self.request.method == "GET" else super().get_renderers()

    @extend_schema(responses={(200, CONTENT_TYPE): OpenApiTypes.STR})
    def get(self, request: SignedInRequest, slug: str) -> Response:
        return Response(file_of(self.project))

    @extend_schema(
        parameters=[DRY_RUN],
        request={CONTENT_TYPE: OpenApiTypes.STR},
        responses={200: OpenApiResponse(OpenApiTypes.OBJECT, "What changed, or would change"), 422: REFUSED},
    )
    def put(self, request: SignedInRequest, slug: str) -> Response:
        """Make the project what the file says; keys that it leaves out stay as they are."""
        try:
            applied = apply_file(self.project, body_of(request), request.user, dry_run=is_dry_run(request))
        except Invalid as invalid:
            return refusal(invalid)
        return Response(applied.as_json())


class ProjectFiles(APIView):
    """Begin a project from a file."""

    parser_classes = [Body]

    @extend_schema(
        parameters=[DRY_RUN, OpenApiParameter("slug", OpenApiTypes.STR, description="left out: made of the name")],
        request={CONTENT_TYPE: OpenApiTypes.STR},
        responses={
            201: OpenApiResponse(OpenApiTypes.OBJECT, "The project is there, and you lead it"),
            200: OpenApiResponse(OpenApiTypes.OBJECT, "A dry run without problems"),
            422: REFUSED,
        },
    )
    def post(self, request: SignedInRequest) -> Response:
        if not may_create_projects(request.user):
            raise PermissionDenied
        dry_run = is_dry_run(request)
        try:
            slug = request.query_params.get("slug", "")
            applied = create_from_file(body_of(request), slug, request.user, dry_run=dry_run)
        except Invalid as invalid:
            return refusal(invalid)
        return Response(applied.as_json(), status.HTTP_200_OK if dry_run else status.HTTP_201_CREATED)


class Differences(ProjectView):
    """In what the project differs from another one that you lead."""

    permission = "project.edit"

    @extend_schema(
        parameters=[OpenApiParameter("other", OpenApiTypes.STR, required=True, description="short name of the other")],
        responses={200: OpenApiResponse(OpenApiTypes.OBJECT, "A list of places with the value here and there")},
    )
    def get(self, request: SignedInRequest, slug: str) -> Response:
        if "other" not in request.query_params:
            return refusal(Invalid(Problem("missing", _("This is needed."), "other")))
        other = led_by(request.user).filter(slug=request.query_params["other"]).first()
        if other is None:
            raise Http404
        found = differences(described(self.project), described(other))
        return Response({"other": other.slug, "differences": [difference.as_json() for difference in found]})
