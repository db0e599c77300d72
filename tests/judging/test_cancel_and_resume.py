"""Nour cancels a run and goes on with it later; nothing is asked twice, nothing that was answered is lost."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from annotation.models import Marking
from jobs.models import Job, JobState
from jobs.sweeping import sweep
from judging.engine import runs, shards
from judging.engine.planning import plan
from judging.models import Call, CallState, Run, RunState
from projects.models import Response
from projects.problems import Invalid
from providers.models import Provider


@pytest.fixture
def responses(project, feasts):
    return Response.objects.filter(project=project)


@pytest.fixture
def halfway(judge, responses, nour, monkeypatch, fake_provider):
    """A run that was cancelled while its only shard was at work."""
    Provider.objects.update(concurrency=2)
    # 24 calls, two at once: when four are stored, there are seconds to cancel on a busy machine.
    fake_provider.tell(latency_ms=400)
    monkeypatch.setattr(shards, "BATCH", 4)
    monkeypatch.setattr(shards, "BATCH_SECONDS", 30)
    run = runs.create_run(judge, responses, by=nour)
    (shard,) = runs.start_here(run)
    shards.work_through(shard, on_batch=lambda _stored: runs.cancel(run, by=nour))
    fake_provider.tell(latency_ms=0)
    run.refresh_from_db()
    return run


def test_cancelling_stops_the_shard_and_keeps_what_was_answered(halfway, fake_provider):
    counts = runs.counts(halfway)
    assert halfway.state == RunState.CANCELLED
    assert counts[CallState.PLANNED] == 0
    assert 4 <= counts[CallState.SCORED] < 24
    # what was in flight when it was cancelled came back and was stored too
    assert counts[CallState.SCORED] == fake_provider.counts()["served"]
    assert halfway.shards.get().job.state == JobState.CANCELLED


def test_resuming_asks_only_what_was_left(halfway, judge, fake_provider):
    assert runs.resume(halfway)
    shards.work_through(halfway.shards.get().pk)
    halfway.refresh_from_db()
    assert halfway.state == RunState.DONE
    assert runs.counts(halfway)[CallState.SCORED] == 24
    assert fake_provider.counts()["served"] == 24
    assert Marking.objects.filter(rater=judge.rater, is_complete=True).count() == 12


def test_a_run_that_goes_on_while_it_is_about_to_end_does_not(halfway, nour):
    """A worker finds no shard at work; before it ends the run, Nour has cancelled it and gone on with it."""
    Run.objects.update(state=RunState.RUNNING, ended_at=None)
    gone_on = []

    def go_on(execute, sql, params, many, context):
        found = execute(sql, params, many, context)
        if "judging_shard" in sql and not gone_on:
            gone_on.append(sql)
            assert runs.cancel(halfway, by=nour)
            assert runs.resume(halfway, by=nour)
        return found

    with connection.execute_wrapper(go_on):
        assert not runs.finish_if_over(halfway.pk)
    halfway.refresh_from_db()
    assert gone_on
    assert halfway.state == RunState.RUNNING
    assert halfway.shards.get().job.state == JobState.QUEUED


def test_a_new_run_takes_up_what_the_cancelled_one_left(halfway, judge, responses, fake_provider):
    left = runs.counts(halfway)[CallState.CANCELLED]
    planned = plan(judge, responses)
    assert (len(planned.calls), len(planned.taken_up)) == (0, left)
    again = runs.create_run(judge, responses)
    for shard in runs.start_here(again):
        shards.work_through(shard)
    assert runs.counts(again)[CallState.SCORED] == left
    assert fake_provider.counts()["served"] == 24


def test_a_run_ends_once(judge, responses):
    run = runs.create_run(judge, responses)
    assert runs.start_here(run)
    assert not runs.start_here(run)
    assert not runs.start(run)
    assert runs.cancel(run)
    assert not runs.cancel(run)
    assert runs.resume(run)
    assert not runs.resume(run)
    assert not runs.finish_if_over(run.pk)  # its shard is still queued


def test_asking_again_asks_nothing(judge, responses):
    for shard in runs.start_here(runs.create_run(judge, responses)):
        shards.work_through(shard)
    with pytest.raises(Invalid, match="nothing to ask"):
        runs.create_run(judge, responses)
    assert plan(judge, responses, round=2).size == 24


def test_a_shard_is_held_by_one_worker(judge, responses):
    (shard,) = runs.start_here(runs.create_run(judge, responses))
    assert shards.claim_shard(shard) is not None
    assert shards.claim_shard(shard) is None
    assert shards.work_through(shard) == 0


def test_a_silent_shard_goes_back_and_is_given_up_in_the_end(judge, responses, django_capture_on_commit_callbacks):
    run = runs.create_run(judge, responses)
    (pk,) = runs.start_here(run)
    for _worker in range(shards.RunShard.most_attempts):
        assert shards.claim_shard(pk) is not None
        assert sweep() == 0  # its heart still beats
        Job.objects.filter(shard=pk).update(heartbeat_at=timezone.now() - timedelta(seconds=61))
        assert sweep() == 1
    run.refresh_from_db()
    assert run.state == RunState.DONE
    assert set(Call.objects.values_list("state", "problem")) == {("failed", "worker_lost")}
    assert Marking.objects.filter(rater=judge.rater, is_complete=False).count() == 12


def test_a_lost_message_is_sent_again(judge, responses, eager, django_capture_on_commit_callbacks):
    """Its broker forgot the shard: nobody claims it until the sweep sends it once more."""
    run = runs.create_run(judge, responses)
    runs.start_here(run)
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(seconds=61))
    with django_capture_on_commit_callbacks(execute=True):
        assert sweep() == 1
    run.refresh_from_db()
    assert run.state == RunState.DONE


def test_a_result_that_comes_late_and_twice_is_stored_once(judge, responses):
    """A worker that was thought dead stores after another has: the first result stands."""
    from judging.engine.calling import Result
    from judging.engine.storing import store

    run = runs.create_run(judge, responses)
    (pk,) = runs.start_here(run)
    taken = shards.claim_shard(pk)
    assert taken is not None
    shard, held = taken
    call = run.calls.first()
    assert store(shard, held.claim, [Result(call.pk, call.response_id, "failed", "first")])
    assert not store(
        shard, "00000000-0000-0000-0000-000000000000", [Result(call.pk, call.response_id, "failed", "2nd")]
    )
    call.refresh_from_db()
    assert call.problem == "first"


def test_responses_are_never_parted_and_the_last_shards_are_small(monkeypatch):
    monkeypatch.setattr(runs, "MAX_IN_SHARD", 4)
    monkeypatch.setattr(runs, "MIN_IN_SHARD", 2)
    monkeypatch.setattr(runs, "SHARDS_LEFT", 3)
    calls = [(response, unit) for response in range(10) for unit in range(3)]
    groups = runs.shard_groups(calls)
    # 30, 24, 18 and 12 calls are left: four at least, so two responses; of 6 a third is two: one response, and 3 remain
    assert [len(group) for group in groups] == [6, 6, 6, 6, 3, 3]
    assert [call for group in groups for call in group] == calls
