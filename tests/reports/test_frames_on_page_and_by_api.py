"""Nour takes raw answers from the page, her program by the interface; many rows are written by a worker."""

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas
import pytest
from pyarrow import parquet

from jobs.files import content_of
from jobs.models import Job, JobState, StoredFile
from jobs.working import work_on
from projects.models import ApiToken, AuditEvent
from reports.frames import FRAMES, exporting, reviews, spans
from tests import migrated
from tests.people import signed_in

pytestmark = pytest.mark.django_db
API = "/api/v1/projects/feasts/frames/"
ROOT = Path(__file__).parents[2]


def content(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


def test_the_page_says_what_each_frame_holds_and_gives_its_files(nour, answered, project):
    client = signed_in(nour)
    page = client.get("/p/feasts/frames/").content.decode()
    for name in ("spans", "markings", "reviews"):
        assert f"/p/feasts/frames/{name}.csv" in page
    assert "5 rows" in page
    assert "/p/feasts/frames/verdicts.csv" not in page, "it has no row"
    assert "start_utf16" in page
    assert 'href="/p/feasts/frames/"' in client.get("/p/feasts/gold/").content.decode(), "it stands in the menu"
    answer = client.get("/p/feasts/frames/spans.parquet")
    assert answer["Content-Disposition"] == 'attachment; filename="feasts-spans.parquet"'
    pandas.testing.assert_frame_equal(pandas.read_parquet(io.BytesIO(content(answer))), spans(project))
    assert client.get("/p/feasts/frames/spans.xlsx").status_code == 404
    assert client.get("/p/feasts/frames/none.csv").status_code == 404


def test_a_project_without_answers_says_so(nour, project):
    assert "No answers yet" in signed_in(nour).get("/p/feasts/frames/").content.decode()


@pytest.mark.parametrize("language", ["ar", "bn", "id", "ko"])
def test_the_page_is_there_in_every_language(nour, answered, language):
    page = signed_in(nour).get("/p/feasts/frames/", headers={"accept-language": language}).content.decode()
    assert "Every error as somebody" not in page
    assert "Raw answers" not in page


def test_the_interface_lists_frames_with_columns_and_types(nour, answered):
    listed = {each["name"]: each for each in signed_in(nour).get(API).json()}
    assert set(listed) == set(FRAMES)
    assert listed["spans"]["rows"] == 5
    types = {column["name"]: column["dtype"] for column in listed["spans"]["columns"]}
    assert types["start"] == "Int64"


@pytest.mark.parametrize(
    ("query", "media_type"),
    [("", "parquet"), ("?format=parquet", "parquet"), ("?format=csv", "csv"), ("?format=jsonl", "ndjson")],
)
def test_a_program_takes_a_file(nour, answered, project, query, media_type):
    token = ApiToken.issue(nour, "notebook")[1]
    answer = signed_in(nour).get(f"{API}spans/{query}", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    assert media_type in answer["Content-Type"]
    body = content(answer)
    if media_type == "csv":
        assert body.decode("utf-8-sig").startswith("response_key,")
    elif media_type == "ndjson":
        assert body.count(b"\n") == 5
    else:
        assert parquet.read_table(io.BytesIO(body)).num_rows == 5


def test_what_is_no_frame_or_no_format_is_not_found(nour, answered):
    client = signed_in(nour)
    assert client.get(f"{API}none/").status_code == 404
    assert client.get(f"{API}spans/?format=xlsx").status_code == 404


def test_who_took_which_file_is_in_the_audit_log(nour, answered):
    client = signed_in(nour)
    client.head("/p/feasts/frames/spans.csv")
    assert not AuditEvent.objects.filter(action="frame.exported").exists()
    client.get("/p/feasts/frames/spans.csv")
    client.get(f"{API}reviews/?format=parquet")
    told = AuditEvent.objects.filter(action="frame.exported").order_by("id")
    assert [(event.actor, event.subject, event.detail["via"], event.detail["format"]) for event in told] == [
        (nour, "spans", "page", "csv"),
        (nour, "reviews", "api", "parquet"),
    ]


def test_people_who_do_not_lead_take_nothing(mona, omar, answered, client):
    for person in (mona, omar):
        for address in ("/p/feasts/frames/", "/p/feasts/frames/spans.csv", API, f"{API}spans/"):
            assert signed_in(person).get(address).status_code == 404
    assert client.get(f"{API}spans/").status_code in (401, 403)


@pytest.fixture
def many(answered, monkeypatch):
    """So many rows that a worker writes them."""
    monkeypatch.setattr(exporting, "MAX_ROWS_AT_ONCE", 4)


def test_many_rows_are_written_by_a_worker(nour, many, project):
    client = signed_in(nour)
    page = client.get("/p/feasts/frames/").content.decode()
    assert 'action="/p/feasts/frames/spans/prepare/"' in page
    assert client.get("/p/feasts/frames/spans.csv")["Location"] == "/p/feasts/frames/"
    answer = client.post("/p/feasts/frames/spans/prepare/", {"format": "csv"})
    job = Job.objects.get(kind="frame_export")
    assert answer["Location"] == f"/p/feasts/jobs/{job.uuid}/"
    assert client.post("/p/feasts/frames/spans/prepare/", {"format": "csv"})["Location"] == answer["Location"]
    work_on(job.pk)
    file = client.get(f"/p/feasts/jobs/{job.uuid}/file/")
    assert file["Content-Disposition"] == 'attachment; filename="feasts-spans.csv"'
    assert content(file).decode("utf-8-sig").count("\n") == 6
    assert AuditEvent.objects.get(action="frame.exported").detail["via"] == "file"
    assert "spans, csv" in client.get("/p/feasts/jobs/").content.decode()


def test_a_program_is_given_the_job_and_then_the_file(nour, many, project):
    client = signed_in(nour)
    answer = client.get(f"{API}spans/?format=parquet")
    assert answer.status_code == 202
    job = Job.objects.get(kind="frame_export")
    assert answer["Location"].endswith(f"/api/v1/projects/feasts/jobs/{job.uuid}/")
    work_on(job.pk)
    told = client.get(answer["Location"]).json()
    assert told["file"]["size"] == StoredFile.objects.get().size
    stored = b"".join(content_of(StoredFile.objects.get()))
    pandas.testing.assert_frame_equal(pandas.read_parquet(io.BytesIO(stored)), spans(project))
    small = client.get(f"{API}markings/?format=csv")
    assert small.status_code == 200


def test_a_file_that_breaks_off_leaves_nothing(nour, many, monkeypatch):
    client = signed_in(nour)
    client.get(f"{API}reviews/?format=csv")

    def broken(*_arguments):
        yield b"half"
        raise RuntimeError("the disk is gone")

    monkeypatch.setattr(exporting, "blocks", broken)
    job = Job.objects.get(kind="frame_export")
    work_on(job.pk)
    job.refresh_from_db()
    assert job.state != JobState.DONE
    assert not StoredFile.objects.exists()
    assert len(reviews("feasts")) == 7


NOTEBOOK = """
import asyncio

async def cell():
    from reports.frames import spans
    try:
        spans("nobody")
    except Exception as problem:
        print(type(problem).__name__)

with asyncio.Runner() as runner:
    runner.run(cell())
"""


def test_a_notebook_needs_nothing_but_the_import(tmp_path):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO_", "DATABASE_"))}
    environment["DATA_DIR"] = str(tmp_path)
    migrated.copy_sqlite(tmp_path / "mizan.sqlite3")
    begun = subprocess.run([sys.executable, "-c", NOTEBOOK], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert begun.stdout.split() == ["DoesNotExist"], begun.stderr
