"""Every file format has a reader, a schema that says the same, a writer, an example, messages in five languages."""

import ast
import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any, TypedDict

import orjson
import pytest
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.utils.translation import gettext, override
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError, validators

import annotation.models
import benchmark.models
import projects.models
import rubrics.models
from formats import answer, grade, limits, rubric, vocabulary
from formats.format import Format, encode
from formats.importing.registry import importers
from formats.problems import SHOWN_PROBLEMS, ProblemLog
from formats.reading import parse_json
from formats.records import RecordType
from tests.formats.records import FORMATS, SCRAPS, WRITTEN, good_records, places, spoilt

ROOM = Path(__file__).resolve().parents[2] / "formats"
EVERY = [*FORMATS, *WRITTEN]
# What no schema says: what texts hold, what two fields or entries say of each other, what lies ahead.
BEYOND_A_SCHEMA = {
    *("half_a_scale", "not_a_scale", "off_the_scale", "duplicate_id", "hash_differs", "past_end", "offsets_differ"),
    *("in_future", "own_rubric", "after_freeze", "shown_before_freeze", "unknown_criterion", "repeated", "reversed"),
    *("score_differs", "quote_differs", "mid_grapheme", "contradiction"),
}


def named(each: Format) -> str:
    return each.name


def pattern(_validator, regex, instance, _schema):
    """As ECMA-262 reads a pattern: $ is the end of the text and \\d a digit from 0 to 9, other than in Python."""
    expression = regex.replace("$", r"\Z").replace(r"\d", "[0-9]")
    if isinstance(instance, str) and not re.search(expression, instance):
        yield ValidationError(f"{instance!r} does not match {regex!r}")


def is_whole(checker, instance):
    """To JSON Schema 1.0 is a whole number; here it is none, and so no test may count on it."""
    return type(instance) is int


Strict = validators.extend(
    Draft202012Validator,
    {"pattern": pattern},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", is_whole),
)


def codes_of(each: Format, record: dict) -> set[str]:
    problems = ProblemLog()
    is_good = each.check(record, 1, problems)
    assert is_good == (problems.total == 0)
    return {problem.code for problem in problems.shown}


# --- What a format has --------------------------------------------------------------------------------


def test_every_file_of_the_room_that_declares_a_format_is_imported_by_somebody():
    declared = {
        import_module(f"formats.{path.stem}").FORMAT.name
        for path in ROOM.glob("*.py")
        if "\nFORMAT = Format(" in path.read_text(encoding="utf-8")
    }
    assert declared == {each.name for each in EVERY}
    assert declared == {importer.format.name for importer in importers().values()}
    assert len({each.version for each in EVERY}) == len(EVERY)


@pytest.mark.parametrize("each", EVERY, ids=named)
def test_its_schema_is_one_and_describes_itself(each):
    schema = json.loads(each.schema_json)
    Draft202012Validator.check_schema(schema)
    assert (schema["$id"], schema["title"]) == (each.version, each.title)
    assert schema["description"]


@pytest.mark.parametrize("each", EVERY, ids=named)
def test_good_lines_are_read_by_it_and_allowed_by_its_schema(each):
    for record in good_records(each):
        assert codes_of(each, record) == set()
        Draft202012Validator(each.schema).validate(record)
        assert not Draft202012Validator(each.schema).is_valid({**record, "owner": "omar"})
        assert codes_of(each, {**record, "owner": "omar"}) == {"unknown_field"}


@pytest.mark.parametrize("each", EVERY, ids=named)
def test_what_is_written_is_read_back_as_it_was(each):
    for record in good_records(each):
        line = encode(record)
        assert line.endswith(b"}\n")
        assert encode(parse_json(line)) == line


@pytest.mark.parametrize("each", WRITTEN, ids=named)
def test_a_gold_file_names_its_format_on_every_line(each):
    assert orjson.loads(each.example)["format"] == each.version
    assert each.is_named


