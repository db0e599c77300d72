"""Nour takes the project file, brings one in, clones, compares and begins a project, by page and by program."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from formats.project_file.applying import create_from_file
from formats.project_file.describing import described, file_of
from projects.models import ApiToken, Membership, Project
from tests.formats.project_files import HEAD
from tests.people import signed_in
from tests.preset_parts import FILES as PRESETS

pytestmark = pytest.mark.django_db
PAGE = "/p/feasts/file/"
TWO = "format: mizan.project/1\nstages:\n- {name: Marking, kind: spans}\n"


@pytest.fixture
def led(project, nour):
    return signed_in(nour)


def test_the_file_is_downloaded_as_it_is(led, project):
    response = led.get(f"{PAGE}download/")
    assert response.content == file_of(project)
    assert response["Content-Disposition"] == 'attachment; filename="feasts.yaml"'


def test_what_would_change_is_shown_first_and_then_made(led, project):
    tried = led.post(PAGE, {"file": SimpleUploadedFile("x.yaml", TWO.encode())})
    page = tried.content.decode()
    assert tried.status_code == 200
    assert "would make 1 change" in page
    assert "stages[Marking]" in page
    assert TWO.splitlines()[2] in page, "the text is kept for the second press"
    assert not project.stages.exists()
    made = led.post(PAGE, {"text": TWO.replace("\n", "\r\n"), "apply": "1"}, follow=True)
    assert made.redirect_chain == [(PAGE, 302)]
    assert "1 change was made." in made.content.decode()
    assert list(project.stages.values_list("name", "kind")) == [("Marking", "spans")]
    again = led.post(PAGE, {"text": TWO})
    assert "nothing would change" in again.content.decode()
    assert 'name="apply"' not in again.content.decode()


def test_a_file_that_is_refused_is_told_with_line_and_place_and_kept(led, project):
    for button in ({}, {"apply": "1"}):
        response = led.post(PAGE, {"text": "format: mizan.project/1\nstages: 7\n<b>: 1\n", **button})
        page = response.content.decode()
        assert response.status_code == 422
        assert "2 problems. Nothing was changed." in page
        assert "A list is expected" in page
        assert "stages: 7" in page
        assert "<b>" not in page
    nothing = led.post(PAGE, {})
    assert nothing.status_code == 422
    assert "Choose a file, or write its text." in nothing.content.decode()
    large = SimpleUploadedFile("x.yaml", b"#" * 5_000_001)
    assert "larger than 5 MB" in led.post(PAGE, {"file": large}).content.decode()


def test_looking_writes_nothing(led, project, django_assert_max_num_queries):
    with django_assert_max_num_queries(30) as asked:
        assert led.get(PAGE).status_code == 200
    assert [
        query for query in asked.captured_queries if not query["sql"].startswith(("SELECT", "SAVEPOINT", "RELEASE"))
    ] == []


def test_a_clone_is_led_by_who_made_it(led, project, nour):
    made = led.post("/p/feasts/clone/", {"clone-slug": "copy", "clone-name": "Copied"})
    assert made.url == "/p/copy/"
    copy = Project.objects.get(slug="copy")
    assert Membership.objects.get(project=copy).user == nour
    assert copy.name == "Copied"
    taken = led.post("/p/feasts/clone/", {"clone-slug": "copy"})
    assert taken.status_code == 422
    assert "There is a project “copy” already" in taken.content.decode()


def test_projects_that_one_leads_are_compared_and_no_others(led, project, nour, other_project):
    create_from_file(PRESETS["esa"].read_bytes(), "esa", nour)
    assert "Choose a project that you lead" in led.get("/p/feasts/compare/").content.decode()
    page = led.get("/p/feasts/compare/", {"other": "esa"}).content.decode()
    assert "project.name" in page
    assert "Error spans and a score (ESA)" in page
    assert "project.name" not in led.get("/p/feasts/compare/", {"other": other_project.slug}).content.decode()


def test_a_project_is_begun_from_a_file(led, nour):
    page = "/projects/new/file/"
    assert page in led.get("/projects/new/").content.decode()
    content = PRESETS["mqm"].read_bytes()
    tried = led.post(page, {"file": SimpleUploadedFile("mqm.yaml", content), "slug": "mqm"})
    assert "categories[non-translation]" in tried.content.decode()
    assert not Project.objects.filter(slug="mqm").exists()
    made = led.post(page, {"text": content.decode(), "slug": "mqm", "apply": "1"})
    assert made.url == "/p/mqm/"
    assert Membership.objects.get(project__slug="mqm").user == nour
    refused = led.post(page, {"text": content.decode(), "slug": "mqm", "apply": "1"})
    assert refused.status_code == 422
    assert "already" in refused.content.decode()


def test_an_annotator_begins_none(mona):
    assert signed_in(mona).get("/projects/new/file/").status_code == 403
    assert signed_in(mona).post("/projects/new/file/", {"text": HEAD, "apply": "1"}).status_code == 403
    assert signed_in(mona).post("/api/v1/project-files/", HEAD, content_type="application/yaml").status_code == 403


def test_by_program(client, project, nour):
    _row, token = ApiToken.issue(nour, "nightly")
    bearer = {"headers": {"Authorization": f"Bearer {token}"}, "content_type": "application/yaml"}
    address = "/api/v1/projects/feasts/file/"
    got = client.get(address, headers=bearer["headers"])
    assert got["Content-Type"].startswith("application/yaml")
    assert got.content == file_of(project)
    tried = client.put(f"{address}?dry_run=1", TWO, **bearer).json()
    assert tried["dry_run"] is True
    assert [change["place"] for change in tried["changes"]] == ["stages[Marking]"]
    assert not project.stages.exists()
    assert client.put(address, TWO, **bearer).json()["changes"] == tried["changes"]
    assert project.stages.count() == 1
    refused = client.put(address, "format: mizan.project/1\nstages: 7\n", **bearer)
    assert refused.status_code == 422
    assert [(one["field"], one["line"]) for one in refused.json()["problems"]] == [("stages", 2)]
    made = client.post("/api/v1/project-files/?slug=meals", HEAD, **bearer)
    assert made.status_code == 201
    assert made.json()["project"] == "meals"
    assert client.post("/api/v1/project-files/?slug=meals", HEAD, **bearer).status_code == 422
    assert client.post("/api/v1/project-files/?slug=other&dry_run=1", HEAD, **bearer).status_code == 200
    found = client.get("/api/v1/projects/feasts/differences/?other=meals", headers=bearer["headers"]).json()
    assert {each["place"] for each in found["differences"]} == {"project.name", "labels", "stages[Marking]"}
    assert client.get("/api/v1/projects/feasts/differences/?other=no", headers=bearer["headers"]).status_code == 404
    assert client.put(address, b"#" * 5_000_001, **bearer).status_code == 422


def test_a_file_of_one_project_says_nothing_of_another(led, project, other_project):
    assert led.get(f"/p/{other_project.slug}/file/").status_code == 404
    assert other_project.name not in led.get(PAGE).content.decode()
    assert "key" not in described(project)
