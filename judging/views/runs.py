"""A run while it goes and when it is over: progress, its calls, and the verbs that stop it and set it going."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from judging.engine import runs
from judging.engine.rereading import older_calls
from judging.engine.summaries import progress
from judging.models import Call, CallState, Run, RunState
from judging.views.batches import calls_in_state, verb_view, watched
from projects.access import fetch_project
from projects.models import Project
from projects.requests import SignedInRequest


def fetch_run(project: Project, uuid: UUID) -> Run:
    runs_shown = Run.objects.select_related(
        "judge__rater", "judge__provider", "prompt_version", "created_by", "project", "run_set"
    )
    return get_object_or_404(runs_shown, project=project, uuid=uuid)


@require_safe
@login_required
def run(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    row = fetch_run(project, uuid)
    if row.judge is None:
        return redirect("collection", slug, uuid)
    now = progress(row)
    context = {"project": project, "run": row, "progress": now, "older": now.is_over and older_calls(row).count()}
    context["is_waiting"] = row.state == RunState.PAUSED
    context["not_asked"] = problems_of_cancelled(row)
    return watched(request, "judging/run.html", "judging/run_progress.html", context)


def problems_of_cancelled(row: Run) -> list[tuple[str, int]]:
    """Why calls were cancelled, where nobody did, and how many for each reason. One statement."""
    cancelled = Call.objects.filter(run=row, state=CallState.CANCELLED).exclude(problem="").order_by("problem")
    return list(cancelled.values_list("problem").annotate(Count("pk")))


@require_safe
@login_required
def calls(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    """What was said, word by word, beside what was read from it."""
    project = fetch_project(request.user, slug, "judges.run")
    row = fetch_run(project, uuid)
    if row.judge is None:
        return redirect("collection-calls", slug, uuid)
    listed = Call.objects.filter(run=row).select_related("response__variety").order_by("response_id", "unit")
    context = {"project": project, "run": row, "read": f"kinds/{row.judge.kind}/answer.html"}
    return render(request, "judging/calls.html", context | calls_in_state(request, listed, CallState))


cancel = verb_view(
    fetch_run,
    "run",
    runs.cancel,
    _("The run was over already. Nothing was changed."),
    lambda _n: gettext("The run is cancelled. What was answered is kept; resume it whenever you like."),
)
pause = verb_view(fetch_run, "run", runs.pause, _("The run was not going. Nothing was changed."))
resume = verb_view(
    fetch_run,
    "run",
    runs.resume,
    _("Only a paused or cancelled run can be resumed. Nothing was changed."),
)
retry = verb_view(
    fetch_run,
    "run",
    runs.retry_failed,
    _("There is nothing to ask again, or people have reviewed those answers already."),
)
