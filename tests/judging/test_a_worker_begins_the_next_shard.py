"""A worker's process that takes one task at a time works on several shards beside one another: no connection stands
idle while the last calls of a shard are under way."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.db import OperationalError

from jobs import working
from jobs.models import Job, JobState
from jobs.working import work_through, work_through_beside
from judging.engine import runs
from judging.models import CallState, PausedBecause, Run, RunState
from providers.models import Provider

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def four_shards(judge, feasts, fake_provider, monkeypatch) -> Run:
    """Of six calls each, started and not sent; asked four at once, half a second a call."""
    monkeypatch.setattr(runs, "MAX_IN_SHARD", 6)
    monkeypatch.setattr(runs, "MIN_IN_SHARD", 6)
    Provider.objects.update(concurrency=4)
    fake_provider.tell(latency_ms=300)
    run = runs.create_run(judge, judge.project.responses.all())
    assert [len(runs.start_here(run)), run.calls.count()] == [4, 24]
    return run


def test_one_task_works_through_all_that_waits(four_shards, fake_provider):
    # The first shard is under way for so long that the second is begun beside it, on a slow machine too.
    fake_provider.tell(faults=["slow"] * 4, slow_ms=1500)
    threads = threading.active_count()
    work_through_beside(four_shards.shards.first().job_id, "calls")

    four_shards.refresh_from_db()
    assert four_shards.state == RunState.DONE
    assert runs.counts(four_shards)[CallState.SCORED] == 24
    assert fake_provider.counts()["most_open"] == 4
    times = list(Job.objects.order_by("pk").values_list("started_at", "ended_at"))
    assert times[1][0] < times[0][1], "the second shard was begun while the first was under way"
    assert threading.active_count() - threads < 8


def test_a_task_ends_after_a_while_so_that_others_have_their_turn(four_shards, monkeypatch):
    monkeypatch.setattr(working, "MAX_SECONDS", 0.0)
    sent: list[int] = []
    monkeypatch.setattr(working, "send", lambda jobs: sent.extend(job.pk for job in jobs))
    jobs = list(four_shards.shards.order_by("pk").values_list("job", flat=True))
    work_through(jobs[0], "calls")
    states = list(four_shards.shards.order_by("pk").values_list("job__state", flat=True))
    assert states == [JobState.DONE, JobState.QUEUED, JobState.QUEUED, JobState.QUEUED]
    # The messages of the others may have come while their provider had its share, and are gone.
    assert sent == [jobs[1]]


def test_a_process_for_models_alone_goes_on_beside_what_hangs(four_shards, fake_provider, monkeypatch):
    """After its while too: one shard hangs, and what comes later is asked all the same."""
    monkeypatch.setattr(working, "MAX_SECONDS", 0.0)
    fake_provider.tell(faults=["hang"])
    Provider.objects.update(timeout_seconds=3)
    work_through_beside(four_shards.shards.order_by("pk").values_list("job", flat=True)[0], "calls", False)

    assert not four_shards.shards.exclude(job__state=JobState.DONE).exists()


def test_a_database_that_is_away_for_a_moment_leaves_no_thread_alone(four_shards, monkeypatch):
    """Whoever looks for further shards waits for those under way, and finds the others later."""
    look, broken = working.next_waiting, []

    def look_or_break(queue: str) -> int | None:
        if threading.current_thread() is threading.main_thread() and len(broken) < 2:
            broken.append(queue)
            raise OperationalError("the connection is closed")
        return look(queue)

    monkeypatch.setattr(working, "next_waiting", look_or_break)
    work_through_beside(four_shards.shards.order_by("pk").values_list("job", flat=True)[0], "calls")
    assert len(broken) == 2
    assert not four_shards.shards.exclude(job__state=JobState.DONE).exists()


def test_a_worker_told_to_end_tells_its_processes():
    """It is the worker that hears the signal, and the processes forked from it that take up jobs."""
    code = (
        "import os\nfrom jobs import shares\nread, write = os.pipe()\n"
        "child = os.fork()\n"
        "if child == 0:\n    os.close(write); os.read(read, 1); os._exit(7 if shares.is_closing() else 1)\n"
        "assert not shares.is_closing(); shares.close(); os.close(write)\n"
        "raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    setup = f"import django; django.setup()\n{code}"
    assert subprocess.run([sys.executable, "-c", setup], cwd=ROOT).returncode == 7


def test_shards_of_a_run_that_waits_are_left_alone(four_shards):
    first = four_shards.shards.order_by("pk").values_list("job", flat=True).first()
    runs.pause_all([four_shards], PausedBecause.PERSON)
    work_through_beside(first, "calls")
    assert not Job.objects.filter(state=JobState.DONE).exists()
