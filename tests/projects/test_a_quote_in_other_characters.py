"""A quote that differs from the text in what nobody sees is found, whole, at the text's own offsets, or not at all."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projects.anchors import check_anchor, grapheme_boundaries, locate_normalised
from projects.problems import Invalid

FAMILY = "👨\u200d👩\u200d👧"
PRIDE = "🏳\ufe0f\u200d🌈"
FOUND = [
    ("composed for decomposed", "Cafe\u0301 noir", "Café", "Cafe\u0301"),
    ("decomposed for composed", "Café noir", "Cafe\u0301", "Café"),
    ("marks in another order", "درّ\u064eس", "در\u064e\u0651س", "درّ\u064eس"),
    ("Bengali vowel sign in two parts", "খোলা দিন", "খ\u09c7\u09beলা", "খোলা"),
    ("nukta letter composed", "ব\u09dcো কথা", "বড়ো", "ব\u09dcো"),
    ("ZWNJ lost", "می\u200cخواهم برم", "میخواهم", "می\u200cخواهم"),
    ("ZWJ lost in a conjunct", "র\u200d্যাব এল", "র্যাব", "র\u200d্যাব"),
    ("ZWNJ added", "খণ্ডৎ দিন", "খণ্\u200cডৎ", "খণ্ডৎ"),
    ("soft hyphen lost", "a co\u00adop shop", "coop", "co\u00adop"),
    ("bidi controls lost", "say \u202eDEF\u202c now", "say DEF now", "say \u202eDEF\u202c now"),
    ("bidi marks added", "في رمضان", "\u200fفي رمضان\u200e", "في رمضان"),
    ("tatweel lost", "الكـــشري أكلة", "الكشري", "الكـــشري"),
    ("tatweel added", "الكشري أكلة", "الكـشري", "الكشري"),
    ("zero-width space in Thai", "กิน\u200bข้าว แล้ว", "กินข้าว", "กิน\u200bข้าว"),
    ("emoji presentation lost", "heart ❤\ufe0f red", "❤ red", "❤\ufe0f red"),
    ("curly quotation marks made straight", "He said “no” then", 'said "no"', "said “no”"),
    ("guillemets made straight", "قال «لا» له", '"لا"', "«لا»"),
    ("an apostrophe made straight", "it’s late", "it's", "it’s"),
    ("a no-break space", "10\u00a0km away", "10 km", "10\u00a0km"),
    ("lines joined", "first\n\n  second", "first second", "first\n\n  second"),
    ("space around the quote", "one two three", " two\n", "two"),
    ("a byte order mark before it", "one two three", "\ufefftwo", "two"),
    ("a family with its joiners", f"a {FAMILY}  b", f"{FAMILY} b", f"{FAMILY}  b"),
    ("a flag in colours without its selector", f"a {PRIDE} b", "🏳\u200d🌈", PRIDE),
]


@pytest.mark.parametrize(("text", "quote", "there"), [case[1:] for case in FOUND], ids=[case[0] for case in FOUND])
def test_what_differs_in_nothing_that_is_read_is_found(text, quote, there):
    start, end = locate_normalised(text, quote)
    assert text[start:end] == there
    assert check_anchor(text, start, end, there) == there


NOT_FOUND = [
    ("another letter", "The fair opens", "The far"),
    ("another case", "The fair opens", "the fair"),
    ("Turkish dotted I", "İstanbul", "Istanbul"),
    ("hamza left out", "أكلة مصرية", "اكلة"),
    ("ya for alef maqsura", "على السحور", "علي"),
    ("ha for ta marbuta", "أكلة مصرية", "أكله"),
    ("another vowel mark", "كَتَبَ الولد", "كُتِبَ"),
    ("vowel marks left out", "كَتَبَ الولد", "كتب"),
    ("vowel marks added", "كتب الولد", "كَتَبَ"),
    ("Hebrew points left out", "שָׁלוֹם", "שלום"),
    ("digits of another script", "سنة ١٩٥٢", "سنة 1952"),
    ("a superscript made a digit", "x² + 1", "x2"),
    ("a ligature taken apart", "of\ufb01ce hours", "office"),
    ("another dash", "1990–1995", "1990-1995"),
    ("an ellipsis in the quote", "one two three", "one … three"),
    ("half a conjunct", "ক্ষণিক", "ক্"),
    ("the second half of a conjunct", "ক্ষণিক", "ষণিক"),
    ("a letter without its vowel sign", "নিয়ম", "ন"),
    ("a letter without its mark", "Cafe\u0301", "Cafe "),
    ("a Thai letter without its tone", "ข้าว", "ขาว"),
    ("four people for a family", f"a {FAMILY} b", "👨👩👧"),
    ("one of the family", f"a {FAMILY} b", "👩"),
    ("a hand without its skin tone", "hi 👋🏽!", "hi 👋!"),
    ("the halves of two flags", "🇪🇬🇧🇩", "🇬🇧"),
    ("nothing but what nobody sees", "one\u200btwo", "\u200b"),
    ("nothing but spaces", "one two", "  "),
    ("quotation marks left out", "He said “no”", "said no"),
    ("words left out", "one two three", "one three"),
]


@pytest.mark.parametrize(("text", "quote"), [case[1:] for case in NOT_FOUND], ids=[case[0] for case in NOT_FOUND])
def test_what_differs_in_what_is_read_is_not_found(text, quote):
    with pytest.raises(Invalid) as absent:
        locate_normalised(text, quote)
    assert absent.value.problems[0].code == "quote_absent"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("café and cafe\u0301", "café"),
        ("می\u200cخواهم میخواهم", "م\u200cیخواهم"),
        ("“tea” or «tea»", '"tea"'),
        ("aaa", "a\u200ba"),
    ],
)
def test_what_may_mean_several_places_means_none(text, quote):
    with pytest.raises(Invalid) as ambiguous:
        locate_normalised(text, quote)
    assert ambiguous.value.problems[0].code == "quote_ambiguous"


# --- For any text of these pieces ---------------------------------------------------------------------

PIECES = [
    *"abc \n.,",
    "e\u0301", "é", "İ", "ı", "ﬁ",
    "مُ", "دَ", "رّ", "سِ", "ـ", "أ", "ا", "ى", "لا", "\u200f", "\u202e", "\u202c",
    "ক্ষ", "ক", "্", "ষ", "নি", "খো", "র\u200d্য", "ড়", "\u200c", "\u200d",
    "क्षि", "שָׁ", "กำ", "ข้า", "ว",
    FAMILY, "👩", "👋🏽", "❤\ufe0f", PRIDE, "🇧🇩", "🇪🇬", "🇧", "한", "한",
    "\u00ad", "\u00a0", "\u3000", "\r\n", "“", "”", "«", '"', "’", "'", "𠀋",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


def variant(text: str, number: int) -> str:
    """The same text as somebody might retype it."""
    ways = [
        lambda s: unicodedata.normalize("NFC", s),
        lambda s: unicodedata.normalize("NFD", s),
        lambda s: s.replace("\u00ad", "").replace("\u200f", "").replace("\u202e", "").replace("\u202c", ""),
        lambda s: s.replace("“", '"').replace("”", '"').replace("«", '"').replace("’", "'"),
        lambda s: s.replace("\u00a0", " ").replace("\u3000", "  ").replace("\r\n", "\n"),
        lambda s: s.replace("ـ", "").replace("\ufe0f", ""),
        lambda s: f" {s}\u200e\n",
    ]
    for place, way in enumerate(ways):
        if number >> place & 1:
            text = way(text)
    return text


@given(texts, texts)
def test_what_is_found_is_whole_characters_of_the_text(text, quote):
    """Whatever is looked for: a place is one that the database takes as well."""
    try:
        start, end = locate_normalised(text, quote)
    except Invalid:
        return
    assert {start, end} <= grapheme_boundaries(text)
    found = check_anchor(text, start, end, None)
    assert found == text[start:end] != ""
    assert not found[0].isspace()
    assert not found[-1].isspace()
    assert locate_normalised(text, found) == (start, end), "what stands there is found there"


@given(texts, st.integers(0, 127), st.data())
def test_a_retyped_part_of_the_text_is_found_where_it_was_taken_or_not_at_all(text, how, data):
    ends = sorted(grapheme_boundaries(text))
    start, end = sorted((data.draw(st.sampled_from(ends)), data.draw(st.sampled_from(ends))))
    taken = text[start:end]
    try:
        found = locate_normalised(text, variant(taken, how))
    except Invalid:
        # Parts that hold nothing to be read, or stand there twice. Retyping can also join what was apart in the text
        # (two halves of a flag, a mark and the letter before it): that is another character, and is not found.
        return
    assert start <= found[0] < found[1] <= end


WORDS = ["رمضان", "كُتُب", "ক্ষণিক", "বৈশাখে", "กินข้าว", "Cafe\u0301", "naïve", f"x{FAMILY}", "🇧🇩🇪🇬", "한국", "क्षत्रिय"]


@given(st.permutations(WORDS), st.integers(0, 10), st.integers(1, 4), st.integers(0, 127))
def test_retyped_words_are_always_found(words, first, count, how):
    """Each word stands there once, so each is found, with the spaces within and none around."""
    text = " ".join(words)
    taken = " ".join(words[first : first + count])
    start, end = locate_normalised(text, variant(taken, how))
    assert text[start:end] == taken
