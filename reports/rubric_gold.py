"""The gold export of rubrics: one graded response a line, as formats/rubric_gold.py declares it.

A generator of bytes with one batch in memory at any size, as reports/gold.py is. Whatever order the rows came in, the
same answers give the same bytes.
"""

import json
from collections.abc import Iterator

import orjson

from formats.format import encode
from formats.grade import PROMPT_VERSION
from formats.rubric_gold import VERSION as FORMAT
from formats.rubric_gold import Band, GoldLine, Grade, Negative, Rubric
from projects.anchors import to_utf16
from projects.models import Project
from reports.gold import free_form
from reports.rubric_gold_rows import (
    Batch,
    CriterionRow,
    GradeRow,
    RaterRow,
    ResponseRow,
    RubricRow,
    graded_rows,
    rater_rows,
    read_batch,
)
from rubrics.models import GradeRole

ROLES = list(GradeRole.values)


def lines(project: Project) -> Iterator[bytes]:
    """Every graded response in the order it was imported, as one line of UTF-8 JSON each, with its newline."""
    raters = rater_rows(project)
    for rows in graded_rows(project):
        batch = read_batch([row.id for row in rows], {row.prompt_id for row in rows})
        for row in rows:
            yield encode(_line(row, batch, raters))


def _line(row: ResponseRow, batch: Batch, raters: dict[int, RaterRow]) -> GoldLine:
    return {
        "format": FORMAT,
        "id": row.key,
        "prompt_id": row.prompt_key,
        "prompt": row.prompt,
        "prompt_sha256": row.prompt_sha256,
        "prompt_variety": row.prompt_variety,
        "variety": row.variety,
        "model": row.model,
        "laboratory": row.laboratory,
        "response": row.text,
        "response_sha256": row.text_sha256,
        "task": row.task,
        "domain": row.domain,
        "metadata": free_form(row.metadata),
        "collected_at": row.collected_at,
        "first_shown_at": row.first_shown_at or batch.first_shown.get(row.id),
        "rubrics": [_rubric(rubric, row, batch, raters) for rubric in batch.rubrics[row.prompt_id]],
    }


def _rubric(rubric: RubricRow, row: ResponseRow, batch: Batch, raters: dict[int, RaterRow]) -> Rubric:
    criteria = batch.positive[rubric.id]
    bands = {each.band: each for each in criteria if each.band is not None}
    grades = batch.grades.get((row.id, rubric.id), [])
    in_order = sorted(grades, key=lambda each: (ROLES.index(each.role), raters[each.rater_id].pseudonym, each.round))
    return {
        "version": rubric.version,
        "sha256": rubric.sha256,
        "frozen_at": rubric.frozen_at,
        "author": rubric.author,
        "reviewed_by": rubric.reviewed_by,
        "scope": rubric.scope,
        "gold_answer": rubric.gold_answer,
        "difficulty": free_form(rubric.difficulty),
        "accepted_findings": free_form(rubric.accepted_findings),
        "metadata": free_form(rubric.metadata),
        "bands": [_band(slug, bands[slug]) for slug in sorted(bands)],
        "criteria": [
            {
                "key": each.key,
                "text": each.text,
                "weight": each.weight,
                "band": each.band,
                "objectivity": each.objectivity,
                "explicitness": each.explicitness,
            }
            for each in criteria
        ],
        "grades": [_grade(grade, row.text, batch, raters[grade.rater_id]) for grade in in_order],
    }


def _band(slug: str, row: CriterionRow) -> Band:
    assert row.band_name is not None
    assert row.band_lowest is not None
    assert row.band_highest is not None
    return {"slug": slug, "name": row.band_name, "lowest": row.band_lowest, "highest": row.band_highest}


def _grade(grade: GradeRow, text: str, batch: Batch, rater: RaterRow) -> Grade:
    # Outside the Basic Multilingual Plane one code point is two units; texts without such need no counting.
    has_pairs = len(text.encode("utf-16-le")) != 2 * len(text)
    is_judge = rater.kind == "judge"
    metadata, imported_version = _free_of_prompt_version(grade.metadata)
    asked = (grade.response_id, grade.rater_id, grade.round)
    return {
        "rater": rater.pseudonym,
        "rater_kind": rater.kind,
        # People appear by pseudonym alone.
        "name": rater.name if is_judge else None,
        "model": rater.model or None,
        "laboratory": rater.laboratory,
        "simulated": rater.is_simulated,
        "prompt_version": batch.prompt_versions.get(asked, imported_version),
        "varieties": rater.varieties,
        "role": grade.role,
        "round": grade.round,
        "graded_at": grade.created_at,
        "complete": grade.is_complete,
        "raw": grade.raw,
        "maximum": grade.maximum,
        "percent": None if grade.raw is None or grade.maximum is None else 100 * grade.raw / grade.maximum,
        "comment": grade.comment,
        "metadata": metadata,
        "verdicts": batch.verdicts.get(grade.id, []),
        "negatives": [
            _error(error, text, has_pairs, batch.words.get((grade.id, error.key), ""))
            for error in batch.own.get(grade.id, [])
        ],
    }


def _free_of_prompt_version(stored: str) -> tuple[orjson.Fragment, str | None]:
    """A grade's metadata, and the prompt version that an imported judge's grade keeps among it."""
    if f'"{PROMPT_VERSION}"' not in stored:
        return free_form(stored), None
    metadata = json.loads(stored)
    version = metadata.pop(PROMPT_VERSION, None)
    return free_form(json.dumps(metadata) if metadata else "{}"), version


def _error(error: CriterionRow, text: str, has_pairs: bool, justification: str) -> Negative:
    def units(offset: int | None) -> int | None:
        return to_utf16(text, offset) if has_pairs and offset is not None else offset

    return {
        "key": error.key,
        "text": error.text,
        "weight": error.weight,
        "failure_type": error.failure_type,
        "objectivity": error.objectivity,
        "explicitness": error.explicitness,
        "start": error.start,
        "end": error.end,
        "start_utf16": units(error.start),
        "end_utf16": units(error.end),
        "quote": error.quote,
        "justification": justification,
    }
