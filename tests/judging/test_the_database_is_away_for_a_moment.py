"""Answers that have come are paid for: a database that starts anew meanwhile is waited for, and none is asked again."""

from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from jobs import shares
from jobs.models import Job, JobState
from jobs.working import give_back
from judging.engine import runs, shards, storing
from judging.judges import add_judge
from judging.models import CallState, CollectionCall, RunState
from tests.judging.budgeting import DOLLAR, a_set, priced
from tests.judging.collecting import proverbs, started, target
from tests.rubrics.rubrics import make_rubrics_project

__all__ = ["proverbs"]

CALLS = 24


@pytest.fixture
def run_set(project, provider, feasts, monkeypatch):
    monkeypatch.setattr(storing, "FIRST_PAUSE_SECONDS", 0.01)
    return a_set(priced(add_judge(project, provider, "simulated-1", max_output_tokens=100)), money_limit=DOLLAR)


@contextmanager
def broken_off(is_it, times: int):
    """So many statements of those that are meant break off, as when the server goes away."""
    left = [times]

    def break_off(execute, sql, params, many, context):
        if left[0] and is_it(sql):
            left[0] -= 1
            raise OperationalError("server closed the connection unexpectedly")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(break_off):
        yield left


def is_a_stored_call(sql: str) -> bool:
    return sql.startswith("UPDATE judging_call SET")


def is_a_settlement(sql: str) -> bool:
    return sql.startswith('UPDATE "judging_runset"') and "money_spent" in sql.partition("WHERE")[0]


def gone_through(run_set):
    run = run_set.runs.get()
    for shard in runs.start_here(run):
        shards.work_through(shard)
    run.refresh_from_db()
    run_set.refresh_from_db()
    return run


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_it", [is_a_stored_call, is_a_settlement])
def test_what_has_come_is_stored_once_it_is_back(run_set, fake_provider, is_it):
    with broken_off(is_it, times=3) as left:
        run = gone_through(run_set)
    assert left == [0]
    assert run.state == RunState.DONE
    assert runs.counts(run)[CallState.SCORED] == CALLS == fake_provider.counts()["served"]
    assert run_set.money_spent == sum(run.calls.values_list("cost", flat=True))
    assert (run_set.money_reserved, run_set.tokens_reserved) == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_what_was_committed_without_a_word_counts_once(run_set, monkeypatch):
    """The connection breaks off after the commit, before the worker hears of it."""
    once, broken = storing.store_once, []

    def stored_without_a_word(shard, claim, results, reservation, *rest, **more):
        before = reservation.held
        is_claim_valid = once(shard, claim, results, reservation, *rest, **more)
        if results and not broken:
            broken.append(results)
            reservation.held = before
            raise OperationalError("server closed the connection unexpectedly")
        return is_claim_valid

    monkeypatch.setattr(storing, "store_once", stored_without_a_word)
    run = gone_through(run_set)
    assert broken
    assert run.state == RunState.DONE
    assert run_set.money_spent == sum(run.calls.values_list("cost", flat=True))
    assert (run_set.money_reserved, run_set.tokens_reserved) == (0, 0)
    assert sum(Job.objects.values_list("done", flat=True)) == CALLS


@pytest.mark.django_db(transaction=True)
def test_a_process_that_ends_waits_no_longer(run_set, monkeypatch):
    monkeypatch.setattr(storing, "FIRST_PAUSE_SECONDS", 60)
    monkeypatch.setattr(shares, "is_closing", lambda: True)
    with broken_off(is_a_stored_call, times=1), pytest.raises(OperationalError):
        gone_through(run_set)
    assert Job.objects.get().state == JobState.QUEUED


def test_a_collection_that_broke_off_is_not_asked_again_while_its_calls_last(project, provider, proverbs):
    collection = started(target(make_rubrics_project(project), provider, "simulated-1"))
    taken = shards.claim_shard(collection.shards.get().pk)
    assert taken
    give_back(taken[1])
    job = Job.objects.get()
    assert job.state == JobState.QUEUED
    assert job.due_at - timezone.now() > timedelta(seconds=5)
    assert CollectionCall.objects.filter(state="planned").exists()
