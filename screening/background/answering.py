"""A person's own answers: read, kept, taken back. Nobody but they comes here."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from projects.models import Project, Rater
from screening.models import BackgroundAnswer, BackgroundKind, BackgroundQuestion
from screening.models.background import MAX_NUMBER


def own_answers(rater: Rater) -> dict[int, Any]:
    """The values by the ids of their questions."""
    return dict(BackgroundAnswer.objects.filter(rater=rater).values_list("question_id", "value"))


def fits(question: BackgroundQuestion, value: Any) -> bool:
    """Whether a value is an answer to the question as it is asked now."""
    if question.kind == BackgroundKind.CHOICE:
        return value in question.options
    return type(value) is int and 0 <= value <= MAX_NUMBER


def lets_work(question: BackgroundQuestion, value: Any) -> bool:
    """Whether an answer that fits lets the person work; always, where the question decides nothing."""
    if question.eligible and value not in question.eligible:
        return False
    if question.at_least is not None and value < question.at_least:
        return False
    return question.at_most is None or value <= question.at_most


def keep(rater: Rater, values: Mapping[int, Any]) -> None:
    """Keep these answers, by the ids of their questions; None takes the answer back. Those not named stay."""
    answered = [
        BackgroundAnswer(rater=rater, question_id=pk, value=value) for pk, value in values.items() if value is not None
    ]
    with transaction.atomic():
        left = [pk for pk, value in values.items() if value is None]
        BackgroundAnswer.objects.filter(rater=rater, question__in=left).delete()
        BackgroundAnswer.objects.bulk_create(
            answered, update_conflicts=True, unique_fields=["question", "rater"], update_fields=["value"]
        )


def take_back(rater: Rater) -> int:
    """All of the rater's answers; returns how many there were."""
    return BackgroundAnswer.objects.filter(rater=rater).delete()[0]


def questions_of(project: Project) -> list[BackgroundQuestion]:
    """In the order of the project file."""
    return list(BackgroundQuestion.objects.filter(project=project).order_by("position", "pk"))
