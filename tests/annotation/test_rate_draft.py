"""What is a draft of ratings, and when it is an answer: whatever a browser, or anybody else, sends."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.pairs.checking import blank, check_complete, check_draft
from projects.problems import Invalid
from tests.annotation.rating import body, rating

FORMALITY = SimpleNamespace(slug="formality", lowest=1, highest=5, is_nominal=False)
NATURALNESS = SimpleNamespace(slug="naturalness", lowest=0, highest=100, is_nominal=False)
BETTER = SimpleNamespace(slug="better", lowest=None, highest=None, is_nominal=False)
QUESTIONS = [FORMALITY, NATURALNESS, BETTER]

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
fields = st.sampled_from(["question", "first", "second", "preference", "comment", "grade"])
near_ratings = st.dictionaries(
    fields,
    anything | st.sampled_from(["formality", "naturalness", "better", "first", "tie", "", 1, 5, 101]),
    max_size=6,
)
near_bodies = st.fixed_dictionaries({"ratings": st.lists(near_ratings, max_size=4)}) | anything
entries = st.fixed_dictionaries(
    {
        "first": st.none() | st.integers(-(2**15) + 1, 2**15 - 1),
        "second": st.none() | st.integers(-(2**15) + 1, 2**15 - 1),
        "preference": st.sampled_from(["", "first", "second", "tie"]),
        "comment": st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30),
    }
)


def problems(check, *args, **more) -> list[tuple[str, str, str | None]]:
    with pytest.raises(Invalid) as refused:
        check(*args, **more)
    return [(problem.code, problem.field, problem.span) for problem in refused.value.problems]


@given(near_bodies, st.booleans())
def test_whatever_comes_is_kept_in_shape_or_refused_with_its_reasons(raw, is_pair):
    try:
        draft = check_draft(raw, is_pair)
    except Invalid:
        return
    assert check_draft(draft, is_pair) == draft, "what was kept is kept again as it is"
    slugs = [entry["question"] for entry in draft["ratings"]]
    assert len(set(slugs)) == len(slugs)
    keys = {"question", "first", "comment"} | ({"second", "preference"} if is_pair else set())
    assert all(set(entry) == keys for entry in draft["ratings"])


@given(st.lists(entries, min_size=3, max_size=3))
def test_an_answer_is_a_draft_with_all_that_is_asked_on_its_scale(given_entries):
    """Spelled out once more: both grades on the scale, or, without a scale, a preference and no grade."""
    slugs = [question.slug for question in QUESTIONS]
    raw = {"ratings": [{"question": slug, **entry} for slug, entry in zip(slugs, given_entries, strict=True)]}
    draft = check_draft(raw, True)
    assert draft == raw, "unfinished and off the scale, what was written is kept"
    one, two, three = given_entries
    complete = (
        all(one[side] is not None and 1 <= one[side] <= 5 for side in ("first", "second"))
        and all(two[side] is not None and 0 <= two[side] <= 100 for side in ("first", "second"))
        and three["preference"] != ""
        and three["first"] is None
        and three["second"] is None
    )
    if complete:
        assert check_complete(draft, QUESTIONS, True) == raw
    else:
        assert problems(check_complete, draft, QUESTIONS, True)


def test_a_blank_answer_asks_for_everything_in_order():
    draft = check_draft(blank(QUESTIONS, True), True)
    assert problems(check_complete, draft, QUESTIONS, True) == [
        ("required", "first", "formality"),
        ("required", "second", "formality"),
        ("required", "first", "naturalness"),
        ("required", "second", "naturalness"),
        ("required", "preference", "better"),
    ]
    single = check_draft(blank([FORMALITY], False), False)
    assert single == {"ratings": [{"question": "formality", "first": None, "comment": ""}]}
    assert problems(check_complete, single, [FORMALITY], False) == [("required", "first", "formality")]


def test_a_person_grades_both_though_they_have_a_preference():
    draft = body(rating(first=None, second=None, preference="first"))
    assert problems(check_complete, draft, [FORMALITY], True) == [
        ("required", "first", "formality"),
        ("required", "second", "formality"),
    ]


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"first": 4.5}, "not_whole_number", "ratings[0].first"),
        ({"second": True}, "not_whole_number", "ratings[0].second"),
        ({"first": "4"}, "not_whole_number", "ratings[0].first"),
        ({"first": 10**5000}, "not_whole_number", "ratings[0].first"),
        ({"preference": "A"}, "unknown", "ratings[0].preference"),
        ({"comment": "\0"}, "unstorable", "ratings[0].comment"),
        ({"comment": "a" * 10_001}, "too_long", "ratings[0].comment"),
        ({"comment": ["b"]}, "not_text", "ratings[0].comment"),
        ({"rater": "Mona"}, "unknown_field", "ratings[0].rater"),
    ],
)
def test_what_is_wrong_is_named(change, code, field):
    span = None if code == "unknown_field" else "formality"
    assert problems(check_draft, body(rating(**change)), True) == [(code, field, span)]


def test_two_ratings_of_one_question_are_refused():
    assert problems(check_draft, body(rating(), rating(first=5)), True) == [("repeated", "question", "formality")]


def test_an_answer_keeps_the_order_of_the_questions_and_knows_no_others():
    draft = body(rating("naturalness", 40, 60), rating("formality"))
    answer = check_complete(draft, [FORMALITY, NATURALNESS], True)
    assert [entry["question"] for entry in answer["ratings"]] == ["formality", "naturalness"]
    assert problems(check_complete, draft, [FORMALITY], True) == [("unknown_question", "question", "naturalness")]


@pytest.mark.parametrize("grades", [(0, 3), (3, 6)])
def test_a_grade_off_the_scale_is_no_answer(grades):
    found = problems(check_complete, body(rating("formality", *grades)), [FORMALITY], True)
    assert [code for code, _field, _span in found] == ["off_scale"]
