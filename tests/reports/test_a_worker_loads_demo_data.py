"""Ada has a worker load a generated project: it is there in one piece, and asking again says how far it is."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from demo import jobs as demo_jobs
from demo.studies import juice
from jobs.models import Job, JobState
from jobs.verbs import cancel
from jobs.working import work_on
from projects.derived import collected
from projects.models import Project, Response


def ask(*arguments: str) -> str:
    out = io.StringIO()
    call_command("load_demo", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def small(monkeypatch):
    """Forty-two of its responses, those that were asked for twice among them, with what was marked in them."""
    generate = juice.generate

    def few(seed):
        lines = list(generate(seed))
        bengali = [line for line in lines if "kind" not in line and line["variety"] == juice.TWICE_IN]
        items = sorted(bengali, key=lambda line: line["task"] != juice.TWICE)[:42]
        there = {item["id"] for item in items}
        return [*items, *(line for line in lines if line.get("kind") == "spans" and line["item"] in there)]

    monkeypatch.setattr(juice, "generate", few)
    monkeypatch.setattr(demo_jobs, "SAY_SECONDS", 0)


@pytest.mark.django_db(transaction=True)
def test_a_worker_loads_it_once(small):
    said = ask("--scale", "juice", "--queue")
    assert "A worker loads the project “juice”. Waiting." in said
    ask("--scale", "juice", "--queue")
    job = Job.objects.get()
    assert not Project.objects.exists()
    assert work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, job.problem) == (JobState.DONE, "")
    assert collected(Response.objects.filter(project__slug="juice")).count() == 42
    assert job.sentence.endswith("lines read")
    assert "already there" in ask("--scale", "juice", "--queue")
    # As after a kill that came between its last row and its end.
    Job.objects.update(state=JobState.QUEUED, ended_at=None)
    assert work_on(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.DONE


@pytest.mark.django_db(transaction=True)
def test_cancelled_while_it_loads_nothing_of_it_is_there(small, monkeypatch):
    ask("--scale", "juice", "--queue")
    say = demo_jobs.Saying.__call__

    def cancelled(saying, *amounts):
        with demo_jobs.on_own_connection():
            cancel(Job.objects.get())
        say(saying, *amounts)

    monkeypatch.setattr(demo_jobs.Saying, "__call__", cancelled)
    job = Job.objects.get()
    assert work_on(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert not Project.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_after_a_failure_it_says_why_and_tries_again(small):
    ask("--scale", "juice", "--queue")
    Job.objects.update(state=JobState.FAILED, ended_at=timezone.now(), problem="The disk is full.")
    problem = io.StringIO()
    call_command("load_demo", "--scale", "juice", "--queue", stdout=io.StringIO(), stderr=problem)
    assert problem.getvalue() == "Failed: The disk is full.\n"
    assert Job.objects.filter(state=JobState.QUEUED).count() == 1


@pytest.mark.django_db
def test_the_demo_by_hand_comes_at_once():
    with pytest.raises(CommandError, match="--queue"):
        ask("--queue")
