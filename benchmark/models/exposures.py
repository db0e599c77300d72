"""Who has been sent a question: what is held back loses its worth with every laboratory that sees it."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from projects.models import Laboratory, Prompt


class ExposureKind(models.TextChoices):
    ANSWERING = "answering", _("Answering")
    JUDGING = "judging", _("Judging")
    SCREENING = "screening", _("Screening")
    PROBING = "probing", _("Probing")


class Exposure(models.Model):
    """That a question was sent to an endpoint, for what, when for the first and last time, and in how many calls.

    `laboratory` trained the model that is asked; None where nobody knows it, which then counts under the endpoint's
    name. `endpoint` is MODEL@PROVIDER. A row belongs to the prompt and not to a version of a set: the question is the
    same, and seen, in each. Written by benchmark/exposure.py alone.
    """

    prompt = models.ForeignKey(Prompt, models.CASCADE, related_name="exposures")
    laboratory = models.ForeignKey(Laboratory, models.PROTECT, null=True, blank=True, related_name="exposures")
    endpoint = models.CharField(max_length=300)
    kind = models.CharField(max_length=9, choices=ExposureKind.choices)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    times = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["prompt", "first_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["prompt", "laboratory", "endpoint", "kind"],
                condition=Q(laboratory__isnull=False),
                name="exposure_once",
            ),
            # Two empty laboratories are never equal to a database.
            models.UniqueConstraint(
                fields=["prompt", "endpoint", "kind"], condition=Q(laboratory=None), name="exposure_once_of_unknown"
            ),
            models.CheckConstraint(condition=~Q(endpoint=""), name="exposure_endpoint_named"),
            models.CheckConstraint(condition=Q(kind__in=ExposureKind.values), name="exposure_kind_known"),
            models.CheckConstraint(condition=Q(times__gte=1), name="exposure_counted"),
            models.CheckConstraint(condition=Q(last_at__gte=F("first_at")), name="exposure_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.prompt_id} by {self.endpoint}"
