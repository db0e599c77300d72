"""Signing in, tokens, the first administrator."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from projects.models import ApiToken, AuditEvent, User
from tests.people import PASSWORD, signed_in


def test_mona_signs_in_with_her_address_in_any_case(mona):
    client = Client()
    response = client.post("/accounts/login/", {"login": "Mona@Example.org", "password": PASSWORD})
    assert response.status_code == 302
    assert client.get("/").status_code == 200


def test_a_disabled_person_cannot_sign_in(mona):
    User.objects.filter(pk=mona.pk).update(is_active=False)
    client = Client()
    client.post("/accounts/login/", {"login": mona.email, "password": PASSWORD})
    assert client.get("/").status_code == 302


def test_a_disabled_person_loses_the_session_they_have(mona):
    client = signed_in(mona)
    User.objects.filter(pk=mona.pk).update(is_active=False)
    assert client.get("/").status_code == 302


def test_a_token_is_shown_once_and_only_its_hash_is_kept(mona):
    page = signed_in(mona).post("/account/tokens/", {"name": "nightly export"})
    token = page.context["new_token"]
    assert token in page.content.decode()
    assert token not in ApiToken.objects.get().digest
    assert token not in signed_in(mona).get("/account/").content.decode()


@pytest.mark.parametrize("page", ["/accounts/2fa/", "/accounts/sessions/", "/accounts/password/change/", "/account/"])
def test_second_factor_sessions_and_pass_phrase_are_there(mona, page):
    assert signed_in(mona).get(page, follow=True).status_code == 200


def test_the_first_administrator_is_made_by_command(db, monkeypatch):
    monkeypatch.setenv("ADMIN_PASSWORD", "a phrase nobody has used")
    call_command("create_admin", "First@Example.org", name="First")
    assert User.objects.get(email="first@example.org").is_administrator
    with pytest.raises(CommandError, match="already"):
        call_command("create_admin", "first@example.org")


def test_a_weak_pass_phrase_is_refused(db, monkeypatch):
    monkeypatch.setenv("ADMIN_PASSWORD", "password")
    with pytest.raises(CommandError, match="common"):
        call_command("create_admin", "first@example.org")
    assert not User.objects.exists()


def test_no_token_is_made_or_revoked_that_is_not_written_down(mona, monkeypatch):
    def fail(*_arguments, **_detail):
        raise RuntimeError("the audit log takes nothing")

    client = signed_in(mona)
    client.raise_request_exception = False
    _row, _token = ApiToken.issue(mona, "nightly export")
    monkeypatch.setattr("projects.views.account.record", fail)
    assert client.post("/account/tokens/", {"name": "another"}).status_code == 500
    assert client.post(f"/account/tokens/{ApiToken.objects.get().pk}/revoke/").status_code == 500
    assert ApiToken.objects.get().revoked_at is None


def test_an_address_that_is_added_or_removed_is_written_down(mona):
    client = Client()
    client.post("/accounts/login/", {"login": mona.email, "password": PASSWORD})
    other = {"email": "mona.other@example.org"}
    client.post("/accounts/email/", {"action_add": "", **other})
    client.post("/accounts/email/", {"action_remove": "", **other})
    written = AuditEvent.objects.filter(action__startswith="email.").order_by("pk")
    assert [(event.action, event.subject, event.detail["email"]) for event in written] == [
        ("email.added", mona.email, other["email"]),
        ("email.removed", mona.email, other["email"]),
    ]
