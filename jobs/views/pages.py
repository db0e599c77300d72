"""What is done in the background of a project: the list, one job, its file, and the verbs."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from jobs import listing
from jobs.downloads import download, file_of
from jobs.kinds import job_kind
from jobs.models import Job
from projects.access import fetch_project, may
from projects.models import Project
from projects.problems import Invalid
from projects.requests import SignedInRequest


@require_safe
@login_required
def jobs(request: SignedInRequest, slug: str) -> HttpResponse:
    project = fetch_project(request.user, slug, "jobs.run")
    entries_by_page: Paginator[Any] = Paginator(listing.Listing(project), listing.PER_PAGE)  # type: ignore[arg-type]
    page = entries_by_page.get_page(request.GET.get("page"))
    entries = list(page.object_list)
    context = {
        "project": project,
        "page": page,
        "entries": entries,
        "is_live": any(entry.is_moving for entry in entries),
    }
    return live(request, "jobs/jobs.html", "jobs/jobs_live.html", context)


@require_safe
@login_required
def job(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    project = fetch_project(request.user, slug, "jobs.run")
    source, row = looked_up(project, uuid)
    [entry] = source.entries([row])
    if not isinstance(row, Job):
        return redirect(entry.url)
    kind = job_kind(row.kind)
    context = {"project": project, "job": row, "entry": entry, "file": file_of(row)}
    if row.is_over and row.result is not None and kind.result_template:
        context |= {"result_template": kind.result_template, **kind.result_context(row)}
    return live(request, "jobs/job.html", "jobs/job_live.html", context)


@require_safe
@login_required
def job_file(request: SignedInRequest, slug: str, uuid: UUID) -> StreamingHttpResponse:
    project = fetch_project(request.user, slug, "jobs.run")
    row = looked_up(project, uuid)[1]
    if not isinstance(row, Job) or not may(request.user, project, job_kind(row.kind).permission):
        raise Http404
    return download(row, by=request.user if request.method == "GET" else None)


REFUSALS = {
    "pause": _("It could not be paused: it is paused or over already, or all of it is one step. Nothing was changed."),
    "resume": _("Only what is paused can be resumed. Nothing was changed."),
    "cancel": _("It was over already. Nothing was changed."),
    "retry": _("Only what failed or was cancelled can be tried again, while its file is there. Nothing was changed."),
}


@require_POST
@login_required
def act(request: SignedInRequest, slug: str, uuid: UUID, verb: str) -> HttpResponse:
    """Pause, resume, cancel or try again; back to the page it was asked on."""
    project = fetch_project(request.user, slug, "jobs.run")
    source, row = looked_up(project, uuid)
    if not may(request.user, project, source.permission_for(row)):
        raise Http404
    try:
        if not source.act(row, verb, request.user):
            messages.warning(request, REFUSALS[verb])
    except Invalid as invalid:
        messages.error(request, str(invalid.problems[0].message))
    return redirect("job", slug, uuid) if request.POST.get("from") == "job" else redirect("jobs", slug)


def looked_up(project: Project, uuid: UUID) -> tuple[listing.Source, Any]:
    match = listing.look_up(project, uuid)
    if match is None:
        raise Http404
    return match


def live(request: SignedInRequest, page: str, part: str, context: dict[str, Any]) -> HttpResponse:
    """The page, and for htmx its live part alone, which asks again while anything moves."""
    response = render(request, part if request.htmx else page, context)
    # A browser must not take the fragment from its cache for the page.
    patch_vary_headers(response, ["HX-Request"])
    return response
