"""Whatever fails: one page in the visitor's language, JSON for programs, a notice for htmx; no database is asked."""

import json
import logging
import sqlite3
import threading
import time

import psycopg
import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import OperationalError, connection
from django.test import Client, RequestFactory

from projects import health
from projects.outages import Outage, outage_of
from projects.views import errors
from tests.patience import given_more_time
from tests.people import signed_in

FAILURES = {
    400: lambda request: errors.bad_request(request),
    403: lambda request: errors.not_allowed(request, PermissionDenied()),
    404: lambda request: errors.not_found(request),
    405: lambda request: errors.method_not_allowed(request, "POST"),
    413: lambda request: errors.bad_request(request, RequestDataTooBig()),
    429: lambda request: errors.throttled(request, 42),
    500: lambda request: errors.server_error(request),
    503: lambda request: errors.outage(request, Outage.BUSY),
    507: lambda request: errors.outage(request, Outage.FULL),
}


def ask(path: str = "/p/feasts/", language: str = "en", method: str = "GET", **headers: str):
    return RequestFactory().generic(method, path, headers={"Accept-Language": language, **headers})


# --- Every failure, without a database: these tests may not open one --------------------------------------


@pytest.mark.parametrize("status", FAILURES)
@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("ar", "rtl")])
def test_a_page_says_what_happened_what_was_kept_and_what_to_do(status, language, direction):
    answer = FAILURES[status](ask(language=language))
    page = answer.content.decode()
    assert answer.status_code == status
    assert f'<html lang="{language}" dir="{direction}">' in page
    assert f"app.{direction}.css" in page
    assert page.count("<dt>") >= 2
    assert 'role="alert"' in page
    assert 'href="/"' in page


@pytest.mark.parametrize("status", FAILURES)
def test_a_program_gets_a_code_and_what_was_kept(status):
    answer = FAILURES[status](ask("/api/v1/projects/"))
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/json")
    error = json.loads(answer.content)
    assert set(error["error"]) >= {"code", "message", "kept"}
    assert error["error"].get("retry_after") == (int(answer["Retry-After"]) if "Retry-After" in answer else None)


def test_what_passes_says_when_to_come_again():
    assert FAILURES[429](ask())["Retry-After"] == "42"
    assert FAILURES[503](ask())["Retry-After"] == "2"
    assert FAILURES[507](ask())["Retry-After"] == "30"
    assert "Retry-After" not in FAILURES[500](ask())


def test_htmx_gets_a_notice_that_fits_above_its_page():
    answer = FAILURES[503](ask(**{"HX-Request": "true"}))
    assert answer.content.decode().startswith('<div class="notice notice--error" role="alert">')


def test_without_templates_the_words_are_still_there(monkeypatch):
    monkeypatch.setattr(errors, "get_template", lambda name: (_ for _ in ()).throw(ValueError("no manifest entry")))
    answer = FAILURES[503](ask(language="ar"))
    page = answer.content.decode()
    assert answer.status_code == 503
    assert '<html lang="ar" dir="rtl">' in page
    assert "<h1>" in page
    assert "manifest" not in page


def test_without_translations_there_is_still_a_page(monkeypatch):
    class Broken:
        def __str__(self):
            raise OSError("no catalog")

    monkeypatch.setattr(errors, "get_template", lambda name: (_ for _ in ()).throw(OSError("no catalog")))
    broken = errors.Failure(500, "server", Broken(), Broken(), Broken(), Broken())
    answer = errors.answer(ask(), broken)
    assert answer.status_code == 500
    assert "Something went wrong" in answer.content.decode()


# --- As a visitor meets them ------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_number_on_the_page_stands_in_the_log(nour, monkeypatch, caplog, project):
    def fail(*args, **kwargs):
        raise RuntimeError("inside")

    monkeypatch.setattr("projects.views.project.fetch_project", fail)
    client = signed_in(nour)
    client.raise_request_exception = False
    from projects.request_ids import RequestIdFilter

    caplog.handler.addFilter(RequestIdFilter())
    with caplog.at_level(logging.ERROR):
        answer = client.get("/p/feasts/")
    number = answer["X-Request-ID"]
    assert answer.status_code == 500
    assert f'<code dir="ltr">{number}</code>' in answer.content.decode()
    assert number in {record.request_id for record in caplog.records if record.exc_info}


@pytest.mark.django_db
def test_the_pages_of_a_visitor(nour, project):
    client = signed_in(nour)
    assert "There is nothing here for you" in client.get("/nowhere/").content.decode()
    wrong = client.get("/p/feasts/archive/")
    assert (wrong.status_code, wrong["Allow"]) == (405, "POST")
    assert "This address is no page" in wrong.content.decode()
    strict = Client(enforce_csrf_checks=True)
    refused = strict.post("/accounts/login/", {"login": "x"})
    assert refused.status_code == 403
    assert "This form had been open for too long" in refused.content.decode()
    told = strict.post("/accounts/login/", {"login": "x"}, headers={"Accept": "application/json"}).json()
    assert told["error"]["code"] == "csrf"


