"""Nour has many replies read again: a worker reads them, and a kill or a pause in the middle costs nothing."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from jobs.models import Job, JobState
from jobs.verbs import cancel, pause, resume, retry
from jobs.working import work_on
from judging.engine import rereading, rereading_jobs, runs
from judging.engine.rereading import older_calls, plan_rereading
from judging.engine.rereading_jobs import RereadingJob
from judging.models import Call, Run
from projects.models import AuditEvent
from projects.problems import Invalid, Problem
from tests.jobs.refused import refused_at_the_claim
from tests.judging.every_kind import answered_run, judge_of
from tests.judging.test_read_replies_again import OlderReading, counted, gateway, in_other_characters
from tests.people import signed_in

__all__ = ["gateway"]  # a fixture
pytestmark = pytest.mark.django_db

SHARD = "judge_shard"
CALLS = 12
CHANGED = {"same": 0, "changed": CALLS, "held": 0, "cannot": {}}
CHANGED["changes"] = [{"before": "unlocatable", "after": "scored", "calls": CALLS}]


@pytest.fixture(autouse=True)
def they_are_many(monkeypatch):
    monkeypatch.setattr(rereading_jobs, "FEW_REPLIES", 0)


@pytest.fixture
def run(project, gateway, feasts, monkeypatch) -> Run:
    """Twelve replies in four shards, read by an older reading."""
    monkeypatch.setattr(runs, "shard_size", lambda left: 3)
    judge = judge_of("spans", project, gateway, granularity="response")
    with OlderReading():
        run = answered_run(judge, in_other_characters)
    assert run.shards.count() == 4
    Job.objects.filter(kind=SHARD).update(state=JobState.DONE)
    return run


@pytest.fixture
def lead(nour):
    return signed_in(nour)


def page(run: Run) -> str:
    return f"/p/feasts/judges/runs/{run.uuid}/read-again/"


def api(run: Run) -> str:
    return f"/api/v1/projects/feasts/runs/{run.uuid}/read-again/"


def text(response) -> str:
    assert response.status_code == 200
    return response.content.decode()


def the_job() -> Job:
    return Job.objects.exclude(kind=SHARD).latest("pk")


def test_nour_lets_a_worker_find_out_what_would_change_and_then_lets_it_read(lead, run):
    shown = text(lead.get(page(run)))
    assert "See what would change" in shown
    assert not Job.objects.exclude(kind=SHARD).exists(), "looking begins nothing"
    for _twice in range(2):
        shown = text(lead.post(page(run), {"plan": 1}, follow=True))
        assert "none has been seen" in shown
        assert "<form method" not in shown.split("<main")[1].split("</main")[0], "nothing more can be asked for now"
    assert Job.objects.exclude(kind=SHARD).count() == 1
    assert work_on(the_job().pk)
    assert counted(run) == {"unlocatable": CALLS}
    assert lead.get(page(run), headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    shown = text(lead.get(page(run)))
    assert f"Read {CALLS} replies again" in shown
    assert "As of" in shown

    lead.post(page(run))
    assert "<html" not in text(lead.get(page(run), headers={"HX-Request": "true"}))
    assert counted(run) == {"unlocatable": CALLS}
    assert work_on(the_job().pk)
    assert counted(run) == {"scored": CALLS}
    shown = text(lead.get(page(run)))
    assert f"{CALLS} replies were read again; {CALLS} changed. Nobody was asked." in shown
    assert "as it would be read today" in shown
    assert (the_job().done, the_job().total) == (4, 4)


@pytest.mark.parametrize("since", ["read", "asked", "long ago"])
def test_what_was_found_out_counts_until_something_changes(lead, run, since):
    lead.get(api(run))
    assert work_on(the_job().pk)
    assert lead.get(api(run)).status_code == 200
    if since == "read":
        lead.post(api(run))
        assert cancel(the_job())
    elif since == "asked":
        Run.objects.update(ended_at=timezone.now())
    else:
        Job.objects.update(created_at=timezone.now() - timedelta(days=2))
    assert lead.get(api(run)).status_code == 202


@pytest.mark.django_db(transaction=True)
def test_few_replies_that_the_database_refuses_now_are_left_to_a_worker(lead, run, monkeypatch):
    monkeypatch.setattr(rereading_jobs, "FEW_REPLIES", CALLS)
    with refused_at_the_claim(monkeypatch) as sent:
        assert lead.post(api(run)).status_code == 202
    assert (the_job().state, sent) == (JobState.QUEUED, [the_job().pk])


def while_reading(monkeypatch, number: int, act) -> None:
    """`act` is called when the shard of this number is written, within its transaction, once."""
    write = rereading.write
    written = []

    def counted_write(setup, run, reading):
        write(setup, run, reading)
        written.append(reading)
        if len(written) == number:
            act()

    monkeypatch.setattr(rereading, "write", counted_write)


def test_after_a_kill_the_next_shard_is_read_and_none_is_counted_twice(lead, run, monkeypatch):
    def kill():
        raise SystemExit

    while_reading(monkeypatch, 3, kill)
    lead.post(page(run))
    job = the_job()
    with pytest.raises(SystemExit):
        work_on(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.QUEUED
    assert counted(run) == {"scored": 6, "unlocatable": 6}, "two shards are written, the third is as it was"
    assert job.result["shards"] == 2
    assert work_on(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.DONE
    assert job.result["found"] == CHANGED
    event = AuditEvent.objects.get(action="run.read_again")
    assert event.detail["changes"] == [["unlocatable", "scored", CALLS]]


def test_it_is_not_given_up_while_it_gets_on(lead, run, monkeypatch):
    """Worker after worker dies over it, each over the shard after that of the last."""
    monkeypatch.setattr(RereadingJob, "most_attempts", 2)
    write, killed = rereading.write, []

    def kill_each_worker_over_its_second_shard(setup, read_run, reading):
        write(setup, read_run, reading)
        shard = run.calls.get(pk=reading.stood[0][0]).shard_id
        if killed and killed[-1] == shard:
            return
        if shard != run.shards.earliest("number").pk:
            killed.append(shard)
            raise SystemExit

    monkeypatch.setattr(rereading, "write", kill_each_worker_over_its_second_shard)
    lead.post(page(run))
    job = the_job()
    for _shard in range(3):
        with pytest.raises(SystemExit):
            work_on(job.pk)
    assert work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result["found"]) == (JobState.DONE, CHANGED)


def test_it_is_paused_between_shards_and_goes_on(lead, run, nour, monkeypatch):
    def paused_before_the_second(shards, start):
        for number, shard in enumerate(shards, start):
            if number == 2:
                assert pause(the_job(), nour)
            yield number, shard

    monkeypatch.setattr(rereading, "enumerate", paused_before_the_second, raising=False)
    lead.post(page(run))
    job = the_job()
    assert work_on(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.PAUSED
    assert counted(run) == {"scored": 3, "unlocatable": 9}, "a shard that was not counted was not written"
    assert "paused by Nour" in text(lead.get(page(run)))
    monkeypatch.delattr(rereading, "enumerate")
    assert resume(job, nour)
    assert work_on(job.pk)
    job.refresh_from_db()
    assert job.result["found"] == CHANGED
    assert not older_calls(run).exists()


@pytest.mark.parametrize("end", ["cancelled", "failed"])
def test_tried_again_it_goes_on_with_what_it_has_counted(lead, run, nour, monkeypatch, end):
    def broken_off_before_the_third(shards, start):
        for number, shard in enumerate(shards, start):
            if number == 3 and end == "failed":
                raise Invalid(Problem("no_run", "It is no longer there."))
            if number == 3:
                assert cancel(the_job(), nour)
            yield number, shard

    monkeypatch.setattr(rereading, "enumerate", broken_off_before_the_third, raising=False)
    lead.post(page(run))
    job = the_job()
    assert work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result["shards"]) == (end, 2)
    monkeypatch.delattr(rereading, "enumerate")
    assert retry(job, nour)
    assert work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result["found"]) == ("done", CHANGED)


def test_a_run_that_goes_on_is_refused_before_anything_is_begun(lead, run):
    Run.objects.update(state="running")
    assert "when it is over" in text(lead.post(page(run)))
    assert lead.post(api(run)).status_code == 422
    assert not Job.objects.exclude(kind=SHARD).exists()


def test_a_program_is_answered_with_the_job_or_waits_for_what_comes_of_it(lead, run, monkeypatch):
    planned = lead.get(api(run))
    assert planned.status_code == 202
    assert planned.json()["kind"] == "rereading"
    assert work_on(the_job().pk)
    told = lead.get(planned["Location"]).json()
    assert told["state"] == "done"
    assert told["result"]["found"] == CHANGED == plan_rereading(run).as_json()

    for _poll in range(2):
        again = lead.get(api(run))
        assert (again.status_code, again.json()) == (200, CHANGED), "who asks until it is there is told, and once"
    assert Job.objects.exclude(kind=SHARD).count() == 1

    assert lead.get(f"{api(run)}?wait=soon").status_code == 400
    assert lead.post(f"{api(run)}?wait=soon").status_code == 400
    begun = lead.post(api(run))
    assert begun.status_code == 202
    assert begun["Location"].endswith(f"/jobs/{the_job().uuid}/")
    assert lead.post(api(run))["Location"] == begun["Location"], "who asks again is told of the same"
    monkeypatch.setattr("jobs.long_polling.time.sleep", lambda _seconds: work_on(the_job().pk))
    answer = lead.post(f"{api(run)}?wait=20")
    assert answer.status_code == 200
    assert answer.json() == CHANGED
    assert counted(run) == {"scored": CALLS}


def test_a_failure_is_said_in_words(lead, run):
    lead.post(page(run))
    job = the_job()
    run.judge.__class__.objects.update(model="our-own-model")  # whose laboratory nobody knows
    assert work_on(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "map_model" in text(lead.get(page(run)))
    assert counted(run) == {"unlocatable": CALLS}


# --- While others work ---


@pytest.mark.django_db(transaction=True)
def test_no_reply_is_read_while_a_lock_is_held(run, monkeypatch):
    """On SQLite it is the lock that everybody waits for who saves."""
    judged, locked = rereading.outcome_of, []

    def noted(*args):
        locked.append(connection.in_atomic_block)
        return judged(*args)

    monkeypatch.setattr(rereading, "outcome_of", noted)
    assert rereading.reread(run).changed == CALLS
    assert locked == [False] * CALLS


def test_what_was_written_while_a_shard_was_read_is_not_written_over(run, monkeypatch):
    """Another reading again comes in between: it has read the shard, and the first finds nothing left to do."""
    judged, others = rereading.outcome_of, []

    def behind_another(*args):
        outcome = judged(*args)
        if not others:
            others.append(None)
            others[0] = rereading.reread(run)
        return outcome

    monkeypatch.setattr(rereading, "outcome_of", behind_another)
    assert rereading.reread(run).read == 0
    assert others[0].changed == CALLS
    assert counted(run) == {"scored": CALLS}


def test_a_shard_that_changes_each_time_is_read_at_last(run, monkeypatch):
    judged = rereading.outcome_of

    def asked_anew_meanwhile(*args):
        Call.objects.filter(run=run).update(ended_at=F("ended_at") + timedelta(seconds=1))
        return judged(*args)

    monkeypatch.setattr(rereading, "outcome_of", asked_anew_meanwhile)
    assert rereading.reread(run).changed == CALLS
    assert counted(run) == {"scored": CALLS}
