"""Nour lets her judges wait and go on; a provider that is down makes them wait by itself."""

import pytest
from django.db import IntegrityError, transaction

from jobs.models import Job, JobState
from jobs.sweeping import sweep
from judging.engine import runs, shards
from judging.engine.run_sets import cancel_set, pause_set, resume_set, retry_failed_set, start_set
from judging.engine.summaries import set_progress
from judging.models import CallState, PausedBecause, Run, RunState, Shard
from providers.client.openai_compatible import Connections
from providers.limiter.circuit_breaker import ProviderDown
from providers.models import Provider
from tests.judging.budgeting import a_set, priced, work_off


@pytest.fixture
def halfway(judge, feasts, nour, monkeypatch, fake_provider):
    """A set that was paused while its only shard was at work."""
    Provider.objects.update(concurrency=2)
    # 24 calls, two at once: when four are stored, there are seconds to pause on a busy machine.
    fake_provider.tell(latency_ms=400)
    monkeypatch.setattr(shards, "BATCH", 4)
    monkeypatch.setattr(shards, "BATCH_SECONDS", 30)
    run_set = a_set(priced(judge), money_limit=10**12)
    (run,) = run_set.runs.all()
    (shard,) = runs.start_here(run)
    shards.work_through(shard, on_batch=lambda _stored: pause_set(run_set, by=nour))
    fake_provider.tell(latency_ms=0)
    run_set.refresh_from_db()
    return run_set


def test_a_pause_keeps_what_came_and_what_is_open(halfway, fake_provider):
    run = halfway.runs.get()
    counts = runs.counts(run)
    assert (run.state, run.paused_because) == (RunState.PAUSED, PausedBecause.PERSON)
    assert 4 <= counts[CallState.SCORED] < 24
    assert counts[CallState.SCORED] + counts[CallState.PLANNED] == 24
    # what was in flight came back, was stored, and is all that was paid for
    assert counts[CallState.SCORED] == fake_provider.counts()["served"]
    assert halfway.money_spent == set_progress(halfway).whole.spend.money
    assert halfway.money_reserved == 0
    shard = run.shards.get()
    assert (shard.job.state, shard.job.claim) == (JobState.PAUSED, None)


def test_a_paused_run_is_left_alone(halfway):
    Job.objects.update(heartbeat_at="2020-01-01T00:00Z")
    assert sweep() == 0
    assert shards.work_through(halfway.runs.get().shards.get().pk) == 0
    assert halfway.runs.get().state == RunState.PAUSED


def test_going_on_asks_only_what_was_left(halfway, nour, fake_provider):
    assert resume_set(halfway, by=nour) == 1
    assert resume_set(halfway, by=nour) == 0
    work_off(halfway)
    assert halfway.runs.get().state == RunState.DONE
    assert fake_provider.counts()["served"] == 24


def test_a_paused_run_can_be_cancelled_and_taken_up(halfway, nour):
    assert cancel_set(halfway, by=nour) == 1
    assert runs.counts(halfway.runs.get())[CallState.PLANNED] == 0
    assert resume_set(halfway, by=nour) == 1
    work_off(halfway)
    assert runs.counts(halfway.runs.get())[CallState.SCORED] == 24


def test_only_what_runs_can_wait(judge, feasts, nour):
    run_set = a_set(judge)
    assert pause_set(run_set, by=nour) == 0  # nothing runs yet
    work_off(run_set)
    assert pause_set(run_set, by=nour) == 0  # nothing runs any more


def test_the_database_knows_what_a_pause_is(judge, feasts):
    run_set = a_set(judge)
    assert start_set(run_set) == 1
    impossible = [
        (Run, {"state": RunState.PAUSED}),  # for no reason
        (Run, {"paused_because": PausedBecause.PERSON}),  # while it runs
        (Job, {"state": JobState.RUNNING}),  # in nobody's hands
        (Shard, {"money_reserved": 1}),  # by nobody
    ]
    for model, change in impossible:
        with pytest.raises(IntegrityError), transaction.atomic():
            model.objects.update(**change)
    pause_set(run_set)
    with pytest.raises(IntegrityError), transaction.atomic():
        Shard.objects.update(money_reserved=1)  # nor by one that waits


def test_a_provider_that_is_down_makes_the_run_wait(judge, feasts, monkeypatch, fake_provider):
    asked = []

    async def down(self, request, **told):
        asked.append(request)
        if len(asked) > 3:
            raise ProviderDown("simulated", attempts=0)
        return await answers(self, request, **told)

    answers = Connections.ask
    monkeypatch.setattr(Connections, "ask", down)
    run_set = work_off(a_set(priced(judge), money_limit=10**12))
    run = run_set.runs.get()
    counts = runs.counts(run)
    assert (run.state, run.paused_because) == (RunState.PAUSED, PausedBecause.PROVIDER)
    assert (counts[CallState.SCORED], counts[CallState.PLANNED]) == (3, 21)
    assert run_set.money_spent == set_progress(run_set).whole.spend.money  # nothing that was not sent is charged

    monkeypatch.setattr(Connections, "ask", answers)
    assert resume_set(run_set) == 1
    work_off(run_set)
    assert run_set.runs.get().state == RunState.DONE
    assert fake_provider.counts()["served"] == 24


def test_what_may_have_been_charged_before_the_provider_went_down_is(judge, feasts, monkeypatch):
    async def down(self, request, **told):
        raise ProviderDown("simulated", attempts=1, uncertain=1)

    monkeypatch.setattr(Connections, "ask", down)
    for limits in ({"money_limit": 10**12}, {}):
        run_set = work_off(a_set(priced(judge), first_round=1 + len(limits), **limits))
        assert run_set.runs.get().paused_because == PausedBecause.PROVIDER
        assert run_set.money_spent >= 1000 * 1000  # a call's prompt has more than a thousand bytes
        assert run_set.money_reserved == 0


def test_failed_calls_of_a_set_are_asked_again(judge, feasts, fake_provider, nour):
    fake_provider.tell(shares={"badrequest": 0.5})
    run_set = work_off(a_set(judge))
    failed = runs.counts(run_set.runs.get())[CallState.FAILED]
    assert failed
    fake_provider.tell(shares={})
    assert retry_failed_set(run_set, by=nour) == 1
    work_off(run_set)
    assert runs.counts(run_set.runs.get())[CallState.SCORED] == 24
    assert retry_failed_set(run_set, by=nour) == 0


def test_how_far_a_set_is_costs_four_statements(judge, feasts, django_assert_num_queries):
    run_set = work_off(a_set(judge, replicates=3))
    with django_assert_num_queries(3):  # no run is running: nothing has a rate
        told = set_progress(run_set)
    assert (told.whole.total, told.whole.answered, len(told.runs)) == (72, 72, 3)
    assert told.whole.is_over
    assert told.state == RunState.DONE
