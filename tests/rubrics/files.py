"""Lines of rubrics and grades for the stories, and bringing them in."""

import io
import json

from formats.importing.running import Outcome, run_import
from formats.reading import Source
from projects.models import Project, Prompt, Rater, Response
from rubrics.models import Criterion, Grade, Rubric, Verdict

TABLES = (Prompt, Response, Rater, Rubric, Grade, Criterion, Verdict)
# What stands in the second line of a file, and what is said of it.
BYTES_THAT_ARE_NO_RECORD = [
    (b'{"item": "koshari", "item": "koshari"}', "duplicate_key"),
    (b'{"item": "p\\u0000"}', "null_character"),
    (b'{"item": "p\\ud800"}', "lone_surrogate"),
    (b'{"item": "\xff"}', "not_utf8"),
    ('{"item": "كشري'.encode()[:-1], "not_utf8"),
    (b'{"version": NaN}', "not_a_number"),
    (b'{"version": 1e999}', "number_too_large"),
    (b'{"version": ' + b"9" * 5000 + b"}", "number_too_large"),
    (b'{"item": "koshari", "verd', "not_json"),
    (b"[" * 100_000, "too_deep"),
    (b'["koshari"]', "not_object"),
]
JUDGE = {"rater": "Judge", "rater_kind": "judge", "role": "judge", "model": "omega-1", "laboratory": "Omega"}


def bring(project: Project, kind: str, *lines: dict | bytes, **options) -> Outcome:
    encoded = (line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode() for line in lines)
    return run_import(project, Source(io.BytesIO(b"\n".join(encoded) + b"\n"), f"{kind}.jsonl"), kind, **options)


def stored(project: Project, kind: str, *lines: dict) -> dict[str, int]:
    outcome = bring(project, kind, *lines)
    assert outcome.is_stored, [str(problem) for problem in outcome.problems]
    return outcome.counts


def refused(project: Project, kind: str, *lines: dict | bytes) -> list[tuple]:
    """(line, field, code) of every problem; nothing was stored."""
    before = [table.objects.count() for table in TABLES]
    outcome = bring(project, kind, *lines)
    assert not outcome.is_stored
    assert before == [table.objects.count() for table in TABLES]
    return [(problem.line, problem.field, problem.code) for problem in outcome.problems]


def criterion(key: object = "c1", weight: object = 8, **changes) -> dict:
    full = {"key": key, "text": f"يذكر {key}", "weight": weight, "objectivity": "objective", "explicitness": "explicit"}
    return {name: value for name, value in {**full, **changes}.items() if value is not ...}


def rubric_line(*criteria: dict, **changes) -> dict:
    full = {
        "prompt_id": "p-koshari",
        "author": "Salma",
        "scope": "cultural",
        "gold_answer": "رز وعدس ومكرونة وبصل محمر",
        "criteria": list(criteria) or [criterion("c1", 10, band="core-term"), criterion("c2", 5)],
        "frozen_at": "2026-03-01T09:30:00Z",
    }
    return {name: value for name, value in {**full, **changes}.items() if value is not ...}


def verdicts(**values: str) -> list[dict]:
    return [{"criterion": key, "value": value} for key, value in values.items()]


def negative(key: object = "n1", weight: object = -5, **changes) -> dict:
    full = {
        "key": key,
        "text": "محدش بياكله على السحور",
        "weight": weight,
        "failure_type": "hallucination",
        "objectivity": "objective",
        "explicitness": "implicit",
        "quote": "على السحور",
    }
    return {name: value for name, value in {**full, **changes}.items() if value is not ...}


def grade_line(*negatives: dict, **changes) -> dict:
    full = {
        "item": "koshari",
        "rater": "Salma",
        "rater_kind": "human",
        "role": "reference",
        "verdicts": verdicts(c1="pass", c2="fail"),
        "negatives": list(negatives),
    }
    return {name: value for name, value in {**full, **changes}.items() if value is not ...}
