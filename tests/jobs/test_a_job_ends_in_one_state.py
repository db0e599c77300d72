"""A job is claimed once, ends once, and is not lost with its worker."""

import threading
import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from jobs import heartbeat, verbs, working
from jobs.enqueuing import add_job
from jobs.models import Job, JobState
from jobs.sweeping import sweep
from jobs.working import Held, Lost, PutOff, claim, next_waiting, work_on
from projects.problems import Invalid, Problem
from tests.threads import at_once

pytestmark = pytest.mark.django_db


def state_of(job: Job) -> str:
    job.refresh_from_db()
    return job.state


def test_work_is_done_and_its_result_is_there(chore, project, salma):
    chore.work = lambda held: {"rows": 3}
    job = add_job("chore", project, salma, total=3)
    assert work_on(job.pk)
    assert state_of(job) == JobState.DONE
    assert (job.result, job.done, job.total, job.claim) == ({"rows": 3}, 3, 3, None)
    assert chore.ended == [job.pk]
    assert not work_on(job.pk), "a job that is over is not begun again"


@pytest.mark.django_db(transaction=True)
def test_of_ten_workers_one_gets_it(chore, project):
    job = add_job("chore", project)
    taken = at_once(lambda _worker: claim(job.pk), range(10))
    assert len([held for held in taken if held]) == 1


def test_what_cannot_be_done_fails_in_words_and_is_not_tried_again(chore, project):
    def refuse(held):
        raise Invalid(Problem("no_rows", "The file holds no records."))

    chore.work = refuse
    job = add_job("chore", project)
    work_on(job.pk)
    assert state_of(job) == JobState.FAILED
    assert (job.problem, job.attempts) == ("The file holds no records.", 1)


def test_what_is_put_off_is_taken_up_later_and_counts_as_no_attempt(chore, project):
    def wait_for_others(held):
        raise PutOff(60, "Others are at it.")

    chore.work = wait_for_others
    job = add_job("chore", project)
    for _more_often_than_it_may_break_off in range(chore.most_attempts + 1):
        Job.objects.update(due_at=timezone.now())
        assert work_on(job.pk)
        assert (state_of(job), job.attempts, job.claim) == (JobState.QUEUED, 0, None)
        assert (job.sentence, chore.ended) == ("Others are at it.", [])
        assert job.due_at > timezone.now() + timedelta(seconds=30)
        assert not work_on(job.pk)
    assert sweep() == 0


def test_where_not_even_that_can_be_written_it_is_tried_again(chore, project, monkeypatch):
    def refuse(held):
        raise Invalid(Problem("no_rows", "The file holds no records."))

    def locked(held, problem, result=None):
        raise OperationalError("database is locked")

    chore.work = refuse
    monkeypatch.setattr(Held, "fail", locked)
    job = add_job("chore", project)
    assert work_on(job.pk)
    assert state_of(job) == JobState.QUEUED


def test_a_defect_is_tried_again_later_and_given_up_in_the_end(chore, project, monkeypatch):
    monkeypatch.setattr(working, "FIRST_DELAY_SECONDS", 60.0)

    def break_off(held):
        raise ZeroDivisionError

    chore.work = break_off
    job = add_job("chore", project)
    for attempt in (1, 2):
        Job.objects.update(due_at=timezone.now())
        assert work_on(job.pk)
        assert (state_of(job), job.attempts) == (JobState.QUEUED, attempt)
        assert job.due_at > timezone.now(), "not at once"
        assert not work_on(job.pk), "not before it is due"
    Job.objects.update(due_at=timezone.now())
    work_on(job.pk)
    assert state_of(job) == JobState.FAILED
    assert job.problem.startswith("It was begun several times")
    assert (chore.given_up, chore.ended) == ([job.pk], [job.pk])


def test_a_silent_worker_loses_its_job_and_can_write_nothing_more(chore, project):
    job = add_job("chore", project)
    slow = claim(job.pk)
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=5))
    assert sweep() == 1
    assert chore.released == [job.pk]
    other = claim(job.pk)
    assert slow
    assert other
    with pytest.raises(Lost):
        slow.progress(1)
    with pytest.raises(Lost):
        slow.finish({"by": "slow"})
    other.finish({"by": "other"})
    assert (state_of(job), job.result) == (JobState.DONE, {"by": "other"})


def test_a_worker_that_beats_while_the_sweep_is_under_way_keeps_its_job(chore, project):
    """The sweep has read which jobs are silent; over the first of them, the worker of the second one beats."""
    first, second = add_job("chore", project), add_job("chore", project)
    claim(first.pk)
    held = claim(second.pk)
    assert held
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=5))

    def beat(pks) -> None:
        with heartbeat.kept_alive(held.claim):
            heartbeat.beat()

    chore.release = beat
    assert sweep() == 1
    assert (state_of(first), state_of(second)) == (JobState.QUEUED, JobState.RUNNING)
    held.check()


