"""Everything that was answered in a project, as tables for research: the page, its files, and the same for programs."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import translation
from django.views.decorators.http import require_POST, require_safe
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.response import Response

from benchmark.held_back import held_back_prompts
from jobs.api.jobs import JobWithResultSerializer, accepted
from jobs.api.waits import WAIT, awaited, wait_of
from jobs.downloads import download, file_of
from projects.access import fetch_project
from projects.api.access import ProjectView
from projects.api.access import SignedInRequest as ApiRequest
from projects.models import Project, User
from projects.requests import SignedInRequest
from reports.foreign_exporting import MARKS, RATINGS, has_marks, rated_questions
from reports.frames.exporting import PERMISSION, is_written_at_once, name_of, prepare, taken
from reports.frames.files import CSV, FORMATS, JSONL, MEDIA_TYPES, PARQUET
from reports.frames.frame import Frame
from reports.frames.registry import FRAMES


@dataclass(frozen=True)
class Listed:
    """A frame on the page. `at_once`: its files are written while one waits; else by a worker."""

    frame: Frame
    rows: int
    at_once: bool


@require_safe
@login_required
def frames_page(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, PERMISSION)
    listed = [Listed(frame, frame.count(project), is_written_at_once(project, frame)) for frame in FRAMES.values()]
    context = {
        "project": project,
        "filled": [each for each in listed if each.rows],
        "empty": [each for each in listed if not each.rows],
        "formats": FORMATS,
        "of_marks": MARKS if has_marks(project) else [],
        "of_ratings": [(name, question) for question in rated_questions(project) for name in RATINGS],
        "n_held_back": held_back_prompts(project).filter(responses__isnull=False).distinct().count(),
    }
    return render(request, "reports/frames.html", context)


@require_safe
@login_required
def frame_file(request: SignedInRequest, slug: str, name: str, file_format: str) -> HttpResponseBase:
    project, frame = fetch_project(request.user, slug, PERMISSION), frame_named(name)
    if file_format not in FORMATS:
        raise Http404
    if not is_written_at_once(project, frame):
        return redirect("frames", slug)  # where it can be had from a worker
    return streamed(project, frame, file_format, request.user if request.method == "GET" else None, "page")


@require_POST
@login_required
def frame_prepare(request: SignedInRequest, slug: str, name: str) -> HttpResponse:
    """Begin a file, or go to the one that is being written."""
    project, frame = fetch_project(request.user, slug, PERMISSION), frame_named(name)
    file_format = request.POST.get("format", PARQUET)
    if file_format not in FORMATS:
        raise Http404
    return redirect("job", slug, prepare(project, frame, file_format, request.user).uuid)


def frame_named(name: str) -> Frame:
    if name not in FRAMES:
        raise Http404
    return FRAMES[name]


def streamed(project: Project, frame: Frame, file_format: str, by: User | None, via: str) -> StreamingHttpResponse:
    parts = taken(project, frame, file_format, by=by, via=via)
    response = StreamingHttpResponse(parts, content_type=MEDIA_TYPES[file_format])
    response["Content-Disposition"] = f'attachment; filename="{name_of(project, frame, file_format)}"'
    # A proxy that gathered the whole answer first would take away what streaming gives.
    response["X-Accel-Buffering"] = "no"
    return response


class ColumnSerializer(serializers.Serializer):
    name = serializers.CharField()
    dtype = serializers.CharField()
    holds = serializers.CharField()


class FrameSerializer(serializers.Serializer):
    """`rows` is how many there are now; `dtype` of a column is pandas'."""

    name = serializers.CharField()
    about = serializers.CharField()
    rows = serializers.IntegerField()
    columns = ColumnSerializer(many=True)


class Frames(ProjectView):
    """The frames there are: what a row of each is, how many it has, and its columns with their types."""

    permission = PERMISSION

    @extend_schema(operation_id="projects_frames_list", responses=FrameSerializer(many=True))
    def get(self, request: ApiRequest, slug: str) -> Response:
        with translation.override("en"):
            return Response([described(self.project, frame) for frame in FRAMES.values()])


def described(project: Project, frame: Frame) -> dict[str, Any]:
    return {
        "name": frame.name,
        "about": str(frame.about),
        "rows": frame.count(project),
        "columns": [{"name": column.name, "dtype": column.dtype, "holds": column.holds} for column in frame.columns],
    }


class OfFrame(BaseRenderer):
    """Names a file format, so that asking for it is not refused; what is refused is told in JSON all the same."""

    charset = None

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        if renderer_context:
            renderer_context["response"]["Content-Type"] = JSONRenderer.media_type
        return JSONRenderer().render(data)


class ParquetFile(OfFrame):
    media_type, format = MEDIA_TYPES[PARQUET], PARQUET


class CsvFile(OfFrame):
    media_type, format = MEDIA_TYPES[CSV].partition(";")[0], CSV


class JsonLinesFile(OfFrame):
    media_type, format = MEDIA_TYPES[JSONL], JSONL


class FrameFile(ProjectView):
    """A frame as a file. One of many rows is written by a worker: the answer is then its job (202), whose `file` has
    the address, size and SHA-256; with `wait` the answer is held back for so long, and is the file if it is ready.
    """

    permission = PERMISSION
    renderer_classes = [ParquetFile, CsvFile, JsonLinesFile, JSONRenderer]

    @extend_schema(
        operation_id="projects_frames_file",
        parameters=[OpenApiParameter("format", enum=list(FORMATS), description="parquet by default"), WAIT],
        responses={
            (200, MEDIA_TYPES[PARQUET]): OpenApiResponse(OpenApiTypes.BINARY, description="The file"),
            (200, CsvFile.media_type): OpenApiResponse(OpenApiTypes.BINARY, description="The file"),
            (200, MEDIA_TYPES[JSONL]): OpenApiResponse(OpenApiTypes.BINARY, description="The file"),
            202: OpenApiResponse(JobWithResultSerializer, "A worker writes it; Location is the address of the job"),
        },
    )
    def get(self, request: ApiRequest, slug: str, name: str) -> HttpResponseBase:
        frame, by = frame_named(name), request.user if request.method == "GET" else None
        asked = request.accepted_renderer.format
        file_format = asked if asked in FORMATS else PARQUET
        if is_written_at_once(self.project, frame):
            return streamed(self.project, frame, file_format, by, "api")
        seconds = wait_of(request)
        job = awaited(prepare(self.project, frame, file_format, request.user), seconds)
        if file_of(job) is not None:
            return download(job, by)
        return accepted(job, request)
