"""Nour brings in a large file: the answer comes at once, a worker brings it in, and its page says how far it is."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.test import Client
from django.utils import timezone

from formats.importing.running import IMPORTS
from jobs import importing, long_polling, verbs, working
from jobs.files import CHUNK_BYTES, content_of, store_file, sweep_files
from jobs.importing import IMPORT, ImportFile
from jobs.models import FileChunk, Job, JobState, StoredFile
from jobs.sweeping import sweep
from jobs.working import work_on
from projects.models import ApiToken, AuditEvent, Prompt, Response
from tests.jobs.files import items, waiting_import
from tests.jobs.refused import refused_at_the_claim
from tests.people import add_response, signed_in

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


def send(user, content: bytes, **headers):
    file = SimpleUploadedFile("items.jsonl", content)
    return signed_in(user).post("/p/feasts/import/", {"kind": "items", "file": file}, headers=headers)


def page_of(user, job: Job) -> str:
    answer = signed_in(user).get(f"/p/feasts/jobs/{job.uuid}/")
    assert answer.status_code == 200
    return answer.content.decode()


def state_of(job: Job) -> str:
    job.refresh_from_db()
    return job.state


# --- From the page ---


def test_a_large_file_is_answered_with_its_job(nour, project):
    answer = send(nour, items(300))
    job = Job.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/p/feasts/jobs/{job.uuid}/")
    assert (job.state, job.asked_by, job.total) == (JobState.QUEUED, nour, job.file.size)
    assert not Response.objects.exists()
    assert "waits for a worker: none has been seen" in page_of(nour, job)
    assert "hx-trigger" in page_of(nour, job), "it asks again by itself"
    assert work_on(job.pk)
    page = page_of(nour, job)
    assert "Imported." in page
    assert "300 responses" in page
    assert "hx-trigger" not in page
    assert AuditEvent.objects.get(action="data.imported").actor == nour
    assert not FileChunk.objects.exists(), "what is in is not needed twice"


def test_for_htmx_its_progress_appears_below_the_form(nour, project):
    answer = send(nour, items(300), **{"HX-Request": "true"})
    assert answer.status_code == 200
    assert f'hx-get="/p/feasts/jobs/{Job.objects.get().uuid}/"' in answer.content.decode()
    assert b"<html" not in answer.content


def test_a_small_file_is_in_when_the_answer_comes(nour, project):
    answer = send(nour, items(300).split(b"\n")[0])
    assert (answer.status_code, Response.objects.count()) == (200, 1)
    assert b"Imported." in answer.content
    assert Job.objects.get().state == JobState.DONE


def test_a_small_file_waits_for_an_import_that_is_under_way(nour, project):
    waiting_import(project, nour)
    assert send(nour, b'{"id": "x"}\n').status_code == 303
    assert Job.objects.filter(state=JobState.QUEUED).count() == 2


def test_what_a_process_took_in_and_did_not_do_a_worker_does(nour, project, monkeypatch):
    """Whoever takes a small file in sends for no worker; where it dies over it, the sweep does."""
    monkeypatch.setattr(working, "work_on", lambda pk: True)
    send(nour, b'{"id": "x"}\n')
    assert sweep() == 0
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=5))
    assert sweep() == 1


@pytest.mark.django_db(transaction=True)
def test_a_small_file_that_the_database_refuses_to_take_up_is_left_to_a_worker(nour, project, monkeypatch):
    """It is stored by then: an answer that nothing was stored would have Nour send it again."""
    monkeypatch.setattr(importing, "SMALL_DATABASE_BYTES", 10**12)  # whatever the tests before left of free pages
    with refused_at_the_claim(monkeypatch) as sent:
        answer = send(nour, items(300).split(b"\n")[0])
    job = Job.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/p/feasts/jobs/{job.uuid}/")
    assert (job.state, sent) == (JobState.QUEUED, [job.pk])
    assert work_on(job.pk)
    assert (state_of(job), Response.objects.count()) == (JobState.DONE, 1)


def test_a_refused_file_is_said_line_by_line_and_can_be_tried_again(nour, project):
    job = waiting_import(project, nour, content=items(300) + b'{"id": "r1", "owner": "x"}\n')
    work_on(job.pk)
    assert state_of(job) == JobState.FAILED
    assert job.problem.endswith("Nothing was stored.")
    page = page_of(nour, job)
    assert '<td class="num">301</td><td><code dir="ltr">owner</code></td>' in page
    assert "Try again" in page
    assert not Response.objects.exists()
    StoredFile.objects.update(expires_at=timezone.now())
    assert sweep_files() == 1
    assert "Try again" not in page_of(nour, job), "its file is gone"
    assert verbs.retry(job, nour)
    work_on(job.pk)
    assert state_of(job) == JobState.FAILED
    assert job.problem == "The file is no longer kept. Choose it again."


def test_tried_again_and_cancelled_it_shows_nothing_of_the_time_before(nour, project):
    job = waiting_import(project, nour, content=items(300) + b'{"id": "r1", "owner": "x"}\n')
    work_on(job.pk)
    assert state_of(job) == JobState.FAILED
    assert verbs.retry(job, nour)
    assert verbs.cancel(job, nour)
    assert (job.result, job.started_at, job.problem) == (None, None, "")
    assert "owner" not in page_of(nour, job)


def test_a_check_stores_nothing(nour, project):
    job = waiting_import(project, nour, dry_run=True)
    work_on(job.pk)
    assert state_of(job) == JobState.DONE
    assert "Nothing has been stored yet" in page_of(nour, job)
    assert not Response.objects.exists()


def test_the_file_of_an_open_job_is_never_swept(nour, project):
    job = waiting_import(project, nour)
    StoredFile.objects.update(expires_at=timezone.now() - timedelta(days=3))
    assert sweep_files() == 0
    work_on(job.pk)
    assert state_of(job) == JobState.DONE


def test_a_file_is_kept_in_parts_and_comes_back_whole(db):
    blocks = [bytes([n % 251]) * 700_001 for n in range(5)]
    file = store_file("x.bin", blocks, timedelta(days=1))
    assert b"".join(content_of(file)) == b"".join(blocks)
    assert [len(chunk.content) for chunk in file.chunks.order_by("number")] == [CHUNK_BYTES] * 3 + [500_005]


def test_an_upload_that_breaks_off_leaves_nothing(db):
    def breaking_off():
        yield b"x" * CHUNK_BYTES
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        store_file("x.bin", breaking_off(), timedelta(days=1))
    assert (StoredFile.objects.count(), FileChunk.objects.count()) == (0, 0)


# --- Cancelled, killed, tried again ---


@pytest.mark.django_db(transaction=True)
def test_cancelled_in_the_middle_stores_nothing_and_can_be_tried_again(nour, project, monkeypatch):
    job = waiting_import(project, nour, lines=2500)
    words = importing.lines_in_words
    asked = []

    def cancel_once(lines: int) -> str:
        if not asked:
            asked.append(lines)
            assert verbs.cancel(job, nour)
        return words(lines)

    monkeypatch.setattr(importing, "lines_in_words", cancel_once)
    work_on(job.pk)
    assert asked
    assert state_of(job) == JobState.CANCELLED
    assert not Response.objects.exists()
    assert signed_in(nour).post(f"/p/feasts/jobs/{job.uuid}/retry/").status_code == 302
    work_on(job.pk)
    assert state_of(job) == JobState.DONE
    assert Response.objects.count() == 2500


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("verb", ["cancel", "taken back"])
def test_what_changes_hands_before_the_commit_is_not_stored(nour, project, monkeypatch, verb):
    """The end of the job is in the import's own transaction: without its claim, no row of it comes in."""
    job = waiting_import(project, nour)
    finish = importing.Held.finish

    def finish_too_late(held, result=None):
        Job.objects.filter(pk=job.pk).update(
            claim=None,
            state=JobState.QUEUED if verb == "taken back" else JobState.CANCELLED,
            ended_at=None if verb == "taken back" else timezone.now(),
        )
        finish(held, result)

    with monkeypatch.context() as patched:
        patched.setattr(importing.Held, "finish", finish_too_late)
        work_on(job.pk)
    assert not Response.objects.exists()
    assert not AuditEvent.objects.filter(action="data.imported").exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="only on SQLite the file is checked again by itself")
