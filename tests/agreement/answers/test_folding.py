"""Spellings that count as one."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.answers.folding import content_lines, fold, normal, words
from agreement.answers.stems import stemmer


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("The Straße", "the strasse"),
        ("الآبَاءُ إلى أُمٍّ", "الاباء الي ام"),
        ("كـتـاب", "كتاب"),
        ("مدرسة", "مدرسه"),
        ("ﻻ", "لا"),
        ("٣ ۴ ১", "3 4 ১"),
        ("کی", "كي"),
        ("ক্ষ", "ক্ষ"),
        ("a\u200fb\u00ad", "ab"),
    ],
)
def test_what_writers_leave_to_taste_is_folded(text, folded):
    assert fold(text) == folded


def test_words_are_letters_with_their_marks_and_numbers():
    assert words("«الولد»، ذهب-الى 3.14 ক্ষমা! 👩🏽‍🚀 don't") == (
        "الولد", "ذهب", "الي", "3", "14", "ক্ষমা", "don", "t",
    )  # fmt: skip
    assert words("🙂 … !") == ()


@given(st.text(st.sampled_from("aB é\u0301ﻻأ\u0654اـ\u064eযক\u09cd\u09bc가ᄀ\u1161①ß\u200d\u200fΣς.-"), max_size=30))
def test_normal_forms_fold_alike(text):
    for form in ("NFC", "NFD"):
        other = unicodedata.normalize(form, text)
        assert fold(other) == fold(text)
        assert words(other) == words(text)
        assert normal(other) == normal(text)
    assert fold(fold(text)) == fold(text)


def test_normal_text_keeps_its_spelling():
    assert normal("\u200f الأمُّ \n\t cafe\u0301 ") == "الأم\u064f\u0651 café"


def test_lines_with_text():
    assert content_lines(" a \r\n\n\u2028 b\n") == ["a", "b"]


def test_stems():
    assert stemmer("en")("running") == "run"
    assert stemmer("id")("membaca") == "baca"
    assert len({stemmer("ar")(word) for word in words("المدرسة مدرسة مدرسته مدرستها")}) == 1
    assert stemmer("ko")("학교에서") == "학교에서"
    assert stemmer("en")("x" * 5000) == "x" * 5000
