"""The measure itself: faint letters are seen wherever they look different, every other rule is put to all of a page."""

import pytest

from tests.barriers import barriers

pytestmark = pytest.mark.browser

PAGE = """<!doctype html><html lang="en"><title>Feasts</title><main><h1>Feasts</h1>{}</main></html>"""
FAINT = '<p style="color: #bbb">Koshari</p>'


def broken(page, content: str, known: set[str] | None = None) -> list[str]:
    page.set_content(PAGE.format(content))
    return [each.partition(":")[0] for each in barriers(page, known)]


def test_letters_that_hardly_stand_out_are_seen_once_for_each_look(page):
    assert broken(page, "<p>Koshari</p>") == []
    assert broken(page, FAINT * 40) == ["color-contrast"]
    larger = FAINT.replace("#bbb", "#bbb; font-size: 15px")
    in_a_box = f'<div style="background: #eee">{FAINT}</div>'
    other_part = f'<div class="tile">{FAINT}</div>'
    assert broken(page, FAINT + larger + in_a_box + other_part) == ["color-contrast"] * 4


def test_a_look_of_an_earlier_page_is_known_and_a_new_one_is_not(page):
    known: set[str] = set()
    assert broken(page, "<p>Koshari</p>", known) == []
    assert broken(page, "<p>Koshari</p>" + FAINT, known) == ["color-contrast"]
    assert broken(page, FAINT, known) == []
    assert broken(page, FAINT.replace("<p", "<p class='note'"), known) == ["color-contrast"]


def test_every_other_rule_is_put_to_each_page_and_each_element(page):
    known: set[str] = set()
    for _time in range(2):
        assert broken(page, '<img src="data:,"><img src="data:,">', known) == ["image-alt"] * 2
