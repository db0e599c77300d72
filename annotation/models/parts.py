"""Further parts of a mark, where one error lies in several places."""

from django.db import models
from django.db.models import F, Q

from annotation.models.spans import Span


class SpanPart(models.Model):
    """Words that a span is marked on beside its own: half-open code-point offsets in its response, with their quote.

    They stand in reading order behind the span's own words. The database refuses a quote that is not at its offsets,
    a part of a span on no words, and parts of one span that overlap or touch, in either order of writing (the triggers
    of migration 0028).
    """

    span = models.ForeignKey(Span, models.CASCADE, related_name="more")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    quote = models.TextField()

    class Meta:
        ordering = ["span", "start"]
        constraints = [
            models.UniqueConstraint(fields=["span", "start"], name="span_part_once"),
            models.CheckConstraint(
                condition=Q(start__gte=0, end__gt=F("start")) & ~Q(quote=""), name="span_part_anchored"
            ),
        ]

    def __str__(self) -> str:
        return self.quote[:40]
