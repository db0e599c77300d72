"""Nour has a file of the gold prepared: written by a worker, kept for a week, the same bytes as the download."""

import base64
import hashlib
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from demo.loading import load_by_hand
from jobs import verbs
from jobs.enqueuing import add_job
from jobs.files import sweep_files
from jobs.models import FileChunk, Job, JobState, StoredFile
from jobs.sweeping import sweep
from jobs.working import work_on
from projects.models import ApiToken, AuditEvent, Project, User
from reports import exporting
from tests.people import PASSWORD, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def demo(db) -> Project:
    return load_by_hand(PASSWORD)


@pytest.fixture
def lead(demo):
    return User.objects.get(email="lead@example.org")


def direct(client: Client) -> bytes:
    answer: Any = client.get("/p/demo/gold/file/")
    return b"".join(answer.streaming_content)


def prepared(lead) -> tuple[Client, Job]:
    client = signed_in(lead)
    answer = client.post("/p/demo/gold/prepare/", {"of": "spans"})
    job = Job.objects.get(kind="gold_export")
    assert answer["Location"] == f"/p/demo/jobs/{job.uuid}/"
    return client, job


def test_the_file_holds_what_the_download_holds(demo, lead):
    client, job = prepared(lead)
    assert b"Prepare a file" in client.get("/p/demo/gold/").content
    assert client.get(f"/p/demo/jobs/{job.uuid}/file/").status_code == 404, "not yet"
    work_on(job.pk)
    file = client.get(f"/p/demo/jobs/{job.uuid}/file/", headers={"Accept-Encoding": "gzip"})
    content = b"".join(file.streaming_content)
    assert content == direct(client)
    digest = hashlib.sha256(content)
    assert file["Repr-Digest"] == f"sha-256=:{base64.b64encode(digest.digest()).decode()}:"
    assert int(file["Content-Length"]) == len(content)
    assert file["Content-Disposition"] == 'attachment; filename="demo-gold.jsonl"'
    page = client.get(f"/p/demo/jobs/{job.uuid}/").content.decode()
    assert digest.hexdigest() in page
    job.refresh_from_db()
    assert job.result["lines"] == content.count(b"\n") == job.total == job.done


def test_its_name_comes_whole_whatever_is_in_it(demo, lead):
    client, job = prepared(lead)
    work_on(job.pk)
    StoredFile.objects.update(name='gold "of" كشري.jsonl')
    header = client.head(f"/p/demo/jobs/{job.uuid}/file/")["Content-Disposition"]
    assert header.startswith("attachment; filename*=utf-8''gold%20%22of%22%20%D9%83")


def test_it_is_in_the_audit_log(demo, lead):
    _client, job = prepared(lead)
    work_on(job.pk)
    event = AuditEvent.objects.get(action="gold.exported")
    assert (event.actor, event.subject, event.detail["via"], event.detail["sha256"]) == (
        lead,
        "spans",
        "file",
        job_result(job)["sha256"],
    )


def test_who_takes_it_is_in_the_audit_log(demo, lead):
    client, job = prepared(lead)
    work_on(job.pk)
    for address in (f"/p/demo/jobs/{job.uuid}/file/", f"/api/v1/projects/demo/jobs/{job.uuid}/file/"):
        assert client.head(address).status_code == 200
    assert not AuditEvent.objects.filter(action="job.file_taken").exists()
    client.get(f"/p/demo/jobs/{job.uuid}/file/")
    event = AuditEvent.objects.get(action="job.file_taken")
    assert (event.actor, event.subject) == (lead, str(job.uuid))


def job_result(job: Job) -> dict:
    job.refresh_from_db()
    assert job.result
    return job.result


def test_one_that_is_being_written_is_not_begun_twice(demo, lead):
    _client, job = prepared(lead)
    assert prepared(lead)[1] == job


def test_after_a_week_it_is_gone(demo, lead):
    client, job = prepared(lead)
    work_on(job.pk)
    StoredFile.objects.update(expires_at=timezone.now() + timedelta(days=6, hours=23))
    assert sweep_files() == 0
    StoredFile.objects.update(expires_at=timezone.now())
    assert client.get(f"/p/demo/jobs/{job.uuid}/file/").status_code == 404, "also before it is swept"
    sweep()
    assert not FileChunk.objects.exists()
    assert "kept for 7 days" in client.get("/p/demo/jobs/").content.decode()


def test_cancelled_while_it_is_written_leaves_no_file(demo, lead, monkeypatch):
    _client, job = prepared(lead)
    monkeypatch.setattr(exporting, "LINES_AT_ONCE", 1)
    monkeypatch.setattr("jobs.working.PROGRESS_SECONDS", 0)
    format_of = exporting.format_of

    def cancelling(project, area):
        gold = format_of(project, area)
        lines = gold.lines

        def cancel_at_the_third(of):
            for number, line in enumerate(lines(of)):
                if number == 2:
                    verbs.cancel(job, lead)
                yield line

        return type(gold)(**{**vars(gold), "lines": cancel_at_the_third})

    with monkeypatch.context() as patched:
        patched.setattr(exporting, "format_of", cancelling)
        work_on(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert (StoredFile.objects.count(), FileChunk.objects.count()) == (0, 0)
    assert not AuditEvent.objects.filter(action="gold.exported").exists()
    assert verbs.retry(job, lead)
    work_on(job.pk)
    assert job_result(job)["size"] == StoredFile.objects.get().size


def test_a_program_prepares_and_fetches(demo, lead):
    _row, token = ApiToken.issue(lead, "gold")
    program = Client(headers={"Authorization": f"Bearer {token}"})
    answer = program.post("/api/v1/projects/demo/gold/files/")
    assert (answer.status_code, answer.json()["state"], answer.json()["file"]) == (202, "queued", None)
    work_on(Job.objects.get(kind="gold_export").pk)
    row = program.get(answer["Location"]).json()
    file = program.get(row["file"]["url"], headers={"Accept": "application/x-ndjson"})
    content = b"".join(file.streaming_content)
    assert hashlib.sha256(content).hexdigest() == row["file"]["sha256"] == row["result"]["sha256"]
    assert program.post("/api/v1/projects/demo/gold/files/?of=ratings").status_code == 404


def test_only_leads_of_the_project_prepare_and_fetch(demo, lead, omar):
    _client, job = prepared(lead)
    work_on(job.pk)
    for user in (User.objects.get(email="mona@example.org"), omar):
        client = signed_in(user)
        assert client.post("/p/demo/gold/prepare/").status_code == 404
        assert client.get(f"/p/demo/jobs/{job.uuid}/file/").status_code == 404
        assert client.get(f"/api/v1/projects/demo/jobs/{job.uuid}/file/").status_code in (403, 404)


def test_a_kind_of_gold_that_is_no_more_is_said(demo, lead):
    job = add_job("gold_export", demo, lead, options={"of": "nothing"})
    work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, job.problem) == (JobState.FAILED, "This project has no gold of this kind.")
    assert signed_in(lead).get("/p/demo/jobs/").status_code == 200
