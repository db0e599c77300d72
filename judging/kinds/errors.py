"""Marked errors as the object of a question: what may be read of a span, and what of that is shown.

Only what makes a span that error is read: where it lies, its words, what its marker says is wrong. Verdicts,
categories, criticality, corrections and the people who gave them are in no column named here, so no prompt can hold
them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from annotation.models import AnchorKind, Span
from judging.kinds import JudgeKind, Material, ShownError
from judging.prompts import PromptText, fill
from projects.among import Among
from projects.anchors import occurrences
from projects.models import Project, RaterKind
from providers.laboratories import Guard

# Phrases of a prompt that say where an error lies.
PLACES = ("missing_from_answer", "missing_from_paragraph", "occurrence")


class MarkedError(NamedTuple):
    """`model` and `laboratory` are those of a judge that marked it, for the guard alone; of people both are empty."""

    id: int
    anchor: str
    start: int | None
    quote: str
    paragraph: int | None
    explanation: str
    model: str
    laboratory: str | None

    @property
    def author(self) -> tuple[str, str] | None:
        return (self.model, self.laboratory or "") if self.model else None

    def shown(self, text: str, prompt: PromptText) -> ShownError:
        """What a judge sees of it, in a response with this text."""
        return ShownError(self.id, self.quote, self.place(text, prompt), self.explanation)

    def place(self, text: str, prompt: PromptText) -> str:
        """Where it lies, as far as its words do not say so themselves, in the language of the prompt."""
        if self.anchor == AnchorKind.RESPONSE:
            return prompt.phrase("missing_from_answer")
        if self.anchor == AnchorKind.PARAGRAPH:
            return fill(prompt.phrase("missing_from_paragraph"), {"number": str((self.paragraph or 0) + 1)})
        places = list(occurrences(text, self.quote))
        if len(places) < 2:
            return ""
        meant = places.index(self.start or 0) + 1
        return fill(prompt.phrase("occurrence"), {"count": str(len(places)), "number": str(meant)})


COLUMNS = ("id", "anchor", "start", "quote", "paragraph", "explanation", "rater__model", "rater__laboratory__slug")


def marked_errors(ids: Collection[int]) -> dict[int, MarkedError]:
    """The errors that are still there, by id. One statement."""
    if not ids:
        return {}
    return {row[0]: MarkedError._make(row) for row in Span.objects.filter(pk__in=Among(ids)).values_list(*COLUMNS)}


class AboutErrors(JudgeKind):
    """What the kinds that ask about marked errors have in common."""

    withheld = _("errors that the judge's own laboratory marked")
    gone = "error_gone"
    is_stored_whole = True

    def subjects(self, ids: Collection[int]) -> Mapping[int, MarkedError]:
        return marked_errors(ids)

    def material(self, bare: Material, subjects: Sequence[MarkedError], target: str, prompt: PromptText) -> Material:
        return replace(bare, errors=tuple(error.shown(bare.response, prompt) for error in subjects))


def own_raters(project: Project, guard: Guard) -> set[int]:
    """Ids of judges whose errors the guarded judge must not be asked about: its own laboratory marked them."""
    judges = project.raters.filter(kind=RaterKind.JUDGE).values_list("pk", "model", "laboratory__slug")
    return {pk for pk, model, laboratory in judges if guard.forbids(model, laboratory or "")}
