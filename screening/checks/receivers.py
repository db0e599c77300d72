"""What follows from an answer to a check, in the transaction of the answer: its score, and a pause where it is due."""

from typing import Any

from screening.checks.kinds import check_kind
from screening.checks.pausing import pause_where_due
from screening.models import CheckResult, CheckSettings, GoldCheck
from workflow.models import Assignment
from workflow.signals import answer_stored
from workflow.task_types import TaskType


def follow(sender: type[TaskType], assignment: Assignment, **kwargs: Any) -> None:
    if assignment.item.is_check:
        mark_answer(assignment)


def mark_answer(assignment: Assignment) -> None:
    """Score the answer that was just stored. The first answer counts: one taken back and handed in again does not."""
    check = GoldCheck.objects.filter(item=assignment.item_id).first()
    kind = check_kind(assignment.stage)
    if check is None or kind is None or CheckResult.objects.filter(assignment=assignment).exists():
        return
    settings = CheckSettings.objects.get_or_create(stage=assignment.stage)[0]
    score = kind.score(check.gold, assignment, settings)
    CheckResult.objects.create(
        check_item=check,
        stage=assignment.stage,
        rater=assignment.rater,
        assignment=assignment,
        is_right=score.is_right,
        score=score.value,
        parts=dict(score.parts),
    )
    pause_where_due(assignment.rater, assignment.stage, settings)


def connect() -> None:
    answer_stored.connect(follow, dispatch_uid="screening.checks.receivers")
