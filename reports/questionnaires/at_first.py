"""Answers to questionnaires as people first handed them in."""

from collections.abc import Mapping
from typing import Any

from projects.chunks import CHUNK
from projects.models import Project, Response
from reports.dashboard.first_answers import first_answers

#: The kinds of stages whose answers these are, or that may ask for them beside marks.
KINDS = ("questionnaire", "spans")


def answers_at_first(project: Project, **narrowed: Any) -> dict[int, dict[str, Any]]:
    """By the id of the assignment, of answers that were amended or sent back since; in the shape of
    `QuestionnaireAnswer.answers`; `narrowed` by conditions on the assignment. One statement where there are none."""
    bodies = first_answers(project, KINDS, **narrowed)
    given = {turn: body["answers"] for turn, body in bodies.items() if body.get("answers") is not None}
    # The screen names responses by UUID, the table by key.
    rankings = [said for answers in given.values() for said in answers.values() if isinstance(said, dict)]
    keys: dict[str, str] = {}
    names = sorted({name for ranks in rankings for name in ranks})
    for at in range(0, len(names), CHUNK):
        rows = Response.objects.filter(project=project, uuid__in=names[at : at + CHUNK]).values_list("uuid", "key")
        keys |= {str(uuid): key for uuid, key in rows}
    return {turn: _named(answers, keys) for turn, answers in given.items()}


def _named(answers: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, Any]:
    return {
        part: {keys[name]: rank for name, rank in given.items() if name in keys} if isinstance(given, dict) else given
        for part, given in answers.items()
    }
