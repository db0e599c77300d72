"""The questions as a form: each may be left, also one that decides who may work."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from screening.background.answering import fits
from screening.models import BackgroundKind, BackgroundQuestion
from screening.models.background import MAX_NUMBER


class BackgroundForm(forms.Form):
    """`values` of the cleaned form are the answers by the ids of the questions, None where one was left."""

    def __init__(
        self, data: Any, *, questions: Sequence[BackgroundQuestion], answers: Mapping[int, Any], **kwargs: Any
    ) -> None:
        super().__init__(data, **kwargs)
        self.questions = questions
        for question in questions:
            answer = answers.get(question.pk)
            self.fields[name_of(question)] = _field(question, answer if fits(question, answer) else None)

    @property
    def values(self) -> dict[int, Any]:
        cleaned = self.cleaned_data
        return {
            question.pk: None if cleaned[name_of(question)] in (None, "") else cleaned[name_of(question)]
            for question in self.questions
        }


def name_of(question: BackgroundQuestion) -> str:
    return f"answer-{question.slug}"


def _field(question: BackgroundQuestion, answer: Any) -> forms.Field:
    said = [
        question.purpose,
        _("Needed for work here; it decides whether items are offered to you.") if question.decides else "",
        _("Needed for work here.") if question.is_required and not question.decides else "",
    ]
    shared: dict[str, Any] = {
        "label": question.text,
        "help_text": " ".join(filter(None, said)),
        "required": False,
        "initial": answer,
    }
    if question.kind == BackgroundKind.CHOICE:
        options = [("", _("I leave this open")), *((option, option) for option in question.options)]
        return forms.ChoiceField(choices=options, **shared)
    return forms.IntegerField(min_value=0, max_value=MAX_NUMBER, **shared)
