"""The fields of a question's wording, wherever somebody words one otherwise."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from benchmark.models import Question
from projects.problems import Invalid

# Characters of one part of a question that is written on a page.
MAX_TEXT = 20_000
FIELDS = {"instruction": "instruction", "input": "input_text", "reference": "reference"}


def long_text(label: Any) -> forms.CharField:
    area = forms.Textarea(attrs={"rows": 5, "dir": "auto"})
    return forms.CharField(label=label, max_length=MAX_TEXT, required=False, widget=area)


class WordingForm(forms.Form):
    """Instruction, input and reference. What is empty stays empty, or stays as it was, as its page says."""

    instruction = long_text(_("Instruction"))
    input_text = long_text(_("Input"))
    reference = long_text(_("Reference answer"))

    @staticmethod
    def initial_of(asked: Question) -> dict[str, str]:
        return {field: getattr(asked, field) for field in FIELDS.values()}

    @staticmethod
    def parts() -> Iterable[tuple[str, str]]:
        """Each part with the field that holds it."""
        return FIELDS.items()

    def add_problems(self, refused: Invalid) -> None:
        """Say each problem at its field, or above all."""
        for problem in refused.problems:
            field = FIELDS.get(problem.field, problem.field)
            self.add_error(field if field in self.fields else None, problem.message)
