"""Who came in, who failed to, what they changed and what they took away is written down, in words, and stays."""

import json

import pytest
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, connections, transaction
from django.test import Client

from projects.audit_words import WORDS
from projects.models import ApiToken, AuditEvent
from tests.people import PASSWORD, signed_in

STRANGER, HOME = "198.51.100.9", "203.0.113.7"
pytestmark = pytest.mark.django_db


def events() -> list[tuple[str, str]]:
    return list(AuditEvent.objects.order_by("pk").values_list("action", "subject"))


def sign_in(email: str, password: str, client: Client | None = None, address: str = HOME) -> Client:
    client = client or Client()
    client.post("/accounts/login/", {"login": email, "password": password}, REMOTE_ADDR=address)
    return client


def test_coming_in_failing_to_and_leaving(mona):
    sign_in(mona.email, "wrong", address=STRANGER)
    sign_in("nobody-" * 20 + "@example.org", "wrong", address=STRANGER)
    browser = sign_in(mona.email, PASSWORD)
    browser.post("/accounts/logout/")
    failed, of_nobody, came, left = AuditEvent.objects.order_by("pk")
    assert (failed.action, failed.subject, failed.actor) == ("sign_in.failed", mona.email, None)
    assert failed.detail == {"address": STRANGER}
    assert len(of_nobody.subject) == 80
    assert (came.action, came.actor, came.detail) == ("sign_in.succeeded", mona, {"address": HOME})
    assert (left.action, left.actor) == ("sign_out", mona)


def test_the_phrase_that_was_tried_is_nowhere(mona):
    sign_in(mona.email, "my cat is called Bastet")
    for event in AuditEvent.objects.all():
        assert "Bastet" not in f"{event.subject} {event.detail}"


def test_what_is_refused_unseen_does_not_fill_the_log(mona):
    for _try in range(20):
        sign_in(mona.email, "wrong")
    assert AuditEvent.objects.filter(action="sign_in.failed").count() == 5


def test_a_new_phrase_and_sessions_ended_elsewhere(mona):
    here, _there = sign_in(mona.email, PASSWORD), sign_in(mona.email, PASSWORD)
    here.post("/accounts/sessions/")
    new = "another phrase nobody guesses"
    here.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert events()[2:] == [("sessions.ended", mona.email), ("password.changed", mona.email)]
    assert AuditEvent.objects.get(action="sessions.ended").detail["sessions"] == 1


def code_of(secret: str) -> str:
    counter = next(iter(yield_hotp_counters_from_time()))
    return format_hotp_value(hotp_value(secret, counter))


def test_a_second_factor_added_mistyped_and_removed(mona, django_capture_on_commit_callbacks, settings):
    settings.MFA_TOTP_TOLERANCE = 1  # a code stays good while the half minute that it is of ends
    browser = sign_in(mona.email, PASSWORD)
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = browser.get("/accounts/2fa/totp/activate/")
    secret = page.context["form"].secret
    with django_capture_on_commit_callbacks(execute=True):
        browser.post("/accounts/2fa/totp/activate/", {"code": code_of(secret)})
    assert {"totp", "recovery_codes"} <= {
        event.detail["kind"] for event in AuditEvent.objects.filter(action="second_factor.added")
    }
    elsewhere = sign_in(mona.email, PASSWORD, address=STRANGER)
    answers = [
        elsewhere.post("/accounts/2fa/authenticate/", {"code": "000000"}, REMOTE_ADDR=STRANGER).status_code
        for _try in range(6)
    ]
    assert answers == [200] * 5 + [429], "codes are guessed at as slowly as phrases"
    assert AuditEvent.objects.filter(action="second_factor.failed", detail__address=STRANGER).count() == 5
    browser.post("/accounts/2fa/totp/deactivate/")
    assert AuditEvent.objects.filter(action="second_factor.removed", actor=mona).exists()


def test_a_passkey_that_does_not_fit(mona):
    unknown = {"id": "AAAA", "rawId": "AAAA", "type": "public-key", "clientExtensionResults": {}}
    unknown["response"] = {
        "clientDataJSON": "AAAA",
        "authenticatorData": "AAAA",
        "signature": "AAAA",
        "userHandle": "AAAA",
    }
    shapes = [unknown, {"id": "AAAA"}, [], "passkey", {**unknown, "response": {}}, {**unknown, "rawId": 7}]
    for shape in shapes:
        answer = Client().post("/accounts/2fa/webauthn/login/", {"credential": json.dumps(shape)}, REMOTE_ADDR=STRANGER)
        assert answer.status_code < 500, shape
    for _try in range(12):
        Client().post("/accounts/2fa/webauthn/login/", {"credential": json.dumps(unknown)}, REMOTE_ADDR=STRANGER)
    written = AuditEvent.objects.filter(action="sign_in.failed", detail__kind="webauthn")
    assert [event.detail["address"] for event in written] == [STRANGER] * 10, "nobody fills the log with them"


def test_a_passkey_that_does_not_fit_after_the_phrase(mona):
    TOTP.activate(mona, generate_totp_secret())
    browser = sign_in(mona.email, PASSWORD, address=STRANGER)
    browser.post("/accounts/2fa/authenticate/", {"credential": json.dumps({"id": "AAAA"})}, REMOTE_ADDR=STRANGER)
    [failed] = AuditEvent.objects.filter(action="second_factor.failed")
    assert (failed.subject, failed.detail) == (mona.email, {"address": STRANGER, "kind": "webauthn"})


