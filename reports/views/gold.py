"""The gold set of a project: its page, its file, its card, and the file for programs."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.renderers import BaseRenderer
from rest_framework.response import Response
from rest_framework.views import APIView

from jobs.api.jobs import JobWithResultSerializer, accepted
from projects.access import fetch_project
from projects.api.access import ProjectView
from projects.api.access import SignedInRequest as ApiRequest
from projects.audit import record
from projects.models import Project, User
from projects.requests import SignedInRequest
from reports.gold.exporting import JSON_LINES, prepare
from reports.gold.formats import format_of, formats_of, gold_areas

# Which gold of a project that has several kinds of work; left out, that of its own preset.
OF = "of"


@require_safe
@login_required
def gold_page(request: HttpRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "gold.export")
    if not formats_of(project):
        return render(request, "reports/no_gold.html", {"project": project})
    chosen = format_of(project, request.GET.get(OF, ""))
    summary = chosen.summarise(project)
    n_held_back = chosen.held_back(project).count()
    context = {
        "project": project,
        "summary": summary,
        "gold_format": chosen,
        "others": [other for other in formats_of(project) if other != chosen],
        "card": chosen.whole_card(project, summary, n_held_back),
        "n_held_back": n_held_back,
        "snapshots": project.gold_snapshots.filter(area=chosen.area),
    }
    return render(request, chosen.template, context)


@require_safe
@login_required
def gold_file(request: SignedInRequest, slug: str) -> StreamingHttpResponse:
    project, area = fetch_project(request.user, slug, "gold.export"), request.GET.get(OF, "")
    return exported(project, area, by=request.user if request.method == "GET" else None, via="page")


@require_POST
@login_required
def gold_prepare(request: SignedInRequest, slug: str) -> HttpResponse:
    """Begin a file of the gold, or go to the one that is being written."""
    project = fetch_project(request.user, slug, "gold.export")
    return redirect("job", slug, prepare(project, request.POST.get(OF, ""), by=request.user).uuid)


@require_safe
@login_required
def gold_card(request: HttpRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "gold.export")
    chosen = format_of(project, request.GET.get(OF, ""))
    text = chosen.whole_card(project, chosen.summarise(project), chosen.held_back(project).count())
    response = HttpResponse(text, content_type="text/markdown; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{project.slug}-gold-card.md"'
    return response


def exported(project: Project, area: str, *, by: User | None, via: str) -> StreamingHttpResponse:
    """The file, and in the audit log who took it; `by` is None where only its headers are asked for."""
    chosen = format_of(project, area)
    if by is not None:
        record("gold.exported", actor=by, project=project, subject=chosen.area, via=via)
    lines = chosen.lines(project)
    response = StreamingHttpResponse(lines, content_type=JSON_LINES)
    response["Content-Disposition"] = f'attachment; filename="{project.slug}-gold.jsonl"'
    # A proxy that gathered the whole answer first would take away what streaming gives.
    response["X-Accel-Buffering"] = "no"
    return response


class JSONLines(BaseRenderer):
    """Names the media type, so that asking for it is not refused; the lines come encoded already."""

    media_type = JSON_LINES
    format = "jsonl"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        from rest_framework.renderers import JSONRenderer

        return JSONRenderer().render(data)


class GoldApi(APIView):
    """The gold file of a project, streamed: one response a line."""

    renderer_classes = [JSONLines, *APIView.renderer_classes]

    @extend_schema(
        operation_id="projects_gold",
        parameters=[OpenApiParameter(OF, enum=gold_areas(), description="Which kind of gold")],
        responses={(200, JSON_LINES): OpenApiResponse(OpenApiTypes.BINARY, description="Each line says its format")},
    )
    def get(self, request: ApiRequest, slug: str) -> StreamingHttpResponse:
        project, area = fetch_project(request.user, slug, "gold.export"), request.query_params.get(OF, "")
        return exported(project, area, by=request.user if request.method == "GET" else None, via="api")


class GoldFiles(ProjectView):
    """Prepare a file of the gold as a job: its answer names the job, whose `file` has the address, size and SHA-256."""

    permission = "gold.export"

    @extend_schema(
        operation_id="projects_gold_files_create",
        parameters=[OpenApiParameter(OF, enum=gold_areas(), description="Which kind of gold")],
        request=None,
        responses={202: JobWithResultSerializer},
    )
    def post(self, request: ApiRequest, slug: str) -> Response:
        return accepted(prepare(self.project, request.query_params.get(OF, ""), by=request.user), request)
