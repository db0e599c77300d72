"""A page is sent the translations of its own scripts, once."""

import json

import brotli
import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.test import Client

from projects import script_texts
from tests.people import signed_in

pytestmark = pytest.mark.django_db


def addresses(page: str) -> list[str]:
    return [part.split('"', 1)[0] for part in page.split('<script src="')[1:]]


def test_a_page_in_arabic_brings_its_texts_before_its_scripts(nour, project):
    client = signed_in(nour)
    client.cookies["django_language"] = "ar"
    found = addresses(client.get(f"/p/{project.slug}/judge-prompts/").content.decode())
    texts = [each for each in found if each.startswith("/texts/")]
    assert texts == [script_texts.address("ar", script) for script in ("forms", "app")]
    for text, script in zip(texts, ("/static/forms.js", "/static/app.js"), strict=True):
        assert found.index(text) == found.index(script) - 1
    answer = client.get(texts[0])
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_a_page_in_english_needs_none(nour, project):
    page = signed_in(nour).get(f"/p/{project.slug}/").content.decode()
    assert not any("/texts/" in each for each in addresses(page))
    assert script_texts.address("en", "spans") == ""


def test_a_script_is_sent_what_it_shows_and_nothing_that_every_page_has(nour):
    shown = script_texts.shown_by_script()
    common, own = shown["app"], shown["spans"]
    assert common
    assert own
    assert not common & own
    sent = script_texts.catalogue("ar", "spans").decode()
    assert all(json.dumps(text) in sent for text in own)
    elsewhere = next(text for text in sorted(shown["authoring"] - own - common) if len(text) > 20)
    assert json.dumps(elsewhere) not in sent


def test_every_translated_text_belongs_to_a_script():
    """Else a message would be translated and shown to nobody."""
    path = settings.BASE_DIR / "locale" / "ar" / "LC_MESSAGES" / "djangojs.po"
    with path.open("rb") as file:
        known = {each.id if isinstance(each.id, str) else each.id[0] for each in read_po(file)} - {""}
    assert len(known) > 300
    assert known <= frozenset().union(*script_texts.shown_by_script().values())


@pytest.mark.parametrize("path", ["/texts/xx/app.js", "/texts/ar/nothing.js", "/texts/ar/app"])
def test_there_are_no_others(path):
    assert Client().get(path).status_code == 404


def test_the_address_changes_with_the_texts(monkeypatch):
    before = script_texts.address("ar", "quiz")
    script_texts.address.cache_clear()
    monkeypatch.setattr(script_texts, "catalogue", lambda language, script: b"something else")
    assert script_texts.address("ar", "quiz") != before
    script_texts.address.cache_clear()


def test_texts_are_packed_for_browsers_that_say_so():
    address = script_texts.address("ar", "spans")
    plain = Client().get(address)
    packed = Client().get(address, headers={"Accept-Encoding": "gzip, br"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "br"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert brotli.decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 4
