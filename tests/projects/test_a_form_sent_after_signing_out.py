"""Nour's session ends while a page stands open. What she sends then is not stored, and she is told; having signed in,
she is on that page again, and not at an address that answers nothing but forms."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.people import PASSWORD

pytestmark = pytest.mark.django_db
GUIDELINES = "/p/feasts/guidelines/?version=1"


def sent(client: Client, address: str, referer: str | None):
    return client.post(address, {"confirmed": "yes"}, headers={"Referer": referer} if referer else {})


def test_signing_in_leads_back_to_the_page(project, nour, client):
    answer = sent(client, reverse("benchmark-baselines", args=["feasts"]), f"http://testserver{GUIDELINES}")
    assert answer.headers["Location"] == "/accounts/login/?next=%2Fp%2Ffeasts%2Fguidelines%2F%3Fversion%3D1"
    assert "nothing of what you sent was stored" in client.get(answer.headers["Location"]).content.decode()
    signed = client.post(answer.headers["Location"], {"login": nour.email, "password": PASSWORD, "next": GUIDELINES})
    assert signed.headers["Location"] == GUIDELINES


@pytest.mark.parametrize(
    "referer", [None, "https://elsewhere.example.org/p/", "//elsewhere.example.org/", "javascript:1"]
)
def test_nobody_is_led_to_another_site(project, client, referer):
    address = reverse("benchmark-baselines", args=["feasts"])
    assert sent(client, address, referer).headers["Location"] == f"/accounts/login/?next={address}"


def test_a_page_that_is_only_read_comes_back_itself(project, client):
    answer = client.get("/p/feasts/", headers={"Referer": "http://testserver/p/weddings/"})
    assert answer.headers["Location"] == "/accounts/login/?next=/p/feasts/"


def test_whoever_signs_out_is_told_nothing_of_the_kind(nour, client):
    client.force_login(nour)
    client.post("/accounts/logout/", headers={"Referer": "http://testserver/p/feasts/"})
    assert "nothing of what you sent" not in client.get("/accounts/login/").content.decode()
