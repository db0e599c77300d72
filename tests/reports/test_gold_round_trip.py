"""A gold file goes into a fresh project and comes out again, byte for byte; a damaged one stores nothing."""

import io
import json
from uuid import uuid4

import jsonschema
import numpy as np
import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.gold import derive
from annotation.models import ErrorCategory, GoldError, SpanPart
from formats.gold import FORMAT
from formats.importing.running import Outcome, run_import
from formats.reading import Source
from projects.anchors import paragraphs, sha256, to_utf16
from projects.models import Project, Response
from reports.spans.beside_spans import parts_of_gold
from reports.spans.gold import lines
from tests.annotation.marked import mark, review
from tests.formats.records import misplaced
from tests.people import add_response

pytestmark = pytest.mark.django_db
SCHEMA = FORMAT.schema
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def taken_in(project: Project, file: bytes) -> Outcome:
    return run_import(project, Source(io.BytesIO(file), "gold.jsonl"), "items")


def exported(project: Project) -> bytes:
    return b"".join(lines(project))


def fresh(slug: str) -> Project:
    return Project.objects.create(slug=slug, name=slug)


def test_what_people_and_judges_made_comes_out_of_another_project_unchanged(
    project, koshari, boishakh, mona, karim, simba
):
    category = ErrorCategory.objects.create(project=project, slug="cultural-inaccuracy", name="C", depth="thin")
    Response.objects.filter(pk=koshari.pk).update(metadata={"ż": [1.5, None], "a": {"c": 1, "b": "x"}})
    [span] = mark(koshari, mona, "على السحور", category=category)
    [judged, _open] = mark(koshari, simba, "أيام الفراعنة", "العدس")
    mark(koshari, karim)
    review(span, karim, "correct", criticality="low", explanation="“quoted”\u2028and broken")
    review(judged, mona, "keep")
    review(judged, karim, "keep")
    mark(boishakh, mona)
    derive([koshari.id, boishakh.id])
    file = exported(project)

    outcome = taken_in(fresh("copy"), file)

    assert outcome.problems == []
    assert outcome.kind == "gold"
    assert exported(Project.objects.get(slug="copy")) == file
    [first, _second] = map(json.loads, file.splitlines())
    assert first["unsettled"] == 1
    derive(Response.objects.filter(project__slug="copy").values_list("id", flat=True))
    assert exported(Project.objects.get(slug="copy")) == file, "deriving leaves imported gold alone"


def divided(text: str, *words: str) -> list[dict]:
    places = [(text.index(each), text.index(each) + len(each)) for each in words]
    return [{"start": start, "end": end, "quote": text[start:end]} for start, end in places]


def test_an_error_in_several_places_comes_out_of_another_project_unchanged(project, koshari, mona, karim):
    koshari = add_response(project, "merry", f"🎉 {koshari.text}", "ar-EG")
    [span] = mark(koshari, mona, "الرز")
    SpanPart.objects.bulk_create(SpanPart(span=span, **part) for part in divided(koshari.text, "السحور", "الفراعنة"))
    mark(koshari, karim)
    review(span, karim, "keep")
    derive([koshari.id])
    file = exported(project)
    line = json.loads(file)
    VALIDATOR.validate(line)
    [error] = line["errors"]
    assert [(part["quote"], part["start_utf16"] - part["start"]) for part in error["more"]] == [
        ("السحور", 1),
        ("الفراعنة", 1),
    ]
    assert "more" not in error["provenance"]
    copy = fresh("copy")
    assert taken_in(copy, file).problems == []
    assert exported(copy) == file
    response = Response.objects.get(project=copy)
    known = GoldError.objects.filter(response=response)
    ids = np.array([known.get().pk])
    at, start, _end = parts_of_gold(ids, {"response__project": copy})
    assert (at.tolist(), start.tolist()) == ([0, 0], [part["start"] for part in error["more"]])


def line_of(**error) -> bytes:
    text = "She gave the whole idea up at once."
    place = {"anchor": "words", "start": 4, "end": 8, "quote": "gave", "paragraph": None, "type": None, **error}
    said = {"category": None, "depth": None, "criticality": None, "start_utf16": None, "end_utf16": None}
    line = {"format": "mizan.gold/1", "id": "r", "prompt": "P", "variety": "en-GB", "model": "M", "laboratory": "L"}
    return orjson.dumps({**line, "response": text, "task": "", "domain": "", "errors": [{"id": "e", **said, **place}]})


