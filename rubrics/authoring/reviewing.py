"""A second author's look at a rubric before its freeze. What is approved is these very words and no others."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from projects.models import Rater
from projects.problems import Invalid, Problem
from rubrics.authoring.checking import draft_sha256
from rubrics.authoring.completeness import check_complete
from rubrics.models import DraftReview, ReviewDecision
from workflow import drafts
from workflow.models import Assignment, Status

MAX_REMARKS = 5_000


def ask(assignment: Assignment) -> DraftReview:
    """Lay the draft, as it was last saved, before the other authors; return what they will see.

    Asked again with the same words, nothing changes; with others, they take the place of what nobody has decided yet.
    Raises Invalid where the draft is not ready to be frozen but for the review.
    """
    _version, body = drafts.current(assignment)
    body = check_complete(assignment, body)
    digest = draft_sha256(body)
    with transaction.atomic():
        Assignment.objects.select_for_update().get(pk=assignment.pk)
        same = DraftReview.objects.filter(assignment=assignment, body_sha256=digest).exclude(
            decision=ReviewDecision.RETURNED
        )
        if (asked := same.first()) is not None:
            return asked
        DraftReview.objects.filter(assignment=assignment, decision="").delete()
        return DraftReview.objects.create(assignment=assignment, body=body, body_sha256=digest)


def waiting_for(rater: Rater) -> QuerySet[DraftReview]:
    """What this author may review now: rubrics in the making, of others, in a language of theirs."""
    return DraftReview.objects.filter(
        decision="",
        assignment__stage__project=rater.project_id,
        assignment__item__variety__in=rater.varieties.all(),
        assignment__status__in=(Status.CLAIMED, Status.EXPIRED, Status.RESERVED),
    ).exclude(assignment__rater=rater)


def decide(review: DraftReview, reviewer: Rater, decision: str, remarks: str, body_sha256: str) -> None:
    """Approve the words that were read, or return them with remarks.

    Raises Invalid where no decision is named, remarks are missing, one's own rubric is decided, or the words that
    were read (`body_sha256`) are not waiting any more.
    """
    if decision not in ReviewDecision.values:
        raise Invalid(Problem("required", _("Say whether you approve the rubric or return it."), "decision"))
    if decision == ReviewDecision.RETURNED and not remarks.strip():
        raise Invalid(Problem("required", _("Say what should be changed before it is frozen."), "remarks"))
    if reviewer.pk == review.assignment.rater_id:
        raise Invalid(Problem("own_rubric", _("Nobody reviews a rubric of their own."), "decision"))
    waiting = DraftReview.objects.filter(pk=review.pk, decision="", body_sha256=body_sha256)
    changes = {"decision": decision, "remarks": remarks.strip(), "reviewer": reviewer, "decided_at": timezone.now()}
    if not waiting.update(**changes):
        message = _("This was decided already, or the author has changed the rubric. Your remarks were not stored.")
        raise Invalid(Problem("not_waiting", message, "decision"))


def approval(assignment: Assignment, draft: dict) -> DraftReview | None:
    """The approval of these very words, or None."""
    approved = DraftReview.objects.filter(assignment=assignment, decision=ReviewDecision.APPROVED)
    return approved.filter(body_sha256=draft_sha256(draft)).select_related("reviewer").first()


def state(assignment: Assignment, draft: dict) -> dict | None:
    """The latest review of the rubric as the screen is told of it; None where none was asked for."""
    latest = DraftReview.objects.filter(assignment=assignment).first()
    return as_json(latest, draft) if latest else None


def as_json(review: DraftReview, draft: dict | None = None) -> dict:
    """`holds` is false where the draft has changed since: an approval of other words is none."""
    return {
        "decision": review.decision,
        "remarks": review.remarks,
        "asked_at": review.asked_at.isoformat(),
        "decided_at": review.decided_at.isoformat() if review.decided_at else None,
        "holds": draft is None or review.body_sha256 == draft_sha256(draft),
    }
