"""Mona's pages tell of her time at one moment, and beside an answer that is being handed in: on whichever database."""

from datetime import timedelta
from itertools import pairwise
from threading import Thread

import pytest
from django.db import connection, transaction
from django.utils import timezone

from projects.models import LanguageVariety
from tests.threads import at_once
from tests.workflow.working import add_responses, marking_stage
from workflow.claims import claim_next
from workflow.models import Assignment, Status, WorkedInterval
from workflow.working_time import record

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def two(transactional_db, project, koshari, mona) -> list[Assignment]:
    """Two items that she holds, since an hour ago."""
    fields = {"name": "Egyptian Arabic", "language": "ar", "script": "Arab", "direction": "rtl"}
    mona.raters.get().varieties.add(LanguageVariety.objects.get_or_create(tag="ar-EG", defaults=fields)[0])
    add_responses(koshari, 3)
    stage = marking_stage(project)
    first = claim_next(mona.raters.get(), stage)
    assert first is not None
    other = stage.items.exclude(pk=first.item_id).first()
    assert other is not None
    held = {"status": first.status, "lease_expires_at": first.lease_expires_at, "claimed_at": first.claimed_at}
    second = Assignment.objects.create(item=other, stage=stage, rater=first.rater, **held)
    Assignment.objects.update(claimed_at=timezone.now() - timedelta(hours=1))
    return [Assignment.objects.get(pk=each.pk) for each in (first, second)]


def test_sixteen_tellings_at_once_count_each_moment_once(two):
    now = timezone.now()

    def tell(number: int) -> int:
        began = now - timedelta(minutes=30) + timedelta(minutes=number)
        return record(Assignment.objects.get(pk=two[number % 2].pk), [(began, began + timedelta(minutes=10))], now)

    at_once(tell, range(16))
    kept = list(WorkedInterval.objects.order_by("begun_at"))
    assert all(one.ended_at <= other.begun_at for one, other in pairwise(kept)), "two stretches overlap"
    assert kept[0].begun_at == now - timedelta(minutes=30)
    assert sum((each.ended_at - each.begun_at for each in kept), timedelta()) == timedelta(minutes=25)
    counted = Assignment.objects.filter(pk__in=[each.pk for each in two]).values_list("active_seconds", flat=True)
    assert sum(counted) == 25 * 60


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="rows are locked one by one")
def test_time_told_while_an_answer_is_handed_in_waits_and_nobody_is_thrown_out(two):
    """Handing in holds the assignment and writes rows that point at the rater; telling holds the rater and writes the
    assignment. Were the rater held against such rows, each would wait for the other."""
    now = timezone.now()
    failures: list[Exception] = []

    def tell() -> None:
        told_of = Assignment.objects.get(pk=two[0].pk)
        told_of.status = Status.RELEASED  # its lease was renewed already: what waits is the time itself
        try:
            record(told_of, [(now - timedelta(minutes=1), now)], now)
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    told = Thread(target=tell)
    with transaction.atomic():
        Assignment.objects.select_for_update().get(pk=two[0].pk)
        told.start()
        until_somebody_waits()
        WorkedInterval.objects.create(
            rater=two[0].rater,
            assignment=two[1],
            begun_at=now - timedelta(minutes=50),
            ended_at=now - timedelta(minutes=49),
        )
    told.join(timeout=60)
    assert not told.is_alive()
    assert failures == []
    assert Assignment.objects.get(pk=two[0].pk).active_seconds == 60


def until_somebody_waits() -> None:
    waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    for _look in range(100_000):
        with connection.cursor() as cursor:
            cursor.execute(waiting)
            if cursor.fetchone():
                return
    raise AssertionError("nobody waited")
