"""Whatever a gold file of rubrics holds, it comes out of an empty project as it went in."""

import io
from pathlib import Path
from uuid import uuid4

import jsonschema
import orjson
import pytest
import regex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agreement.rubrics import score
from formats.importing.running import Outcome, run_import
from formats.reading import Source
from formats.rubric_gold import FORMAT
from projects.anchors import sha256, to_utf16
from projects.models import Project
from reports.rubrics.gold import lines
from rubrics.canonical import CanonicalCriterion, canonical_form, rubric_sha256

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]
VALIDATOR = jsonschema.Draft202012Validator(FORMAT.schema)
# Marks that combine, letters outside the Basic Multilingual Plane, joined emoji, direction marks, odd line ends.
ODD = 'aé\u0301ি্র가힣🎉👩\u200d👩\u200d👧🇪🇬كَ\u200f\u202eשׁ\u2028\u0085\n \t"\\'
TEXTS = st.text(
    st.one_of(st.sampled_from(ODD), st.characters(exclude_categories=("Cs", "Cc"))), min_size=1, max_size=40
).filter(lambda text: text.strip() != "")
NAMES = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=12)
FREE = st.dictionaries(
    NAMES.filter(lambda name: name != "prompt_version"),
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), TEXTS, st.lists(TEXTS, max_size=2)),
    max_size=3,
).map(lambda free: dict(sorted(free.items())))
KINDS = st.sampled_from(["objective", "subjective"]), st.sampled_from(["explicit", "implicit"])
BANDS = {
    "core-term": {"slug": "core-term", "name": "Core", "lowest": 8, "highest": 10},
    "meaning": {"slug": "meaning", "name": "Sense", "lowest": 5, "highest": 9},
}
# Pseudonyms in the order in which grades of one role are written.
PEOPLE = {"r-amal": [], "r-mona": ["ar-EG"], "r-noor": ["ar-EG", "ar-IQ"], "r-zaynab": ["ar-IQ"]}
JUDGES = {"r-one": ("Judge 1", "omega-1", "omega", True), "r-two": ("Judge 2", "sigma", "sigma-lab", False)}
FAILURES = ["hallucination", "omission", "cultural-misattribution", "ambiguous-framing", "irrelevant-addition"]


def graphemes(text: str) -> list[int]:
    return [match.start() for match in regex.finditer(r"\X", text)] + [len(text)]


@st.composite
def criteria(draw) -> list[dict]:
    return [
        {
            "key": f"c{number}",
            "text": draw(TEXTS),
            "weight": draw(st.integers(1, 100)),
            "band": draw(st.sampled_from([None, *BANDS])),
            "objectivity": draw(KINDS[0]),
            "explicitness": draw(KINDS[1]),
        }
        for number in range(draw(st.integers(1, 4)))
    ]


@st.composite
def negatives(draw, response: str, rater: str) -> list[dict]:
    made = []
    for number in range(draw(st.integers(0, 3))):
        failure = draw(st.sampled_from(FAILURES))
        start = end = None
        if failure != "omission" and draw(st.booleans()):
            places = st.lists(st.sampled_from(graphemes(response)), min_size=2, max_size=2, unique=True)
            start, end = sorted(draw(places))
        made.append(
            {
                "key": f"{rater}-{number}",
                "text": draw(TEXTS),
                "weight": draw(st.integers(-100, -1)),
                "failure_type": failure,
                "objectivity": draw(KINDS[0]),
                "explicitness": draw(KINDS[1]),
                "start": start,
                "end": end,
                "start_utf16": None if start is None else to_utf16(response, start),
                "end_utf16": None if end is None else to_utf16(response, end),
                "quote": "" if start is None else response[start:end],
                "justification": draw(st.one_of(st.just(""), TEXTS)),
            }
        )
    return made


@st.composite
def grade(draw, role: str, rater: str, response: str, positive: list[dict], asked: list[dict]) -> dict:
    """One grade as the export writes it; `asked` are the errors that this grader is asked about."""
    is_judge = role == "judge"
    name, model, laboratory, simulated = JUDGES[rater] if is_judge else (None, None, None, False)
    own = [] if is_judge else draw(negatives(response, rater))
    is_complete = is_judge or role == "reference" or draw(st.booleans())
    verdicts = [
        {
            "criterion": each["key"],
            "value": draw(st.sampled_from(["pass", "fail"] if each["weight"] > 0 else ["present", "absent"])),
            "justification": draw(st.one_of(st.just(""), TEXTS)),
        }
        for each in [*positive, *asked]
    ]
    weights = [each["weight"] for each in [*positive, *asked, *own]]
    given = [verdict["value"] in ("pass", "present") for verdict in verdicts] + [True] * len(own)
    reached = score(weights, given)
    raw, maximum = (int(reached.raw), int(reached.maximum)) if is_complete else (None, None)
    return {
        "rater": rater,
        "rater_kind": "judge" if is_judge else "human",
        "name": name,
        "model": model,
        "laboratory": laboratory,
        "simulated": simulated,
        "prompt_version": draw(st.sampled_from([None, "rubric/masked v1"])) if is_judge else None,
        "varieties": [] if is_judge else PEOPLE[rater],
        "role": role,
        "round": draw(st.integers(1, 3)),
        "graded_at": draw(st.sampled_from(["2026-03-02T00:00:00+00:00", "2026-03-02T08:30:00.000250+00:00"])),
        "complete": is_complete,
        "raw": raw,
        "maximum": maximum,
        "percent": None if raw is None or maximum is None else 100 * raw / maximum,
        "comment": draw(st.one_of(st.just(""), TEXTS)),
        "metadata": draw(FREE),
        "verdicts": verdicts,
        "negatives": own,
    }


