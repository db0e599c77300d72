"""Several options, one or more of them right. Content: {"options": [{"text": "...", "right": false}]}.

An answer is the sorted list of the indices chosen, in the order of the content whatever was shown; it is right where it
is exactly the right ones.
"""

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

MAX_OPTIONS = 12


class ChoiceForm(QuestionForm):
    right = forms.CharField(
        label=gettext_lazy("Right options"),
        help_text=gettext_lazy("One a line. Where there are several, people have to choose all of them."),
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
    )
    wrong = forms.CharField(
        label=gettext_lazy("Wrong options"),
        help_text=gettext_lazy("One a line. The order is drawn anew for every attempt."),
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )

    def begin(self, content: Mapping[str, Any]) -> None:
        options = content.get("options", [])
        for name, is_right in (("right", True), ("wrong", False)):
            self.initial[name] = "\n".join(option["text"] for option in options if option["right"] is is_right)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        options = [
            {"text": text, "right": name == "right"} for name in ("right", "wrong") for text in lines(cleaned.get(name))
        ]
        texts = [option["text"] for option in options]
        if len(texts) != len(set(texts)):
            self.add_error("wrong", _("An option stands here twice."))
        if len(options) > MAX_OPTIONS:
            self.add_error("wrong", _("At most %(n)d options can be told apart.") % {"n": MAX_OPTIONS})
        self.instance.content = {"options": options}
        return cleaned


def lines(text: str | None) -> list[str]:
    return [line.strip() for line in (text or "").splitlines() if line.strip()]


class Choice(QuestionKindBase):
    kind = QuestionKind.CHOICE
    template = "screening/quiz/kinds/choice.html"
    form = ChoiceForm

    def options(self, content: Mapping[str, Any]) -> int:
        return len(content["options"])

    def shown(self, asked: Asked, order: list[int], answer: Any) -> dict[str, Any]:
        options = asked.content["options"]
        chosen = set(answer or [])
        return {
            "is_single": len(_right(asked)) == 1,
            "options": [(index, options[index]["text"], index in chosen) for index in order or range(len(options))],
        }

    def read(self, asked: Asked, posted: QueryDict, name: str) -> Any:
        values = posted.getlist(name)
        offered = {str(index): index for index in range(len(asked.content["options"]))}
        if any(value not in offered for value in values):
            raise Invalid(Problem("not_offered", _("This answer was not offered."), name))
        return sorted({offered[value] for value in values}) or None

    def score(self, asked: Asked, answer: Any, scoring: ScoringRules) -> Score:
        """The score is the share of options treated rightly: chosen where right, left where not."""
        right, chosen = set(_right(asked)), set(answer or [])
        count = len(asked.content["options"])
        is_right = chosen == right
        score = 0.0 if answer is None else (count - len(right ^ chosen)) / count
        return Score(is_right, score, {"chosen": sorted(chosen)})

    def right_answer(self, asked: Asked) -> list[Line]:
        return [Line(asked.content["options"][index]["text"]) for index in _right(asked)]

    def given_answer(self, asked: Asked, answer: Any) -> list[Line]:
        options = asked.content["options"]
        return [Line(options[index]["text"]) for index in answer or []]


def _right(asked: Asked) -> list[int]:
    return [index for index, option in enumerate(asked.content["options"]) if option["right"]]
