"""Placeholders are found, cut out and filled, whatever stands around them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from projects import placeholders

NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True)
# Right to left, combining marks, conjuncts, joiners, bidi controls, and brackets of every kind.
WORDS = st.text(st.sampled_from("aZ9 ]\n[_()مصرَّ\u200f\u200e\u2066\u2069ক্ষি\u200d한é\u0301👩🏽‍🚀【】"), max_size=30)
TEXTS = st.lists(st.one_of(WORDS, NAMES.map(lambda name: f"[{name}]")), max_size=8).map("".join)


def test_names_in_the_order_in_which_they_come_up():
    text = "At a [locale_nationality] gathering in [locale_country]: what do [locale_nationality] people say?"
    assert placeholders.names(text) == ["locale_nationality", "locale_country"]
    assert [text[place.start : place.end] for place in placeholders.find(text)] == [
        "[locale_nationality]",
        "[locale_country]",
        "[locale_nationality]",
    ]


@pytest.mark.parametrize(
    "text",
    ["[1]", "[See above]", "[ملاحظة]", "[Locale]", "[]", "[a b]", "[_a]", "locale_country", "[locale_country", "[é]"],
)
def test_other_brackets_are_text(text):
    assert placeholders.find(text) == []
    assert placeholders.fill(text, {}) == text


def test_a_name_of_sixty_characters_is_one_and_of_sixty_one_none():
    assert placeholders.names(f"[{'a' * 60}]") == ["a" * 60]
    assert placeholders.names(f"[{'a' * 61}]") == []


def test_brackets_within_brackets():
    assert placeholders.fill("[[locale_country]]", {"locale_country": "مصر"}) == "[مصر]"


def test_a_value_is_never_taken_for_a_placeholder():
    assert placeholders.fill("[a] [b]", {"a": "[b]", "b": "x"}) == "[b] x"


def test_a_placeholder_without_a_value_is_an_error():
    with pytest.raises(KeyError):
        placeholders.fill("[a]", {})


def test_what_a_translation_lacks_and_what_it_invents():
    original, translation = "In [country], on [holiday]", "في [country] و[city]"
    assert placeholders.missing(original, translation) == ["holiday"]
    assert placeholders.unknown(original, translation) == ["city"]


@given(TEXTS)
@example("[a]\u0301 [a]")
def test_the_parts_are_the_text(text):
    cut = list(placeholders.parts(text))
    assert "".join(part.text for part in cut) == text
    assert all(part.text for part in cut)
    assert [part.name for part in cut if part.name] == [place.name for place in placeholders.find(text)]
    assert not any(placeholders.find(part.text) for part in cut if not part.name)


@given(TEXTS)
def test_each_place_holds_its_name(text):
    for place in placeholders.find(text):
        assert text[place.start : place.end] == f"[{place.name}]"


@given(TEXTS, WORDS)
def test_filling_changes_nothing_but_the_placeholders(text, value):
    values = dict.fromkeys(placeholders.names(text), value)
    filled = placeholders.fill(text, values)
    assert filled == "".join(value if part.name else part.text for part in placeholders.parts(text))


@given(TEXTS)
def test_a_text_lacks_nothing_of_itself(text):
    assert placeholders.missing(text, text) == placeholders.unknown(text, text) == []
