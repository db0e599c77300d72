"""How fast a configuration answers, measured in a pass of its own: one call at a time, warmed up, nothing cached."""

from django.db import models
from django.db.models import Q

from benchmark.models.configurations import Configuration
from benchmark.models.spending import Spending, counts_fit


class SpeedMeasurement(models.Model):
    """One pass. `is_local`: on the reader's own hardware; such and those by API never stand in one ranking."""

    configuration = models.ForeignKey(Configuration, models.CASCADE, related_name="speed_measurements")
    is_local = models.BooleanField()
    hardware = models.CharField(max_length=200, blank=True)
    batch_size = models.PositiveIntegerField(default=1)
    warm_up_calls = models.PositiveIntegerField(default=0)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-began_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(batch_size__gte=1), name="speed_batch_positive"),
            models.CheckConstraint(condition=Q(is_local=False) | ~Q(hardware=""), name="speed_local_hardware_named"),
        ]
        indexes = [models.Index(fields=["configuration", "-began_at"], name="speed_newest")]

    def __str__(self) -> str:
        return f"{self.configuration_id} at {self.began_at:%Y-%m-%d}"


class SpeedSample(models.Model):
    """One call of a pass: words and characters generated, seconds of inference, seconds to the first token."""

    measurement = models.ForeignKey(SpeedMeasurement, models.CASCADE, related_name="samples")
    position = models.PositiveIntegerField()
    words = models.PositiveIntegerField()
    characters = models.PositiveIntegerField()
    seconds = models.FloatField()
    first_token_seconds = models.FloatField(null=True, blank=True)

    class Meta:
        ordering = ["measurement", "position"]
        constraints = [
            models.UniqueConstraint(fields=["measurement", "position"], name="speed_sample_once"),
            models.CheckConstraint(condition=Q(seconds__gt=0), name="speed_seconds_positive"),
            models.CheckConstraint(
                condition=Q(first_token_seconds=None) | Q(first_token_seconds__gte=0), name="speed_first_token_positive"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.words} words in {self.seconds} s"


class SpeedSpending(Spending):
    """What one pass has cost: written while it is made, so that one that was broken off, or whose worker was killed,
    keeps what it cost though it is no measurement."""

    configuration = models.ForeignKey(Configuration, models.CASCADE, related_name="speed_spending")
    began_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(cost__gte=0, tokens__gte=0), name="speed_cost_not_negative"),
            models.CheckConstraint(condition=counts_fit(), name="speed_calls_fit"),
        ]

    def __str__(self) -> str:
        return f"{self.configuration_id} at {self.began_at:%Y-%m-%d}"