UP, TOUCHING = {"start": 24, "end": 26, "quote": "up"}, {"start": 8, "end": 12}


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ([UP, UP], "overlapping"),
        ([TOUCHING], "overlapping"),
        ([{**UP, "quote": "no"}], "quote_differs"),
        ([{**UP, "end_utf16": 27}], "offsets_differ"),
        ([{"start": 24, "end": 2.5}], "not_whole_number"),
        ([{"start": 24, "end": 2000}], "past_end"),
        ([{"start": 20 + at} for at in range(25)], "too_many"),
        ("up", "not_list"),
        ([7], "not_object"),
    ],
)
def test_parts_that_cannot_be_are_refused(project, more, code):
    found = taken_in(project, line_of(more=more)).problems
    assert code in {each.code for each in found}
    assert not GoldError.objects.exists()


def test_what_is_missing_has_no_parts(project):
    given = line_of(anchor="response", start=None, end=None, quote="", more=[UP])
    assert [each.code for each in taken_in(project, given).problems] == ["not_with_anchor"]


def test_parts_may_come_in_any_order_and_without_their_words(project):
    assert taken_in(project, line_of(start=24, end=26, quote="up", more=[{"start": 4, "end": 8}])).problems == []
    error = GoldError.objects.get()
    assert (error.start, error.quote, [part.quote for part in error.more]) == (4, "gave", ["up"])


@pytest.mark.parametrize("said", ["up", [{"at": 1}], 7, {}])
def test_what_others_call_more_in_their_provenance_is_no_part(project, nour, said):
    assert taken_in(project, line_of(provenance={"more": said, "of": 1})).problems == []
    error = GoldError.objects.get()
    assert (error.more, error.provenance) == ([], {"of": 1})
    assert exported(project)


# Marks that combine, letters outside the Basic Multilingual Plane, joined emoji, direction marks, odd line ends.
ODD = 'aé\u0301ি্র가힣🎉👩\u200d👩\u200d👧🇪🇬كَ\u200f\u202eשׁ\u2028\u0085\n \t"\\'
TEXTS = st.text(
    st.one_of(st.sampled_from(ODD), st.characters(exclude_categories=("Cs", "Cc"))), min_size=1, max_size=60
)
NAMES = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=12)
FREE = st.dictionaries(
    NAMES,
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), TEXTS, st.lists(TEXTS, max_size=2)),
    max_size=3,
)


def graphemes(text: str) -> list[int]:
    import regex

    return [match.start() for match in regex.finditer(r"\X", text)] + [len(text)]


@st.composite
def errors(draw, response: str) -> dict:
    anchor = draw(st.sampled_from(["words", "words", "response", "paragraph"]))
    if anchor == "paragraph" and not paragraphs(response):
        anchor = "response"
    start = end = paragraph = None
    if anchor == "words":
        start, end = sorted(draw(st.lists(st.sampled_from(graphemes(response)), min_size=2, max_size=2, unique=True)))
    if anchor == "paragraph":
        paragraph = draw(st.integers(0, len(paragraphs(response)) - 1))
    category = draw(st.sampled_from([None, "cultural-inaccuracy", "untranslated"]))
    return {
        "id": draw(NAMES),
        "anchor": anchor,
        "start": start,
        "end": end,
        "start_utf16": None if start is None else to_utf16(response, start),
        "end_utf16": None if end is None else to_utf16(response, end),
        "quote": "" if start is None else response[start:end],
        "paragraph": paragraph,
        "type": draw(st.sampled_from(["cultural", "linguistic", "both", "logical", None])),
        "category": category,
        "depth": {"cultural-inaccuracy": "thin", "untranslated": "separate", None: None}[category],
        "criticality": draw(st.sampled_from(["high", "medium", "low", None])),
        "explanation": draw(TEXTS),
        "correction": draw(st.one_of(st.just(""), TEXTS)),
        "varies_by_region": draw(st.booleans()),
        "found_by": draw(st.sampled_from([[], ["human"], ["judge"], ["human", "judge"]])),
        "provenance": dict(sorted(draw(FREE).items())),
    }


def in_reading_order(found: list[dict]) -> list[dict]:
    def place(error: dict) -> tuple:
        if error["start"] is not None:
            return (2, error["start"], error["end"], error["id"])
        return (0 if error["paragraph"] is None else 1, error["paragraph"] or 0, 0, error["id"])

    return sorted(found, key=place)


