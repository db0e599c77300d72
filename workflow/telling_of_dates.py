"""Telling people of a date: three days before work is due, one day before, and on the morning of the day itself where
they live, who has some of it left.

The clock asks every half hour. Who was told is not asked again; nor is who had nothing open to them, until more is open
in the stage than at its least since (`NothingOpen`).
"""

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.urls import reverse
from django.utils import timezone

from notices.kinds import Kind
from notices.models import Notice, NoticeSwitch
from notices.telling import tell
from projects.models import LanguageVariety, Rater
from projects.zones import named_zone
from workflow.claims import can_claim
from workflow.content_notes import sets_for
from workflow.models import Assignment, NothingOpen, Stage, WorkItem
from workflow.progress import refusal_of, still_theirs
from workflow.telling_people import who_may_work

#: Before the moment, and how each is called in the key of a notice. Who learns of it late is told once.
TOLD_BEFORE = ((timedelta(days=1), "day"), (timedelta(days=3), "days"))
TODAY = "today"
#: When people are told of what is due that day, as their own clocks show it.
MORNING = time(7)
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
        raters = who_may_work(stage)
        here = zones_in_the_morning(raters, stage.due_at, now)
        of_today, others = raters.filter(user__time_zone__in=here), raters.exclude(user__time_zone__in=here)
        path = reverse("work", args=[stage.project.slug])
        open_slots = _open_slots(stage)
        for those, named in ((of_today, TODAY), (others, step)):
            key = f"stage-{stage.pk}-{stage.due_at:%Y%m%d%H%M}-{named}"
            for people in _with_work_left(those, stage, key, open_slots):
                tell(people, Kind.DUE, stage.project, key, path, stage.name, stage.due_at)
                told += len(people)
    return told


def zones_in_the_morning(raters: QuerySet[Rater], due_at: datetime, now: datetime) -> list[str]:
    """Of the zones these people live in those where it is the morning of the day, or later. Work that is due at
    midnight is due on the day that ends then; where the morning comes after the moment, nobody is told."""
    names = raters.order_by().values_list("user__time_zone", flat=True).distinct()
    found = []
    for name in names:
        zone = named_zone(name)
        day = (due_at - timedelta(minutes=1)).astimezone(zone).date()
        if datetime.combine(day, MORNING, zone).astimezone(UTC) <= now:
            found.append(name)
    return found


def _open_slots(stage: Stage) -> int:
    """How many more answers are open in the stage. Written down where it is less than anybody without work remembers,
    so that whatever is opened after that shows."""
    waiting = WorkItem.objects.filter(stage=stage, open_slots__gt=0, is_check=False)
    count = waiting.aggregate(count=Sum("open_slots"))["count"] or 0
    NothingOpen.objects.filter(stage=stage, open_slots__gt=count).update(open_slots=count)
    return count


def _with_work_left(raters: QuerySet[Rater], stage: Stage, key: str, open_slots: int) -> Iterator[list[int]]:
    """Ids of the accounts that were not told yet and have something begun, kept for them or open to them; some at a
    time, so that a worker that ends in the middle has told those before. Who has nothing is remembered."""
    last, to_be_told = 0, _to_be_told(raters, stage, key, open_slots)
    while some := list(to_be_told.filter(pk__gt=last)[:TOLD_AT_ONCE]):
        last = some[-1].pk
        idle = [rater for rater in some if not rater.holds and not _is_something_open(rater, stage)]
        remember = [NothingOpen(stage=stage, rater=rater, open_slots=open_slots) for rater in idle]
        NothingOpen.objects.bulk_create(
            remember, update_conflicts=True, unique_fields=["stage", "rater"], update_fields=["open_slots"]
        )
        without = {rater.pk for rater in idle}
        working = [rater for rater in some if rater.pk not in without]
        yield [each.user_id for each in working if each.user_id and (each.holds or refusal_of(each, stage) is None)]


def _to_be_told(raters: QuerySet[Rater], stage: Stage, key: str, open_slots: int) -> QuerySet[Any]:
    """Who was not told yet and wants to be, and holds something or works in a language with something open; whether
    that is open to them is asked one by one, of those for whom it is not known."""
    already = Notice.objects.filter(person=OuterRef("user"), kind=Kind.DUE, key=key)
    unwanted = NoticeSwitch.objects.filter(person=OuterRef("user"), kind=Kind.DUE, on_page=False, by_mail=False)
    held = Assignment.objects.filter(still_theirs(), stage=stage, rater=OuterRef("pk"))
    waiting = WorkItem.objects.filter(stage=stage, open_slots__gt=0, is_check=False).order_by().values("variety")
    speaks = LanguageVariety.objects.filter(raters=OuterRef("pk"), pk__in=waiting)
    nothing = NothingOpen.objects.filter(rater=OuterRef("pk"), stage=stage, open_slots__gte=open_slots)
    raters = raters.filter(~Exists(already), ~Exists(unwanted), user__is_active=True)
    raters = raters.annotate(holds=Exists(held)).filter(Q(holds=True) | Q(Exists(speaks), ~Exists(nothing)))
    return raters.select_related("project", "user").prefetch_related("varieties").order_by("pk")


def _is_something_open(rater: Rater, stage: Stage) -> bool:
    varieties = [variety.pk for variety in rater.varieties.all()]
    return can_claim(rater, stage, varieties, sets_for(rater, stage.project))
