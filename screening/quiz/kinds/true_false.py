"""A statement that is true or false. Content: {"right": true}. Answer: true or false."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.problems import Invalid, Problem
from screening.models.quizzes import Asked, QuestionKind, ScoringRules
from screening.quiz.kinds import Line, QuestionForm, QuestionKindBase
from screening.scoring import Score

VALUES = {"true": True, "false": False}


class TrueFalseForm(QuestionForm):
    right = forms.ChoiceField(
        label=gettext_lazy("The statement is"),
        choices=[("true", gettext_lazy("True")), ("false", gettext_lazy("False"))],
        widget=forms.RadioSelect,
    )

    def begin(self, content: Mapping[str, Any]) -> None:
        if "right" in content:
            self.initial["right"] = "true" if content["right"] else "false"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        self.instance.content = {"right": cleaned.get("right") == "true"}
        return cleaned


class TrueFalse(QuestionKindBase):
    kind = QuestionKind.TRUE_FALSE
    template = "screening/quiz/kinds/true_false.html"
    form = TrueFalseForm

    def shown(self, asked: Asked, order: list[int], answer: Any) -> dict[str, Any]:
        labels = {"true": _("True"), "false": _("False")}
        return {"options": [(value, labels[value], answer is VALUES[value]) for value in VALUES]}

    def read(self, asked: Asked, posted: QueryDict, name: str) -> Any:
        value = posted.get(name, "")
        if value and value not in VALUES:
            raise Invalid(Problem("not_offered", _("This answer was not offered."), name))
        return VALUES.get(value)

    def score(self, asked: Asked, answer: Any, scoring: ScoringRules) -> Score:
        is_right = answer is asked.content["right"]
        return Score(is_right, float(is_right))

    def right_answer(self, asked: Asked) -> list[Line]:
        return [Line(_("True") if asked.content["right"] else _("False"))]

    def given_answer(self, asked: Asked, answer: Any) -> list[Line]:
        return [] if answer is None else [Line(_("True") if answer else _("False"))]
