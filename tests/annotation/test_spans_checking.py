"""Every bad span is refused with its field named, and a good one comes back as it may be stored."""

import pytest

from annotation.models import ErrorCategory
from annotation.spans.checking import check_complete, check_span, check_spans
from projects.problems import Invalid
from tests.preset_parts import words_of

WORDS = words_of("spans")
TEXT = "Koshari is eaten at dawn.\n\nFamilies 👨‍👩‍👧 share it, and the Pharaohs ate it too."
FAMILY = TEXT.index("👨")
CATEGORIES = {"fake-history": ErrorCategory(slug="fake-history", name="Fake history")}


def span(**changes):
    raw = {"id": "s1", "anchor": "words", "start": 0, "end": 7, "quote": "Koshari", "type": "cultural"}
    return {**raw, "criticality": "high", "explanation": "Eaten all day.", **changes}


def refusal(raw) -> tuple[str, str]:
    with pytest.raises(Invalid) as refused:
        check_span(TEXT, raw, CATEGORIES, WORDS)
    problem = refused.value.problems[0]
    return problem.field, problem.code


def test_a_good_span_comes_back_with_its_category():
    data = check_span(TEXT, span(category="fake-history", correction="Eaten at noon."), CATEGORIES, WORDS)
    assert (data.key, data.start, data.end, data.quote) == ("s1", 0, 7, "Koshari")
    assert data.category is CATEGORIES["fake-history"]


def test_a_quote_alone_is_located():
    data = check_span(TEXT, {"id": "a", "quote": "dawn"}, CATEGORIES, WORDS)
    assert (data.start, data.end) == (TEXT.index("dawn"), TEXT.index("dawn") + 4)


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"start": 7, "end": 7, "quote": ""}, "end", "empty"),
        ({"start": 7, "end": 0}, "end", "reversed"),
        ({"start": -1}, "start", "negative"),
        ({"end": 10_000}, "end", "past_end"),
        ({"end": 10**5000}, "end", "past_end"),
        ({"start": 0.0}, "start", "not_whole_number"),
        ({"start": False}, "start", "not_whole_number"),
        ({"start": None}, "start", "not_whole_number"),
        ({"start": FAMILY, "end": FAMILY + 1, "quote": "👨"}, "end", "mid_grapheme"),
        ({"quote": "koshari"}, "quote", "quote_differs"),
        ({"quote": 7}, "quote", "not_text"),
        ({"start": None, "end": None, "quote": "ful"}, "quote", "quote_absent"),
        ({"start": None, "end": None, "quote": "it"}, "quote", "quote_ambiguous"),
        ({"start": None, "end": None, "quote": "it", "occurrence": 9}, "occurrence", "occurrence_absent"),
        ({"start": None, "end": None, "quote": "it", "occurrence": True}, "occurrence", "not_whole_number"),
        ({"paragraph": 0}, "paragraph", "not_with_anchor"),
        ({"anchor": "sentence"}, "anchor", "unknown"),
        ({"anchor": "paragraph", "start": None, "end": None, "quote": "", "paragraph": 2}, "paragraph", "past_end"),
        ({"anchor": "paragraph", "start": None, "end": None, "quote": "", "paragraph": -1}, "paragraph", "past_end"),
        (
            {"anchor": "paragraph", "start": None, "end": None, "quote": "", "paragraph": True},
            "paragraph",
            "not_whole_number",
        ),
        ({"anchor": "response", "start": 0, "end": None, "quote": ""}, "start", "not_with_anchor"),
        ({"anchor": "response", "start": None, "end": None, "quote": "x"}, "quote", "not_with_anchor"),
        ({"type": "grammar"}, "type", "unknown"),
        ({"type": ["cultural"]}, "type", "not_text"),
        ({"criticality": "severe"}, "criticality", "unknown"),
        ({"category": "no-such"}, "category", "unknown"),
        ({"explanation": 5}, "explanation", "not_text"),
        ({"explanation": "a\0b"}, "explanation", "unstorable"),
        ({"explanation": "a\ud800b"}, "explanation", "unstorable"),
        ({"correction": "x" * 10_001}, "correction", "too_long"),
        ({"id": ""}, "id", "required"),
        ({"id": 4}, "id", "required"),
        ({"id": "x" * 65}, "id", "too_long"),
        ({"role": "lead"}, "role", "unknown_field"),
        ({"penalty": True}, "penalty", "not_a_number"),
        ({"penalty": float("nan")}, "penalty", "not_a_number"),
        ({"penalty": 10**400}, "penalty", "not_a_number"),
        ({"origin": 4}, "origin", "not_text"),
        ({"origin": "x" * 65}, "origin", "too_long"),
        ({"origin": "s1"}, "origin", "itself"),
        (
            {"anchor": "response", "start": None, "end": None, "quote": "", "origin": "s0"},
            "origin",
            "not_with_anchor",
        ),
        ({"metadata": []}, "metadata", "not_an_object"),
        ({"metadata": {"note": "a\0"}}, "metadata", "unstorable"),
    ],
)
def test_a_bad_span_is_refused_by_field(changes, field, code):
    assert refusal(span(**changes)) == (field, code)


