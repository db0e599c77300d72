"""How each kind of work is checked: one small file per kind, registered here. Adding one means copying a neighbour."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from screening.models import CheckResult
from screening.models.quizzes import ScoringRules
from screening.scoring import Score
from workflow.models import Assignment, Stage


@dataclass(frozen=True, slots=True)
class Compared:
    """One part of a check: what it asks, what the person answered, and what experts had; lines of text."""

    part: str
    own: list[str]
    gold: list[str]


class CheckKind(ABC):
    """What may be a check in stages of one kind of work, what its gold is, and how an answer to it is marked."""

    kind: str  # of the stage: a task type
    subject: str  # the WorkItem's field: "response" or "pair"; of a kind whose stages differ see `subject_in`

    def subject_in(self, stage: Stage) -> str:
        """The WorkItem's field in this stage."""
        return self.subject

    @abstractmethod
    def candidates(self, stage: Stage) -> QuerySet[Any]:
        """Those of the stage's project that have an expert's answer and are no check of the stage yet."""

    @abstractmethod
    def gold(self, stage: Stage, subjects: list[int]) -> dict[int, dict[str, Any]]:
        """The experts' answer to each of these candidates by id, as GoldCheck.gold keeps it."""

    @abstractmethod
    def score(self, gold: dict[str, Any], assignment: Assignment, scoring: ScoringRules) -> Score:
        """How the answer that was just stored compares with the gold."""

    @abstractmethod
    def compared(self, results: Sequence[CheckResult]) -> dict[int, list[Compared]]:
        """By result the answer beside the gold, in words, as its screen named the sides; a number of queries that does
        not grow with the results."""


_registry: dict[str, CheckKind] = {}


def register(kind: CheckKind) -> None:
    _registry[kind.kind] = kind


def check_kind(stage: Stage) -> CheckKind | None:
    """None where this kind of work cannot be checked."""
    return _registry.get(stage.kind)


def checked_kinds() -> list[str]:
    return sorted(_registry)
