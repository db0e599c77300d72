"""Mona sees at each mark what it says, and the text is the same text as without."""

from itertools import pairwise

import pytest

from tests.frontend.conftest import Screen
from tests.frontend.settling import at_rest

pytestmark = pytest.mark.browser

ENGLISH = "Kopi luwak comes from Brazil.\n\nIt is drunk cold at weddings 👨‍👩‍👧 by all."
ARABIC = "الكشري أكلة مصرية مشهورة 👨‍👩‍👧.\n\nالأصل بتاعه من إيطاليا."
# What is printed, where it begins (from the edge at which lines begin), and whether it is seen.
TAGS = """[...document.querySelectorAll('.mark-tag')].filter((tag) => tag.checkVisibility())
  .map((tag) => ({ label: tag.dataset.label, box: tag.getBoundingClientRect().toJSON() }))"""
TEXT = """() => { const text = document.querySelector('#span-text');
  return [text.textContent, text.innerHTML, text.getBoundingClientRect().height,
    [...text.children].map((child) => child.getBoundingClientRect().top - text.getBoundingClientRect().top)]; }"""

FIRST = """(at) => { const { view } = mizanSpans; const from = view.index.toUtf16(at);
  return view.rectangles(from, from + 1)[0].toJSON(); }"""


def tags(one: Screen) -> dict[str, dict]:
    at_rest(one.page)
    return {tag["label"]: tag["box"] for tag in one.page.evaluate(TAGS)}


def place(text: str, part: str) -> tuple[int, int]:
    start = text.index(part)
    return start, start + len(part)


def first_letter(one: Screen, text: str, part: str) -> dict:
    return one.page.evaluate(FIRST, text.index(part))


def mark(one: Screen, text: str, part: str, digit: str) -> None:
    one.drag(*place(text, part))
    one.press(digit, "Escape", "Escape")


@pytest.mark.parametrize(
    ("text", "values", "parts", "edge"),
    [
        (ENGLISH, {}, ("luwak", "Brazil"), "left"),
        (ARABIC, {"lang": "ar", "dir": "rtl"}, ("أكلة", "إيطاليا"), "right"),
    ],
)
def test_the_name_stands_above_the_first_word_and_no_letter_moves(screen, text, values, parts, edge):
    one = screen(text=text, **values)
    before = one.page.evaluate(TEXT)
    mark(one, text, parts[0], "1")
    mark(one, text, parts[1], "4")
    seen = tags(one)
    assert set(seen) == {"Cultural", "Logical"}
    for part, label in zip(parts, ("Cultural", "Logical"), strict=True):
        letter = first_letter(one, text, part)
        assert abs(seen[label][edge] - letter[edge]) <= 2, (label, seen[label], letter)
        assert seen[label]["top"] < letter["top"]
        assert seen[label]["bottom"] < letter["top"] + 0.4 * letter["height"], "the letters stay readable"
    assert one.page.evaluate(TEXT) == before
    assert one.page.evaluate("document.querySelector('.mark-tags').textContent") == "", "no text of the page"
    one.saved()


def test_names_of_overlapping_marks_stand_beside_each_other_and_go_with_their_mark(screen):
    one = screen(text=ENGLISH)
    for part, digit in (("Kopi luwak", "1"), ("Kopi luwak comes", "3"), ("luwak", "4")):
        mark(one, ENGLISH, part, digit)
    boxes = sorted(tags(one).values(), key=lambda box: box["left"])
    assert len(boxes) == 3
    assert all(left["right"] <= right["left"] for left, right in pairwise(boxes)), boxes
    one.press("Control+z", "Control+z")  # the type of the last mark, and the mark
    assert set(tags(one)) == {"Cultural", "Both"}


def test_a_press_on_a_name_reaches_the_text(screen):
    one = screen(text=ENGLISH)
    mark(one, ENGLISH, "It is", "1")
    box = tags(one)["Cultural"]
    under = "([x, y]) => document.elementFromPoint(x, y).closest('#span-text') !== null"
    assert one.page.evaluate(under, [box["left"] + 4, box["bottom"] - 2])


