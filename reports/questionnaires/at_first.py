"""Answers to questionnaires as people first handed them in."""

from typing import Any

from projects.models import Project
from reports.dashboard.first_answers import first_answers

#: The kinds of stages whose answers these are, or that may ask for them beside marks.
KINDS = ("questionnaire", "spans")


def answers_at_first(project: Project, **narrowed: Any) -> dict[int, dict[str, Any]]:
    """By the id of the assignment, of answers that were amended or sent back since; in the shape of
    `QuestionnaireAnswer.answers`; `narrowed` by conditions on the assignment. One statement."""
    bodies = first_answers(project, KINDS, **narrowed).items()
    return {turn: body["answers"] for turn, body in bodies if body.get("answers") is not None}
