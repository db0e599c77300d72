"""One item: its screen, and the calls the screen makes to save, submit, skip and give it back."""

import logging
import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import DatabaseError
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from projects.guidelines import news_for
from projects.guidelines_in_languages import reading_for
from projects.outages import outage_of
from projects.problems import Invalid, Problem
from projects.requests import SignedInRequest
from projects.zones import learn_zone
from workflow import claims, drafts, own_keys, own_reading, reassignment, remarks, surveys, working_time
from workflow.access import fetch_own, fetch_own_to_save
from workflow.answer_rules import warnings_of
from workflow.as_shown import HASH_LENGTH, check_shown
from workflow.models import Assignment, Status, feedback_rules
from workflow.progress import strip
from workflow.refusals import Conflict, Refused
from workflow.skipping import OTHER
from workflow.submission import submit
from workflow.task_types import task_type
from workflow.views.calls import as_told, json_call, read_json, read_version, short_text, whole_number
from workflow.views.notes import veil_before

logger = logging.getLogger(__name__)

WRITABLE = (Status.CLAIMED, Status.EXPIRED, Status.RESERVED)


@require_safe
@never_cache
@login_required
def show(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    """The task screen of the item's kind of work; read-only where nothing can be written any more."""
    own = fetch_own(request.user, assignment)
    kind = task_type(own.stage.kind)
    submitted = own.status == Status.SUBMITTED
    version, body = (0, kind.stored(own)) if submitted else drafts.current(own)
    if veil := veil_before(request, own, version):
        return veil
    context = kind.screen(own, body)
    common = common_task(own, version)
    common["urls"] |= context["task"].get("urls", {})  # those of the kind's own beside what every kind has
    context["task"] |= common
    project = own.stage.project
    guidelines = reading_for(project, request.user, context["task"].get("lang", ""))
    context |= strip(own) | {
        "assignment": own,
        "project": project,
        "guidelines": guidelines,
        "stage": own.stage,
        "may_amend": reassignment.may_amend(own),
        "news": news_for(own.rater, project, guidelines.language),
        "own_reading": own_reading.told(own.rater.user_id),
        # What was sent back has a draft: the page of a new item asks nothing more.
        "sent_back": reassignment.return_of(own) if version else None,
    }
    return render(request, kind.template, context)


def common_task(own: Assignment, version: int) -> dict:
    """What every kind of work tells its script: where to save, which version it starts from, until when."""
    key = own.uuid
    return {
        "assignment": str(key),
        "version": version,
        "urls": {
            "draft": reverse("task-draft", args=[key]),
            "submit": reverse("task-submit", args=[key]),
            "skip": reverse("task-skip", args=[key]),
            "signs": reverse("task-signs", args=[key]),
            "remarks": reverse("task-remarks", args=[key]),
            "next": reverse("work-next", args=[own.stage.project.slug, own.stage_id]),
            "keys": reverse("own-keys"),
            "login": f"{reverse('account_login')}?next={reverse('signed-in')}",
        },
        "skip_reasons": [
            {"value": value, "label": str(label), "needs_note": value == OTHER}
            for value, label in task_type(own.stage.kind).skip_reasons.choices
        ],
        "read_only": own.status not in WRITABLE,
        "lease_expires_at": own.lease_expires_at.isoformat() if own.lease_expires_at else None,
        "owner": str(own.rater.user_id),
        "idle_seconds": working_time.rules_of(own.stage.project_id).idle_seconds,
        "own_keys": own_keys.told(own.rater.user_id or 0, own.stage.kind),
        "remarks": remarks.remarks_of(own) | {"is_shared": feedback_rules(own.stage.project_id).shares_notes},
    }


@json_call("PUT")
def draft(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    version, payload = read_version(request), read_json(request)
    body, told = remarks.split(payload.get("body"))
    own = fetch_own_to_save(request.user, assignment)
    check_shown(own, short_text(payload, "shown", HASH_LENGTH))
    kept = kept_remarks(own, told)
    try:
        saved = drafts.save(own, version, body, client=short_text(payload, "client", 40))
    except Conflict as conflict:
        conflict.beside = kept
        raise
    return JsonResponse({"version": saved.version, "saved_at": saved.saved_at, **kept})


def kept_remarks(own: Assignment, told: dict) -> dict:
    """Stores the remarks that were told; what the answer says of them."""
    kept = remarks.keep(own, told)
    return {} if kept is None else {"remarks": kept}


@json_call("POST")
def remark(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    """Remarks by themselves: on an item that can only be read."""
    told = remarks.checked(read_json(request).get("remarks"))
    return JsonResponse(kept_remarks(fetch_own(request.user, assignment), told))


@json_call("GET")
def saved(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    """The draft as stored, for a screen that lost track of it."""
    version, body = drafts.current(fetch_own(request.user, assignment))
    return JsonResponse({"version": version, "body": body})


@json_call("POST")
def submission(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    payload = read_json(request)
    body, told = remarks.split(payload.get("body"))
    own = fetch_own(request.user, assignment)
    check_shown(own, short_text(payload, "shown", HASH_LENGTH))
    key, version = submission_id(payload), whole_number(payload, "version", 10**9)
    kept = kept_remarks(own, told)
    try:
        submitted_at = submit(own, key, version, body)
    except Conflict as conflict:
        conflict.beside = kept
        raise
    answer = {"submitted_at": submitted_at, "next": next_page(own)}
    if warnings := warnings_of(own):
        answer["warnings"] = as_told(warnings)
    return JsonResponse(answer)


def submission_id(payload: dict) -> uuid.UUID:
    try:
        return uuid.UUID(short_text(payload, "submission", 36))
    except ValueError:
        raise Invalid(Problem("not_a_uuid", _("Each submission needs a UUID of its own."), "submission")) from None


@json_call("POST")
def signs(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    """Signs of life: when somebody worked on the item. Told again, they count once."""
    own, payload, now = fetch_own(request.user, assignment), read_json(request), timezone.now()
    told = working_time.read_signs(payload, now)
    learn_zone(request.user, payload.get("zone"))
    return JsonResponse({"seconds": working_time.record(own, told, now)})


@json_call("POST")
def skip(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    payload = read_json(request)
    own = fetch_own(request.user, assignment)
    reason, note = short_text(payload, "reason", 40), short_text(payload, "note", 2000).strip()
    if reason not in task_type(own.stage.kind).skip_reasons.values:
        raise Invalid(Problem("required", _("Say why you skip this item."), "reason"))
    if reason == OTHER and not note:
        raise Invalid(Problem("required", _("Say in a few words what the reason is."), "note"))
    claims.skip(own, reason, note)
    return JsonResponse({"next": next_page(own)})


def next_page(own: Assignment) -> str:
    """Claim what comes next and say where it is; the survey where one is due, the overview where nothing comes.

    What was done before is stored: where the database cannot go on just now, the overview is next, and no failure.
    """
    try:
        return _claimed_page(own) or reverse("work", args=[own.stage.project.slug])
    except DatabaseError as problem:
        if outage_of(problem) is None:
            raise
        logger.warning("What comes next could not be claimed: %r", problem)
        return reverse("work", args=[own.stage.project.slug])


def _claimed_page(own: Assignment) -> str | None:
    if afterwards := task_type(own.stage.kind).afterwards(own):
        return afterwards
    if surveys.due(own.rater, own.stage):
        return reverse("survey", args=[own.stage.project.slug, own.stage_id])
    try:
        claimed = claims.claim_next(own.rater, own.stage)
    except Refused:
        return None
    return reverse("task", args=[claimed.uuid]) if claimed else None


@require_POST
@login_required
def release(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    own = fetch_own(request.user, assignment)
    try:
        claims.release(own)
        messages.success(request, _("The item was given back. What you wrote is kept."))
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("work", own.stage.project.slug)


@require_POST
@login_required
def amend(request: SignedInRequest, assignment: uuid.UUID) -> HttpResponse:
    own = fetch_own(request.user, assignment)
    try:
        reassignment.amend(own)
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("task", own.uuid)
