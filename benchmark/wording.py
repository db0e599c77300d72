"""The fields of a question's wording, wherever somebody words one otherwise."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.models import Question
from projects.problems import Invalid, Problem
from projects.stored_text import unbroken

# Characters of one part of a question that is written on a page. What stands already may be longer, as files may.
MAX_TEXT = 100_000
FIELDS = {"instruction": "instruction", "input": "input_text", "reference": "reference"}


def changed_meanwhile() -> Problem:
    """Of a page that is sent when something else stands already than it showed."""
    message = _(
        "Somebody else has changed this meanwhile, and nothing was stored. Look at what stands now; to store what "
        "you wrote over it, send it again."
    )
    return Problem("changed_meanwhile", message)


def is_same_wording(text: str, before: str) -> bool:
    """Whether a text that came from a page is what the page showed: a browser ends every line with two characters, and
    spaces around a text are nobody's wording."""
    return unbroken(text).strip() == unbroken(before).strip()


def worded(text: str, before: str) -> str:
    """What is stored where a page sent `text` and `before` stood: the very same where nothing of it is worded
    otherwise, so that a question keeps its prompt and the answers to it."""
    return before if is_same_wording(text, before) else unbroken(text).strip()


def long_text(label: Any, **options: Any) -> forms.CharField:
    area = forms.Textarea(attrs={"rows": 5, "dir": "auto"})
    return forms.CharField(label=label, required=False, widget=area, **options)


class WordingForm(forms.Form):
    """Instruction, input and reference. What is empty stays empty, or stays as it was, as its page says."""

    instruction = long_text(gettext_lazy("Instruction"))
    input_text = long_text(gettext_lazy("Input"))
    reference = long_text(gettext_lazy("Reference answer"))

    @staticmethod
    def initial_of(asked: Question) -> dict[str, str]:
        return {field: getattr(asked, field) for field in FIELDS.values()}

    @staticmethod
    def parts() -> Iterable[tuple[str, str]]:
        """Each part with the field that holds it."""
        return FIELDS.items()

    def clean(self) -> dict[str, Any]:
        """A part that was not touched is what it was, however long; another one has its limit."""
        said = super().clean() or {}
        for field in FIELDS.values():
            before = self.initial.get(field, "")
            if field in said and len(text := worded(said[field], before)) > MAX_TEXT and text != before:
                message = _("This is longer than %(limit)d characters.") % {"limit": MAX_TEXT}
                self.add_error(field, forms.ValidationError(message, "too_long"))
            elif field in said:
                said[field] = text
        return said

    def add_problems(self, refused: Invalid) -> None:
        """Say each problem at its field, or above all."""
        for problem in refused.problems:
            field = FIELDS.get(problem.field, problem.field)
            self.add_error(field if field in self.fields else None, problem.message)
