"""What may be kept of an unfinished rubric: anything well-formed, and nothing else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projects.problems import Invalid
from rubrics.authoring.checking import ACCEPTED_FIELDS, CRITERION_FIELDS, FIELDS, draft_sha256, lacking, read_draft
from tests.rubrics.writing import criterion, draft

text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
weights = st.none() | st.integers(-100, 100)
criteria = st.lists(
    st.fixed_dictionaries(
        {
            "key": st.uuids().map(str),
            "text": text,
            "weight": weights,
            "band": st.sampled_from(["", "core-term", "dropped-since"]),
            "objectivity": st.sampled_from(["", "objective", "subjective"]),
            "explicitness": st.sampled_from(["", "explicit", "implicit"]),
            "tags": st.lists(st.sampled_from(["axis:tone", "🍚", "دقة"]), max_size=3, unique=True),
        }
    ),
    max_size=6,
    unique_by=lambda criterion: str(criterion["key"]),
)
drafts = st.fixed_dictionaries(
    {
        "scope": st.sampled_from(["", "cultural", "linguistics"]),
        "prompt": text,
        "gold_answer": text,
        "criteria": criteria,
        "accepted": st.lists(
            st.fixed_dictionaries({"code": st.just("stacked"), "criterion": text, "words": text, "reason": text}),
            max_size=3,
        ),
    }
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from([*FIELDS, *CRITERION_FIELDS, *ACCEPTED_FIELDS, "role"]) | st.text(max_size=5),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@given(drafts)
def test_a_well_formed_draft_is_kept_word_for_word(body):
    assert read_draft(body) == body


@given(anything)
def test_anything_else_is_refused_or_becomes_a_draft_that_reads_the_same_again(body):
    try:
        kept = read_draft(body)
    except Invalid:
        return
    assert read_draft(kept) == kept
    assert list(kept) == list(FIELDS)
    json.dumps(kept, ensure_ascii=False).encode()  # no character that cannot be stored


@given(drafts)
def test_a_draft_that_lacks_nothing_could_be_a_rubric(body):
    if lacking(body, {"core-term"}):
        return
    assert body["criteria"]
    assert all(criterion["weight"] and criterion["text"].strip() for criterion in body["criteria"])
    assert any(criterion["weight"] > 0 for criterion in body["criteria"])


def refused(body) -> set[tuple[str, str]]:
    with pytest.raises(Invalid) as caught:
        read_draft(body)
    return {(problem.field, problem.code) for problem in caught.value.problems}


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (None, ("body", "not_an_object")),
        ([], ("body", "not_an_object")),
        (draft(scope="both"), ("scope", "unknown")),
        (draft(scope=["cultural"]), ("scope", "not_text")),
        (draft(role="lead"), ("role", "unknown_field")),
        (draft(prompt="x" * 10_001), ("prompt", "too_long")),
        (draft(gold_answer="x" * 20_001), ("gold_answer", "too_long")),
        (draft(prompt="a\0b"), ("prompt", "unstorable")),
        (draft(prompt="\ud800"), ("prompt", "unstorable")),
        (draft(criteria={}), ("criteria", "not_a_list")),
        (draft(criteria=[criterion(number) for number in range(101)]), ("criteria", "too_many")),
        (draft(criteria=["text"]), ("body", "not_an_object")),
        (draft(criteria=[criterion(1, key="")]), ("key", "required")),
        (draft(criteria=[criterion(1), criterion(1)]), ("key", "duplicate")),
        (draft(criteria=[criterion(1, text="x" * 20_001)]), ("text", "too_long")),
        (draft(criteria=[criterion(1, weight=4.5)]), ("weight", "not_a_weight")),
        (draft(criteria=[criterion(1, weight="4")]), ("weight", "not_a_weight")),
        (draft(criteria=[criterion(1, weight=True)]), ("weight", "not_a_weight")),
        (draft(criteria=[criterion(1, weight=101)]), ("weight", "not_a_weight")),
        (draft(criteria=[criterion(1, weight=-101)]), ("weight", "not_a_weight")),
        (draft(criteria=[criterion(1, objectivity="both")]), ("objectivity", "unknown")),
        (draft(criteria=[criterion(1, verdict="pass")]), ("verdict", "unknown_field")),
        (draft(accepted=[{"code": "x", "reason": "y" * 1_001}]), ("reason", "too_long")),
    ],
)
def test_what_is_no_draft_is_named(body, problem):
    assert problem in refused(body)


def test_the_hash_tells_any_two_drafts_apart():
    assert draft_sha256(draft()) == draft_sha256(dict(reversed(draft().items())))
    assert draft_sha256(draft()) != draft_sha256(draft(gold_answer="Else."))
    assert draft_sha256(draft()) != draft_sha256(draft(criteria=draft()["criteria"][::-1]))
