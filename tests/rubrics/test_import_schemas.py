"""The published JSON Schemas of rubrics and grades say what the import checks: both judge the same lines alike."""

from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from formats import grade, rubric
from formats.format import Format
from formats.problems import ProblemLog
from formats.records import fields_of
from tests.rubrics.files import JUDGE, criterion, grade_line, negative, rubric_line, verdicts

RUBRIC = Draft202012Validator(rubric.FORMAT.schema)
GRADE = Draft202012Validator(grade.FORMAT.schema)
DIFFICULTY = {"model": "Nile-7B", "outcome": "failed", "by_hand": True, "asked_at": "2026-02-27T10:00:00Z"}
FINDING = {"code": "overlap", "criterion": "c1", "words": "x", "reason": "y"}
GOOD_RUBRICS = [
    rubric_line(version=2, sha256="0" * 64, reviewed_by="Hoda", difficulty=DIFFICULTY, accepted_findings=[FINDING]),
    rubric_line(prompt="نص", variety="ar-EG", task="t", domain="d", metadata={"n": 1}),
]
GOOD_GRADES = [
    grade_line(negative(), comment="x", graded_at="2026-03-05T08:00:00Z", varieties=["ar-EG"], round=1, version=1),
    grade_line(**{**JUDGE, "negatives": []}, simulated=True, offset_unit="utf16", metadata={}),
]
SCRAPS: list[object] = [
    None, "", " ", "x", " x", "x ", "a b", "a\tb", "a\nb", "\u00a0", "x" * 36, "x" * 61, "x" * 65, "x" * 81,
    "x" * 121, "x" * 201, "x" * 1001, "x" * 2001, "x" * 10_001, "x" * 20_001, True, False, 0, 1, -1,
    1.5, 101, -101, 2**31, 32_768, [], {}, [1], [{}], [[]], ["ar-EG"], ["ar-EG", "ar-EG"], [" "], "human", "judge",
    "reference", "regrade", "cultural", "utf16",
    "omission", "pass", "present", "2026-03-05T08:00Z", "2026-03-05 08:00:00Z", "2026-03-05T08:00:00.1234567Z",
    {"model": "m"}, {"model": "m", "outcome": "failed"}, {"model": "m", "outcome": "failed", "extra": 1},
    {"model": "m", "outcome": "perfect"}, {"prompt_version": "grading 3"}, {"prompt_version": 3},
    {"prompt_version": None},
    [{"code": "x"}], [{"code": "x", "extra": 1}], verdicts(c1="pass"), verdicts(c1="agree"), [criterion()],
    [criterion(weight=-1)], [criterion(weight=True)], [negative()], [negative(weight=1)], [negative(quote=...)],
]  # fmt: skip


def judged_by(file_format: Format, record: dict) -> bool:
    """As the importer judges a line by itself."""
    return file_format.check(record, 1, ProblemLog())


def differing(file_format: Format, schema: Draft202012Validator, good: dict) -> list[dict]:
    variants = [good, {**good, "owner": "omar"}]
    for name in good:
        variants.append({other: value for other, value in good.items() if other != name})
        variants += [{**good, name: scrap} for scrap in SCRAPS]
    assert judged_by(file_format, good)
    assert sum(judged_by(file_format, record) for record in variants) < len(variants) / 2
    return [record for record in variants if schema.is_valid(record) != judged_by(file_format, record)]


def test_the_schemas_are_schemas():
    for schema in (RUBRIC, GRADE):
        Draft202012Validator.check_schema(schema.schema)


@pytest.mark.parametrize("good", GOOD_RUBRICS)
def test_rubrics_are_judged_alike(good):
    assert differing(rubric.FORMAT, RUBRIC, good) == []


@pytest.mark.parametrize("good", GOOD_GRADES)
def test_grades_are_judged_alike(good):
    assert differing(grade.FORMAT, GRADE, good) == []


@pytest.mark.parametrize("name", [*criterion(), "band"])
def test_criteria_are_judged_alike(name):
    for scrap in SCRAPS:
        record = rubric_line(criterion(**{name: scrap}) if name != "key" else criterion(scrap))
        assert RUBRIC.is_valid(record) == judged_by(rubric.FORMAT, record), scrap


@pytest.mark.parametrize("name", [*negative(), "start", "end", "occurrence", "justification"])
def test_negative_criteria_are_judged_alike(name):
    for scrap in SCRAPS:
        record = grade_line({**negative(), name: scrap})
        assert GRADE.is_valid(record) == judged_by(grade.FORMAT, record), scrap


@pytest.mark.parametrize("name", ["criterion", "value", "justification"])
def test_verdicts_are_judged_alike(name):
    for scrap in SCRAPS:
        record = grade_line(verdicts=[{"criterion": "c1", "value": "pass", name: scrap}])
        assert GRADE.is_valid(record) == judged_by(grade.FORMAT, record), scrap


def test_every_field_is_in_the_documentation():
    text = (Path(__file__).resolve().parents[2] / "docs" / "import.md").read_text(encoding="utf-8")
    types = (rubric.Rubric, rubric.Criterion, rubric.Difficulty, rubric.Finding)
    types += (grade.Grade, grade.Verdict, grade.Negative)
    fields = {field for declared in types for field in fields_of(declared)}
    assert [field for field in sorted(fields) if f"`{field}`" not in text] == []
