"""Kinds of quiz questions: one small file each, registered here. Adding one means copying a neighbour.

A kind reads what the lead entered, shows a question, reads an answer and scores it. `content` and answers are plain
JSON. What is shown never says what is right: `shown` leaves it out, `right_answer` is for afterwards.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from projects.models import Project
from screening.models.quizzes import Asked, QuizQuestion, ScoringRules
from screening.scoring import Score


class QuestionForm(forms.ModelForm):
    """What every kind asks the lead for; each kind adds its own fields and says how they become `content`."""

    class Meta:
        model = QuizQuestion
        fields = ["text", "explanation"]
        widgets = {
            "text": forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
            "explanation": forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        }

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        self.project = project
        super().__init__(*args, **kwargs)
        self.begin(self.instance.content or {})
        self.order_fields(
            ["text", *(name for name in self.fields if name not in ("text", "explanation")), "explanation"]
        )

    def begin(self, content: Mapping[str, Any]) -> None:
        """Put what is stored into the fields of the kind."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a right or a given answer, for reading: a text, in whose language and direction if it has one."""

    text: str
    lang: str = ""
    dir: str = "auto"


class QuestionKindBase(ABC):
    kind: str
    template: str  # draws the controls of one question: `asked`, `shown`, `name`
    form: type[QuestionForm]

    def options(self, content: Mapping[str, Any]) -> int:
        """How many options are shuffled."""
        return 0

    @abstractmethod
    def shown(self, asked: Asked, order: list[int], answer: Any) -> dict[str, Any]:
        """Template context of the controls, the answer given so far in them; never what is right."""

    @abstractmethod
    def read(self, asked: Asked, posted: QueryDict, name: str) -> Any:
        """The answer in a posted form, as JSON; None where nothing was answered. Raises Invalid for what is no answer:
        no page of ours sends such."""

    def is_complete(self, asked: Asked, answer: Any) -> bool:
        return answer is not None

    @abstractmethod
    def score(self, asked: Asked, answer: Any, scoring: ScoringRules) -> Score:
        """How the answer compares with what is right; one that is None is wrong."""

    @abstractmethod
    def right_answer(self, asked: Asked) -> list[Line]:
        """The right answer for reading."""

    @abstractmethod
    def given_answer(self, asked: Asked, answer: Any) -> list[Line]:
        """The answer for reading; empty where there is none."""


_registry: dict[str, QuestionKindBase] = {}


def register(*kinds: QuestionKindBase) -> None:
    for kind in kinds:
        _registry[kind.kind] = kind


def question_kind(kind: str) -> QuestionKindBase:
    return _registry[kind]


def question_kinds() -> dict[str, QuestionKindBase]:
    return dict(_registry)