def test_the_names_follow_the_text_and_can_be_put_away_for_good(screen):
    one = screen(text=ENGLISH)
    mark(one, ENGLISH, "weddings", "2")
    one.page.set_viewport_size({"width": 700, "height": 800})
    letter = first_letter(one, ENGLISH, "weddings")
    assert abs(tags(one)["Linguistic"]["left"] - letter["left"]) <= 2
    switch = one.page.get_by_role("checkbox", name="Names at the marks")
    switch.uncheck()
    assert tags(one) == {}
    one.saved()
    one.open()
    assert tags(one) == {}
    assert not switch.is_checked()
    switch.check()
    assert set(tags(one)) == {"Linguistic"}


def test_the_last_part_of_a_category_is_its_short_name(screen):
    categories = [{"value": "add", "label": "Accuracy/Addition", "definition": "", "type": ""}]
    span = {
        "id": "1",
        "anchor": "words",
        "start": 5,
        "end": 10,
        "quote": "luwak",
        "paragraph": None,
        "type": "cultural",
    }
    span |= {"criticality": "high", "category": "add", "explanation": "No.", "correction": ""}
    one = screen(text=ENGLISH, categories=categories, draft={"no_errors": False, "spans": [span]})
    assert set(tags(one)) == {"Addition"}


def test_the_words_for_errors_stand_with_their_keys_before_anything_is_marked(screen):
    one = screen(text=ENGLISH)
    names = ("Cultural", "Linguistic", "Both", "Logical", "High", "Medium", "Low")
    shown = one.page.locator(".key-legend li").all_inner_texts()
    assert [line.split() for line in shown] == [[str(number), name] for number, name in enumerate(names, 1)]
    one.drag(*place(ENGLISH, "luwak"))
    assert not one.page.locator(".key-legend").is_visible(), "the form of the mark prints them"


# The last word of the first line, and the end of the word after it: three places, in code points.
LINE_END = """() => { const { view } = mizanSpans;
  const top = (word) => view.rectangles(word[0], word[0] + 1)[0].top;
  const words = Array.from({ length: view.index.wordCount }, (_, number) => view.index.word(number));
  const next = words.findIndex((word) => top(word) > top(words[0]) + 4);
  return [...words[next - 1], words[next][1]].map((at) => view.index.toCodePoint(at)); }"""
CUT = "[...document.querySelectorAll('.mark-tag')].filter((tag) => tag.scrollWidth > tag.clientWidth).length"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Kopi luwak comes from a far away place. " * 4, {}),
        (ARABIC.splitlines()[0].replace("👨‍👩‍👧.", "") * 4, {"lang": "ar", "dir": "rtl"}),
    ],
)
def test_names_of_marks_that_begin_in_the_last_word_of_a_line_are_read_whole(screen, text, values):
    one = screen(text=text, **values)
    start, end, further = one.page.evaluate(LINE_END)
    for words, digit in (((start, end), "2"), ((start, further), "1")):
        one.drag(*words)
        one.press(digit, "Escape", "Escape")
    left, right = sorted(tags(one).values(), key=lambda box: box["left"])
    assert left["right"] <= right["left"]
    assert one.page.evaluate(CUT) == 0
    around = one.page.locator(".mark-tags").bounding_box()
    assert around["x"] <= left["left"]
    assert right["right"] <= around["x"] + around["width"] + 1


def test_paper_and_what_is_copied_hold_no_names(screen):
    one = screen(text=ENGLISH)
    mark(one, ENGLISH, "luwak", "1")
    assert set(tags(one)) == {"Cultural"}
    copied = one.page.evaluate(
        "(getSelection().selectAllChildren(document.querySelector('.marking__text, main')), getSelection().toString())"
    )
    assert "Brazil" in copied
    assert "Cultural" not in copied.split("Brazil")[0].split("Kopi")[1]
    one.page.emulate_media(media="print")
    assert tags(one) == {}, "paper breaks its lines elsewhere"
