"""When the unforeseen happens, people and programs are told so and nothing else; the log holds the rest."""

import json
import logging

import pytest
from django.test import Client, RequestFactory

from tests.people import signed_in
from tests.workflow.working import marking_stage
from workflow.claims import claim_next

pytestmark = pytest.mark.django_db
INSIDE = "SELECT secret FROM somewhere; /srv/mizan/config"


@pytest.fixture
def broken(monkeypatch):
    """Everything that fetches a project or an assignment fails with what nobody outside should read."""

    def fail(*args, **kwargs):
        raise RuntimeError(INSIDE)

    for place in ("reports.views.gold", "projects.api.access", "workflow.views.task", "jobs.views.importing"):
        for name in ("fetch_project", "fetch_own", "fetch_own_to_save"):
            monkeypatch.setattr(f"{place}.{name}", fail, raising=False)


@pytest.fixture
def mine(project, koshari, mona):
    marking_stage(project)
    return claim_next(mona.raters.get(), project.stages.get())


def unraising(user) -> Client:
    client = signed_in(user)
    client.raise_request_exception = False
    return client


def assert_generic(answer) -> None:
    assert answer.status_code == 500
    body = answer.getvalue().decode()
    for word in (INSIDE, "SELECT", "RuntimeError", "Traceback", "/srv", ".py", "DEBUG"):
        assert word not in body


def test_a_page(broken, nour, caplog):
    answer = unraising(nour).get("/p/feasts/gold/")
    assert_generic(answer)
    assert "Something went wrong" in answer.content.decode()
    assert INSIDE in caplog.text


def test_the_api(broken, nour, caplog):
    assert_generic(unraising(nour).get("/api/v1/projects/feasts/responses/"))
    assert INSIDE in caplog.text


@pytest.mark.parametrize(("method", "action"), [("put", "draft"), ("post", "submit"), ("get", "saved")])
def test_the_calls_of_the_task_screen(mine, broken, mona, caplog, method, action):
    with caplog.at_level(logging.ERROR):
        answer = unraising(mona).generic(
            method.upper(),
            f"/tasks/{mine.uuid}/{action}",
            json.dumps({"body": {}}),
            content_type="application/json",
            headers={"If-Match": '"0"', "Accept": "application/json"},
        )
    assert_generic(answer)
    assert answer.headers["Content-Type"].startswith("application/json")
    assert answer.json()["error"]["code"] == "server"
    assert INSIDE in caplog.text


def test_the_api_tells_no_more_of_bad_input_than_what_is_wrong_with_it(nour, project):
    answer = signed_in(nour).post(
        "/api/v1/projects/feasts/runs/", "{not json", content_type="application/json", headers={"Accept": "*/*"}
    )
    assert answer.status_code == 400
    assert ".py" not in answer.content.decode()


def test_an_unknown_host_is_refused(rf: RequestFactory, settings):
    settings.ALLOWED_HOSTS = ["mizan.example.org"]
    answer = Client(raise_request_exception=False).get("/accounts/login/", headers={"Host": "evil.example"})
    assert answer.status_code == 400
    assert "evil.example" not in answer.content.decode()


# --- What is too large ------------------------------------------------------------------------------------


def test_a_draft_beyond_two_megabytes_is_refused_and_nothing_is_stored(mine, mona):
    answer = signed_in(mona).put(
        f"/tasks/{mine.uuid}/draft",
        json.dumps({"body": {"no_errors": False, "spans": []}, "client": "x" * 2_100_000}),
        content_type="application/json",
        headers={"If-Match": '"0"'},
    )
    assert answer.status_code == 413
    assert not hasattr(type(mine).objects.get(pk=mine.pk), "draft")


def test_a_form_beyond_five_megabytes_is_refused(nour, project):
    answer = signed_in(nour).post("/p/feasts/settings/", {"name": "x", "guidelines": "x" * 6_000_000})
    assert answer.status_code == 413
    assert "larger than what is taken at once (5 MB)" in answer.content.decode()


@pytest.mark.parametrize("address", ["/p/feasts/import/", "/api/v1/projects/feasts/imports/"])
def test_a_file_beyond_the_limit_is_refused_unread(nour, project, settings, address):
    from django.core.files.uploadedfile import SimpleUploadedFile

    settings.IMPORT_MAX_BYTES = 1000
    file = SimpleUploadedFile("items.jsonl", b'{"id": "1"}\n' * 200)
    answer = signed_in(nour).post(address, {"kind": "item", "file": file})
    assert answer.status_code in (413, 422)
    assert "larger than" in answer.content.decode()
    assert not project.responses.exists()
