"""The mappings of a project, and the first rows of a file as one of them sees it, for programs."""

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from formats.importing.registry import importers
from formats.mapping.preview import preview
from formats.mapping.saved import mapping_named, save_mapping, take_away_mapping
from formats.mapping.specification import MAX_FILE, read_mapping, written
from formats.readers.choosing import FORMATS, Reading, format_of
from formats.reading import Source
from jobs.api.imports import Untouched, not_a_choice, refusals, sent_with
from jobs.files import Joined
from projects.api.access import ProjectView, SignedInRequest
from projects.models import ImportMapping
from projects.problems import Invalid


class MappingSerializer(serializers.Serializer):
    name = serializers.CharField()
    kind = serializers.CharField()
    changed_at = serializers.DateTimeField()


class Mappings(ProjectView):
    """The project's mappings; POST one as YAML or JSON to save it under its name, or to replace the one there."""

    permission = "data.import"
    parser_classes = [Untouched]

    @extend_schema(responses=MappingSerializer(many=True))
    def get(self, request: SignedInRequest, slug: str) -> Response:
        return Response(MappingSerializer(self.project.import_mappings.all(), many=True).data)

    @extend_schema(
        request={"application/yaml": OpenApiTypes.STR},
        responses={201: MappingSerializer, 422: OpenApiResponse(OpenApiTypes.OBJECT, "Refused, with its problems")},
    )
    def post(self, request: SignedInRequest, slug: str) -> Response:
        body: Any = request.data  # the stream that Untouched leaves
        try:
            kept = save_mapping(self.project, read_mapping(body.read(MAX_FILE + 1)), by=request.user)
        except Invalid as problems:
            return refusals(problems)
        return Response(MappingSerializer(kept).data, status.HTTP_201_CREATED)


class Mapping(ProjectView):
    """One of the project's mappings, as YAML; DELETE takes it away."""

    permission = "data.import"

    def found(self, pk: int) -> ImportMapping | None:
        return ImportMapping.objects.filter(project=self.project, pk=pk).first()

    @extend_schema(responses={(200, "application/yaml"): OpenApiTypes.STR})
    def get(self, request: SignedInRequest, slug: str, pk: int) -> HttpResponse | Response:
        kept = self.found(pk)
        if kept is None:
            return Response(status=status.HTTP_404_NOT_FOUND)
        return HttpResponse(written(kept.stated), content_type="application/yaml; charset=utf-8")

    @extend_schema(responses={204: None})
    def delete(self, request: SignedInRequest, slug: str, pk: int) -> Response:
        kept = self.found(pk)
        if kept is None:
            return Response(status=status.HTTP_404_NOT_FOUND)
        take_away_mapping(kept, request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ImportPreview(ProjectView):
    """The first rows of a file, what is proposed for our fields, and what a mapping makes of them. Stores nothing."""

    permission = "data.import"
    parser_classes = [MultiPartParser, Untouched]

    @extend_schema(
        parameters=[
            OpenApiParameter("kind", OpenApiTypes.STR, description="items (default), answers, ..."),
            OpenApiParameter("file_format", OpenApiTypes.STR, enum=FORMATS),
            OpenApiParameter("mapping", OpenApiTypes.STR, description="name of a saved mapping"),
        ],
        request={"application/octet-stream": OpenApiTypes.BINARY},
        responses={200: OpenApiTypes.OBJECT, 422: OpenApiTypes.OBJECT},
    )
    def post(self, request: SignedInRequest, slug: str) -> Response:
        kind = request.query_params.get("kind", "items")
        if kind not in importers():
            return not_a_choice("kind", importers())
        sent = sent_with(request)
        if sent is None:
            message = _("The form has no part “file”.")
            return Response({"problems": [{"code": "missing", "message": message, "field": "file"}]}, status=400)
        file_format = request.query_params.get("file_format", format_of(sent.name))
        if file_format not in FORMATS:
            return not_a_choice("file_format", FORMATS)
        name = request.query_params.get("mapping")
        try:
            mapping = mapping_named(self.project, name, kind) if name else None
        except Invalid as problems:
            return refusals(problems)
        found = preview(Source(Joined(sent.blocks), sent.name), kind, file_format, Reading(), mapping)
        return Response(found.as_json())
