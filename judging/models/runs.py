"""Runs: what judges are asked, in shards, within a budget."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from judging.models.judges import Judge
from judging.models.prompts import PromptVersion
from projects.models import Project


class RunState(models.TextChoices):
    PLANNED = "planned", _("Planned")
    RUNNING = "running", _("Running")
    PAUSED = "paused", _("Paused")
    DONE = "done", _("Done")
    CANCELLED = "cancelled", _("Cancelled")


class RunSet(models.Model):
    """Runs begun together: a run for each judge and replicate, over the same items, within one budget.

    `items` is how the items were chosen (`judging/choosing.py`). Money is counted in billionths of a US dollar. What is
    spent counts what came back; what is reserved is set aside by shards for calls that are under way. A limit that
    is None is none.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, models.CASCADE, related_name="run_sets")
    items = models.JSONField(default=dict, blank=True)
    replicates = models.PositiveSmallIntegerField(default=1)
    money_limit = models.BigIntegerField(null=True, blank=True)
    token_limit = models.BigIntegerField(null=True, blank=True)
    money_spent = models.BigIntegerField(default=0)
    tokens_spent = models.BigIntegerField(default=0)
    money_reserved = models.BigIntegerField(default=0)
    tokens_reserved = models.BigIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(replicates__gte=1), name="run_set_replicates_positive"),
            models.CheckConstraint(
                condition=Q(money_spent__gte=0, tokens_spent__gte=0, money_reserved__gte=0, tokens_reserved__gte=0),
                name="run_set_sums_not_negative",
            ),
            # What is set aside lies within the budget. What came back can lie beyond it where a provider counts
            # more than it was allowed to say, or where somebody lowers the limit meanwhile.
            models.CheckConstraint(
                condition=(Q(money_limit=None) | Q(money_limit__gte=0)) & (Q(token_limit=None) | Q(token_limit__gte=0)),
                name="run_set_limits_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return str(self.uuid)

    @property
    def is_limited(self) -> bool:
        return self.money_limit is not None or self.token_limit is not None


class PausedBecause(models.TextChoices):
    """Why a run waits (`Run.paused_because`); empty where it does not."""

    PERSON = "person", _("Somebody paused it")
    BUDGET = "budget", _("The budget is spent")
    PROVIDER = "provider", _("The provider does not answer")


class Run(models.Model):
    """One pass of a judge over responses. Paused and cancelled runs can be resumed: what was stored stays."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, models.CASCADE, related_name="judge_runs")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="runs")
    run_set = models.ForeignKey(RunSet, models.PROTECT, null=True, blank=True, related_name="runs")
    prompt_version = models.ForeignKey(PromptVersion, models.PROTECT, related_name="runs")
    round = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.PLANNED)
    paused_because = models.CharField(max_length=10, choices=PausedBecause.choices, blank=True)
    excluded = models.PositiveIntegerField(default=0, help_text=_("Responses of the judge's own laboratory"))
    options = models.JSONField(default=dict, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=RunState.values), name="run_state_known"),
            models.CheckConstraint(
                condition=Q(state=RunState.PAUSED, paused_because__in=PausedBecause.values)
                | (~Q(state=RunState.PAUSED) & Q(paused_because="")),
                name="run_paused_for_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judge} {self.created_at:%Y-%m-%d %H:%M}"


class ShardState(models.TextChoices):
    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    PAUSED = "paused", _("Paused")
    DONE = "done", _("Done")
    CANCELLED = "cancelled", _("Cancelled")


class Shard(models.Model):
    """A few hundred calls that one task runs concurrently. A stale heartbeat gives it back to the queue.

    `heartbeat_at` is when it was queued or last moved. All calls of a response stand in one shard.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="shards")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=ShardState.choices, default=ShardState.QUEUED)
    claim = models.UUIDField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    # What it has set aside of its run set's budget, in billionths of a US dollar and in tokens.
    money_reserved = models.BigIntegerField(default=0)
    tokens_reserved = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="shard_number_unique"),
            models.CheckConstraint(condition=Q(state__in=ShardState.values), name="shard_state_known"),
            models.CheckConstraint(
                condition=Q(state=ShardState.RUNNING, claim__isnull=False)
                | (~Q(state=ShardState.RUNNING) & Q(claim=None, money_reserved=0, tokens_reserved=0)),
                name="shard_held_while_running",
            ),
            models.CheckConstraint(
                condition=Q(money_reserved__gte=0, tokens_reserved__gte=0), name="shard_reserves_not_negative"
            ),
        ]
        indexes = [models.Index(fields=["state", "heartbeat_at"], name="shard_sweep")]

    def __str__(self) -> str:
        return f"{self.run_id}/{self.number}"
