"""Saving what is not finished yet. A draft has a version; a save names the version it builds on.

The save is one conditional UPDATE, so a stale tab cannot overwrite a newer version: it gets a conflict, and
what it wanted to save is set aside beside the draft.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import CharField, DateTimeField, F, IntegerField, JSONField, QuerySet
from django.utils import timezone

from projects.prepared import Given, PreparedUpdate
from workflow.claims import hold, refusal
from workflow.models import Assignment, Draft, SetAsideDraft, Status
from workflow.refusals import Conflict, Refused
from workflow.task_types import task_type


@dataclass(frozen=True, slots=True)
class Saved:
    version: int
    saved_at: datetime


def save(assignment: Assignment, version: int, body: object, client: str = "") -> Saved:
    """Save a draft on top of `version` (0 where there is none yet) and hold the item for another lease.

    The assignment comes with its item, response and stage. Raises Invalid where the body is no draft, Conflict
    where another version was saved meanwhile, Refused where the item is no longer this rater's; in the last two
    the body is kept as a set-aside draft.
    """
    if assignment.status == Status.SUBMITTED:
        raise refusal(assignment)
    draft = task_type(assignment.stage.kind).check_draft(assignment, body)
    try:
        with transaction.atomic():
            hold(assignment)  # locks the assignment, so saves and submissions come one by one
            saved = write(assignment, version, draft, client)
    except Refused:
        if assignment.status != Status.SUBMITTED:
            set_aside(assignment, version, draft, client)
        raise
    if isinstance(saved, Conflict):
        raise saved
    return saved


def _saving() -> tuple[QuerySet[Draft], dict]:
    version = Given("version", IntegerField())
    changes = {
        "version": F("version") + 1,
        "body": Given("body", JSONField()),
        "client": Given("client", CharField()),
        "saved_at": Given("now", DateTimeField()),
    }
    return Draft.objects.filter(pk=Given("pk", Assignment), version=version), changes


SAVE = PreparedUpdate(_saving)


def write(assignment: Assignment, version: int, draft: dict, client: str) -> Saved | Conflict:
    """The conditional update itself. The caller holds the assignment's row."""
    now = timezone.now()
    if version == 0:
        row, created = Draft.objects.get_or_create(assignment=assignment, defaults={"body": draft, "client": client})
        if created:
            return Saved(row.version, row.saved_at)
    elif SAVE.run(pk=assignment.pk, version=version, body=draft, client=client, now=now):
        return Saved(version + 1, now)
    return _not_on_top(assignment, version, draft, client)


def _not_on_top(assignment: Assignment, version: int, draft: dict, client: str) -> Saved | Conflict:
    """The same words once more are a resend whose answer was lost; other words are a conflict, and both are kept."""
    current = Draft.objects.filter(pk=assignment.pk).first()
    if current is not None and current.body == draft:
        return Saved(current.version, current.saved_at)
    set_aside(assignment, version, draft, client)
    if current is None:
        return Conflict(0, task_type(assignment.stage.kind).empty_draft(assignment))
    return Conflict(current.version, current.body)


def set_aside(assignment: Assignment, version: int, draft: dict, client: str) -> None:
    """Keep what could not be saved. One tab building on one version has one such row: its latest words."""
    SetAsideDraft.objects.update_or_create(
        assignment=assignment, base_version=version, client=client, defaults={"body": draft}
    )


def current(assignment: Assignment) -> tuple[int, dict]:
    """Version and body of the draft as stored; version 0 and an empty body where nothing was written yet."""
    draft = Draft.objects.filter(pk=assignment.pk).first()
    if draft is None:
        return 0, task_type(assignment.stage.kind).empty_draft(assignment)
    return draft.version, draft.body
