"""How much a rater can still take of a stage, counted as far as the count is of use to them.

A long queue is not counted: at every look at a task that would read all of it, for a total whose end is out of sight.
Nor is a count kept beside it: every claim would then have to move it, and claims of one stage would wait for each
other.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from projects.models import Rater
from workflow.claims import can_claim
from workflow.content_notes import sets_for
from workflow.models import Assignment, Stage, WorkItem
from workflow.task_types import task_type

# A queue with more open items than this is long. Reading so many of its index takes a millisecond or two.
COUNTED = 2000


class Left(NamedTuple):
    """`items` is None where the queue is long; `is_some` says in any case whether there is something to take."""

    is_some: bool
    items: int | None


NOTHING = Left(False, 0)


def left_for(rater: Rater, stage: Stage, varieties: Sequence[int]) -> Left:
    """What the rater, who works in these varieties, can still take: counted exactly where the queue is not long."""
    notes = sets_for(rater, stage.project)
    queue = _queue(stage, varieties)
    if stage.project.note_sets:
        queue = queue.filter(note_set__in=notes)
    if queue[: COUNTED + 1].count() > COUNTED:
        return Left(can_claim(rater, stage, varieties, notes), None)
    had = Assignment.objects.filter(item=OuterRef("pk"), rater=rater)
    count = task_type(stage.kind).eligible(queue.filter(~Exists(had)), rater).count()
    return Left(count > 0, count)


def _queue(stage: Stage, varieties: Sequence[int]) -> QuerySet[WorkItem]:
    return WorkItem.objects.filter(stage=stage, open_slots__gt=0, is_check=False, variety__in=varieties)
