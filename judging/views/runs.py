"""A run while it goes and when it is over: progress, its calls, and the verbs that stop it and set it going."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from judging.engine import runs
from judging.engine.rereading import older_calls
from judging.engine.summaries import progress
from judging.models import Call, CallState, PausedBecause, Run, RunState
from judging.views.batches import answer, calls_in_state, watched
from projects.access import fetch_project
from projects.models import Project
from projects.requests import SignedInRequest


def fetch_run(project: Project, uuid: UUID) -> Run:
    found = Run.objects.select_related(
        "judge__rater", "judge__provider", "prompt_version", "created_by", "project", "run_set"
    )
    return get_object_or_404(found, project=project, uuid=uuid)


@require_safe
@login_required
def run(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    found = fetch_run(project, uuid)
    if found.judge is None:
        return redirect("collection", slug, uuid)
    now = progress(found)
    context = {"project": project, "run": found, "progress": now, "older": now.is_over and older_calls(found).count()}
    context["is_waiting"] = found.state == RunState.PAUSED
    return watched(request, "judging/run.html", "judging/run_progress.html", context)


@require_safe
@login_required
def calls(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    """What was said, word by word, beside what was read from it."""
    project = fetch_project(request.user, slug, "judges.run")
    found = fetch_run(project, uuid)
    if found.judge is None:
        return redirect("collection-calls", slug, uuid)
    listed = Call.objects.filter(run=found).select_related("response__variety").order_by("response_id", "unit")
    context = {"project": project, "run": found, "read": f"kinds/{found.judge.kind}/answer.html"}
    return render(request, "judging/calls.html", context | calls_in_state(request, listed, CallState))


@require_POST
@login_required
def cancel(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = fetch_run(fetch_project(request.user, slug, "judges.run"), uuid)
    answer(
        request,
        runs.cancel(found, by=request.user),
        refusal=_("The run was over already. Nothing was changed."),
        success=_("The run is cancelled. What was answered is kept; resume it whenever you like."),
    )
    return redirect("run", slug, uuid)


@require_POST
@login_required
def pause(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = fetch_run(fetch_project(request.user, slug, "judges.run"), uuid)
    done = runs.pause(found, PausedBecause.PERSON, request.user)
    answer(request, done, refusal=_("The run was not going. Nothing was changed."))
    return redirect("run", slug, uuid)


@require_POST
@login_required
def resume(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = fetch_run(fetch_project(request.user, slug, "judges.run"), uuid)
    done = runs.resume(found, by=request.user)
    answer(request, done, refusal=_("Only a paused or cancelled run can be resumed. Nothing was changed."))
    return redirect("run", slug, uuid)


@require_POST
@login_required
def retry(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = fetch_run(fetch_project(request.user, slug, "judges.run"), uuid)
    done = runs.retry_failed(found, by=request.user)
    answer(request, done, refusal=_("There is nothing to ask again, or people have reviewed those answers already."))
    return redirect("run", slug, uuid)