def test_a_job_whose_row_goes_under_its_worker_is_let_go(chore, project):
    def delete(held):
        Job.objects.filter(pk=held.job.pk).delete()
        raise ZeroDivisionError

    chore.work = delete
    job = add_job("chore", project)
    assert work_on(job.pk), "nothing is raised: the worker goes on with others"
    assert not Job.objects.filter(pk=job.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_a_job_is_claimed_wholly_or_not(chore, project):
    job = add_job("chore", project)

    def break_off(execute, sql, params, many, context):
        if sql.startswith("SELECT"):
            raise OperationalError("server closed the connection unexpectedly")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(break_off), pytest.raises(OperationalError):
        claim(job.pk)
    assert state_of(job) == JobState.QUEUED
    assert work_on(job.pk)
    assert state_of(job) == JobState.DONE
    assert job.started_at


def test_one_job_that_cannot_be_taken_back_keeps_no_other_from_it(chore, project, monkeypatch):
    first, second = add_job("chore", project), add_job("chore", project)
    claim(first.pk)
    claim(second.pk)
    Job.objects.filter(pk=first.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=9))
    Job.objects.filter(pk=second.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=5))

    def release(pks):
        if first.pk in pks:
            raise ZeroDivisionError

    monkeypatch.setattr(chore, "release", release)
    assert sweep() == 1
    assert (state_of(first), state_of(second)) == (JobState.RUNNING, JobState.QUEUED)


def test_a_kind_that_nobody_here_knows_waits_and_holds_up_nothing(chore, project):
    """Its rows are of a newer version of Mizan, whose workers will come."""
    strange, job = add_job("chore", project), add_job("chore", project)
    Job.objects.filter(pk=strange.pk).update(kind="of-tomorrow")
    assert not work_on(strange.pk)
    assert next_waiting("work") == job.pk
    lost = add_job("chore", project)
    claim(lost.pk)
    Job.objects.filter(pk=lost.pk).update(kind="of-tomorrow", heartbeat_at=timezone.now() - timedelta(minutes=5))
    assert sweep() == 0
    assert (state_of(strange), state_of(lost)) == (JobState.QUEUED, JobState.RUNNING)


def test_whatever_keeps_a_beat_from_being_written_the_next_one_is(chore, project, monkeypatch):
    """A connection that is gone raises errors of many kinds; the thread that beats outlives them all."""
    calls = threading.Semaphore(0)

    def fail():
        calls.release()
        raise InterfaceError("connection already closed")

    monkeypatch.setattr(heartbeat, "beat", fail)
    monkeypatch.setattr(heartbeat, "beat_seconds", lambda: 0.01)
    thread = threading.Thread(target=heartbeat._beat_on, daemon=True)
    thread.start()
    assert all(calls.acquire(timeout=20) for _beat in range(3))
    monkeypatch.setattr(heartbeat, "beat_seconds", lambda: 3600)


def test_a_job_whose_message_was_lost_is_sent_again(chore, project, django_capture_on_commit_callbacks):
    job = add_job("chore", project)
    assert sweep() == 0
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=5))
    assert sweep() == 1
    job.refresh_from_db()
    assert job.heartbeat_at > timezone.now() - timedelta(minutes=1)


def test_a_job_that_is_overtaken_while_it_is_tried_again_stays_as_it_is(chore, project, salma, monkeypatch):
    """Somebody else begins the same, just when it was looked up whether somebody does."""
    job = add_job("chore", project, key="k")
    assert verbs.cancel(job, salma)
    is_overtaken = verbs._is_overtaken

    def then_overtaken(locked):
        found = is_overtaken(locked)
        add_job("chore", project, key="k")
        return found

    monkeypatch.setattr(verbs, "_is_overtaken", then_overtaken)
    assert not verbs.retry(job, salma)
    assert state_of(job) == JobState.CANCELLED
    assert Job.objects.filter(key="k", state=JobState.QUEUED).count() == 1


def test_pause_resume_cancel_and_retry(chore, project, salma):
    job = add_job("chore", project)
    held = claim(job.pk)
    assert held
    assert verbs.pause(job, salma)
    assert not verbs.pause(job, salma)
    with pytest.raises(Lost):
        held.check()
    assert not work_on(job.pk)
    assert verbs.resume(job, salma)
    assert not verbs.resume(job, salma)
    assert work_on(job.pk)
    assert not verbs.cancel(job, salma), "it is over"
    again = add_job("chore", project)
    assert verbs.cancel(again, salma)
    assert chore.ended[-1] == again.pk
    assert verbs.retry(again, salma)
    assert work_on(again.pk)
    assert not verbs.retry(again, salma), "it is done"


def test_cancelled_while_it_works_undoes_what_was_not_committed(chore, project):
    other_name = f"Renamed {uuid.uuid4().hex}"

    def work(held):
        assert verbs.cancel(job)
        with transaction.atomic():
            project.name = other_name
            project.save()
            held.finish()

    chore.work = work
    job = add_job("chore", project)
    work_on(job.pk)
    project.refresh_from_db()
    assert project.name != other_name
    assert state_of(job) == JobState.CANCELLED


def test_one_open_job_for_one_key(chore, project):
    first = add_job("chore", project, key="figures of spring")
    assert add_job("chore", project, key="figures of spring") == first
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(kind="chore", key="figures of spring")
    work_on(first.pk)
    assert add_job("chore", project, key="figures of spring") != first


@pytest.mark.parametrize(
    "values",
    [
        {"state": JobState.RUNNING},
        {"state": JobState.QUEUED, "claim": uuid.uuid4()},
        {"state": JobState.DONE},
        {"state": JobState.QUEUED, "ended_at": timezone.now()},
        {"state": "lost"},
        {"queue": "elsewhere"},
    ],
    ids=lambda values: "-".join(values),
)
def test_the_database_refuses_a_job_in_no_state(values):
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(kind="chore", **values)
