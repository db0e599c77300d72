"""The page of one's sessions says in words which device each is on and from where it came."""

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from projects.devices import device, place
from tests.people import PASSWORD

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0"
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"
EDGE = f"{CHROME} Edg/126.0.0.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 "
    "Mobile/15E148 Safari/604.1"
)
SAMSUNG = (
    "Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 "
    "Chrome/121.0.0.0 Mobile Safari/537.36"
)


@pytest.mark.parametrize(
    ("user_agent", "said"),
    [
        (FIREFOX, "Firefox on Windows"),
        (CHROME, "Chrome on Linux"),
        (EDGE, "Microsoft Edge on Linux"),
        (SAFARI, "Safari on iPhone"),
        (SAMSUNG, "Samsung Internet on Android"),
        ("curl/8.5.0", "Unknown device"),
        ("", "Unknown device"),
    ],
)
def test_a_browser_is_named_and_what_it_runs_on(user_agent, said):
    assert device(user_agent) == said


@pytest.mark.parametrize(
    ("ip", "said"),
    [
        ("8.8.8.8", "Same connection as here"),
        ("1.1.1.1", "Another connection"),
        ("10.0.0.7", "In the local network"),
        ("::1", "On the computer that Mizan runs on"),
        ("", "Unknown place"),
    ],
)
def test_an_address_is_told_by_where_it_lies(ip, said):
    assert place(ip, "8.8.8.8") == said


@pytest.mark.django_db
def test_mona_sees_her_phone_and_signs_it_out(mona):
    here = Client(HTTP_USER_AGENT=FIREFOX)
    phone = Client(HTTP_USER_AGENT=SAFARI, REMOTE_ADDR="10.0.0.7")
    for client in (here, phone):
        client.post("/accounts/login/", {"login": mona.email, "password": PASSWORD})
    page = here.get("/accounts/sessions/")
    text = page.content.decode()
    assert "Firefox on Windows" in text
    assert "Safari on iPhone" in text
    assert "In the local network" in text
    assert "Mozilla/5.0" not in text
    assert text.count("This device") == 1
    here.post("/accounts/sessions/")
    assert [session.user_agent for session in UserSession.objects.filter(user=mona)] == [FIREFOX]
