"""Whatever an author types or pastes, the lint answers, and what it points at is there."""

import json
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projects.anchors import on_grapheme_boundary
from rubrics.lint import LintCriterion, LintInput, find, limits
from rubrics.lint.languages import FOLDER, language_of, written_in

TAGS = st.sampled_from(["ar-EG", "ar-IQ", "ko-KR", "id", "bn-BD", "en", "tlh", "", "zh-Hant", "../ar", "ar_EG"])
# Whole words of the patterns beside characters that shift, hide or join: bidi controls, joiners, lone marks, emoji.
PIECES = st.sampled_from(
    [
        "mentions ", "and explains ", "the meaning of ", "one of the ", "that ", "and that ",
        "; ", ": ", "\n", "1) ", "2) ",
        "يذكر ", "ويشرح ", "مَعْنَى ", "واحدة من ", "أنّ ", "وأنّـــها ", "بشكل كويس", "«", "»", "(", ")", '"', "'",
        "의미와 ", "유래를 ", "설명하고 ", "설명한다",
        "\u1109\u1165\u11af\u1106\u1167\u11bc\u1112\u1161\u11ab\u1103\u1161", "중 하나를 ", "잘 ",
        "menyebutkan ", "dan menjelaskan ", "arti ", "salah satu ", "উল্লেখ করে ", "এবং ", "ব্যাখ্যা করে", "অর্থ ",
        "যেকোনো একটি ", "\u202e", "\u2066", "\u2069", "\u200d", "\u200c", "\u0301", "\u064b", "\u09cd", "\u09bc",
        "👩🏽\u200d🚀", "🇪🇬", "ß", "İ", "ﷺ", "ﬁ", "\u00ad", "\ufeff", "\x00", "A\u030a", "ক্ষ", "𠀀", "\ufffc",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=14).map("".join), st.text(max_size=60))
BANDS = st.one_of(st.none(), st.just(("core-term", 8, 10)))


@settings(max_examples=300, deadline=None)
@given(TAGS, TEXTS, TEXTS, st.lists(st.tuples(TEXTS, st.one_of(st.none(), st.integers(-9, 99)), BANDS), max_size=4))
def test_every_finding_points_at_its_words(tag, prompt, gold_answer, written):
    criteria = [LintCriterion(str(n), text, weight, band) for n, (text, weight, band) in enumerate(written)]
    found = find(LintInput(tag, prompt, gold_answer, criteria))
    texts = {"": gold_answer} | {criterion.key: criterion.text for criterion in criteria}
    for finding in found:
        assert finding.words
        assert finding.words.strip() or finding.start is None
        assert str(finding.message)
        assert (finding.start is None) == (finding.end is None) == (finding.code == "band-weight")
        if finding.start is not None:
            assert 0 <= finding.start < finding.end
            assert texts[finding.criterion][finding.start : finding.end] == finding.words
    assert found == find(LintInput(tag, prompt, gold_answer, criteria))


def test_words_are_found_whatever_marks_and_stretches_they_are_written_with():
    plain, pointed = "يذكر اسم الأكلة ويشرح طريقة عملها", "يَذكُر اسم الأكلة وَيَشْرَحُ طريقة عملهـــا"
    for text, words in ((plain, "ويشرح"), (pointed, "وَيَشْرَحُ")):
        [finding] = [f for f in find(LintInput("ar-EG", criteria=[LintCriterion("a", text)])) if f.code == "stacked"]
        assert finding.words == words == text[finding.start : finding.end]


def test_a_finding_never_cuts_a_character_in_two():
    text = "Mentions the dish and explains\u0301 it; names e\u0301clat\u0301 👩🏽\u200d🚀."
    for finding in find(LintInput("en", criteria=[LintCriterion("a", text)])):
        assert on_grapheme_boundary(text, finding.start)
        assert on_grapheme_boundary(text, finding.end)


def test_a_gold_answer_is_not_held_against_criteria_in_another_language():
    gold = "الكشري أكلة فيها رز وعدس ومكرونة. جابها الجنود الهنود أيام الاحتلال."
    english = LintCriterion("a", "Mentions that koshari is made of rice, lentils and pasta.")
    arabic = LintCriterion("b", "يذكر أن الكشري رز وعدس ومكرونة.")
    assert find(LintInput("ar-EG", gold_answer=gold, criteria=[arabic]))
    assert find(LintInput("ar-EG", gold_answer=gold, criteria=[arabic, english])) == []


def test_korean_in_decomposed_letters_is_read_as_in_composed_ones():
    text = normalize("NFD", "속담의 뜻을 잘 설명한다.")
    [finding] = find(LintInput("ko", criteria=[LintCriterion("a", text)]))
    assert finding.words == text[finding.start : finding.end] == normalize("NFD", "잘 설명한다")


def test_an_english_criterion_of_an_arabic_rubric_is_read_as_english():
    [finding] = find(
        LintInput("ar-EG", criteria=[LintCriterion("a", "Mentions the dish and explains its origin: Fayoum.")])
    )
    assert (finding.code, finding.words) == ("stacked", "and explains")
    assert written_in("Mentions الكشري as a dish of Egypt", "ar-EG").code == "en"
    assert written_in("يذكر أن iPhone غالي", "ar-EG").code == "ar"


def test_a_language_without_words_says_so_and_keeps_to_what_needs_none():
    assert limits("ar-EG") == limits("arz") == limits("apc-LB") == ""
    assert "not known" in str(limits("am"))
    criteria = [
        LintCriterion("a", "ቡና ኢትዮጵያ ባህል ነው", 3, ("core-term", 8, 10)),
        LintCriterion("b", "ቡና ኢትዮጵያ ባህል ነው", 8, ("core-term", 8, 10)),
        LintCriterion("c", "ሦስት ጊዜ ይጠጣል; አቦል ይባላል", None, None),
    ]
    found = find(LintInput("am", criteria=criteria))
    assert [(finding.code, finding.criterion) for finding in found] == [
        ("band-weight", "a"),
        ("overlap", "b"),
        ("stacked", "c"),
    ]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_every_phrase_of_a_language_can_be_compiled(path):
    data = json.loads(path.read_text("utf-8"))
    language = language_of(path.stem)
    assert data["script"] in ("Latin", "Arabic", "Hangul", "Bengali")
    for name in ("stacked", "explanations", "names", "given", "one_of", "or", "search", "vague"):
        assert data[name], name
        # A phrase that matches nothing at all would match everywhere.
        assert language.phrases(name).fullmatch("") is None
    assert language.stem(data["stop_words"][0]) == ""