def test_the_command_prints_the_schema_that_is_published(capsys):
    call_command("json_schema", "grades")
    assert capsys.readouterr().out.encode() == grade.FORMAT.schema_json
    with pytest.raises(CommandError):
        call_command("json_schema", "users")


# --- Messages, choices and limits ---------------------------------------------------------------------


def messages() -> set[str]:
    """Every message of the declarations: what stands in gettext or gettext_lazy."""
    texts = set()
    for path in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "gettext_lazy"):
                texts.add(ast.literal_eval(node.args[0]))
    return texts


def test_every_message_is_said_in_five_languages():
    said = messages()
    assert len(said) > 50
    for language, _name in django_settings.LANGUAGES:
        with override(language):
            same = {"Prompt"} if language == "id" else set()  # Indonesian says it so
            assert [text for text in sorted(said - same) if language != "en" and gettext(text) == text] == []


TABLES = {
    "RaterKind": (projects.models.Rater, "kind"),
    "Split": (projects.models.PromptTemplate, "split"),
    "GoldRule": (annotation.models.RatingSettings, "gold_rule"),
    "AnchorKind": (annotation.models.Span, "anchor"),
    "Depth": (annotation.models.ErrorCategory, "depth"),
    "ReviewVerdict": (annotation.models.Review, "verdict"),
    "Scope": (rubrics.models.Rubric, "scope"),
    "Objectivity": (rubrics.models.Criterion, "objectivity"),
    "Explicitness": (rubrics.models.Criterion, "explicitness"),
    "DifficultyOutcome": (rubrics.models.DifficultyCheck, "outcome"),
    "GradeRole": (rubrics.models.Grade, "role"),
    "Access": (benchmark.models.ModelCard, "access"),
    "ConfigurationKind": (benchmark.models.Configuration, "kind"),
    "Standing": (benchmark.models.Configuration, "standing"),
    "VerdictValue": (rubrics.models.Verdict, "value"),
}


@pytest.mark.parametrize("words", TABLES)
def test_a_file_knows_the_words_that_the_tables_know(words):
    model, column = TABLES[words]
    assert words_of_file(words) == [value for value, _label in model._meta.get_field(column).choices]


def words_of_file(words: str) -> list[str]:
    """What a field of these words may hold, as the published schema says."""
    record = TypedDict("record", {"word": getattr(vocabulary, words)})  # type: ignore[misc]  # noqa: UP013
    return RecordType(record).schema({})["properties"]["word"]["enum"]


def test_a_preference_may_be_left_empty_in_a_file():
    preferences = annotation.models.Rating._meta.get_field("preference").choices
    assert words_of_file("Preference") == ["", *(value for value, _label in preferences)]


def test_a_file_and_a_screen_hold_as_much_as_ever():
    """Both take these from formats/limits.py; a smaller one would refuse what was exported before."""
    assert (limits.MAX_SPANS, limits.MAX_KEY, limits.MAX_COMMENT, limits.MAX_PENALTY) == (500, 64, 10_000, 1_000_000)
    assert (limits.MAX_CRITERIA, limits.MAX_CRITERION) == (100, 20_000)
    assert (limits.MAX_GOLD_ANSWER, limits.MAX_REASON, limits.MAX_SLUG) == (20_000, 1_000, 60)
    assert (limits.MAX_ERRORS, limits.MAX_WEIGHT) == (100, 100)


# --- Reader and schema judge alike --------------------------------------------------------------------

