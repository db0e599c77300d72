"""Panels: several judges as one rater."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from projects.models import Project, Rater


class PanelRule(models.TextChoices):
    MAJORITY = "majority", _("Majority")
    MEAN = "mean", _("Mean")
    WEIGHTED = "weighted", _("Weighted by agreement with people")


class Panel(models.Model):
    """Several judges as one: its answers are made of theirs, stand in the same tables, and are those of `rater`.

    The rater names no model and no laboratory: those are its members'. `kind` is that of the answers ("spans",
    "rubric" or "ratings"). The weights of a weighted panel are fitted on half of the gold, drawn by `seed`; figures
    look at the other half.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="panels")
    rater = models.OneToOneField(Rater, models.PROTECT, related_name="panel")
    kind = models.CharField(max_length=20)
    rule = models.CharField(max_length=10, choices=PanelRule.choices)
    least_members = models.PositiveSmallIntegerField(default=2)
    seed = models.PositiveIntegerField(default=0)
    options = models.JSONField(default=dict, blank=True)
    members = models.ManyToManyField(Rater, through="PanelMember", related_name="panels")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    assembled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["rater__name"]
        constraints = [
            models.CheckConstraint(condition=Q(rule__in=PanelRule.values), name="panel_rule_known"),
            models.CheckConstraint(condition=Q(least_members__gte=1), name="panel_least_members_positive"),
        ]

    def __str__(self) -> str:
        return self.rater.name


class PanelMember(models.Model):
    """A judge of a panel. `weight` is None where the rule uses no weights."""

    panel = models.ForeignKey(Panel, models.CASCADE, related_name="memberships")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="panel_memberships")
    weight = models.FloatField(null=True, blank=True)
    weighed_on = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["panel", "rater"], name="panel_member_once"),
            models.CheckConstraint(condition=Q(weight=None) | Q(weight__gte=0), name="panel_weight_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.rater_id} in {self.panel_id}"
