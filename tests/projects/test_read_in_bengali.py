"""A person in Dhaka reads the pages that come from libraries in Bengali too."""

import re

import pytest

pytestmark = pytest.mark.django_db


@pytest.fixture
def in_bengali(client):
    client.cookies["django_language"] = "bn"
    return client


def words(page) -> str:
    main = page.content.decode().partition("<main")[2].partition("</main>")[0]
    return re.sub(r"<[^>]+>", " ", f"<main{main}")


def test_signing_in(in_bengali):
    text = words(in_bengali.get("/accounts/login/"))
    assert "ইমেইল" in text
    assert "পাসওয়ার্ড ভুলে গেছেন?" in text
    assert not re.search(r"[A-Za-z]{3}", text)


def test_a_new_pass_phrase_that_is_too_short(in_bengali, mona):
    in_bengali.force_login(mona)
    text = words(in_bengali.get("/accounts/password/change/"))
    assert "অন্তত 10টি ক্যারেক্টার" in text
    assert not re.search(r"[A-Za-z]{3}", text)
