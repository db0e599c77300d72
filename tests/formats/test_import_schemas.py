"""The published JSON Schemas say what the import checks: both judge the same lines alike."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from formats import answer, item
from formats.importing.counted import NAMES
from formats.importing.origins import OWN_LABORATORY
from formats.problems import ProblemLog
from formats.records import fields_of

ITEM = Draft202012Validator(item.FORMAT.schema)
ANSWER = Draft202012Validator(answer.FORMAT.schema)

GOOD_ITEM = {
    "id": "r1",
    "prompt_id": "p1",
    "prompt": "q",
    "variety": "ar-EG",
    "model": "Nile-7B",
    "laboratory": "delta-lab",
    "response": "كشري",
    "task": "how-to",
    "domain": "food",
    "prompt_variety": "en-US",
    "metadata": {"n": 1},
    "kind": "item",
    "question": "formality",
    "template": "t-1",
}
GOOD_PAIR = {"kind": "pair", "id": "x", "first": "r1", "second": "r2"}
RATER = {"rater": "Salma", "rater_kind": "human"}
JUDGE = {"rater": "Judge", "rater_kind": "judge", "model": "m", "laboratory": "L", "simulated": True}
CORRECTED = {"quote": "x", "start": 0, "end": 1, "occurrence": 1, "type": "both", "category": "c"}
GOOD_ANSWERS = [
    {"kind": "spans", "item": "r1", **RATER, "round": 1, "no_errors": True, "spans": [], "metadata": {}},
    {"kind": "reviews", "item": "r1", **JUDGE, "offset_unit": "utf16", "reviews": [{"span": "s", "verdict": "keep"}]},
    {"kind": "reviews", "item": "r1", **RATER, "reviews": [{"span": "s", "verdict": "correct", **CORRECTED}]},
    {"kind": "groups", "item": "r1", "groups": [["a", "b"], ["c", "d"]]},
    {"kind": "classifications", "item": "r1", "rater": "S", "classifications": [{"span": "s", "category": "c"}]},
    {
        "kind": "ratings",
        "pair": "x",
        "item": None,
        **RATER,
        "question": "q",
        "first": 4,
        "second": 2,
        "expert": True,
        "preference": "first",
        "swapped": True,
        "comment": "c",
        "round": 1,
        "metadata": {},
    },
    {"kind": "ratings", "pair": "x", **JUDGE, "first": 4.5, "second": 2, "both_orders": True, "unparseable": False},
    {"kind": "ratings", "item": "r1", "pair": None, **RATER, "grade": 4, "first": None, "preference": ""},
]
# What each field is replaced by in turn.
SCRAPS: list[object] = [
    None, "", " ", "x", " x", "x ", "a b", "a\tb", "a\nb", "\u00a0", "x" * 36, "x" * 65, "x" * 81, "x" * 121, "x" * 201,
    True, False, 0, 1, -1, 1.5, 2**31, 32_768, [], {}, [1], [{}], [[]], [["a"]], [["a", "a"]], [["a", "b"]],
    [{"span": "s"}], [{"span": "s", "verdict": "keep", "quote": "x"}], [{"span": "s", "verdict": "agree"}],
    [{"span": "s", "verdict": "correct", "quote": ""}], [{"span": "s", "category": "c", "extra": 1}],
    "human", "judge", "codepoint", "utf16", "spans", "reviews", "ratings", "pair", "item", "first", "tie",
]  # fmt: skip


def item_is_good(record: dict) -> bool:
    return item.FORMAT.check(record, 1, ProblemLog())


def answer_is_good(record: dict) -> bool:
    """As the importer judges a line by itself, before it looks into the project."""
    return answer.FORMAT.check(record, 1, ProblemLog())


def variants(good: dict):
    yield good
    yield {**good, "owner": "omar"}
    for name in good:
        yield {other: value for other, value in good.items() if other != name}
        for scrap in SCRAPS:
            yield {**good, name: scrap}


def test_the_schemas_are_schemas():
    for validator in (ITEM, ANSWER):
        Draft202012Validator.check_schema(validator.schema)


@pytest.mark.parametrize("good", [GOOD_ITEM, GOOD_PAIR], ids=["item", "pair"])
def test_items_are_judged_alike(good):
    judged = [(record, ITEM.is_valid(record), item_is_good(record)) for record in variants(good)]
    assert judged[0][1:] == (True, True)
    assert [record for record, by_schema, by_import in judged if by_schema != by_import] == []
    assert sum(by_import for _record, _by_schema, by_import in judged) < len(judged) / 2


@settings(max_examples=200, deadline=None)
@given(st.fixed_dictionaries({}, optional={name: st.sampled_from([GOOD_ITEM[name], *SCRAPS]) for name in GOOD_ITEM}))
def test_any_item_is_judged_alike(record):
    assert ITEM.is_valid(record) == item_is_good(record)


@pytest.mark.parametrize("good", GOOD_ANSWERS, ids=lambda line: line["kind"])
def test_answers_are_judged_alike(good):
    """Spans say more than a schema can: that there are some or none is said, and that comes in tests of its own."""
    judged = [
        (record, ANSWER.is_valid(record), answer_is_good(record))
        for record in variants(good)
        if not (record.get("kind") == "spans" and (record.get("spans") != [] or not record.get("no_errors")))
    ]
    assert judged[0][1:] == (True, True)
    assert [record for record, by_schema, by_import in judged if by_schema != by_import] == []


SPAN = {"id": "s1", "anchor": "words", "start": 0, "end": 4, "quote": "كشري", "type": "both", "category": "c"}
OF_THE_PROJECT = ("category", "type", "criticality")
SPAN |= {"criticality": "low", "explanation": "e", "correction": "c", "penalty": 1.5, "metadata": {"n": 1}}


@pytest.mark.parametrize("field", [*SPAN, "occurrence", "paragraph"])
def test_fields_of_a_span_are_judged_alike(field):
    """Against a text and a category that fit, so that what is left to refuse is the form alone."""
    from annotation.models import ErrorCategory
    from annotation.spans.checking import check_span
    from projects.problems import Invalid
    from tests.preset_parts import words_of

    validator = Draft202012Validator({**ANSWER.schema, "oneOf": [{"$ref": "#/$defs/span"}]})
    assert validator.is_valid(SPAN)
    # Needs of one field by another, and what only the text can tell, are no matter of form.
    about_the_text = {
        "past_end", "quote_differs", "not_with_anchor", "empty", "reversed", "occurrence_absent", "mid_grapheme"
    }  # fmt: skip
    scraps = [None, "", "words", "paragraph", "x" * 65, "x" * 10_001, True, 1, -1, 1.5, 2_000_000, [], {}, "low", "c"]
    # An occurrence is asked for where there are no offsets.
    base = {name: value for name, value in SPAN.items() if field != "occurrence" or name not in ("start", "end")}
    for scrap in scraps:
        record = {**base, field: scrap}
        try:
            check_span("كشري", record, {"c": ErrorCategory(slug="c")}, words_of("spans"))
            codes = set()
        except Invalid as refused:
            codes = {problem.code for problem in refused.problems}
        if (field == "anchor" and scrap == "paragraph") or field in OF_THE_PROJECT:
            continue  # the other fields would have to follow; which words there are is the project's to say
        if (codes and codes <= about_the_text) or (field in ("start", "end") and scrap in (None, "")):
            continue
        assert validator.is_valid(record) == (not codes), (scrap, codes)


def test_every_field_is_in_the_documentation():
    text = (Path(__file__).resolve().parents[2] / "docs" / "import.md").read_text(encoding="utf-8")
    types = (*item.FORMAT.records.values(), *answer.FORMAT.records.values(), answer.Span)
    fields = {field for declared in types for field in fields_of(declared)}
    assert [field for field in sorted(fields) if f"`{field}`" not in text] == []


def test_everything_an_importer_counts_has_a_name():
    sources = [
        path
        for room in ("formats", "annotation", "rubrics", "benchmark")
        for path in Path(f"{room}/importing").glob("*.py")
    ]
    texts = [source.read_text() for source in sources]
    counted = {name for text in texts for name in re.findall(r'counts\["([^"]+)"\]', text)}
    counted |= {OWN_LABORATORY for text in texts if "counts[OWN_LABORATORY]" in text}
    assert counted == set(NAMES)
