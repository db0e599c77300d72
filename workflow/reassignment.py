"""Changing what was handed out or handed in: by the rater until others have built on it, else by a lead."""

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from projects import audit
from projects.models import Rater, Response, User
from workflow.claims import lease_end, refusal
from workflow.eligibility import check_eligible
from workflow.models import HOLDING, Assignment, Draft, FirstAnswer, ReturnedAnswer, Stage, Status, WorkItem
from workflow.planning import recount
from workflow.refusals import Refused
from workflow.signals import answer_withdrawn
from workflow.skipping import REASSIGNED
from workflow.task_types import task_type
from workflow.telling_people import tell_of_return

UNDER_WAY = (Status.CLAIMED, Status.EXPIRED)

MOST_NOTE = 1000


def returned(rater: Rater) -> QuerySet[ReturnedAnswer]:
    """What was sent back to the person and is not handed in again yet, the oldest first."""
    waiting = ReturnedAnswer.objects.filter(
        assignment__rater=rater, assignment__status__in=UNDER_WAY, version=F("assignment__submitted_version")
    )
    return waiting.order_by("returned_at", "pk")


def return_of(assignment: Assignment) -> ReturnedAnswer | None:
    """With which note the answer was sent back, where it was and waits."""
    if assignment.status not in UNDER_WAY:
        return None
    return assignment.returns.filter(version=assignment.submitted_version).first()


def may_amend(assignment: Assignment) -> bool:
    """Whether its rater may take the answer back: submitted, the stage not locked, nothing built on it yet."""
    return (
        assignment.status == Status.SUBMITTED
        and assignment.stage.locked_at is None
        and task_type(assignment.stage.kind).may_amend(assignment)
    )


def amend(assignment: Assignment) -> None:
    """Turn the rater's own submitted answer back into a draft. Raises Refused("locked", "built_on", ...)."""
    _withdraw(assignment, despite_lock=False)


def reopen(assignment: Assignment, lead: User, note: str = "") -> None:
    """Send a submitted answer back to its rater, as a draft, locked or not; once built on, not even a lead can. They
    find it first in their work, with the `note`, of which MOST_NOTE characters are kept."""
    with transaction.atomic():
        _withdraw(assignment, despite_lock=True)
        note = note.replace("\0", "").strip()[:MOST_NOTE]
        ReturnedAnswer.objects.create(assignment=assignment, version=assignment.submitted_version, note=note)
        tell_of_return(assignment)
        audit.record("answer.reopened", actor=lead, project=assignment.stage.project, subject=assignment.uuid)


def _withdraw(assignment: Assignment, despite_lock: bool) -> None:
    kind = task_type(assignment.stage.kind)
    with transaction.atomic():
        stored = Assignment.objects.select_for_update().get(pk=assignment.pk)
        if stored.status != Status.SUBMITTED:
            raise Refused("not_submitted")
        # Read again: the stage may have been locked since the page was shown.
        if not despite_lock and Stage.objects.filter(pk=stored.stage_id, locked_at__isnull=False).exists():
            raise Refused("locked")
        # Whoever builds on the answer (a second grader, a judge) holds its response meanwhile.
        Response.objects.select_for_update(of=("self",), no_key=True).filter(work_items=assignment.item_id).first()
        if not kind.may_amend(assignment):
            raise Refused("built_on")
        body, version = kind.reopen(assignment), stored.submitted_version + 1
        kept = {"body": kind.outlasting(assignment, body), "submitted_at": stored.submitted_at}
        FirstAnswer.objects.get_or_create(assignment=assignment, defaults=kept)
        Draft.objects.create(assignment=assignment, version=version, body=body)
        assignment.status, assignment.submission, assignment.submitted_at = Status.CLAIMED, None, None
        assignment.lease_expires_at = lease_end(assignment.stage, timezone.now())
        assignment.save(update_fields=["status", "submission", "submitted_at", "lease_expires_at"])
        answer_withdrawn.send(sender=type(kind), assignment=assignment)


def reassign(assignment: Assignment, rater: Rater, lead: User) -> Assignment:
    """Reserve an item that was handed to one person for another, who gets it next. The first one's draft is kept.

    Raises Refused where it was submitted, or the other person had it already or does not work in its language.
    """
    with transaction.atomic():
        stored = Assignment.objects.select_for_update().get(pk=assignment.pk)
        if stored.status == Status.SUBMITTED:
            raise refusal(stored)
        if assignment.item.is_own_beginning:
            raise Refused("own_beginning")
        if rater.pk == stored.rater_id or rater.project_id != assignment.stage.project_id:
            raise Refused("had_already")
        if not rater.varieties.filter(pk=assignment.item.variety_id).exists():
            raise Refused("wrong_variety")
        check_eligible(rater, assignment.stage)
        if not task_type(assignment.stage.kind).may_be_given(assignment.item, rater):
            raise Refused("had_already")
        Assignment.objects.filter(pk=stored.pk).update(
            status=Status.RELEASED, skip_reason=REASSIGNED, lease_expires_at=None
        )
        WorkItem.objects.select_for_update().get(pk=stored.item_id)
        taken = Assignment.objects.filter(item=stored.item_id, status__in=HOLDING).count()
        if taken >= assignment.item.slots:
            raise Refused("lease_lost")
        reserved = _reserve(assignment, rater)
        recount([stored.item_id])
        audit.record(
            "work.reassigned",
            actor=lead,
            project=assignment.stage.project,
            subject=assignment.uuid,
            to=rater.pseudonym,
        )
    return reserved


def _reserve(assignment: Assignment, rater: Rater) -> Assignment:
    earlier = Assignment.objects.select_for_update().filter(item=assignment.item, rater=rater).first()
    if earlier is not None:
        if earlier.status in HOLDING:
            raise Refused("had_already")
        earlier.status, earlier.skip_reason, earlier.lease_expires_at = Status.RESERVED, "", None
        earlier.save(update_fields=["status", "skip_reason", "lease_expires_at"])
        return earlier
    try:
        with transaction.atomic():
            return Assignment.objects.create(
                item=assignment.item, stage=assignment.stage, rater=rater, status=Status.RESERVED
            )
    except IntegrityError:  # claimed by that very person this moment
        raise Refused("had_already") from None
