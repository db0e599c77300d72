"""Nour takes her project by the page, brings it in again by page and program, and sees how far it is."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from formats.archive.reading import opened
from formats.archive.writing import write_archive
from jobs.models import Job, JobState, StoredFile
from jobs.working import work_on
from projects.models import ApiToken, AuditEvent, Membership, Project, Response
from tests.people import signed_in

pytestmark = pytest.mark.django_db
PAGE = "/projects/new/archive/"
API = "/api/v1/project-archives/"


@pytest.fixture
def archive(project, koshari) -> bytes:
    out = io.BytesIO()
    write_archive(project, out)
    return out.getvalue()


def sent(content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile("feasts.zip", content, "application/zip")


def test_the_archive_is_a_job_with_a_file(project, nour, koshari):
    client = signed_in(nour)
    assert b"Make an archive" in client.get("/p/feasts/file/").content
    answer = client.post("/p/feasts/archive/take/")
    [job] = Job.objects.filter(kind="archive")
    assert answer["Location"] == f"/p/feasts/jobs/{job.uuid}/"
    assert client.post("/p/feasts/archive/take/")["Location"] == answer["Location"], "one at a time"
    work_on(job.pk)
    file = client.get(f"/p/feasts/jobs/{job.uuid}/file/")
    assert file["Content-Disposition"] == 'attachment; filename="feasts.zip"'
    with opened(io.BytesIO(b"".join(file.streaming_content))) as archive:
        assert (archive.slug, archive.files["projects/response.jsonl"].rows) == ("feasts", 1)
    assert AuditEvent.objects.filter(action="archive.taken", actor=nour, project=project).count() == 1


def test_a_project_is_made_of_one_and_led_by_who_brought_it(archive, nour, koshari):
    client = signed_in(nour)
    assert client.post(PAGE, {"file": sent(archive), "slug": "moved"})["Location"] == PAGE
    page = client.get(PAGE).content.decode()
    assert "feasts.zip" in page
    assert 'hx-trigger="every 2s"' in page
    [job] = Job.objects.filter(kind="archive_restore")
    work_on(job.pk)
    page = client.get(PAGE).content.decode()
    assert "/p/moved/" in page
    assert "hx-trigger" not in page
    assert client.get("/p/moved/").status_code == 200
    assert list(Membership.objects.filter(project__slug="moved").values_list("user", "role")) == [(nour.pk, "lead")]
    assert Response.objects.get(project__slug="moved").text == koshari.text
    assert not StoredFile.objects.exists(), "what is in is not kept twice"


def test_one_that_is_refused_says_why_and_leaves_nothing(archive, nour):
    client = signed_in(nour)
    client.post(PAGE, {"file": sent(archive[:-400])})
    [job] = Job.objects.filter(kind="archive_restore")
    work_on(job.pk)
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "This is no archive of a project" in client.get(PAGE).content.decode()
    assert Project.objects.count() == 1


def test_what_others_bring_in_is_not_shown(archive, nour, other_project, omar):
    signed_in(nour).post(PAGE, {"file": sent(archive)})
    assert "feasts.zip" not in signed_in(omar).get(PAGE).content.decode()


def test_a_form_without_a_file_and_a_file_too_large(archive, nour, settings):
    client = signed_in(nour)
    assert client.post(PAGE, {}).status_code == 422
    settings.IMPORT_MAX_BYTES = 100
    assert client.post(PAGE, {"file": sent(archive)}).status_code == 422
    assert not Job.objects.exists()


def test_by_program(archive, project, nour, client):
    bearer = {"headers": {"Authorization": f"Bearer {ApiToken.issue(nour, 'script')[1]}"}}
    asked = client.post("/api/v1/projects/feasts/archive/", **bearer)
    assert (asked.status_code, asked.json()["kind"]) == (202, "archive")
    begun = client.post(f"{API}?slug=moved", archive, content_type="application/zip", **bearer)
    assert (begun.status_code, begun.json()["state"]) == (202, "queued")
    work_on(Job.objects.get(kind="archive_restore").pk)
    [told] = client.get(API, **bearer).json()
    assert (told["state"], told["result"]["project"]) == ("done", "moved")
    assert told["result"]["rows"] > 2


def test_who_leads_nothing_begins_nothing(archive, mona):
    client = signed_in(mona)
    assert client.get(PAGE).status_code == 403
    assert client.post(PAGE, {"file": sent(archive)}).status_code == 403
    assert client.post(API, archive, content_type="application/zip").status_code == 403
    assert not Job.objects.exists()


def test_two_at_once_for_the_same_name(archive, nour):
    client = signed_in(nour)
    for _time in range(2):
        client.post(PAGE, {"file": sent(archive), "slug": "moved"})
    for job in Job.objects.filter(kind="archive_restore").order_by("pk"):
        work_on(job.pk)
    states = Job.objects.filter(kind="archive_restore").order_by("pk").values_list("state", "problem")
    assert [state for state, _problem in states] == ["done", "failed"]
    assert "There is a project “moved” already" in states[1][1]
