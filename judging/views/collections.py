"""A collection while it goes and when it is over: progress, answers, and the verbs that stop it and set it going."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from judging.collecting import jobs
from judging.collecting.by_hand import TAKABLE, take_as_response
from judging.collecting.summaries import progress
from judging.models import Collection, CollectionCall, CollectionState
from judging.views.batches import answer, calls_in_state, watched
from projects.access import fetch_project
from projects.models import Project
from projects.problems import Invalid
from projects.requests import SignedInRequest


def fetch_collection(project: Project, uuid: UUID) -> Collection:
    parts = ("endpoint__target_model", "endpoint__provider", "endpoint__project", "created_by")
    return get_object_or_404(Collection.objects.select_related(*parts), endpoint__project=project, uuid=uuid)


@require_safe
@login_required
def collection(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    project = fetch_project(request.user, slug, "judges.run")
    found = fetch_collection(project, uuid)
    context = {"project": project, "collection": found, "progress": progress(found)}
    return watched(request, "judging/collection.html", "judging/collection_progress.html", context)


@require_safe
@login_required
def calls(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Every prompt with what was answered, word by word."""
    project = fetch_project(request.user, slug, "judges.run")
    found = fetch_collection(project, uuid)
    listed = CollectionCall.objects.filter(collection=found).select_related("prompt__variety", "response")
    context = {"project": project, "collection": found, "takable": TAKABLE}
    context |= calls_in_state(request, listed.order_by("pk"), CollectionState)
    return render(request, "judging/collection_calls.html", context)


@require_POST
@login_required
def take(request: SignedInRequest, slug: str, uuid: UUID, pk: int) -> HttpResponse:
    """Let a refusal or an answer that was cut be the response it is."""
    found = fetch_collection(fetch_project(request.user, slug, "judges.run"), uuid)
    call = get_object_or_404(CollectionCall, collection=found, pk=pk)
    try:
        take_as_response(call, by=request.user)
    except Invalid as invalid:
        messages.warning(request, invalid.problems[0].message)
    else:
        messages.success(request, _("The answer is the response now, word for word as it came."))
    return redirect("collection-calls", slug, uuid)


@require_POST
@login_required
def cancel(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = fetch_collection(fetch_project(request.user, slug, "judges.run"), uuid)
    answer(
        request,
        jobs.cancel(found, by=request.user),
        refusal=_("The collection was over already. Nothing was changed."),
        success=_("The collection is cancelled. What was answered is kept; resume it when you like."),
    )
    return redirect("collection", slug, uuid)


@require_POST
@login_required
def resume(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = fetch_collection(fetch_project(request.user, slug, "judges.run"), uuid)
    refusal = _("It cannot be resumed now: it was not cancelled, or its worker still waits for what is in flight.")
    answer(request, jobs.resume(found, by=request.user), refusal=refusal)
    return redirect("collection", slug, uuid)


@require_POST
@login_required
def retry(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = fetch_collection(fetch_project(request.user, slug, "judges.run"), uuid)
    refusal = _("Every prompt has an answer, or a response from elsewhere. Nothing is asked again.")
    answer(request, jobs.retry_failed(found, by=request.user), refusal=refusal)
    return redirect("collection", slug, uuid)