def test_a_file_that_was_checked_again_comes_in_once_and_its_job_is_done(nour, project, monkeypatch):
    """The prompt of its lines goes while the file is checked: the first commit is refused, the second is not."""
    add_response(project, "before", "كشري", "ar-EG", model="Sphinx-1B").delete()
    of_all_lines = Prompt.objects.get()
    job = waiting_import(project, nour, content=items(300, prompt=of_all_lines.text, prompt_id="p-before"))
    words = importing.lines_in_words

    def delete_the_prompt(lines: int) -> str:
        Prompt.objects.filter(pk=of_all_lines.pk).delete()
        return words(lines)

    monkeypatch.setattr(importing, "lines_in_words", delete_the_prompt)
    work_on(job.pk)
    assert (state_of(job), job.claim) == (JobState.DONE, None)
    assert sweep(silence_seconds=0) == 0
    assert Response.objects.count() == 300


@pytest.mark.django_db(transaction=True)
def test_a_process_that_dies_after_the_commit_has_imported_once(nour, project, monkeypatch):
    job = waiting_import(project, nour)
    run = ImportFile.run

    def run_and_die(kind, held):
        run(kind, held)
        raise SystemExit

    monkeypatch.setattr(ImportFile, "run", run_and_die)
    with pytest.raises(SystemExit):
        work_on(job.pk)
    monkeypatch.undo()
    assert state_of(job) == JobState.DONE
    sweep(silence_seconds=0)
    assert not work_on(job.pk)
    assert Response.objects.count() == 300