def test_a_span_that_is_no_object_is_refused():
    assert refusal(["s1"]) == ("", "not_an_object")


def test_all_problems_come_at_once_and_say_where():
    with pytest.raises(Invalid) as refused:
        check_span(TEXT, span(type="x", criticality="y", end=9999), CATEGORIES, WORDS, "spans[3]")
    assert {problem.field for problem in refused.value.problems} == {
        "spans[3].end",
        "spans[3].type",
        "spans[3].criticality",
    }
    assert {problem.span for problem in refused.value.problems} == {"s1"}


def test_two_spans_cannot_share_an_id_and_five_hundred_is_the_most():
    with pytest.raises(Invalid, match="same id"):
        check_spans(TEXT, [span(), span(explanation="Other")], CATEGORIES, WORDS)
    with pytest.raises(Invalid, match="500"):
        check_spans(TEXT, [span(id=str(number)) for number in range(501)], CATEGORIES, WORDS)


def answer_problems(spans, no_errors=False, offered=()):
    with pytest.raises(Invalid) as refused:
        check_complete(check_spans(TEXT, spans, CATEGORIES, WORDS), no_errors, WORDS, offered)
    return {(problem.span, problem.field, problem.code) for problem in refused.value.problems}


def test_an_answer_needs_type_criticality_and_explanation():
    assert answer_problems([span(type="", criticality="", explanation=" ")]) == {
        ("s1", "type", "required"),
        ("s1", "criticality", "required"),
        ("s1", "explanation", "required"),
    }


def test_an_answer_needs_the_category_where_the_project_asks_for_it():
    history = ErrorCategory(slug="fake-history", name="Fake history", error_type="cultural")
    for error_type in ("cultural", "both"):
        missing = answer_problems([span(type=error_type)], offered=[history])
        assert missing == {("s1", "category", "required")}
    check_complete(check_spans(TEXT, [span(category="fake-history")], CATEGORIES, WORDS), False, WORDS, [history])


def test_no_category_is_asked_for_a_type_that_none_fits():
    grammar = ErrorCategory(slug="grammar", name="Grammar", error_type="linguistic")
    check_complete(check_spans(TEXT, [span(type="logical")], CATEGORIES, WORDS), False, WORDS, [grammar])


def test_an_answer_says_either_spans_or_no_errors():
    assert answer_problems([]) == {(None, "spans", "nothing")}
    assert answer_problems([span()], no_errors=True) == {(None, "no_errors", "contradiction")}
    check_complete([], True, WORDS)


def test_the_same_mark_twice_is_refused():
    assert answer_problems([span(), span(id="s2")]) == {("s2", "explanation", "repeated")}
