"""Which words a text has, and which of them a span owns."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.words import laid, owned, owned_in, words, words_in

TEXTS = st.text(alphabet=st.sampled_from("ab é\u0301 \t\n\u00a0\u200b\u3000ضক্ষ😀ไทย."), max_size=40)


def pieces_of(text, segmentation="whitespace"):
    found = words(text, segmentation)
    return [text[start:end] for start, end in zip(found.starts, found.ends, strict=True)]


def test_words_are_maximal_runs_of_characters_that_are_not_spaces():
    assert pieces_of("  The cat,\tsat.\u00a0No\u200bbreak\n") == ["The", "cat,", "sat.", "No\u200bbreak"]


def test_positions_are_code_points_beyond_the_basic_plane_too():
    found = words("a 👩🏽‍🚀 b")
    assert found.starts.tolist() == [0, 2, 7]
    assert found.length == 8


def test_every_code_point_python_calls_a_space_separates_words():
    spaces = [chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()]
    assert all(len(words(f"a{space}b")) == 2 for space in spaces)
    others = "".join(chr(code) for code in range(1, 0x20000) if not chr(code).isspace())
    assert len(words(others)) == 1


@given(TEXTS)
def test_words_are_those_of_split(text):
    assert pieces_of(text) == text.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我喜欢猫。", ["我", "喜", "欢", "猫", "。"]),
        ("カタカナです", ["カタカナ", "で", "す"]),
        ("สวัสดี ครับ", ["ส", "วั", "ส", "ดี", "ค", "รั", "บ"]),
        ("It isn't 3.14", ["It", "isn't", "3.14"]),
        ("", []),
    ],
)
def test_scripts_without_spaces_are_cut_at_default_unicode_boundaries(text, expected):
    assert pieces_of(text, "uax29") == expected


def test_an_unknown_segmentation_is_refused():
    with pytest.raises(ValueError, match="segmentation must be one of"):
        words("a", "dictionary")


def test_a_span_owns_every_word_it_shares_a_character_with():
    #       0123456789
    text = "one two  x"
    first, last = owned(words(text), [0, 2, 2, 3, 3, 7, 9, 4], [3, 3, 5, 4, 5, 9, 10, 4])
    assert list(zip(first.tolist(), last.tolist(), strict=True)) == [
        (0, 1),  # "one"
        (0, 1),  # "e"
        (0, 2),  # "e t"
        (1, 1),  # " " owns none
        (1, 2),  # " t"
        (2, 2),  # "  " owns none
        (2, 3),  # "x"
        (1, 1),  # empty, at the beginning of "two": owns none
    ]


@given(TEXTS, st.data())
def test_intervals_of_words_are_the_naive_sets_of_words(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    found = words(text)
    naive = {
        index
        for index, (begin, stop) in enumerate(zip(found.starts, found.ends, strict=True))
        if set(range(begin, stop)) & set(range(start, end))
    }
    first, last = owned(found, [start], [end])
    assert set(range(int(first[0]), int(last[0]))) == naive


@given(st.lists(TEXTS, min_size=1, max_size=5), st.data())
def test_many_texts_at_once_are_each_text_alone(texts, data):
    found = [words(text) for text in texts]
    which = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=8))
    start = [data.draw(st.integers(0, len(texts[text]))) for text in which]
    end = [data.draw(st.integers(begin, len(texts[text]))) for begin, text in zip(start, which, strict=True)]
    together = np.array(owned_in(found, which, start, end)).reshape(2, -1)
    alone = [np.array(owned(found[text], [begin], [stop])) for text, begin, stop in zip(which, start, end, strict=True)]
    assert together.tolist() == (np.hstack(alone).tolist() if alone else [[], []])


@given(st.lists(TEXTS, max_size=5), st.integers(1, 9))
def test_texts_cut_together_have_the_words_of_each(texts, at_once):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agreement.words._CHARACTERS_AT_ONCE", at_once)
        found = words_in(texts)
    for number, text in enumerate(texts):
        one, alone = found.of(number), words(text)
        assert (one.starts.tolist(), one.ends.tolist(), one.length) == (
            *(alone.starts.tolist(), alone.ends.tolist()),
            len(text),
        )
    again = laid([words(text) for text in texts])
    for name in ("starts", "ends", "begins", "lengths", "sizes"):
        assert getattr(again, name).tolist() == getattr(found, name).tolist()


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 1), (0, 4)])
def test_a_span_outside_its_text_is_refused(start, end):
    with pytest.raises(ValueError, match="leaves its text"):
        owned(words("abc"), [start], [end])