JSON = st.recursive(
    st.sampled_from(SCRAPS) | st.text(max_size=5) | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@st.composite
def near_good_ones(draw, each: Format) -> dict:
    """A good record, spoilt at up to three places."""
    record = draw(st.sampled_from(good_records(each)))
    for _time in range(draw(st.integers(1, 3))):
        place = draw(st.sampled_from([*places(record), ("owner",)]))
        is_left_out = place != ("owner",) and draw(st.integers(0, 5)) == 0
        record = spoilt(record, place, draw(JSON), is_left_out=is_left_out)
        if not any(places(record)):
            break
    return record


def schema_allows(each: Format, record: dict) -> bool:
    return validator_of(each).is_valid(record)


def validator_of(each: Format):
    if each.name not in _validators:
        _validators[each.name] = Strict(each.schema)
    return _validators[each.name]


_validators: dict[str, Draft202012Validator] = {}


def faults_of_form(each: Format, record: dict) -> set[str]:
    codes = codes_of(each, record) - BEYOND_A_SCHEMA
    if "repeated" in codes_of(each, record) and any(len(set(keys)) < len(keys) for keys in record["groups"]):
        codes.add("repeated")  # within one group; that a span stands in two groups no schema says
    if each is answer.FORMAT and record.get("kind") == "spans" and record.get("spans") == []:
        codes -= {"nothing"}  # that there are none is said by another field
    return codes


def with_hashes(value: Any) -> Any:
    """Whatever text stands for a hash is one: the reader compares it with the text's own, and says more."""
    if isinstance(value, list):
        return [with_hashes(each) for each in value]
    if not isinstance(value, dict):
        return value
    is_hash = {key: key.endswith("sha256") and isinstance(each, str) for key, each in value.items()}
    return {key: "0" * 64 if is_hash[key] else with_hashes(each) for key, each in value.items()}


@pytest.mark.parametrize("each", FORMATS, ids=named)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_record_is_judged_alike_by_reader_and_schema(each, data):
    record = data.draw(near_good_ones(each))
    spans = record.get("spans")
    if each is answer.FORMAT and isinstance(spans, list) and all(type(span) is dict for span in spans):
        record = {**record, "spans": [{"id": "s"} for _span in spans]}  # each is checked with its text, on storing
    record = with_hashes(record)
    assert schema_allows(each, record) == (not faults_of_form(each, record)), codes_of(each, record)


@pytest.mark.parametrize("each", WRITTEN, ids=named)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_gold_line_that_its_schema_allows_is_read(each, data):
    """Not the other way round: our own files have every field, and files of others may leave some out."""
    record = data.draw(near_good_ones(each))
    if schema_allows(each, record):
        assert faults_of_form(each, record) == set()


# --- Whatever a line holds ----------------------------------------------------------------------------


@pytest.mark.parametrize("each", EVERY, ids=named)
def test_every_field_may_hold_anything(each):
    """No record that is JSON is more than refused, wherever something else stands than what was meant."""
    for record in good_records(each):
        for place in places(record):
            codes_of(each, spoilt(record, place, None, is_left_out=True))
            for scrap in SCRAPS:
                codes_of(each, spoilt(record, place, scrap))


def test_a_list_of_ten_thousand_wrong_entries_is_counted_and_a_hundred_of_them_are_shown():
    problems = ProblemLog()
    reviews = [{"span": " ", "verdict": "maybe"}] * 10_000
    line = {"kind": "reviews", "item": "r", "rater": "S", "rater_kind": "human", "reviews": reviews}
    assert not answer.FORMAT.check(line, 7, problems)
    assert (problems.total, len(problems.shown)) == (20_000, SHOWN_PROBLEMS)
    assert [(each.line, each.field, each.code) for each in problems.shown[:2]] == [
        (7, "reviews[0].span", "empty"),
        (7, "reviews[0].verdict", "not_a_choice"),
    ]


def test_the_problems_of_a_line_are_told_together_each_with_its_place():
    [_example, good] = good_records(rubric.FORMAT)
    first, second = good["criteria"]
    criteria = [{**first, "weight": True}, {**second, "text": " ", "extra": 1}]
    problems = ProblemLog()
    rubric.FORMAT.check({**good, "reviewed_by": "A", "criteria": criteria}, 3, problems)
    assert sorted((each.field, each.code) for each in problems.shown) == [
        ("criteria[0].weight", "not_whole_number"),
        ("criteria[1].extra", "unknown_field"),
        ("criteria[1].text", "empty"),
        ("reviewed_by", "own_rubric"),
    ]
