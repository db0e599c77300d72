"""A run of a target model while it goes and when it is over: progress, answers, and the verbs that stop it and set it
going."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from judging.collecting.by_hand import TAKABLE, take_as_response
from judging.collecting.configured import waits_for_set
from judging.engine import runs
from judging.engine.summaries import progress
from judging.forms.sets import LimitsForm
from judging.models import CollectionCall, CollectionState, Run, RunState
from judging.views.batches import calls_in_state, verb_view, watched
from projects.access import fetch_project
from projects.models import Project
from projects.problems import Invalid
from projects.requests import SignedInRequest


def fetch_collection(project: Project, uuid: UUID) -> Run:
    parts = ("endpoint__target_model", "endpoint__provider", "project", "created_by", "run_set")
    rows = Run.objects.filter(endpoint__isnull=False).select_related(*parts)
    return get_object_or_404(rows, project=project, uuid=uuid)


@require_safe
@login_required
def collection(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    run = fetch_collection(project, uuid)
    context = {"project": project, "run": run, "progress": progress(run), "run_set": run.run_set}
    context["waits_for_set"] = waits_for_set(project)
    context["is_waiting"] = run.state == RunState.PAUSED
    if run.run_set is not None:
        context["limits"] = LimitsForm.of(run.run_set)
    return watched(request, "judging/collection.html", "judging/collection_progress.html", context)


@require_safe
@login_required
def calls(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Every prompt with what was answered, word by word."""
    project = fetch_project(request.user, slug, "judges.run")
    run = fetch_collection(project, uuid)
    listed = CollectionCall.objects.filter(run=run).select_related("prompt__variety", "response")
    context = {"project": project, "run": run, "takable": TAKABLE}
    context |= calls_in_state(request, listed.order_by("pk"), CollectionState)
    return render(request, "judging/collection_calls.html", context)


@require_POST
@login_required
def take(request: SignedInRequest, slug: str, uuid: UUID, pk: int) -> HttpResponse:
    """Let a refusal or an answer that was cut be the response it is."""
    run = fetch_collection(fetch_project(request.user, slug, "judges.run"), uuid)
    call = get_object_or_404(CollectionCall, run=run, pk=pk)
    try:
        take_as_response(call, by=request.user)
    except Invalid as invalid:
        messages.warning(request, invalid.problems[0].message)
    else:
        messages.success(request, _("The answer is the response now, word for word as it came."))
    return redirect("collection-calls", slug, uuid)


cancel = verb_view(
    fetch_collection,
    "collection",
    runs.cancel,
    gettext_lazy("The collection was over already. Nothing was changed."),
    lambda _n: _("The collection is cancelled. What was answered is kept; resume it when you like."),
)
pause = verb_view(
    fetch_collection, "collection", runs.pause, gettext_lazy("The collection was not going. Nothing was changed.")
)
resume = verb_view(
    fetch_collection,
    "collection",
    runs.resume,
    gettext_lazy("Only a paused or cancelled collection can be resumed. Nothing was changed."),
)
retry = verb_view(
    fetch_collection,
    "collection",
    runs.retry_failed,
    gettext_lazy("Every prompt has an answer, or a response from elsewhere. Nothing is asked again."),
)
