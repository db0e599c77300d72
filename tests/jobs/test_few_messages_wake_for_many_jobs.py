"""A worker that is woken works through what waits: the broker is never filled with a message for each job."""

from datetime import timedelta

import pytest
from django.utils import timezone

from jobs import shares, tasks
from jobs.enqueuing import add_job, queue_again
from jobs.models import Job, JobState, Queue
from jobs.sweeping import sweep
from jobs.working import work_through

pytestmark = pytest.mark.django_db


@pytest.fixture
def messages(monkeypatch) -> list[tuple[int, str]]:
    """What was sent, instead of a broker's having it."""
    sent: list[tuple[int, str]] = []
    monkeypatch.setattr(tasks.run, "apply_async", lambda args, queue, **options: sent.append((args[0], queue)))
    return sent


@pytest.fixture
def committed(django_capture_on_commit_callbacks):
    return lambda: django_capture_on_commit_callbacks(execute=True)


def waiting(project, count: int, **values) -> list[Job]:
    return [add_job("chore", project, wake=False, **values) for _n in range(count)]


def forgotten() -> None:
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=5))


def test_the_sweep_wakes_a_few_workers_of_each_queue(chore, project, settings, messages, committed):
    settings.WORKER_SLOTS = 4
    waiting(project, 30)
    figures = waiting(project, 3)
    Job.objects.filter(pk__in=[job.pk for job in figures]).update(queue=Queue.FIGURES)
    forgotten()
    with committed():
        assert sweep() == 33
    assert [queue for _pk, queue in messages] == ["work"] * 4 + ["figures"] * 3
    with committed():
        assert sweep() == 0, "all of them count as sent"
    work_through(*messages[0])
    assert Job.objects.filter(queue="work", state=JobState.DONE).count() == 30, "one message is enough"


def test_queued_at_once_they_are_a_few_messages(chore, project, settings, messages, committed):
    settings.WORKER_SLOTS = 4
    jobs = waiting(project, 30)
    with committed():
        assert queue_again(jobs) == 30
    assert len(messages) == 4


def test_what_is_put_off_is_sent_when_it_is_due(chore, project, messages, committed):
    jobs = waiting(project, 3)
    later = timezone.now() + timedelta(seconds=30)
    with committed():
        queue_again(jobs, due_at=later)
    assert messages == []
    Job.objects.update(due_at=timezone.now(), heartbeat_at=timezone.now() - timedelta(seconds=1))
    with committed():
        assert sweep() == 3
    assert len(messages) == 3


def test_messages_for_a_provider_that_is_at_its_share_wake_for_the_next_one(
    chore, project, settings, messages, committed
):
    settings.WORKER_SLOTS = 4  # one of four is the share of one provider
    waiting(project, 10, resource="provider:1")
    [of_another] = waiting(project, 1, resource="provider:2")
    forgotten()
    with committed():
        sweep()
    assert of_another.pk not in [pk for pk, _queue in messages]
    busy = Job(queue="work", resource="provider:1")
    assert shares.take(busy)
    try:
        work_through(*messages[0])
    finally:
        shares.give_back(busy)
    assert list(Job.objects.filter(state=JobState.DONE)) == [of_another]
    work_through(*messages[1])
    assert not Job.objects.exclude(state=JobState.DONE).exists()
