"""Questions as pages show them: while they are answered, without a word of what is right; and afterwards with it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from screening.models import AttemptQuestion, QuizQuestion
from screening.quiz.kinds import Line, question_kind


@dataclass(frozen=True, slots=True)
class Shown:
    """One question to be answered; `name` begins the names of its controls."""

    question: AttemptQuestion | QuizQuestion
    number: int
    name: str
    template: str
    shown: dict[str, Any]

    @property
    def saves(self) -> int:
        return getattr(self.question, "saves", 0)


def shown(questions: Iterable[AttemptQuestion]) -> list[Shown]:
    return [
        Shown(
            each,
            each.position,
            f"q{each.position}",
            question_kind(each.kind).template,
            question_kind(each.kind).shown(each, each.order, each.answer),
        )
        for each in questions
    ]


def previewed(questions: Iterable[QuizQuestion]) -> list[Shown]:
    """As people will see them, in the lead's order, none answered."""
    return [
        Shown(
            each,
            number,
            f"q{number}",
            question_kind(each.kind).template,
            question_kind(each.kind).shown(each, [], None),
        )
        for number, each in enumerate(questions, start=1)
    ]


@dataclass(frozen=True, slots=True)
class Reviewed:
    question: AttemptQuestion | QuizQuestion
    number: int
    given: list[Line]
    right: list[Line]


def reviewed(questions: Iterable[AttemptQuestion]) -> list[Reviewed]:
    return [
        Reviewed(
            each,
            each.position,
            question_kind(each.kind).given_answer(each, each.answer),
            question_kind(each.kind).right_answer(each),
        )
        for each in questions
    ]
