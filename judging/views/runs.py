"""A run while it goes and when it is over: progress, its calls, and the verbs that stop it and set it going."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from judging import runs
from judging.models import Call, CallState, Run
from judging.summaries import progress
from projects.access import fetch_project
from projects.models import Project
from projects.requests import SignedInRequest

CALLS_PER_PAGE = 20


def fetch_run(project: Project, uuid: UUID) -> Run:
    found = Run.objects.select_related("judge__rater", "judge__provider", "prompt_version", "created_by", "project")
    return get_object_or_404(found, project=project, uuid=uuid)


@require_safe
@login_required
@vary_on_headers("HX-Request")  # a browser must not take the fragment from its cache for the page
def run(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    """The page, and for htmx its live part alone, which asks again until the run is over."""
    project = fetch_project(request.user, slug, "judges.run")
    found = fetch_run(project, uuid)
    context = {"project": project, "run": found, "progress": progress(found)}
    return render(request, "judging/run_progress.html" if request.htmx else "judging/run.html", context)


@require_safe
@login_required
def calls(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    """What was said, word by word, beside what was read from it."""
    project = fetch_project(request.user, slug, "judges.run")
    found = fetch_run(project, uuid)
    listed = Call.objects.filter(run=found).select_related("response__variety").order_by("response_id", "unit")
    state = request.GET.get("state", "")
    if state in CallState.values:
        listed = listed.filter(state=state)
    page = Paginator(listed, CALLS_PER_PAGE).get_page(request.GET.get("page"))
    context = {"project": project, "run": found, "page": page, "state": state, "states": CallState}
    context["read"] = f"judging/read/{found.judge.kind}.html"
    return render(request, "judging/calls.html", context)


@require_POST
@login_required
def cancel(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = fetch_run(fetch_project(request.user, slug, "judges.run"), uuid)
    if runs.cancel(found, by=request.user):
        messages.success(request, _("The run is cancelled. What was answered is kept; resume it whenever you like."))
    else:
        messages.warning(request, _("The run was over already. Nothing was changed."))
    return redirect("run", slug, uuid)


@require_POST
@login_required
def resume(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = fetch_run(fetch_project(request.user, slug, "judges.run"), uuid)
    if not runs.resume(found, by=request.user):
        messages.warning(request, _("Only a cancelled run can be resumed. Nothing was changed."))
    return redirect("run", slug, uuid)


@require_POST
@login_required
def retry(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = fetch_run(fetch_project(request.user, slug, "judges.run"), uuid)
    if not runs.retry_failed(found, by=request.user):
        messages.warning(request, _("There is nothing to ask again, or people have reviewed those answers already."))
    return redirect("run", slug, uuid)
