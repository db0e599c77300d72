"""What a person says beside an answer: a bookmark, that they are unsure, a note to themselves.

Remarks come with every save of the draft, each by itself: only those that changed are told, and they are stored
whatever becomes of the draft. So a conflict between two drafts, or an item that went to others, costs none of them.
"""

from typing import Any, TypedDict

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from projects.audit import record
from projects.problems import Invalid, Problem
from workflow.models import SUBJECTS, Assignment, Remark, Status, WorkItem, feedback_rules

MOST_NOTE = 10_000
# What is told of a note, beside its words: those it was written over, and that the page said leads read it.
OF_NOTE = ("note_before", "note_is_shared")
KINDS: dict[str, type] = {"bookmarked": bool, "unsure": bool, "note": str, "note_before": str, "note_is_shared": bool}


class Remarks(TypedDict):
    """As they stand."""

    bookmarked: bool
    unsure: bool
    note: str


def split(body: object) -> tuple[object, dict[str, Any]]:
    """A body as a screen sends it, as the draft and the remarks that come with it. Raises Invalid."""
    if not isinstance(body, dict) or "remarks" not in body:
        return body, {}
    return {name: value for name, value in body.items() if name != "remarks"}, checked(body["remarks"])


def checked(told: object) -> dict[str, Any]:
    """Raises Invalid where these are no remarks."""
    if not isinstance(told, dict) or set(told) - set(KINDS):
        raise Invalid(Problem("malformed", _("These are no remarks."), "remarks"))
    for name, value in told.items():
        if not isinstance(value, KINDS[name]) or (isinstance(value, str) and len(value) > MOST_NOTE):
            raise Invalid(Problem("malformed", _("These are no remarks."), f"remarks.{name}"))
    return told


def remarks_of(assignment: Assignment) -> Remarks:
    remark = Remark.objects.filter(pk=assignment.pk).first() or Remark()
    return {"bookmarked": remark.bookmarked_at is not None, "unsure": assignment.is_unsure, "note": remark.note}


def keep(assignment: Assignment, told: dict[str, Any]) -> Remarks | None:
    """Store what is told; return the remarks as they then stand, None where nothing is told. Told again, it changes
    nothing. Whether the person is unsure is part of the answer: once that is handed in it stays as it is."""
    if not told:
        return None
    with transaction.atomic():
        # Remarks of one item are stored one by one, from however many tabs they come.
        stored = Assignment.objects.select_for_update().only("status", "is_unsure").get(pk=assignment.pk)
        unsure = told.get("unsure", stored.is_unsure)
        if unsure != stored.is_unsure and stored.status != Status.SUBMITTED:
            stored.is_unsure = unsure
            stored.save(update_fields=["is_unsure"])
        assignment.is_unsure = stored.is_unsure
        remark = Remark.objects.filter(pk=assignment.pk).first() or Remark(assignment_id=assignment.pk)
        before = (remark.bookmarked_at, remark.note, remark.note_is_shared)
        if "bookmarked" in told:
            remark.bookmarked_at = (remark.bookmarked_at or timezone.now()) if told["bookmarked"] else None
        if "note" in told:
            _write_note(remark, assignment, told)
        if before != (remark.bookmarked_at, remark.note, remark.note_is_shared):
            remark.save()
    return {"bookmarked": remark.bookmarked_at is not None, "unsure": stored.is_unsure, "note": remark.note}


def _write_note(remark: Remark, assignment: Assignment, told: dict[str, Any]) -> None:
    """What was written elsewhere meanwhile stays: the new words stand below it."""
    note, stored = told["note"].strip(), remark.note
    is_shared = bool(told.get("note_is_shared")) and feedback_rules(assignment.stage.project_id).shares_notes
    if stored and stored != told.get("note_before", "").strip():
        if not note or stored == note or stored.endswith(f"\n\n{note}"):
            return
        note, is_shared = f"{stored}\n\n{note}", is_shared and remark.note_is_shared
    if note == stored:
        return
    remark.note, remark.note_is_shared = note, is_shared and bool(note)
    remark.noted_at = timezone.now()


def ask_one_more(assignment: Assignment) -> bool:
    """Open an item whose answer its rater is unsure of to one more, where its stage says so: once, and up to as many
    as that says. Whether it was. To be called in the transaction of the submission, which holds the assignment."""
    most = assignment.stage.most_when_unsure
    if not assignment.is_unsure or most is None:
        return False
    items = WorkItem.objects.filter(pk=assignment.item_id, is_check=False, is_raised=False, slots__lt=most)
    items = items.exclude(**dict.fromkeys(SUBJECTS))  # what one rater began stays with one
    if not items.update(slots=F("slots") + 1, open_slots=F("open_slots") + 1, is_raised=True):
        return False
    stage = assignment.stage
    record("item.raised", actor=None, project=stage.project, subject=stage.name, assignment=str(assignment.uuid))
    return True