def test_a_token_made_used_and_revoked(nour):
    browser = signed_in(nour)
    token = browser.post("/account/tokens/", {"name": "nightly"}).context["new_token"]
    for address in (HOME, HOME, STRANGER, HOME):
        headers = {"Authorization": f"Bearer {token}"}
        assert Client().get("/api/v1/projects/", headers=headers, REMOTE_ADDR=address).status_code == 200
    browser.post(f"/account/tokens/{ApiToken.objects.get().pk}/revoke/")
    assert events() == [
        ("token.issued", "nightly"),
        *[("token.used", "nightly")] * 2,  # once a day from each address
        ("token.revoked", "nightly"),
    ]
    used = AuditEvent.objects.filter(action="token.used").order_by("pk")
    assert [event.detail["address"] for event in used] == [HOME, STRANGER]


def test_gold_that_is_taken_away(project, nour, tmp_path):
    _row, token = ApiToken.issue(nour, "nightly")
    signed_in(nour).get(f"/p/{project.slug}/gold/file/")
    signed_in(nour).head(f"/p/{project.slug}/gold/file/")
    Client().get(f"/api/v1/projects/{project.slug}/gold/", headers={"Authorization": f"Bearer {token}"})
    Client().head(f"/api/v1/projects/{project.slug}/gold/", headers={"Authorization": f"Bearer {token}"})
    call_command("export_gold", project.slug, output=tmp_path / "gold.jsonl")
    taken = AuditEvent.objects.filter(action="gold.exported", project=project).order_by("pk")
    assert [(event.actor, event.detail["via"]) for event in taken] == [
        (nour, "page"),
        (nour, "api"),
        (None, "command"),
    ]
    page = signed_in(nour).get(f"/p/{project.slug}/audit/").content.decode()
    assert "Gold exported" in page


def test_an_administrator_reads_it_in_words_and_nobody_else_does(ada, nour, mona):
    sign_in(mona.email, "wrong", address=STRANGER)
    page = signed_in(ada).get("/audit/").content.decode()
    for words in ("Sign-in failed", mona.email, STRANGER):
        assert words in page
    assert signed_in(nour).get("/audit/").status_code == 404


def test_no_word_is_missing_for_what_concerns_accounts():
    from projects.account_audit import RECEIVERS

    assert RECEIVERS
    accounts = [action for action in WORDS if action.startswith(("sign_", "password.", "second_factor.", "token."))]
    assert len(accounts) >= 12


# --- It stays -------------------------------------------------------------------------------------------


@pytest.mark.postgres
def test_the_log_cannot_be_emptied_at_one_blow(project):
    AuditEvent.objects.create(project=project, action="project.created")
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # nothing of the project's own rows is still to be checked
    for statement in ("TRUNCATE projects_auditevent", "TRUNCATE projects_project, projects_auditevent CASCADE"):
        with pytest.raises(IntegrityError, match="only added to"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert AuditEvent.objects.count() == 1


@pytest.fixture
def application(transactional_db, monkeypatch):
    """Run statements as the application's role, which owns nothing; the role is gone afterwards."""
    import psycopg

    monkeypatch.setenv("APPLICATION_PASSWORD", "for this test")
    call_command("grant_application", "mizan_test_application")
    parameters = connections["default"].get_connection_params()
    names = {name: parameters[name] for name in ("host", "port", "dbname") if name in parameters}
    with psycopg.connect(**names, user="mizan_test_application", password="for this test", autocommit=True) as open_one:
        yield open_one
    with connection.cursor() as cursor:
        cursor.execute("DROP OWNED BY mizan_test_application")
        cursor.execute("DROP ROLE mizan_test_application")


@pytest.mark.postgres
def test_the_application_adds_to_the_log_and_cannot_change_it(application):
    import psycopg

    add = "INSERT INTO projects_auditevent (action, subject, detail, at) VALUES ('a', '', '{}', now())"
    application.execute(add)
    for forbidden in (
        "TRUNCATE projects_auditevent",
        "DELETE FROM projects_auditevent",
        "UPDATE projects_auditevent SET action = 'b'",
        "DROP TABLE projects_auditevent",
        "ALTER TABLE projects_auditevent DISABLE TRIGGER audit_never_truncated",
        "DROP TRIGGER audit_never_deleted ON projects_auditevent",
        "CREATE OR REPLACE FUNCTION audit_never_truncated() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN END $$",
        "SET session_replication_role = replica",
        "TRUNCATE projects_project CASCADE",
        "DELETE FROM django_migrations",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            application.execute(forbidden)
    assert application.execute("SELECT count(*) FROM projects_auditevent").fetchone() == (1,)


@pytest.mark.postgres
def test_the_application_does_its_work(application):
    application.execute("INSERT INTO projects_windowcount VALUES ('p', 1, 1)")
    application.execute("UPDATE projects_windowcount SET n = 2")
    application.execute("DELETE FROM projects_windowcount")
    application.execute("SELECT nextval('projects_project_id_seq')")


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_an_owner_is_not_made_the_application():
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        owner = cursor.fetchone()[0]
    with pytest.raises(CommandError, match="owns the tables"):
        call_command("grant_application", owner)
