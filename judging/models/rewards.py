"""Rewards: a judge lent to the training of a model, and what it said of that model's rollouts."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from benchmark.models.spending import Spending, counts_fit
from judging.models.judges import Judge
from judging.models.prompts import PromptVersion
from projects.models import Laboratory, Project, Prompt, QuestionType
from rubrics.models import Rubric


class Reward(Spending):
    """A judge that scores what one model writes while it is trained, within a budget of its own.

    `policy` is the model in training, whose laboratory is never the judge's. A judge of rubrics goes by the frozen
    rubric of each prompt, one of ratings by `question` (else the prompt's own). The prompt is pinned, so that the same
    rollout is the same question for as long as the reward is used. `reserved` of the budget is under way.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="rewards")
    slug = models.SlugField(max_length=60)
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="rewards")
    prompt_version = models.ForeignKey(PromptVersion, models.PROTECT, related_name="rewards")
    question = models.ForeignKey(QuestionType, models.PROTECT, null=True, blank=True, related_name="rewards")
    policy = models.CharField(max_length=200)
    policy_laboratory = models.ForeignKey(Laboratory, models.PROTECT, related_name="+")
    money_limit = models.BigIntegerField(null=True, blank=True)
    token_limit = models.BigIntegerField(null=True, blank=True)
    money_reserved = models.BigIntegerField(default=0)
    tokens_reserved = models.BigIntegerField(default=0)
    # The budget did not suffice for the next call; another limit takes it away.
    is_spent = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.UniqueConstraint(fields=["project", "slug"], name="reward_slug_unique"),
            models.CheckConstraint(condition=counts_fit(), name="reward_counts_fit"),
            models.CheckConstraint(
                condition=Q(cost__gte=0, tokens__gte=0, money_reserved__gte=0, tokens_reserved__gte=0),
                name="reward_sums_not_negative",
            ),
            models.CheckConstraint(
                condition=(Q(money_limit=None) | Q(money_limit__gte=0)) & (Q(token_limit=None) | Q(token_limit__gte=0)),
                name="reward_limits_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return self.slug


class RolloutState(models.TextChoices):
    """No label: only programs read it."""

    PLANNED = "planned"
    SCORED = "scored"
    FAILED = "failed"


class Rollout(models.Model):
    """One completion of one prompt, and its reward from 0 to 1 with its parts.

    `key` is the hash of all that decides the question: the same completion is asked about once. The completion itself
    is kept until it has been scored and no longer. A rubric's new version is another question.
    """

    reward = models.ForeignKey(Reward, models.CASCADE, related_name="rollouts")
    prompt = models.ForeignKey(Prompt, models.CASCADE, related_name="rollouts")
    rubric = models.ForeignKey(Rubric, models.PROTECT, null=True, blank=True, related_name="+")
    question = models.ForeignKey(QuestionType, models.PROTECT, null=True, blank=True, related_name="+")
    key = models.CharField(max_length=64)
    completion = models.TextField(blank=True)
    state = models.CharField(max_length=8, choices=RolloutState.choices, default=RolloutState.PLANNED)
    value = models.FloatField(null=True, blank=True)
    parts = models.JSONField(default=dict, blank=True)
    problem = models.TextField(blank=True)
    # How often it was asked again on purpose after it had failed.
    retries = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["reward", "key"], name="rollout_once"),
            models.CheckConstraint(condition=Q(state__in=RolloutState.values), name="rollout_state_known"),
            models.CheckConstraint(
                condition=Q(state="scored", value__gte=0, value__lte=1) | (~Q(state="scored") & Q(value=None)),
                name="rollout_value_where_scored",
            ),
        ]
        indexes = [models.Index(fields=["reward", "id"], name="rollout_waits", condition=Q(state="planned"))]

    def __str__(self) -> str:
        return f"{self.reward_id} of {self.prompt_id}: {self.state}"
