"""Answers to questionnaires as people first handed them in."""

from collections.abc import Mapping, Sequence
from typing import Any

from formats.layout import Asked, Type
from projects.models import Project, Response
from reports.dashboard.first_answers import first_answers

#: The kinds of stages whose answers these are, or that may ask for them beside marks.
KINDS = ("questionnaire", "spans")


def answers_at_first(project: Project, parts: Mapping[int, Sequence[Asked]]) -> dict[int, dict[str, Any]]:
    """By the id of the assignment, of answers that were amended or sent back since; in the shape of
    `QuestionnaireAnswer.answers`. `parts` of each stage. One statement where there are none."""
    bodies = {turn: body for turn, body in first_answers(project, KINDS).items() if body.get("answers") is not None}
    rankings = {part.key for of_stage in parts.values() for part in of_stage if part.type == Type.RANKING}
    if not bodies or not rankings:
        return {turn: body["answers"] for turn, body in bodies.items()}
    # The screen names responses by UUID, the table by key.
    rows = Response.objects.filter(project=project).values_list("uuid", "key")
    keys = {str(uuid): key for uuid, key in rows.iterator()}
    return {turn: _named(body["answers"], keys) for turn, body in bodies.items()}


def _named(answers: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, Any]:
    return {
        part: {keys[name]: rank for name, rank in given.items() if name in keys} if isinstance(given, dict) else given
        for part, given in answers.items()
    }
