"""Telling people of a date: three days and one day before work is due, who has some of it left."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from notices.kinds import Kind
from notices.models import Notice, NoticeSwitch
from notices.telling import tell
from projects.models import LanguageVariety, Rater
from workflow.claims import can_claim
from workflow.content_notes import sets_for
from workflow.models import Assignment, Stage, WorkItem
from workflow.progress import refusal_of, still_theirs
from workflow.telling_people import who_may_work

#: Before the moment, and how each is called in the key of a notice. Who learns of it late is told once.
TOLD_BEFORE = ((timedelta(days=1), "day"), (timedelta(days=3), "days"))
TOLD_AT_ONCE = 500


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
        path = reverse("work", args=[stage.project.slug])
        for people in _with_work_left(stage, key):
            tell(people, Kind.DUE, stage.project, key, path, stage.name, stage.due_at)
            told += len(people)
    return told


def _with_work_left(stage: Stage, key: str) -> Iterator[list[int]]:
    """Ids of the accounts that were not told yet and have something begun, kept for them or open to them; some at a
    time, so that a worker that ends in the middle has told those before."""
    last, raters = 0, _to_be_told(stage, key)
    while some := list(raters.filter(pk__gt=last)[:TOLD_AT_ONCE]):
        last = some[-1].pk
        yield [rater.user_id for rater in some if rater.user_id and (rater.holds or _may_take_some(rater, stage))]


def _to_be_told(stage: Stage, key: str) -> QuerySet[Any]:
    """Who was not told yet and wants to be, and holds something or works in a language with something open; whether
    that is open to them is asked one by one."""
    already = Notice.objects.filter(person=OuterRef("user"), kind=Kind.DUE, key=key)
    unwanted = NoticeSwitch.objects.filter(person=OuterRef("user"), kind=Kind.DUE, on_page=False, by_mail=False)
    held = Assignment.objects.filter(still_theirs(), stage=stage, rater=OuterRef("pk"))
    waiting = WorkItem.objects.filter(stage=stage, open_slots__gt=0, is_check=False).order_by().values("variety")
    speaks = LanguageVariety.objects.filter(raters=OuterRef("pk"), pk__in=waiting)
    raters = who_may_work(stage).filter(~Exists(already), ~Exists(unwanted), user__is_active=True)
    raters = raters.annotate(holds=Exists(held)).filter(Q(holds=True) | Exists(speaks))
    return raters.select_related("project").prefetch_related("varieties").order_by("pk")


def _may_take_some(rater: Rater, stage: Stage) -> bool:
    varieties = [variety.pk for variety in rater.varieties.all()]
    notes = sets_for(rater, stage.project)
    return can_claim(rater, stage, varieties, notes) and refusal_of(rater, stage) is None
