"""Bringing data in: choose a file, check it, import it, read what is wrong with it by line and field."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from formats.forms import ImportForm
from formats.importing.counted import counted
from formats.importing.registry import first_importer, importers, said_beside
from formats.importing.taking_back import is_large, take_back, with_rows
from formats.readers.choosing import format_of
from jobs.importing import begin_import, keep_for_mapping, outcome_of
from jobs.listing import entry_of
from jobs.taking_back import begin_taking_back
from projects.access import fetch_project
from projects.models import Import
from projects.problems import Invalid
from projects.requests import SignedInRequest
from projects.steps import next_steps

#: So many of the files that came in last are listed.
SHOWN = 20


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def import_data(request: SignedInRequest, slug: str) -> HttpResponse:
    """A file is answered at once: with what came of it where it is small, else with its job, which says how far it is.

    For htmx that is the part below the form, so that the form keeps the chosen file.
    """
    project = fetch_project(request.user, slug, "data.import")
    first = first_importer(project)
    chosen = request.GET.get("kind") or first.kind
    form = ImportForm(request.POST or None, request.FILES or None, chosen=chosen)
    context: dict[str, Any] = {"project": project, "form": form, "importers": importers().values()}
    context["beside"] = beside(chosen, request)
    brought = list(project.imports.filter(taken_back_at=None)[:SHOWN])
    context |= {
        "mappings": project.import_mappings.all(),
        "brought": [(each, counted(each.counts)) for each in brought],
        "can_go": with_rows(brought),
    }
    if request.method != "POST":
        beginning = first.beginning
        is_begun = beginning is None or beginning.has_begun(project)
        context |= {"next_steps": next_steps(project)} if is_begun else {"beginning": beginning}
        return render(request, "projects/import.html", context)
    if form.is_valid():
        file = form.cleaned_data["file"]
        if "map" in request.POST:
            kept = keep_for_mapping(project, file.chunks(), file.name)
            asked = {"kind": form.cleaned_data["kind"], "format": form.cleaned_data["file_format"]}
            asked |= said_beside(asked["kind"], request.POST)
            to = f"{reverse('import-map', args=[slug, kept.uuid])}?{urlencode(asked)}"
            return HttpResponseClientRedirect(to) if request.htmx else redirect(to)
        job = begin_import(
            project,
            file.chunks(),
            file.name,
            form.cleaned_data["kind"],
            form.cleaned_data["file_format"] or format_of(file.name),
            dry_run="dry_run" in request.POST,
            by=request.user,
            beside=said_beside(form.cleaned_data["kind"], request.POST),
        )
        outcome = outcome_of(job)
        context |= {"job": job, "outcome": outcome}
        if outcome is not None and outcome.is_stored:
            context["next_steps"] = next_steps(project)
        if context["outcome"] is None and not request.htmx:
            response = redirect("job", slug, job.uuid)
            response.status_code = 303
            return response
        if context["outcome"] is None:
            return render(request, "jobs/job_live.html", context | {"entry": entry_of(job)})
    if request.htmx:
        # htmx swaps nothing in on an error status; the fragment itself says that the file was refused.
        return render(request, "projects/import_outcome.html", context)
    is_clean = "outcome" in context and context["outcome"].is_clean
    return render(request, "projects/import.html", context, status=200 if is_clean else 422)


def beside(kind: str, request: SignedInRequest) -> list[tuple[str, Any, str]]:
    """What the page that one came from says of the file, to be seen and changed: name, label and words of each."""
    if kind not in importers():
        return []
    said = said_beside(kind, request.POST, request.GET)
    return [(name, importers()[kind].beside[name], words) for name, words in said.items()]


@require_POST
@login_required
def take_back_import(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    """All rows of one file go, or none of them where anything rests on one: then it is said what does."""
    project = fetch_project(request.user, slug, "data.import")
    brought = get_object_or_404(Import, project=project, uuid=uuid)
    if is_large(brought):
        response = redirect("job", slug, begin_taking_back(brought, request.user).uuid)
        response.status_code = 303
        return response
    try:
        take_back(brought, request.user)
    except Invalid as refused:
        reasons = " ".join(str(problem.message) for problem in refused.problems)
        messages.error(request, _("Nothing was taken back. %(reasons)s") % {"reasons": reasons})
    else:
        messages.success(request, _("All that came with “%(name)s” is taken back.") % {"name": brought})
    return redirect("import", slug)
