"""The rules of a stage's answers, version by version."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from workflow.models.stages import Stage


class StageRules(models.Model):
    """What answers of a stage must hold (formats/answer_rules.py), a list of rules. The highest number holds; a stage
    without a version goes by the rules of its kind. One that answers rest on is never changed: another follows it."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rules")
    number = models.PositiveSmallIntegerField()
    rules = models.JSONField(default=list, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["stage", "number"]
        verbose_name_plural = "stage rules"
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="stage_rules_number_unique"),
            models.CheckConstraint(condition=Q(number__gte=1), name="stage_rules_number_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.stage_id}: {self.number}"
