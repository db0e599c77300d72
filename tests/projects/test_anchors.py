"""Where a span lies: offsets in code points, never inside a written character, checked against the quote."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projects.anchors import (
    check_anchor,
    from_utf16,
    grapheme_boundaries,
    locate,
    on_grapheme_boundary,
    paragraphs,
    to_utf16,
)
from projects.problems import Invalid

FAMILY = "👨‍👩‍👧‍👦"  # one grapheme of seven code points
WAVE = "👋🏽"  # hand and skin tone
FLAG = "🇧🇩"  # two regional indicators
KSHA = "ক্ষ"  # a Bengali conjunct: ka, hasanta, ssa
SHADDA = "مُدَرِّس"
DECOMPOSED = "Cafe\u0301"

TEXTS = {
    "family emoji": f"a {FAMILY} b",
    "skin tone": f"hi {WAVE}!",
    "flags": f"{FLAG}🇰🇷🇮🇩",
    "variation selector": "heart ❤️ red",
    "decomposed": f"{DECOMPOSED} noir",
    "bengali conjunct": f"{KSHA}ণিক",
    "devanagari conjunct": "क्षत्रिय",
    "arabic marks": SHADDA,
    "hebrew points": "שָׁלוֹם",
    "turkish dotted I": "İstanbul ılık",
    "bidi controls": "abc \u202eDEF\u202c ghi",
    "zwnj and soft hyphen": "می\u200cخواهم co\u00adop",
    "crlf and tabs": "one\r\ntwo\tthree",
    "cjk extension B": "𠀋𠮷野家",
    "thai": "ที่นี่ไม่มี",
}


def code_of(error: pytest.ExceptionInfo[Invalid]) -> tuple[str, str]:
    problem = error.value.problems[0]
    return problem.code, problem.field


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_grapheme_can_be_marked_and_no_offset_inside_one(text):
    boundaries = sorted(grapheme_boundaries(text))
    for start, end in pairwise(boundaries):
        assert check_anchor(text, start, end, text[start:end]) == text[start:end]
    for inside in set(range(len(text))) - set(boundaries):
        with pytest.raises(Invalid) as error:
            check_anchor(text, 0 if inside else 1, inside, None)
        assert code_of(error) == ("mid_grapheme", "end")


def test_a_family_is_one_character_to_people():
    with pytest.raises(Invalid) as error:
        check_anchor(TEXTS["family emoji"], 2, 4, None)
    assert code_of(error) == ("mid_grapheme", "end")
    assert check_anchor(TEXTS["family emoji"], 2, 9, FAMILY) == FAMILY


@pytest.mark.parametrize(
    ("start", "end", "code", "field"),
    [
        (2, 2, "empty", "end"),
        (4, 2, "reversed", "end"),
        (-1, 2, "negative", "start"),
        (0, -2, "negative", "end"),
        (0, 6, "past_end", "end"),
        (1.0, 2, "not_whole_number", "start"),
        (True, 2, "not_whole_number", "start"),
        (0, None, "not_whole_number", "end"),
        ("0", 2, "not_whole_number", "start"),
    ],
)
def test_a_bad_offset_is_refused_by_name(start, end, code, field):
    with pytest.raises(Invalid) as error:
        check_anchor("salam", start, end, None)
    assert code_of(error) == (code, field)


def test_a_quote_must_stand_at_its_place():
    with pytest.raises(Invalid) as error:
        check_anchor("salam alaykum", 0, 5, "Salam")
    assert code_of(error) == ("quote_differs", "quote")


def test_composed_and_decomposed_are_not_the_same_quote():
    with pytest.raises(Invalid) as error:
        check_anchor(TEXTS["decomposed"], 0, 5, "Café")
    assert code_of(error) == ("quote_differs", "quote")


def test_an_offset_between_two_surrogates_is_refused():
    assert from_utf16("𠀋b", 2) == 1
    with pytest.raises(Invalid) as error:
        from_utf16("𠀋b", 1)
    assert code_of(error)[0] == "mid_surrogate"
    with pytest.raises(Invalid) as error:
        from_utf16("𠀋b", 4)
    assert code_of(error)[0] == "past_end"


@given(st.text(max_size=80), st.data())
def test_utf16_and_back(text, data):
    offset = data.draw(st.integers(0, len(text)))
    assert from_utf16(text, to_utf16(text, offset)) == offset


@given(st.text(max_size=60), st.data())
def test_the_shortcut_for_plain_characters_changes_nothing(text, data):
    offset = data.draw(st.integers(0, len(text)))
    assert on_grapheme_boundary(text, offset) == (offset in grapheme_boundaries(text))


@given(st.text(alphabet="ab ক্ষ👋🏽", max_size=40), st.data())
def test_whatever_is_accepted_is_quoted_exactly(text, data):
    start, end = data.draw(st.integers(-2, len(text) + 2)), data.draw(st.integers(-2, len(text) + 2))
    try:
        quote = check_anchor(text, start, end, None)
    except Invalid:
        return
    assert quote == text[start:end] != ""
    assert {start, end} <= grapheme_boundaries(text)


def test_a_quote_that_occurs_once_is_located():
    assert locate("one two three", "two") == (4, 7)


def test_a_quote_that_occurs_twice_is_not_guessed():
    with pytest.raises(Invalid) as error:
        locate("tea and tea", "tea")
    assert code_of(error)[0] == "quote_ambiguous"
    assert locate("tea and tea", "tea", occurrence=2) == (8, 11)


@pytest.mark.parametrize(
    ("quote", "occurrence", "code"),
    [
        ("coffee", None, "quote_absent"),
        ("", None, "empty"),
        ("tea", 3, "occurrence_absent"),
        ("tea", 0, "occurrence_absent"),
    ],
)
def test_a_quote_that_is_not_there_is_refused(quote, occurrence, code):
    with pytest.raises(Invalid) as error:
        locate("tea and tea", quote, occurrence)
    assert code_of(error)[0] == code


def test_overlapping_occurrences_are_counted():
    assert locate("aaa", "aa", occurrence=2) == (1, 3)


def test_paragraphs_are_the_lines_that_say_something():
    text = "first\r\n\r\n  \nsecond\n"
    assert [text[start:end] for start, end in paragraphs(text)] == ["first", "second"]
