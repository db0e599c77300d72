"""Content notes: what a person does not want to read, and leaving an item at the veil before its text."""

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from projects.access import fetch_project, fetch_rater
from projects.content_notes import labels_of
from projects.requests import SignedInRequest
from workflow import claims
from workflow.access import fetch_own
from workflow.content_notes import choices_of, unwanted_of
from workflow.forms import UnwantedNotesForm
from workflow.models import Assignment, OwnLimits, Status
from workflow.refusals import Refused
from workflow.views.work import claimed_item


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def mine(request: SignedInRequest, slug: str) -> HttpResponse:
    """What one does not want to read; nobody else is shown it."""
    project = fetch_project(request.user, slug, "work.claim")
    rater = fetch_rater(request.user, project)
    form = UnwantedNotesForm(
        request.POST if request.method == "POST" else None,
        choices=choices_of(project),
        initial={"unwanted": sorted(unwanted_of(rater))},
    )
    if form.is_valid():
        OwnLimits.objects.update_or_create(rater=rater, defaults={"unwanted_notes": form.cleaned_data["unwanted"]})
        messages.success(request, _("Saved."))
        return redirect("work", slug)
    context = {"project": project, "form": form}
    return render(request, "workflow/notes.html", context, status=422 if form.errors else 200)


def veil_before(request: SignedInRequest, own: Assignment, version: int) -> HttpResponse | None:
    """The page before a text with content notes, until its person asks for it or has written something."""
    if not own.item.note_set or own.status == Status.SUBMITTED or version or "shown" in request.GET:
        return None
    context = {
        "assignment": own,
        "project": own.stage.project,
        "labels": labels_of(own.stage.project, own.item.note_set),
    }
    return render(request, "workflow/veil.html", context)


@require_POST
@login_required
def leave_unread(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    """Not this text: it goes to someone else, and the next item comes."""
    own = fetch_own(request.user, assignment)
    try:
        claims.leave_unread(own)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("work", own.stage.project.slug)
    return claimed_item(request, own.rater, own.stage)
