"""Guessing is slowed down whichever process is asked, sessions end from elsewhere, weak phrases are refused."""

import re
from pathlib import Path

import pytest
from django.contrib.auth.hashers import make_password
from django.test import Client

from config import settings as product
from projects.models import User
from tests.people import PASSWORD, signed_in
from tests.projects.test_invite_people import invite, link_in

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


def try_to_sign_in(email: str, password: str, address: str = "203.0.113.7", client: Client | None = None):
    form = {"login": email, "password": password}
    return (client or Client()).post("/accounts/login/", form, REMOTE_ADDR=address)


# --- Accounts (how guessing is slowed down: test_guessing.py) ----------------------------------------------


def test_it_is_not_told_whether_an_address_has_an_account(mona):
    """The same words and the same status for a wrong phrase and for nobody's address."""

    def told(email: str) -> list[str]:
        answer = try_to_sign_in(email, "wrong", address="192.0.2.1")
        return [str(answer.status_code), *map(str, answer.context["form"].non_field_errors())]

    assert told(mona.email) == told("nobody@example.org")
    resets = [
        Client().post("/accounts/password/reset/", {"email": email}) for email in (mona.email, "nobody@example.org")
    ]
    assert resets[0].status_code == resets[1].status_code
    assert resets[0].headers.get("Location") == resets[1].headers.get("Location")


# --- Sessions -------------------------------------------------------------------------------------------


def test_mona_sees_her_sessions_and_ends_the_one_she_forgot(mona):
    phone = Client(headers={"User-Agent": "Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile Safari/537.36"})
    library = Client(headers={"User-Agent": "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/132.0"})
    for browser in (library, phone):
        assert try_to_sign_in(mona.email, PASSWORD, client=browser).status_code == 302
    listed = phone.get("/accounts/sessions/").content.decode()
    assert "Chrome on Android" in listed
    assert "Firefox on Windows" in listed
    assert library.get("/").status_code == 200
    phone.post("/accounts/sessions/")
    assert library.get("/").status_code == 302
    assert phone.get("/").status_code == 200


def test_a_new_phrase_ends_every_other_session(mona):
    here, there = Client(), Client()
    for browser in (here, there):
        try_to_sign_in(mona.email, PASSWORD, client=browser)
    new = "another phrase nobody guesses"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert here.post("/accounts/password/change/", form).status_code == 302
    assert there.get("/").status_code == 302
    assert here.get("/").status_code == 200


def test_a_session_gets_a_new_key_when_its_person_signs_in(mona):
    """A key that somebody planted before is worth nothing afterwards."""
    browser = Client()
    browser.get("/invitation/none/")
    session = browser.session
    session["planted"] = True
    session.save()
    browser.cookies["sessionid"] = session.session_key
    try_to_sign_in(mona.email, PASSWORD, client=browser)
    assert browser.session.session_key != session.session_key


def test_signing_out_is_no_link(mona):
    """Another site's picture must not sign anybody out."""
    client = signed_in(mona)
    client.get("/accounts/logout/")
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_after_signing_in_nobody_is_sent_elsewhere(mona, target):
    answer = Client().post(
        f"/accounts/login/?next={target}", {"login": mona.email, "password": PASSWORD, "next": target}
    )
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/start/"


def test_every_form_asks_for_its_token(mona):
    browser = Client(enforce_csrf_checks=True)
    assert try_to_sign_in(mona.email, PASSWORD, client=browser).status_code == 403
    browser.force_login(mona)
    assert browser.post("/account/", {"name": "Changed"}).status_code == 403
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', browser.get("/account/").content.decode())
    assert token
    assert browser.post("/account/", {"name": "Changed", "csrfmiddlewaretoken": token[1]}).status_code == 302


def test_a_session_alone_cannot_write_through_the_api(nour, project):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(nour)
    assert browser.post(f"/api/v1/projects/{project.slug}/imports/", b"", content_type="text/plain").status_code == 403


# --- Pass phrases ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "weak", ["short", "password123", "1qaz2wsx3edc", "9876543210123", "salma@example.org", "Salma Fathy"]
)
def test_a_phrase_that_is_known_or_close_at_hand_is_refused(nour, project, weak):
    """The list is the one of breached phrases that Django brings: nothing is asked of any site."""
    newcomer = Client()
    newcomer.post(link_in(invite(nour, project)))
    answer = newcomer.post("/accounts/signup/", {"name": "Salma Fathy", "password1": weak})
    assert answer.status_code == 200
    assert answer.context["form"].errors["password1"]
    assert not User.objects.filter(email="salma@example.org").exists()


def test_phrases_are_kept_as_argon2(settings):
    settings.PASSWORD_HASHERS = product.PASSWORD_HASHERS
    assert make_password("a phrase").startswith("argon2$argon2id$")