@pytest.mark.django_db
def test_the_language_of_the_cookie_is_kept_and_no_query_is_made(django_assert_num_queries):
    client = Client()
    client.cookies["django_language"] = "bn"
    with django_assert_num_queries(0):
        page = client.get("/nowhere/").content.decode()
    assert '<html lang="bn" dir="ltr">' in page


# --- What an exception is told as -------------------------------------------------------------------------


def wrapped(driver: Exception, kind: type[Exception] = OperationalError) -> Exception:
    try:
        try:
            raise driver
        except Exception as problem:
            raise kind(*problem.args) from problem
    except kind as problem:
        return problem


def of_sqlite(code: int) -> Exception:
    problem = sqlite3.OperationalError("told by SQLite")
    problem.sqlite_errorcode = code
    return wrapped(problem)


@pytest.mark.parametrize(
    ("problem", "outage"),
    [
        (of_sqlite(sqlite3.SQLITE_BUSY), Outage.BUSY),
        (of_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), Outage.BUSY),
        (of_sqlite(sqlite3.SQLITE_FULL), Outage.FULL),
        (of_sqlite(sqlite3.SQLITE_IOERR_WRITE), Outage.FULL),
        (of_sqlite(sqlite3.SQLITE_IOERR_READ), None),
        (of_sqlite(sqlite3.SQLITE_ERROR), None),
        (wrapped(psycopg.errors.LockNotAvailable("waited")), Outage.BUSY),
        (wrapped(psycopg.errors.DeadlockDetected("in a circle")), Outage.BUSY),
        (wrapped(psycopg.errors.SerializationFailure("at once")), Outage.BUSY),
        (wrapped(psycopg.errors.DiskFull("no space")), Outage.FULL),
        (wrapped(psycopg.errors.AdminShutdown("restarting")), Outage.AWAY),
        (wrapped(psycopg.OperationalError("the connection is lost")), Outage.AWAY),
        (wrapped(psycopg.errors.UndefinedTable("no such table")), None),
        (OSError(28, "No space left on device"), Outage.FULL),
        (OSError(2, "No such file"), None),
        (ValueError("a defect of ours"), None),
        (None, None),
    ],
)
def test_an_outage_is_told_from_a_defect(problem, outage):
    assert outage_of(problem) is outage


# --- Health ---------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_part_that_hangs_holds_nobody_up_and_one_that_fails_is_named(monkeypatch):
    monkeypatch.setattr(health, "_parts", {})

    def story(factor: float) -> None:
        patience = min(factor, 5)  # so that the longest bound is still one
        monkeypatch.setattr(health, "PATIENCE_SECONDS", patience)
        released = threading.Event()
        asked = []

        def hang() -> None:
            asked.append(1)
            released.wait(300)

        def fail() -> None:
            raise health.Unwell("It is gone.")

        health.register_part("good", lambda: None, is_essential=True)
        health.register_part("hanging", hang)
        health.register_part("failing", fail)
        began = time.monotonic()
        try:
            answers = [Client().get("/readyz") for _time in range(2)]
            assert time.monotonic() - began < 4 * patience
        finally:
            released.set()
        states = {name: part["state"] for name, part in answers[1].json()["parts"].items()}
        assert states == {"good": "well", "hanging": "silent", "failing": "unwell"}
        assert (answers[1].status_code, answers[1].json()["status"]) == (200, "limited")
        assert len(asked) == 1  # a second question waits for the first one's answer, with no thread more
        health.register_part("good", fail, is_essential=True)
        assert Client().get("/readyz").status_code == 503

    given_more_time(story)


@pytest.mark.django_db
def test_alive_asks_nothing(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert Client().get("/healthz").content == b"ok"


@pytest.mark.django_db(transaction=True)
def test_this_installation_is_ready_and_its_administrator_reads_so(ada, nour, monkeypatch):
    monkeypatch.setattr(health, "PATIENCE_SECONDS", 30.0)
    told = Client().get("/readyz").json()
    assert {name for name, part in told["parts"].items() if part["essential"]} == {"database", "migrations"}
    assert all(told["parts"][name]["ok"] for name in ("database", "migrations", "cache"))
    assert "Space on the disk" in signed_in(ada).get("/health/").content.decode()
    assert signed_in(nour).get("/health/").status_code == 404
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_a_disk_that_is_nearly_full_takes_no_server_away_and_is_said_clearly(ada, settings):
    """Reading goes on: a proxy that asks /readyz must go on sending people here."""
    settings.DISK_RESERVE_MB = 10**12
    answer = Client().get("/readyz")
    told = answer.json()
    assert (answer.status_code, told["status"]) == (200, "limited")
    assert (told["parts"]["disk"]["ok"], told["parts"]["disk"]["essential"]) == (False, False)
    page = signed_in(ada).get("/health/").content.decode()
    notice = page[page.index("People can work, but not everything is well:") : page.index("<table")]
    assert "Space on the disk:" in notice
    assert "MB are free. Soon nothing can be stored; reading goes on." in notice
    connection.close()
