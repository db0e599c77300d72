"""Turning a draft into an answer, once, however often the browser has to send it."""

import uuid
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from workflow.claims import refusal, take
from workflow.drafts import set_aside
from workflow.models import Assignment, Draft, Status
from workflow.refusals import Conflict, Refused
from workflow.remarks import ask_one_more
from workflow.signals import answer_stored
from workflow.task_types import TaskType, task_type

STATE = ("status", "submission", "submitted_at", "lease_expires_at")


def submit(assignment: Assignment, submission: uuid.UUID, version: int, body: object) -> datetime:
    """Store the answer and return when it was submitted; a resend of the same submission returns the same.

    `submission` is chosen by the browser once per submission. Raises Invalid where the body is not an answer
    (nothing is stored), Conflict where the draft was saved from elsewhere since `version`, and Refused where
    the item was submitted otherwise or is no longer this rater's.
    """
    kind = task_type(assignment.stage.kind)
    if assignment.status != Status.SUBMITTED:
        answer = kind.check_answer(assignment, body)
    else:
        answer = {}
    try:
        with transaction.atomic():
            outcome = _submit_locked(kind, assignment, submission, version, answer)
    except Refused:
        if answer and assignment.status not in (Status.SUBMITTED, Status.CLAIMED):
            set_aside(assignment, version, answer, str(submission))
        raise
    if isinstance(outcome, Conflict):
        raise outcome
    return outcome


def _submit_locked(
    kind: TaskType, assignment: Assignment, submission: uuid.UUID, version: int, answer: dict
) -> datetime | Conflict:
    stored = Assignment.objects.select_for_update().get(pk=assignment.pk)
    assignment.status, assignment.skip_reason = stored.status, stored.skip_reason
    if stored.status == Status.SUBMITTED:
        if stored.submission == submission and stored.submitted_at is not None:
            return stored.submitted_at
        raise refusal(stored)
    if stored.status != Status.CLAIMED:
        if stored.status in (Status.RELEASED, Status.SKIPPED):
            raise refusal(stored)
        take(assignment)
    draft = Draft.objects.filter(pk=assignment.pk).first()
    if draft is not None and draft.version != version and draft.body != answer:
        set_aside(assignment, version, answer, str(submission))
        return Conflict(draft.version, draft.body)
    if Assignment.objects.filter(submission=submission).exclude(pk=assignment.pk).exists():
        raise Refused("submitted")
    kind.store(assignment, answer)
    if draft is not None:
        assignment.submitted_version = draft.version
        draft.delete()
    assignment.status, assignment.submission = Status.SUBMITTED, submission
    assignment.submitted_at, assignment.lease_expires_at = timezone.now(), None
    assignment.save(update_fields=[*STATE, "submitted_version"])
    assignment.is_unsure = stored.is_unsure
    ask_one_more(assignment)
    answer_stored.send(sender=type(kind), assignment=assignment)
    return assignment.submitted_at
