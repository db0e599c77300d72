"""Offsets in the browser equal Python's, for every position of texts that trip up naive counting."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from projects.anchors import check_anchor, grapheme_boundaries, to_utf16
from tests.frontend.conftest import Screen
from tests.frontend.harness import Harness

pytestmark = pytest.mark.browser

TEXTS = {
    "family with zero-width joiners": "آل 👨‍👩‍👧‍👦 family",
    "skin tone": "good 👍🏽 job",
    "flags": "🇪🇬🇮🇶🇰🇷 flags",
    "variation selector": "☎️ and ☎︎",
    "composed and decomposed": "café cafe\u0301",
    "devanagari conjunct": "क्षत्रिय विद्या",
    "bengali conjunct": "ক্ষীর দুর্গাপূজা উৎসব র‍্যাব",
    "arabic marks": "السَّلامُ عَلَيْكُمْ وَرَحْمَةُ",
    "hebrew marks": "שָׁלוֹם עֲלֵיכֶם",
    "turkish dotted i": "İstanbul ıı i̇",
    "bidirectional controls": "a \u202bعربي\u202c b \u2067x\u2069",
    "joiners and soft hyphen": "می\u200cخواهم co\u00adop \u200d",
    "carriage return and tab": "one\r\ntwo\r\n\r\n\tthree",
    "ideographs beyond the basic plane": "𠮷野家で𩸽を食べる",
    "thai": "สวัสดีครับผมชื่อสมชาย",
    "korean, composed and not": "설날 떡국 \u1112\u1161\u11ab",
    "nothing": "",
    "one emoji": "👩🏾‍🚀",
    "space": " \u00a0\u3000 ",
    "mark on a space": "a \u0301b c",
}


@pytest.fixture(scope="module")
def offsets(browser, bundle):
    """(text, language) -> what the browser makes of it; one page for all, since reading a text changes nothing."""
    harness, page = Harness(), browser.new_page()
    screen = Screen(page, harness).open()
    page.evaluate("() => { window.Index = mizanSpans.view.index.constructor; }")

    def read(text: str, language: str = "und") -> dict:
        return page.evaluate(
            """([text, language]) => {
              const index = new Index(text, language === "und" ? undefined : language);
              const utf16 = [];
              for (let i = 0; i <= index.codePoints; i += 1) utf16.push(index.toUtf16(i));
              const back = [];
              for (let i = 0; i <= text.length; i += 1) back.push(index.toCodePoint(i));
              const words = [];
              for (let i = 0; i < index.wordCount; i += 1) words.push(index.word(i).map((at) => index.toCodePoint(at)));
              return { utf16, back, words, graphemes: [...index.graphemes].map((at) => index.toCodePoint(at)) };
            }""",
            [text, language],
        )

    yield read
    page.close()
    harness.close()
    assert screen.errors == []


@pytest.mark.parametrize("name", TEXTS)
def test_conversions_equal_those_of_python(offsets, name):
    text = TEXTS[name]
    found = offsets(text)
    assert found["utf16"] == [to_utf16(text, at) for at in range(len(text) + 1)]
    for code_point, utf16 in enumerate(found["utf16"]):
        assert found["back"][utf16] == code_point
    # A position inside a surrogate pair belongs to the pair's own code point.
    assert found["back"] == sorted(found["back"])
    assert found["back"][-1] == len(text)


@pytest.mark.parametrize("name", TEXTS)
def test_the_server_accepts_every_unit_the_browser_offers(offsets, name):
    text = TEXTS[name]
    found = offsets(text)
    assert set(found["graphemes"]) <= grapheme_boundaries(text)
    for start, end in found["words"]:
        assert check_anchor(text, start, end, text[start:end])


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    st.text(
        st.one_of(
            st.sampled_from("a é\u0301\r\n\t\u200d\u200c👨👩🏽🇪🇬ক্ষ্র‍ীक्षिسَّـ가\u1100\u1161ไทย𠮷。 "),
            st.characters(exclude_categories=["Cs", "Cn"]),
        ),
        max_size=30,
    )
)
def test_any_text_converts_there_and_back(offsets, text):
    found = offsets(text)
    assert found["utf16"] == [to_utf16(text, at) for at in range(len(text) + 1)]
    assert [found["back"][utf16] for utf16 in found["utf16"]] == list(range(len(text) + 1))
    ends = [0]
    for start, end in found["words"]:
        assert ends[-1] <= start < end
        ends.append(end)


def test_a_mark_on_a_space_belongs_to_no_word(offsets):
    assert offsets("a \u0301b c")["words"] == [[0, 1], [3, 4], [5, 6]]


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("Kopi, (tubruk)!\nEnak…", "id", ["Kopi", "tubruk", "Enak"]),
        ("**bold**, _em_ snake_case `x` [a](b) # h", "en", ["bold", "em", "snake_case", "x", "a", "b", "h"]),
        ("Don't e-mail; it's a well\u2011known 3.5% (-5 °C) risk, $20 or 20€", "en",
         ["Don't", "e-mail", "it's", "a", "well\u2011known", "3.5%", "-5", "C", "risk", "$20", "or", "20€"]),
        ("2020-2024", "en", ["2020", "2024"]),
        ("قال: «الحمرة»، وبعدها ١٢٫٥٪ ـ شُكْرًا؟", "ar-EG", ["قال", "الحمرة", "وبعدها", "١٢٫٥٪", "ـ", "شُكْرًا"]),
        ("می\u200cخواهم، نه!", "fa", ["می\u200cخواهم", "نه"]),
        ("মা-বাবা বলল, \"র‍্যাব ক্ষীর\"। ৳৫০", "bn-BD", ["মা-বাবা", "বলল", "র‍্যাব", "ক্ষীর", "৳৫০"]),
        ("‘설날’에는 떡국(만두)을.", "ko", ["설날", "에는", "떡국", "만두", "을"]),
        ("שָׁלוֹם־עֲלֵיכֶם, צה״ל.", "he", ["שָׁלוֹם־עֲלֵיכֶם", "צה״ל"]),
        ("क्षत्रिय, विद्या। 👩🏽‍🚀🇪🇬!", "hi", ["क्षत्रिय", "विद्या", "👩🏽‍🚀", "🇪🇬"]),
    ],
)  # fmt: skip
def test_a_word_is_a_word_of_its_language(offsets, text, language, words):
    """Unicode's rule (UAX 29) with what each language adds: no punctuation and no sign of markdown sticks to it."""
    assert [text[start:end] for start, end in offsets(text, language)["words"]] == words


@pytest.mark.parametrize(
    ("text", "language", "first"),
    [("สวัสดีครับ", "th", "สวัสดี"), ("寿司を食べる", "ja", "寿司"), ("我们喜欢吃饭", "zh", "我们")],
)
def test_scripts_without_spaces_are_cut_into_words(offsets, text, language, first):
    words = [text[start:end] for start, end in offsets(text, language)["words"]]
    assert words[0] == first
    assert "".join(words) == text


def test_korean_keeps_its_spaced_words(offsets):
    assert offsets("설날에는 떡국을", "ko")["words"] == [[0, 4], [5, 8]]
