"""How the pairs of a project are formed."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from projects.models import Project


class DesignKind(models.TextChoices):
    """Which models meet in pairs (annotation/pairs/design.py)."""

    ALL = "all", _("Every model meets every other one")
    BASELINE = "baseline", _("Every model meets one of them")
    BALANCED = "balanced", _("So many pairs a prompt, balanced over the models")


class PairDesign(models.Model):
    """How pairs were formed last, and are when more responses have come. `baseline` and `among` are names of target
    models; where `among` is empty it is all of the project's."""

    project = models.OneToOneField(Project, models.CASCADE, primary_key=True, related_name="pair_design")
    design = models.CharField(max_length=10, choices=DesignKind.choices, default=DesignKind.ALL)
    baseline = models.CharField(max_length=200, blank=True)
    per_prompt = models.PositiveSmallIntegerField(default=1)
    among = models.JSONField(default=list, blank=True)
    seed = models.PositiveIntegerField(default=1)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(design__in=DesignKind.values), name="pair_design_known"),
            models.CheckConstraint(condition=Q(per_prompt__gte=1), name="pair_design_per_prompt"),
        ]

    def __str__(self) -> str:
        return f"pairs of {self.project_id}"
