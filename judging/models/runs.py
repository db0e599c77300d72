"""Runs: what judges and target models are asked, in shards, within a budget."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from benchmark.models import Board
from jobs.models import Job
from judging.models.judges import Judge
from judging.models.prompts import PromptVersion
from judging.models.targets import TargetEndpoint
from projects.models import Project


class RunState(models.TextChoices):
    PLANNED = "planned", _("Planned")
    RUNNING = "running", _("Running")
    PAUSED = "paused", _("Paused")
    DONE = "done", _("Done")
    CANCELLED = "cancelled", _("Cancelled")


class RunSet(models.Model):
    """Runs begun together within one budget: a run for each judge and replicate over the same items, or one for each
    target model over the prompts.

    `items` is how the items were chosen (`judging/engine/choice.py`). Money is counted in billionths of a US dollar.
    What is spent counts what came back; what is reserved is set aside by shards for calls that are under way. A limit
    that is None is none.
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


class Purpose(models.TextChoices):
    """What the answers of a judge's run are for.

    Those for the gold go where people review, group and confirm them, and stand in the files of gold. Those for
    evaluation stand in the judge's figures alone. Of a judge and round all runs have one purpose, so that of each
    answer it is known which.
    """

    GOLD = "gold", _("For the gold")
    EVALUATION = "evaluation", _("For evaluation")


class Run(models.Model):
    """One pass of a judge over responses, or of a target model over prompts. Paused and cancelled runs can be resumed:
    what was stored stays. What differs between the two is in `judging/engine/run_kinds.py`.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, models.CASCADE, related_name="judge_runs")
    judge = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="runs")
    endpoint = models.ForeignKey(TargetEndpoint, models.PROTECT, null=True, blank=True, related_name="runs")
    run_set = models.ForeignKey(RunSet, models.PROTECT, null=True, blank=True, related_name="runs")
    prompt_version = models.ForeignKey(PromptVersion, models.PROTECT, null=True, blank=True, related_name="runs")
    round = models.PositiveSmallIntegerField(default=1)
    purpose = models.CharField(max_length=10, choices=Purpose.choices, default=Purpose.GOLD)
    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.PLANNED)
    paused_because = models.CharField(max_length=10, choices=PausedBecause.choices, blank=True)
    excluded = models.PositiveIntegerField(default=0, help_text=_("Responses of the judge's own laboratory"))
    unfrozen = models.PositiveIntegerField(default=0, help_text=_("Prompts left out for want of a frozen rubric"))
    options = models.JSONField(default=dict, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=RunState.values), name="run_state_known"),
            models.CheckConstraint(condition=Q(purpose__in=Purpose.values), name="run_purpose_known"),
            models.CheckConstraint(
                condition=Q(state=RunState.PAUSED, paused_because__in=PausedBecause.values)
                | (~Q(state=RunState.PAUSED) & Q(paused_because="")),
                name="run_paused_for_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(judge__isnull=False, prompt_version__isnull=False, endpoint=None)
                | Q(judge=None, prompt_version=None, endpoint__isnull=False),
                name="run_asks_a_judge_or_a_target_model",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judge or self.endpoint} {self.created_at:%Y-%m-%d %H:%M}"

    @property
    def asked_judge(self) -> Judge:
        """Of a run that asks a judge."""
        assert self.judge is not None
        return self.judge

    @property
    def pinned_prompt(self) -> PromptVersion:
        """Of a run that asks a judge."""
        assert self.prompt_version is not None
        return self.prompt_version

    @property
    def asked_endpoint(self) -> TargetEndpoint:
        """Of a run that asks a target model."""
        assert self.endpoint is not None
        return self.endpoint


class Shard(models.Model):
    """A few hundred calls that one worker asks concurrently: its job says whose hands it is in. All calls of a judge
    about one response stand in one shard.
    """

    job = models.OneToOneField(Job, models.CASCADE, related_name="shard")
    run = models.ForeignKey(Run, models.CASCADE, related_name="shards")
    number = models.PositiveIntegerField()
    # What it has set aside of its run set's budget while a worker holds it, in billionths of a US dollar and in tokens.
    money_reserved = models.BigIntegerField(default=0)
    tokens_reserved = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="shard_number_unique"),
            models.CheckConstraint(
                condition=Q(money_reserved__gte=0, tokens_reserved__gte=0), name="shard_reserves_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}/{self.number}"


class SubmissionHold(models.Model):
    """What a worker has set aside for the calls of a shard about models that were submitted in one month, in billionths
    of a US dollar and in tokens.

    `is_over`: nobody works under the claim any more, and what is left here was in flight: it counts as spent.
    `is_waiting`: calls of the shard were cancelled because submissions that are still asked hold the rest of the month;
    they are asked again once that has ended.
    """

    board = models.ForeignKey(Board, models.CASCADE, related_name="submission_holds")
    shard = models.ForeignKey(Shard, models.CASCADE, related_name="submission_holds")
    claim = models.UUIDField()
    month = models.CharField(max_length=7)
    money = models.BigIntegerField(default=0)
    tokens = models.BigIntegerField(default=0)
    is_over = models.BooleanField(default=False)
    is_waiting = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["claim", "month"], name="submission_hold_once"),
            models.CheckConstraint(condition=Q(money__gte=0, tokens__gte=0), name="submission_hold_not_negative"),
            models.CheckConstraint(condition=~Q(month=""), name="submission_hold_month_present"),
        ]
        indexes = [models.Index(fields=["board", "month"], name="submission_holds_of_month")]

    def __str__(self) -> str:
        return f"{self.shard_id} for {self.month}"
