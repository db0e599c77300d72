"""A collection while it goes and when it is over: progress, answers, and the verbs that stop it and set it going."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from judging.collecting import jobs
from judging.collecting.by_hand import TAKABLE, take_as_response
from judging.collecting.summaries import progress
from judging.models import Collection, CollectionCall, CollectionState
from projects.access import fetch_project
from projects.models import Project
from projects.problems import Invalid
from projects.requests import SignedInRequest

CALLS_PER_PAGE = 20


def fetch_collection(project: Project, uuid: UUID) -> Collection:
    parts = ("endpoint__target_model", "endpoint__provider", "endpoint__project", "created_by")
    return get_object_or_404(Collection.objects.select_related(*parts), endpoint__project=project, uuid=uuid)


@require_safe
@login_required
@vary_on_headers("HX-Request")  # a browser must not take the fragment from its cache for the page
def collection(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    """The page, and for htmx its live part alone, which asks again until the collection is over."""
    project = fetch_project(request.user, slug, "judges.run")
    found = fetch_collection(project, uuid)
    context = {"project": project, "collection": found, "progress": progress(found)}
    return render(request, "judging/collection_progress.html" if request.htmx else "judging/collection.html", context)


@require_safe
@login_required
def calls(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Every prompt with what was answered, word by word."""
    project = fetch_project(request.user, slug, "judges.run")
    found = fetch_collection(project, uuid)
    listed = CollectionCall.objects.filter(collection=found).select_related("prompt__variety", "response")
    state = request.GET.get("state", "")
    if state in CollectionState.values:
        listed = listed.filter(state=state)
    page = Paginator(listed.order_by("pk"), CALLS_PER_PAGE).get_page(request.GET.get("page"))
    context = {"project": project, "collection": found, "page": page, "state": state, "states": CollectionState}
    return render(request, "judging/collection_calls.html", {**context, "takable": TAKABLE})


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
    if jobs.cancel(found, by=request.user):
        messages.success(request, _("The collection is cancelled. What was answered is kept; resume it when you like."))
    else:
        messages.warning(request, _("The collection was over already. Nothing was changed."))
    return redirect("collection", slug, uuid)


@require_POST
@login_required
def resume(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = fetch_collection(fetch_project(request.user, slug, "judges.run"), uuid)
    if not jobs.resume(found, by=request.user):
        message = _("It cannot be resumed now: it was not cancelled, or its worker still waits for what is in flight.")
        messages.warning(request, message)
    return redirect("collection", slug, uuid)


@require_POST
@login_required
def retry(request: SignedInRequest, slug: str, uuid: UUID) -> HttpResponse:
    found = fetch_collection(fetch_project(request.user, slug, "judges.run"), uuid)
    if not jobs.retry_failed(found, by=request.user):
        messages.warning(
            request, _("Every prompt has an answer, or a response from elsewhere. Nothing is asked again.")
        )
    return redirect("collection", slug, uuid)
