"""Bringing data in: choose a file, check it, import it, read what is wrong with it by line and field."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from projects.access import fetch_project
from projects.forms import ImportForm
from projects.importing.reading import Source, format_of
from projects.importing.registry import importers
from projects.importing.running import run_import
from projects.requests import SignedInRequest


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def import_data(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "data.import")
    form = ImportForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"project": project, "form": form, "importers": importers().values()}
    if request.method != "POST":
        return render(request, "projects/import.html", context | {"has_responses": project.responses.exists()})
    is_clean = False
    if form.is_valid():
        file = form.cleaned_data["file"]
        outcome = run_import(
            project,
            Source(file, file.name, file.size),
            form.cleaned_data["kind"],
            format_of(file.name),
            dry_run="dry_run" in request.POST,
            actor=request.user,
        )
        context["outcome"], is_clean = outcome, outcome.is_clean
    if request.htmx:
        # htmx swaps nothing in on an error status; the fragment itself says that the file was refused.
        return render(request, "projects/import_outcome.html", context)
    return render(request, "projects/import.html", context, status=200 if is_clean else 422)


@require_safe
@login_required
def schema(request: SignedInRequest, kind: str) -> FileResponse:
    found = importers().get(kind)
    if found is None:
        raise Http404
    return FileResponse(found.schema.open("rb"), content_type="application/schema+json", filename=found.schema.name)
