"""Telling people of a date: three days and one day before work is due, who has some of it left."""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils import timezone

from notices.kinds import Kind
from notices.models import Notice
from notices.telling import tell
from projects.models import Rater
from workflow.claims import can_claim
from workflow.content_notes import sets_for
from workflow.models import Assignment, Stage
from workflow.progress import UNFINISHED, refusal_of
from workflow.telling_people import who_may_work

#: Before the moment, and how each is called in the key of a notice. Who learns of it late is told once.
TOLD_BEFORE = ((timedelta(days=1), "day"), (timedelta(days=3), "days"))


def tell_of_dates() -> int:
    """Tell everybody to whom it is time; return how many. Called by the clock: who was told is not looked at again, and
    who has work left is found out before anything is locked."""
    now = timezone.now()
    soon = Stage.objects.filter(due_at__gt=now, due_at__lte=now + TOLD_BEFORE[-1][0], is_open=True, locked_at=None)
    told = 0
    for stage in soon.filter(project__archived_at=None).select_related("project").order_by("due_at", "pk"):
        assert stage.due_at is not None
        step = next(name for before, name in TOLD_BEFORE if stage.due_at - now <= before)
        key = f"stage-{stage.pk}-{stage.due_at:%Y%m%d%H%M}-{step}"
        people = list(_with_work_left(stage, key))
        path = reverse("work", args=[stage.project.slug])
        tell(people, Kind.DUE, stage.project, key, path, stage.name, stage.due_at)
        told += len(people)
    return told


def _with_work_left(stage: Stage, key: str) -> Iterator[int]:
    """Ids of the accounts that were not told yet and have something begun, kept for them or open to them."""
    already = Notice.objects.filter(person=OuterRef("user"), kind=Kind.DUE, key=key)
    held = Assignment.objects.filter(stage=stage, rater=OuterRef("pk"), status__in=UNFINISHED)
    raters = who_may_work(stage).filter(~Exists(already)).annotate(holds=Exists(held))
    for rater in raters.select_related("project").prefetch_related("varieties").order_by("pk"):
        if rater.user_id is not None and (rater.holds or _may_take_some(rater, stage)):
            yield rater.user_id


def _may_take_some(rater: Rater, stage: Stage) -> bool:
    varieties = [variety.pk for variety in rater.varieties.all()]
    notes = sets_for(rater, stage.project)
    return can_claim(rater, stage, varieties, notes) and refusal_of(rater, stage) is None