# It says how far it is, and stays there: it is not over before we look.
WAITING = """
import time
from jobs.working import Held, work_on
progress = Held.progress
def progress_and_wait(held, done, *more, **told):
    progress(held, done, *more, **told)
    if done:
        time.sleep(600)
Held.progress = progress_and_wait
"""


def worker_over(job: Job) -> subprocess.Popen:
    """A process of its own, on this test's database, in the middle of the import."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        address = f"sqlite:///{database['NAME']}"
    else:
        host, port = database["HOST"] or "127.0.0.1", database["PORT"] or 5432
        secret = f":{database['PASSWORD']}" if database["PASSWORD"] else ""
        address = f"postgres://{database['USER']}{secret}@{host}:{port}/{database['NAME']}"
    environment = {**os.environ, "DATABASE_URL": address, "DJANGO_SETTINGS_MODULE": "config.settings"}
    code = f"{WAITING}work_on({job.pk})"
    process = subprocess.Popen([sys.executable, "manage.py", "shell", "-v0", "-c", code], cwd=ROOT, env=environment)
    until = time.monotonic() + 120
    while not Job.objects.filter(pk=job.pk, state=JobState.RUNNING, done__gt=0).exists():
        assert process.poll() is None, "it ended before it was under way"
        assert time.monotonic() < until
        time.sleep(0.02)
    return process


@pytest.mark.django_db(transaction=True)
def test_kill_9_in_the_middle_and_another_worker_brings_it_in_once(nour, project):
    job = waiting_import(project, nour, lines=20_000)
    process = worker_over(job)
    process.send_signal(signal.SIGKILL)
    assert process.wait(timeout=60) == -signal.SIGKILL
    assert state_of(job) == JobState.RUNNING
    assert job.sentence.endswith("lines read")
    assert not Response.objects.exists()
    assert sweep(silence_seconds=0) == 1
    assert work_on(job.pk)
    assert (state_of(job), job.attempts) == (JobState.DONE, 2)
    assert Response.objects.count() == 20_000
    assert AuditEvent.objects.filter(action="data.imported").count() == 1


# --- Two at once ---


@contextmanager
def another_import(project):
    """Under way, by a command of somebody's: it has no job."""
    elsewhere = connections.create_connection(DEFAULT_DB_ALIAS)
    elsewhere.set_autocommit(False)
    try:
        with elsewhere.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [IMPORTS, project.pk])
        yield
    finally:
        elsewhere.rollback()
        elsewhere.close()


@pytest.mark.postgres
@pytest.mark.parametrize("lines", [1, 300])
def test_an_import_beside_another_of_its_project_holds_nobody_up(nour, project, lines):
    """Neither the request nor a worker waits: it is put off, and can be cancelled as any that waits."""
    with another_import(project):
        answer = send(nour, b"\n".join(items(300).split(b"\n")[:lines]))
        job = Job.objects.get()
        assert (answer.status_code, answer["Location"]) == (303, f"/p/feasts/jobs/{job.uuid}/")
        if lines > 1:
            assert work_on(job.pk)
        assert (state_of(job), job.attempts, job.done) == (JobState.QUEUED, 0, 0)
        assert "Another import of the project is under way." in page_of(nour, job)
        assert not work_on(job.pk), "it is not due yet"
    Job.objects.update(due_at=timezone.now())
    assert work_on(job.pk)
    assert (state_of(job), Response.objects.count()) == (JobState.DONE, lines)


def test_one_that_was_put_off_is_next_when_the_other_ends(nour, project):
    first, put_off = waiting_import(project, nour), waiting_import(project, nour, content=items(300) + b"\n")
    Job.objects.filter(pk=put_off.pk).update(due_at=timezone.now() + timedelta(minutes=1))
    assert not work_on(put_off.pk)
    assert work_on(first.pk)
    assert work_on(put_off.pk)


# --- From a program ---


@pytest.fixture
def program(nour):
    _row, token = ApiToken.issue(nour, "import")
    return Client(headers={"Authorization": f"Bearer {token}"})


def post(program, content: bytes, query: str = ""):
    address = f"/api/v1/projects/feasts/imports/{query}"
    return program.post(address, content, content_type="application/jsonl")


