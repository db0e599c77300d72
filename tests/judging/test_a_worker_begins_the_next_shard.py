"""While the last calls of a shard are under way, a worker's process begins with the next: no connection stands idle."""

import threading
import time

import pytest

from judging import relays, runs
from judging.models import CallState, PausedBecause, Provider, Run, RunState, Shard, ShardState
from judging.relays import work_on

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def four_shards(judge, feasts, fake_provider, monkeypatch) -> Run:
    """Of six calls each, started and not sent; asked four at once, half a second a call."""
    monkeypatch.setattr(runs, "MOST_IN_SHARD", 6)
    monkeypatch.setattr(runs, "FEWEST_IN_SHARD", 6)
    Provider.objects.update(concurrency=4)
    fake_provider.tell(latency_ms=300)
    run = runs.create_run(judge, judge.project.responses.all())
    assert [len(runs.start_here(run)), run.calls.count()] == [4, 24]
    return run


def test_one_task_works_through_all_that_waits(four_shards, fake_provider):
    threads = threading.active_count()
    began = time.monotonic()
    work_on(four_shards.shards.first().pk)
    seconds = time.monotonic() - began

    four_shards.refresh_from_db()
    assert four_shards.state == RunState.DONE
    assert runs.counts(four_shards)[CallState.SCORED] == 24
    # 24 calls, four at once: six times 0.3 s. Shard by shard it would be eight times: two calls of each go alone.
    assert fake_provider.counts()["most_open"] == 4
    assert seconds < 8 * 0.3 + 1.0
    assert threading.active_count() - threads < 8


def test_a_task_ends_after_a_while_so_that_others_have_their_turn(four_shards, monkeypatch):
    monkeypatch.setattr(relays, "MOST_SECONDS", 0.0)
    work_on(four_shards.shards.first().pk)
    states = list(four_shards.shards.order_by("pk").values_list("state", flat=True))
    assert states == [ShardState.DONE, ShardState.QUEUED, ShardState.QUEUED, ShardState.QUEUED]


def test_shards_of_a_run_that_waits_are_left_alone(four_shards):
    first, *others = four_shards.shards.order_by("pk").values_list("pk", flat=True)
    runs.pause_all([four_shards], PausedBecause.PERSON)
    work_on(first)
    assert not Shard.objects.filter(pk__in=[first, *others], state=ShardState.DONE).exists()