@st.composite
def version(draw, number: int, prompt: str, response: str) -> dict:
    positive = draw(criteria())
    scope, gold_answer = draw(st.sampled_from(["cultural", "linguistics"])), draw(TEXTS)
    canonical = canonical_form(
        prompt_sha256=sha256(prompt),
        variety="ar-EG",
        scope=scope,
        gold_answer=gold_answer,
        criteria=[CanonicalCriterion(**{**each, "band": each["band"] or ""}) for each in positive],
    )
    people = draw(st.permutations(list(PEOPLE)))
    grades = []
    if draw(st.booleans()):
        reference = draw(grade("reference", people[0], response, positive, []))
        errors = reference["negatives"]
        grades.append(reference)
        if draw(st.booleans()):
            grades.append(draw(grade("regrade", people[1], response, positive, errors)))
        calibrators = sorted(draw(st.lists(st.sampled_from(people[2:]), max_size=2, unique=True)))
        grades += [draw(grade("calibration", name, response, positive, [])) for name in calibrators]
        judges = sorted(draw(st.lists(st.sampled_from(list(JUDGES)), max_size=2, unique=True)))
        grades += [draw(grade("judge", name, response, positive, errors)) for name in judges]
    return {
        "version": number,
        "sha256": rubric_sha256(canonical),
        "frozen_at": "2026-03-01T09:30:00+00:00",
        "author": people[0],
        "reviewed_by": draw(st.sampled_from([None, people[1]])),
        "scope": scope,
        "gold_answer": gold_answer,
        "difficulty": draw(st.sampled_from([{}, {"model": "Nile-7B", "outcome": "failed"}])),
        "accepted_findings": draw(st.sampled_from([[], [{"code": "overlap", "reason": "“كده”"}]])),
        "metadata": draw(FREE),
        "bands": [band for slug, band in BANDS.items() if any(each["band"] == slug for each in positive)],
        "criteria": positive,
        "grades": grades,
    }


@st.composite
def gold_lines(draw) -> list[dict]:
    made = []
    for key in draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)):
        prompt, response = draw(TEXTS), draw(TEXTS)
        newest = draw(st.integers(1, 3))
        versions = [draw(version(number, prompt, response)) for number in range(newest, 0, -1)]
        if not any(each["grades"] for each in versions):
            author = versions[0]["author"]
            versions[0]["grades"] = [draw(grade("reference", author, response, versions[0]["criteria"], []))]
        made.append(
            {
                "format": "mizan.rubric-gold/1",
                "id": key,
                "prompt_id": f"p-{key}",
                "prompt": prompt,
                "prompt_sha256": sha256(prompt),
                "prompt_variety": "ar-EG",
                "variety": draw(st.sampled_from(["ar-EG", "bn-BD"])),
                "model": "Nile-7B",
                "laboratory": "delta-lab",
                "response": response,
                "response_sha256": sha256(response),
                "task": "",
                "domain": draw(st.sampled_from(["", "food"])),
                "metadata": draw(FREE),
                "collected_at": "2026-03-01T12:00:00+00:00",
                "first_shown_at": draw(st.sampled_from([None, "2026-03-01T12:00:00.000001+00:00"])),
                "rubrics": versions,
            }
        )
    return made


def taken_in(project: Project, file: bytes) -> Outcome:
    return run_import(project, Source(io.BytesIO(file), "gold.jsonl"), "items")


def fresh() -> Project:
    slug = uuid4().hex
    return Project.objects.create(slug=slug, name=slug, areas=["rubrics"])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=gold_lines())
def test_any_gold_file_of_rubrics_comes_out_as_it_went_in(db, made):
    file = b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in made)
    for line in made:
        VALIDATOR.validate(line)
    first, second = fresh(), fresh()
    assert taken_in(first, file).problems == []
    assert b"".join(lines(first)) == file
    assert taken_in(second, b"".join(lines(first))).problems == []
    assert b"".join(lines(second)) == file
