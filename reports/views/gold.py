"""The gold set of a project: its page, its file, its card, its schema, and the file for programs."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from projects.access import fetch_project
from projects.models import Project
from reports.dataset_card import card, summarise
from reports.gold import FORMAT, lines

SCHEMA = Path(settings.BASE_DIR) / "annotation" / "schemas" / "gold.schema.json"
JSON_LINES = "application/x-ndjson"


@require_safe
@login_required
def gold_page(request: HttpRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "gold.export")
    summary = summarise(project)
    context = {"project": project, "summary": summary, "format": FORMAT, "card": card(project, summary)}
    return render(request, "reports/gold.html", context)


@require_safe
@login_required
def gold_file(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    return streamed(fetch_project(request.user, slug, "gold.export"))


@require_safe
@login_required
def gold_card(request: HttpRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "gold.export")
    response = HttpResponse(card(project, summarise(project)), content_type="text/markdown; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{project.slug}-gold-card.md"'
    return response


@require_safe
@login_required
def gold_schema(request: HttpRequest) -> FileResponse:
    return FileResponse(SCHEMA.open("rb"), content_type="application/schema+json", filename=SCHEMA.name)


def streamed(project: Project) -> StreamingHttpResponse:
    response = StreamingHttpResponse(lines(project), content_type=JSON_LINES)
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
        responses={(200, JSON_LINES): OpenApiResponse(OpenApiTypes.BINARY, description=f"Format {FORMAT}")},
    )
    def get(self, request: Request, slug: str) -> StreamingHttpResponse:
        return streamed(fetch_project(request.user, slug, "gold.export"))