def test_a_program_is_given_the_address_of_the_job(program, nour, project):
    answer = post(program, items(300))
    assert answer.status_code == 202
    job = Job.objects.get()
    assert answer["Location"].endswith(f"/api/v1/projects/feasts/jobs/{job.uuid}/")
    assert answer.json()["state"] == "queued"
    work_on(job.pk)
    row = program.get(answer["Location"]).json()
    assert (row["state"], row["result"]["counts"]["responses"]) == ("done", 300)
    assert row["file"] is None, "what was sent is no result"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("owner", "code"), [(None, 201), ("x", 422)])
def test_a_program_that_waits_is_told_what_came_of_it(program, nour, project, owner, code):
    content = items(300) if owner is None else items(300, owner=owner)

    def work() -> None:
        try:
            until = time.monotonic() + 20
            while not (pk := Job.objects.filter(kind=IMPORT).values_list("pk", flat=True).first()):
                assert time.monotonic() < until
                time.sleep(0.05)
            while not work_on(pk):
                assert time.monotonic() < until
                time.sleep(0.05)
        finally:
            connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    answer = post(program, content, "?wait=30")
    worker.join()
    assert answer.status_code == code
    assert json.loads(answer.content)["stored"] == (code == 201)


@pytest.mark.django_db(transaction=True)
def test_a_program_is_told_that_the_last_step_was_refused(program, nour, project, monkeypatch):
    """Rows and the end of the job were written, and the database refuses the commit."""
    monkeypatch.setattr(importing, "SMALL_DATABASE_BYTES", 10**12)  # whatever the tests before left of free pages
    finish = importing.Held.finish

    def finish_with_a_row_of_nobody(held, result=None):
        finish(held, result)
        FileChunk.objects.create(file_id=999_999, number=0, content=b"")

    monkeypatch.setattr(importing.Held, "finish", finish_with_a_row_of_nobody)
    answer = post(program, b"\n".join(items(300).split(b"\n")[:2]))
    assert (answer.status_code, answer.json()["stored"], answer.json()["problem_count"]) == (422, False, 1)
    assert not Response.objects.exists()
    assert Job.objects.get().state == JobState.FAILED


def test_where_many_programs_wait_the_next_is_answered_at_once(program, nour, project, monkeypatch):
    """Of the threads that answer requests, those who save have the rest."""
    asleep = []

    def sleep(_seconds):
        monkeypatch.setattr("jobs.long_polling.time.sleep", asleep.append)
        for _thread in range(settings.WEB_THREADS // 4 - 1):
            assert long_polling._places.acquire(blocking=False)
        try:
            assert post(program, items(300, owner="x"), "?wait=30").status_code == 202
        finally:
            long_polling._places.release(settings.WEB_THREADS // 4 - 1)
        verbs.cancel(Job.objects.earliest("pk"), nour)

    monkeypatch.setattr("jobs.long_polling.time.sleep", sleep)
    assert post(program, items(300), "?wait=30").status_code == 422
    assert asleep == []
    assert long_polling._places.acquire(blocking=False), "the place is free again"
    long_polling._places.release()


def test_a_program_is_told_that_somebody_cancelled_it(program, nour, project, monkeypatch):
    monkeypatch.setattr("jobs.long_polling.time.sleep", lambda _seconds: verbs.cancel(Job.objects.get(), nour))
    answer = post(program, items(300), "?wait=20")
    assert (answer.status_code, answer.json()["stored"]) == (422, False)
    assert answer.json()["problems"][0]["message"] == "Cancelled"


@pytest.mark.parametrize("wait", ["-1", "soon", "1e3", "99999999", "²"])
def test_a_wait_that_is_no_number_of_seconds_is_refused(program, nour, project, wait):
    assert post(program, items(300), f"?wait={wait}").status_code == 400
    assert not Job.objects.exists()


def test_the_file_of_an_import_whose_process_died_after_the_commit_is_no_download_and_is_swept(
    nour, project, monkeypatch
):
    monkeypatch.setattr(ImportFile, "after_end", lambda kind, job: None)
    job = waiting_import(project, nour)
    waits = waiting_import(project, nour)
    work_on(job.pk)
    assert state_of(job) == JobState.DONE
    assert StoredFile.objects.filter(job=job).exists()
    assert signed_in(nour).get(f"/p/feasts/jobs/{job.uuid}/file/").status_code == 404
    sweep()
    assert list(StoredFile.objects.values_list("job", flat=True)) == [waits.pk]


def test_the_file_of_an_import_is_no_download(nour, project):
    job = waiting_import(project, nour)
    assert signed_in(nour).get(f"/p/feasts/jobs/{job.uuid}/file/").status_code == 404
