"""Kept errors in better words: where exactly they lie, and what is wrong in the language of the text."""

from django.db import models
from django.db.models import F, Q

from annotation.models.spans import Span
from projects.models import Rater


class Refinement(models.Model):
    """Boundaries and an explanation for the error that a span found; without either, the error is well as it stands.

    A judge's is a proposal until a person has confirmed or refused it; a person's own counts. Offsets are those of
    code points in the response, half-open; the database refuses a quote that is not there.
    """

    span = models.ForeignKey(Span, models.CASCADE, related_name="refinements")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="refinements")
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    quote = models.TextField(blank=True)
    explanation = models.TextField(blank=True)
    confirmed_by = models.ForeignKey(Rater, models.SET_NULL, null=True, blank=True, related_name="+")
    refused_by = models.ForeignKey(Rater, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["span", "rater"], name="refinement_once"),
            models.CheckConstraint(
                condition=Q(confirmed_by=None) | Q(refused_by=None), name="refinement_decided_one_way"
            ),
            models.CheckConstraint(
                condition=Q(start=None, end=None, quote="") | (Q(start__gte=0, end__gt=F("start")) & ~Q(quote="")),
                name="refinement_boundaries",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.span_id}: {self.quote[:40] or self.explanation[:40]}"

    @property
    def is_nothing(self) -> bool:
        """Whether it says that the error is well as it stands."""
        return self.start is None and not self.explanation
