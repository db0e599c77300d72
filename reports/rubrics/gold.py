"""The gold export of rubrics: one graded response a line, as formats/rubric_gold.py declares it.

A generator of bytes with one batch in memory at any size, as that of error spans is. Whatever order the rows came in,
the same answers give the same bytes.
"""

import json
from collections.abc import Iterator
from typing import NamedTuple

import orjson

from formats.format import encode
from formats.grade import PROMPT_VERSION
from formats.rubric_gold import VERSION as FORMAT
from formats.rubric_gold import Criterion, GoldLine, Grade, Negative, Rubric
from projects.models import Project
from reports.gold.lines import RaterRow, doubt, free_form, has_pairs, offsets, rater_rows
from reports.rubrics.gold_rows import (
    Batch,
    CriterionRow,
    GradeRow,
    ResponseRow,
    RubricRow,
    graded_rows,
    read_batch,
    varieties_spoken,
)
from rubrics.models import GradeRole

ROLES = list(GradeRole.values)


def lines(project: Project) -> Iterator[bytes]:
    """Every graded response in the order it was imported, as one line of UTF-8 JSON each, with its newline."""
    raters = Raters(rater_rows(project), varieties_spoken(project))
    for rows in graded_rows(project):
        batch = read_batch([row.texts.id for row in rows], {row.prompt_id for row in rows})
        for row in rows:
            yield encode(_line(row, batch, raters))


class Raters(NamedTuple):
    """All raters of the project by id, and the tags of the varieties that they speak."""

    rows: dict[int, RaterRow]
    spoken: dict[int, list[str]]


def _line(row: ResponseRow, batch: Batch, raters: Raters) -> GoldLine:
    return {
        "format": FORMAT,
        **row.texts.entry(),
        "collected_at": row.collected_at,
        "first_shown_at": row.first_shown_at or batch.first_shown.get(row.texts.id),
        **doubt(batch.unsure.get(row.texts.id, 0)),
        "rubrics": [_rubric(rubric, row, batch, raters) for rubric in batch.rubrics[row.prompt_id]],
    }


def _rubric(rubric: RubricRow, row: ResponseRow, batch: Batch, raters: Raters) -> Rubric:
    criteria = batch.written[rubric.id]
    bands = {
        criterion.band: (criterion.band_name or "", criterion.band_lowest or 0, criterion.band_highest or 0)
        for criterion in criteria
        if criterion.band is not None
    }
    counted = has_pairs(row.texts.text)
    grades = batch.grades.get((row.texts.id, rubric.id), [])
    in_order = sorted(
        grades, key=lambda grade: (ROLES.index(grade.role), raters.rows[grade.rater_id].pseudonym, grade.round)
    )
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
        "bands": [
            {"slug": slug, "name": name, "lowest": lowest, "highest": highest}
            for slug, (name, lowest, highest) in sorted(bands.items())
        ],
        "criteria": [_criterion(each) for each in criteria],
        "grades": [_grade(grade, row.texts.text, counted, batch, raters) for grade in in_order],
    }


def _criterion(row: CriterionRow) -> Criterion:
    made: Criterion = {
        "key": row.key,
        "text": row.text,
        "weight": row.weight,
        "band": row.band,
        "objectivity": row.objectivity,
        "explicitness": row.explicitness,
    }
    return {**made, "tags": row.tags} if row.tags else made


def _grade(grade: GradeRow, text: str, counted: bool, batch: Batch, raters: Raters) -> Grade:
    rater = raters.rows[grade.rater_id]
    metadata, imported_version = _free_of_prompt_version(grade.metadata)
    asked = (grade.response_id, grade.rater_id, grade.round)
    return {
        "rater": rater.pseudonym,
        "rater_kind": rater.kind,
        **rater.entry,
        "prompt_version": batch.prompt_versions.get(asked, imported_version),
        "varieties": raters.spoken.get(grade.rater_id, []),
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
            _error(error, text, counted, batch.words.get((grade.id, error.key), ""))
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


def _error(error: CriterionRow, text: str, counted: bool, justification: str) -> Negative:
    place = offsets(text, error.start, error.end, counted)
    return {
        "key": error.key,
        "text": error.text,
        "weight": error.weight,
        "failure_type": error.failure_type or None,
        "objectivity": error.objectivity,
        "explicitness": error.explicitness,
        "start": place["start"],
        "end": place["end"],
        "start_utf16": place["start_utf16"],
        "end_utf16": place["end_utf16"],
        "quote": error.quote,
        "justification": justification,
    }