@st.composite
def gold_lines(draw) -> list[dict]:
    made = []
    keys = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    for key in keys:
        response = draw(TEXTS.filter(lambda text: text.strip()))
        prompt = draw(TEXTS.filter(lambda text: text.strip()))
        found = draw(st.lists(errors(response), max_size=4, unique_by=lambda error: error["id"]))
        made.append(
            {
                "format": "mizan.gold/1",
                "id": key,
                "prompt_id": f"p-{key}",
                "prompt": prompt,
                "prompt_sha256": sha256(prompt),
                "prompt_variety": "ar-EG",
                "variety": "bn-BD",
                "model": "Nile-7B",
                "laboratory": "delta-lab",
                "response": response,
                "response_sha256": sha256(response),
                "task": draw(st.sampled_from(["", "story"])),
                "domain": "",
                "metadata": dict(sorted(draw(FREE).items())),
                "unsettled": draw(st.integers(0, 3)),
                "errors": in_reading_order(found),
            }
        )
    return made


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=gold_lines())
def test_any_gold_file_comes_out_as_it_went_in(db, made):
    file = b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in made)
    for line in made:
        VALIDATOR.validate(line)
        assert misplaced(FORMAT, line) == []
    first, second = fresh(uuid4().hex), fresh(uuid4().hex)
    assert taken_in(first, file).problems == []
    assert exported(first) == file
    assert taken_in(second, exported(first)).problems == []
    assert exported(second) == file


@pytest.fixture
def line(koshari, mona, karim) -> dict:
    [span] = mark(koshari, mona, "على السحور")
    mark(koshari, karim)
    review(span, karim, "keep")
    derive([koshari.id])
    return json.loads(exported(koshari.project))


def damaged(line: dict, **fields) -> bytes:
    errors_fields = fields.pop("error", {})
    line = {**line, **fields}
    line["errors"] = [{**line["errors"][0], **errors_fields}]
    return json.dumps(line).encode()


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"response_sha256": "0" * 64}, "response_sha256", "hash_differs"),
        ({"prompt": "another"}, "prompt_sha256", "hash_differs"),
        ({"unsettled": -1}, "unsettled", "out_of_range"),
        ({"owner": "Omar"}, "owner", "unknown_field"),
        ({"error": {"start": 0}}, "errors[0].quote", "quote_differs"),
        ({"error": {"end": 10**6}}, "errors[0].end", "past_end"),
        ({"error": {"start_utf16": 3}}, "errors[0].start_utf16", "offsets_differ"),
        ({"error": {"anchor": "response"}}, "errors[0].start", "not_with_anchor"),
        ({"error": {"paragraph": 0}}, "errors[0].paragraph", "not_with_anchor"),
        ({"error": {"type": "typo"}}, "errors[0].type", "unknown"),
        ({"error": {"depth": "thin"}}, "errors[0].depth", "not_alone"),
        ({"error": {"found_by": ["crowd"]}}, "errors[0].found_by", "not_a_choice"),
        ({"error": {"provenance": []}}, "errors[0].provenance", "not_object"),
        ({"variety": "xx-XX"}, "variety", "unknown_variety"),
    ],
)
def test_a_damaged_line_is_named_and_nothing_is_stored(line, fields, field, code):
    before = GoldError.objects.count()
    outcome = taken_in(fresh("copy"), damaged(line, **fields))
    assert (field, code) in {(problem.field, problem.code) for problem in outcome.problems}
    assert not outcome.is_stored
    assert GoldError.objects.count() == before
    assert not Response.objects.filter(project__slug="copy").exists()


def test_a_category_of_another_class_is_refused(line, project):
    copy = fresh("copy")
    ErrorCategory.objects.create(project=copy, slug="myth", name="Myth", depth="thick")
    outcome = taken_in(copy, damaged(line, error={"category": "myth", "depth": "thin"}))
    assert [problem.code for problem in outcome.problems] == ["depth_differs"]


def test_an_error_id_stands_once_in_a_line(line):
    line["errors"] *= 2
    outcome = taken_in(fresh("copy"), json.dumps(line).encode())
    assert [problem.code for problem in outcome.problems] == ["duplicate_id"]


def test_a_file_taken_in_twice_is_refused(line):
    copy = fresh("copy")
    assert taken_in(copy, json.dumps(line).encode()).is_stored
    assert [problem.code for problem in taken_in(copy, json.dumps(line).encode()).problems] == ["already_there"]
