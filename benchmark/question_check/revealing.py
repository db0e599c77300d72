"""A checker answers first; then, and never before, the reference and the models' answers are shown."""

import hashlib
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from benchmark.models import Answer, ConfigurationKind, OwnAnswer, Question
from benchmark.question_check.planning import question_of
from benchmark.wording import MAX_TEXT
from projects.problems import Invalid, Problem
from projects.stored_text import read_text
from workflow.claims import hold
from workflow.models import Assignment

# More answers than this help nobody; which are shown depends on the turn.
MOST_ANSWERS = 8


def answer_first(assignment: Assignment, text: object) -> OwnAnswer:
    """Keep what the checker answers; the first answer stays, whatever is sent later.

    Raises Invalid where there is no text or no question any more, Refused where the turn is no longer theirs.
    """
    problems: list[Problem] = []
    words = read_text(text, MAX_TEXT, "answer", problems).strip()
    if problems:
        raise Invalid(problems)
    if not words:
        raise Invalid(Problem("required", _("Write your own answer first."), "answer"))
    if question_of(assignment) is None:
        raise Invalid(is_gone())
    with transaction.atomic():
        hold(assignment)
        own, _is_new = OwnAnswer.objects.get_or_create(assignment=assignment, defaults={"text": words})
    return own


def is_gone() -> Problem:
    message = _("The question was changed or dropped meanwhile, so it cannot be checked as it was. Please skip it.")
    return Problem("gone", message)


def own_answer(assignment: Assignment) -> str | None:
    return OwnAnswer.objects.filter(pk=assignment.pk).values_list("text", flat=True).first()


def revealed(assignment: Assignment, question: Question, own: str, reference: str) -> dict[str, Any]:
    """What is shown after the own answer: the reference, and models' answers as A, B, ... in an order of the turn's."""
    rows = Answer.objects.filter(prompt=assignment.item.prompt_id, configuration__kind=ConfigurationKind.MODEL)

    def place(answer: Answer) -> bytes:
        return hashlib.sha256(f"{assignment.uuid} {answer.pk}".encode()).digest()

    drawn = sorted(rows.select_related("response"), key=place)[:MOST_ANSWERS]
    return {
        "own": own,
        "reference": reference,
        "reference_lang": question.expected_language,
        "answers": [{"label": chr(ord("A") + number), "text": row.content} for number, row in enumerate(drawn)],
    }
