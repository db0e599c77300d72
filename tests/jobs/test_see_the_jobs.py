"""Nour sees what is done in the background of her project, what waits for what, and stops and begins it again."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jobs import verbs, working
from jobs.enqueuing import add_job
from jobs.listing import Listing
from jobs.models import Job, JobState, Queue, Worker
from jobs.working import claim, work_on
from judging.engine import runs
from judging.judges import add_judge
from judging.models import Run, RunState
from projects.models import ApiToken
from projects.problems import Invalid, Problem
from providers.models import Provider
from tests.people import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def worker(db) -> Worker:
    return Worker.objects.create(name="desk:1", queues=list(Queue.values))


@pytest.fixture
def run(project, koshari) -> Run:
    judge = add_judge(project, Provider.objects.create(name="p", base_url="http://127.0.0.1:9/v1"), "gpt-4o")
    run = runs.create_run(judge, project.responses.all())
    runs.begin(run, by=None)
    run.refresh_from_db()
    return run


def page(user, query: str = "", **headers) -> str:
    answer = signed_in(user).get(f"/p/feasts/jobs/{query}", headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def do(user, uuid, verb: str, **data):
    return signed_in(user).post(f"/p/feasts/jobs/{uuid}/{verb}/", data)


def test_an_empty_page_says_what_to_do_next(nour, project):
    assert "Nothing has been done in the background yet" in page(nour)
    assert "/p/feasts/import/" in page(nour)


def test_the_menu_leads_leads_to_it(nour, mona, project):
    assert b"/p/feasts/jobs/" in signed_in(nour).get("/p/feasts/").content
    assert b"/p/feasts/jobs/" not in signed_in(mona).get("/p/feasts/").content


def test_a_job_says_what_it_is_who_asked_and_how_far_it_is(chore, nour, project, worker):
    job = add_job("chore", project, nour, total=400)
    held = claim(job.pk)
    assert held
    held.progress(100, sentence="100 rows weighed")
    listed = page(nour)
    for part in ("Chore", "Nour Haddad", "Running", 'max="400" value="100"', "25 %", "100 rows weighed"):
        assert part in listed
    assert 'hx-get="/p/feasts/jobs/"' in listed
    held.finish()
    assert "hx-get" not in page(nour), "nothing moves: nothing is asked again"


def test_for_htmx_the_list_comes_alone(chore, nour, project):
    add_job("chore", project, nour)
    assert "<html" not in page(nour, **{"HX-Request": "true"})
    assert "HX-Request" in signed_in(nour).get("/p/feasts/jobs/")["Vary"]


def test_a_job_without_workers_says_since_when(chore, nour, project, worker):
    add_job("chore", project, nour)
    assert "waits for a worker, which takes it up in a moment" in page(nour)
    Worker.objects.update(seen_at=timezone.now() - timedelta(minutes=3))
    assert "waits for a worker: none has been seen for 3 minutes" in page(nour)
    Worker.objects.update(queues=["calls"])
    assert "waits for a worker: none has been seen<" in page(nour)


def test_a_job_in_a_row_says_how_many_are_before_it(chore, nour, project, other_project, worker):
    add_job("chore", other_project)
    add_job("chore", project, nour)
    add_job("chore", project, nour)
    listed = page(nour)
    assert "waits for its turn: 1 before it" in listed
    assert "waits for its turn: 2 before it" in listed


def test_a_job_after_a_failure_says_until_when_it_waits(chore, nour, project, worker, monkeypatch):
    monkeypatch.setattr(working, "FIRST_DELAY_SECONDS", 60.0)

    def break_off(held):
        raise ZeroDivisionError

    chore.work = break_off
    job = add_job("chore", project, nour)
    work_on(job.pk)
    job.refresh_from_db()
    assert f"waits until {job.due_at:%H:%M:%S} UTC after a failure" in page(nour)


def test_a_job_whose_provider_is_at_its_share_says_so(chore, nour, project, worker, settings):
    settings.WORKER_SLOTS = 4  # one of four is the share of one provider
    assert claim(add_job("chore", project, nour, resource="provider:1").pk)
    add_job("chore", project, nour, resource="provider:1")
    add_job("chore", project, nour, resource="provider:2")
    assert page(nour).count("waits for the provider") == 1


def test_a_worker_of_several_processes_has_a_share_in_each(chore, nour, project, worker, settings):
    settings.WORKER_SLOTS = 4
    Worker.objects.update(slots=8)  # two processes of four
    assert claim(add_job("chore", project, nour, resource="provider:1").pk)
    add_job("chore", project, nour, resource="provider:1")
    assert "waits for the provider" not in page(nour)
    assert claim(add_job("chore", project, nour, resource="provider:1").pk)
    assert "waits for the provider" in page(nour)


def test_paused_by_whom(chore, nour, project, ada):
    verbs.pause(add_job("chore", project, nour), ada)
    assert "paused by Ada Admin" in page(nour)


def test_a_problem_is_said_in_words_and_tried_again(chore, nour, project):
    def refuse(held):
        raise Invalid(Problem("no_rows", "The file holds no records."))

    chore.work = refuse
    job = add_job("chore", project, nour, total=400)
    work_on(job.pk)
    assert "The file holds no records." in page(nour)
    assert "<progress" not in page(nour), "a bar beside a failure looks like work that goes on"
    assert do(nour, job.uuid, "retry")["Location"] == "/p/feasts/jobs/"
    assert Job.objects.get().state == JobState.QUEUED


def test_pause_resume_and_cancel_are_offered_where_they_are_possible(chore, nour, project):
    job = add_job("chore", project, nour)
    for verb, state, offered in (
        ("pause", JobState.PAUSED, {"resume", "cancel"}),
        ("resume", JobState.QUEUED, {"pause", "cancel"}),
        ("cancel", JobState.CANCELLED, {"retry"}),
    ):
        assert do(nour, job.uuid, verb, **{"from": "job"})["Location"] == f"/p/feasts/jobs/{job.uuid}/"
        assert Job.objects.get().state == state
        listed = page(nour)
        assert {each for each in ("pause", "resume", "cancel", "retry") if f"/{each}/" in listed} == offered


def test_what_cannot_be_paused_is_not(chore, nour, project):
    chore.can_pause = False
    job = add_job("chore", project, nour)
    assert "/pause/" not in page(nour)
    answer = signed_in(nour).post(f"/p/feasts/jobs/{job.uuid}/pause/", follow=True)
    assert Job.objects.get().state == JobState.QUEUED
    assert "It could not be paused" in answer.content.decode()


def test_what_is_paused_already_says_so(chore, nour, project):
    job = add_job("chore", project, nour)
    assert verbs.pause(job, nour)
    answer = signed_in(nour).post(f"/p/feasts/jobs/{job.uuid}/pause/", follow=True)
    assert "it is paused or over already" in answer.content.decode()


def test_what_a_kind_asks_for_is_needed_beside_seeing_the_list(chore, nour, project):
    chore.permission = "roles.change"  # administrators alone
    job = add_job("chore", project, nour)
    assert do(nour, job.uuid, "cancel").status_code == 404
    assert Job.objects.get().state == JobState.QUEUED


def test_a_run_is_one_entry_with_its_own_verbs(nour, run):
    listed = page(nour)
    assert Job.objects.count() == 1, "its shard"
    assert listed.count("<tr>") == 2, "the head, and the run"
    assert "Run of " in listed
    assert do(nour, run.uuid, "pause").status_code == 302
    run.refresh_from_db()
    assert run.state == RunState.PAUSED
    assert "paused by somebody" in page(nour)
    assert do(nour, run.uuid, "resume").status_code == 302
    run.refresh_from_db()
    assert run.state == RunState.RUNNING
    answer = signed_in(nour).get(f"/p/feasts/jobs/{run.uuid}/")
    assert answer["Location"] == f"/p/feasts/judges/runs/{run.uuid}/"


def test_a_run_at_which_nobody_works_says_for_what_it_waits(chore, nour, project, run, worker, settings):
    settings.WORKER_SLOTS = 4  # one of four is the share of one provider
    assert "waits for a worker, which takes it up in a moment" in page(nour)
    Worker.objects.update(seen_at=timezone.now() - timedelta(minutes=3))
    assert "waits for a worker: none has been seen for 3 minutes" in page(nour)

    Worker.objects.update(seen_at=timezone.now())
    shard = Job.objects.get()
    other = add_job("chore", project, nour, resource=shard.resource)
    assert claim(other.pk)
    assert "waits for the provider" in page(nour)

    verbs.cancel(other, nour)
    assert claim(shard.pk)
    assert "waits for" not in page(nour)


def test_a_part_of_a_run_is_nobodys_to_stop(nour, run):
    shard = Job.objects.get()
    assert signed_in(nour).get(f"/p/feasts/jobs/{shard.uuid}/").status_code == 404
    assert do(nour, shard.uuid, "cancel").status_code == 404


def test_jobs_and_runs_are_one_list_by_time_in_pages_of_fifty(chore, nour, run, project):
    for _n in range(60):
        add_job("chore", project, nour)
    entries = Listing(project)
    assert entries.count() == 61
    assert [entry.kind for entry in entries[0:61]] == ["chore"] * 60 + ["judge_run"]
    first, second = page(nour), page(nour, "?page=2")
    assert (first.count("<tr>"), second.count("<tr>")) == (51, 12)
    assert "Run of" in second
    assert 'hx-get="/p/feasts/jobs/?page=2"' in second


def test_fifty_entries_cost_as_many_statements_as_three(chore, nour, run, project, worker):
    client = signed_in(nour)

    def statements() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get("/p/feasts/jobs/").status_code == 200
        return len(queries)

    for _n in range(2):
        verbs.pause(add_job("chore", project, nour))
        add_job("chore", project, nour, resource="provider:1")
    few = statements()
    for _n in range(15):
        verbs.pause(add_job("chore", project, nour), nour)
        add_job("chore", project, nour, resource="provider:1")
        runs.begin(runs.create_run(run.judge, project.responses.all(), round=2 + _n), by=None)
    assert statements() == few
    assert few <= 20


def test_a_lead_of_another_project_sees_and_moves_nothing(chore, nour, omar, project, other_project):
    job = add_job("chore", project, nour)
    client = signed_in(omar)
    for address in ("/p/feasts/jobs/", f"/p/feasts/jobs/{job.uuid}/", f"/p/weddings/jobs/{job.uuid}/"):
        assert client.get(address).status_code == 404
    for slug in ("feasts", "weddings"):
        assert client.post(f"/p/{slug}/jobs/{job.uuid}/cancel/").status_code == 404
        assert client.post(f"/api/v1/projects/{slug}/jobs/{job.uuid}/cancel/").status_code in (403, 404)
    assert Job.objects.get().state == JobState.QUEUED


# --- For programs ---


@pytest.fixture
def program(nour):
    _row, token = ApiToken.issue(nour, "jobs")
    return Client(headers={"Authorization": f"Bearer {token}"})


def test_a_program_lists_and_filters(chore, program, nour, project, run):
    job = add_job("chore", project, nour)
    work_on(add_job("chore", project, nour).pk)
    rows = program.get("/api/v1/projects/feasts/jobs/").json()
    assert rows["count"] == 3
    assert [row["kind"] for row in rows["results"]] == ["chore", "chore", "judge_run"]

    def listed(query: str) -> list[str]:
        return [row["uuid"] for row in program.get(f"/api/v1/projects/feasts/jobs/?{query}").json()["results"]]

    assert listed("kind=judge_run") == [str(run.uuid)]
    assert listed("state=queued") == [str(job.uuid)]
    assert listed("state=queued&kind=judge_run") == []
    assert program.get("/api/v1/projects/feasts/jobs/?state=asleep").status_code == 400
    assert program.get("/api/v1/projects/feasts/jobs/?kind=judge_shard").status_code == 400


def test_a_program_moves_a_job_and_a_run(chore, program, nour, project, run):
    job = add_job("chore", project, nour)

    def do_by_program(uuid, verb: str) -> tuple[int, str]:
        answer = program.post(f"/api/v1/projects/feasts/jobs/{uuid}/{verb}/")
        return answer.status_code, answer.json()["state"]

    for uuid in (job.uuid, run.uuid):
        assert do_by_program(uuid, "pause") == (200, "paused")
        assert do_by_program(uuid, "pause") == (409, "paused")
        assert do_by_program(uuid, "resume")[0] == 200
        assert do_by_program(uuid, "cancel") == (200, "cancelled")
        assert do_by_program(uuid, "cancel") == (409, "cancelled")
    assert do_by_program(job.uuid, "retry") == (200, "queued")
    row = program.get(f"/api/v1/projects/feasts/jobs/{job.uuid}/").json()
    assert (row["asked_by"], row["verbs"], row["result"]) == ("Nour Haddad", ["pause", "cancel"], None)
