"""A hundred people, some of whom close the tab and never come back: the clock moves on, and nothing stays stuck."""

import random
import uuid
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from celery import current_app
from django.db.models import Count, Q
from django.utils import timezone

import workflow.tasks  # noqa: F401  the clock's task, as a worker knows it
from projects.models import LanguageVariety, Rater
from tests.workflow.working import add_responses, marking_stage
from workflow.claims import claim_next, skip
from workflow.drafts import save
from workflow.models import HOLDING, Assignment
from workflow.refusals import Refused
from workflow.submission import submit

pytestmark = pytest.mark.django_db

RATERS, LEASE_MINUTES = 2, 5
TICK = timedelta(seconds=30)
GRACE = timedelta(seconds=60)


class Clock:
    """The queue's clock, as config/celery.py winds it: each task is run when its time has come."""

    def __init__(self) -> None:
        self.due = {name: timezone.now() for name in current_app.conf.beat_schedule if name.startswith("sweep-leases")}

    def strike(self) -> None:
        for name, due in self.due.items():
            if timezone.now() >= due:
                entry = current_app.conf.beat_schedule[name]
                current_app.tasks[entry["task"]]()
                self.due[name] = timezone.now() + entry["schedule"]


class Person:
    """Works, or dawdles, or closes the tab and is not seen again."""

    def __init__(self, rater: Rater) -> None:
        self.rater, self.chance = rater, random.Random(rater.name)
        self.holds: Assignment | None = None
        self.is_gone = False

    def act(self, stage) -> None:
        if self.is_gone or self.chance.random() < 0.6:
            return
        if self.holds is None:
            self.holds = claim_next(self.rater, stage)
            return
        deed = self.chance.random()
        try:
            if deed < 0.3:
                self.is_gone = True
            elif deed < 0.5:
                save(self.held(), 0, {"no_errors": True})
            elif deed < 0.6:
                skip(self.holds, "do_not_know")
                self.holds = None
            else:
                submit(self.held(), uuid.uuid4(), 1, {"no_errors": True})
                self.holds = None
        except Refused:  # the lease ran out and others came
            self.holds = None

    def held(self) -> Assignment:
        assert self.holds is not None
        return Assignment.objects.select_related("item__response__variety", "stage__project", "rater").get(
            pk=self.holds.pk
        )


def assert_nothing_stuck(stage) -> None:
    late = Assignment.objects.filter(stage=stage, status="claimed", lease_expires_at__lt=timezone.now() - GRACE)
    assert list(late.values_list("lease_expires_at", flat=True)) == [], f"still held at {timezone.now()}"
    held = Count("assignments", filter=Q(assignments__status__in=HOLDING))
    assert not [item for item in stage.items.annotate(held=held) if item.held + item.open_slots != item.slots]


def test_every_item_reaches_exactly_its_raters_and_no_lease_outlives_itself_by_a_minute(project, koshari):
    add_responses(koshari, 14)
    with time_machine.travel(datetime(2026, 3, 1, 9, tzinfo=UTC), tick=False) as now:
        stage = marking_stage(project, overlap=RATERS, lease_minutes=LEASE_MINUTES)
        arabic = LanguageVariety.objects.get(tag="ar-EG")
        people = [Person(Rater.objects.create(project=project, kind="human", name=f"Person {n}")) for n in range(100)]
        for person in people:
            person.rater.varieties.add(arabic)
        clock, done = Clock(), Count("assignments", filter=Q(assignments__status="submitted"))
        for tick in range(600):
            now.shift(TICK)
            for person in people[tick % 5 :: 5]:
                person.act(stage)
            clock.strike()
            assert_nothing_stuck(stage)
            if set(stage.items.annotate(done=done).values_list("done", flat=True)) == {RATERS}:
                break
    assert set(stage.items.annotate(done=done).values_list("done", flat=True)) == {RATERS}
    assert koshari.project.responses.annotate(n=Count("markings")).filter(n=RATERS).count() == 15
    assert sum(person.is_gone for person in people) > 10
    assert Assignment.objects.filter(status="expired").count() > 5


def test_the_clock_sweeps_at_least_every_minute():
    entry = current_app.conf.beat_schedule["sweep-leases"]
    assert entry["schedule"] <= GRACE
    assert entry["task"] in current_app.tasks
