"""Responses of target models, as they are collected; and the model on which authors try their prompts."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from judging.models.providers import Provider
from judging.models.runs import RunState
from projects.models import Project, Prompt, Response, TargetModel


class TargetEndpoint(models.Model):
    """Where the responses of one target model come from in a project: a provider, or people's hands without one.

    `parameters` are sent with every prompt, and nothing else is but the prompt itself.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="target_endpoints")
    target_model = models.ForeignKey(TargetModel, models.PROTECT, related_name="endpoints")
    provider = models.ForeignKey(Provider, models.PROTECT, null=True, blank=True, related_name="target_endpoints")
    model = models.CharField(max_length=200, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["target_model__name"]
        constraints = [
            models.UniqueConstraint(fields=["project", "target_model"], name="target_endpoint_unique"),
            models.CheckConstraint(
                condition=Q(provider=None, model="") | (Q(provider__isnull=False) & ~Q(model="")),
                name="target_endpoint_model_at_provider",
            ),
        ]

    def __str__(self) -> str:
        return self.target_model.name

    @property
    def is_by_hand(self) -> bool:
        return self.provider_id is None


# A collection is not paused: it is cancelled and resumed.
COLLECTION_STATES = (RunState.PLANNED, RunState.RUNNING, RunState.DONE, RunState.CANCELLED)


class Collection(models.Model):
    """One pass over the prompts of a project with one target model. A running one without a claim waits for a worker.

    `heartbeat_at` is when it was queued or last moved.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    endpoint = models.ForeignKey(TargetEndpoint, models.PROTECT, related_name="collections")
    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.PLANNED)
    unfrozen = models.PositiveIntegerField(default=0, help_text=_("Prompts left out for want of a frozen rubric"))
    claim = models.UUIDField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=COLLECTION_STATES), name="collection_state_known"),
            # A cancelled one keeps its claim until its worker has let go of what was in flight.
            models.CheckConstraint(
                condition=Q(claim=None) | Q(state__in=[RunState.RUNNING, RunState.CANCELLED]),
                name="collection_claimed_while_running",
            ),
        ]
        indexes = [models.Index(fields=["state", "heartbeat_at"], name="collection_sweep")]

    def __str__(self) -> str:
        return f"{self.endpoint} {self.created_at:%Y-%m-%d %H:%M}"


class CollectionState(models.TextChoices):
    PLANNED = "planned", _("Planned")
    COLLECTED = "collected", _("Collected")
    REFUSED = "refused", _("Refused")
    TRUNCATED = "truncated", _("Cut short")
    EMPTY = "empty", _("Empty")
    UNUSABLE = "unusable", _("Unusable")
    FAILED = "failed", _("No answer came")
    CANCELLED = "cancelled", _("Cancelled")


class CollectionCall(models.Model):
    """One prompt put to one target model, once. What it answered first is its response, word for word.

    What came as an answer is never asked for a second time: the database lets a call be planned again only where
    none came (triggers of its migration). `raw_output` holds an answer that did not become a response, unaltered unless
    unusable. A call without a collection is what a person pasted.
    """

    collection = models.ForeignKey(Collection, models.CASCADE, null=True, blank=True, related_name="calls")
    endpoint = models.ForeignKey(TargetEndpoint, models.PROTECT, related_name="calls")
    prompt = models.ForeignKey(Prompt, models.PROTECT, related_name="collection_calls")
    state = models.CharField(max_length=12, choices=CollectionState.choices, default=CollectionState.PLANNED)
    response = models.OneToOneField(Response, models.PROTECT, null=True, blank=True, related_name="collection_call")
    raw_output = models.TextField(blank=True)
    problem = models.TextField(blank=True)
    reply_model = models.CharField(max_length=200, blank=True)
    finish_reason = models.CharField(max_length=40, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    words = models.PositiveIntegerField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    # Of a response that was pasted: by whom, and what they confirmed of how they came by it.
    pasted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    controls = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "prompt"], name="collection_asked_once"),
            models.CheckConstraint(condition=Q(state__in=CollectionState.values), name="collection_call_state_known"),
            models.CheckConstraint(
                condition=Q(state=CollectionState.COLLECTED, response__isnull=False)
                | (~Q(state=CollectionState.COLLECTED) & Q(response=None)),
                name="collected_with_response",
            ),
        ]
        indexes = [models.Index(fields=["collection", "state"], name="collection_progress")]

    def __str__(self) -> str:
        return f"{self.endpoint_id} on {self.prompt_id}"

    @property
    def words_per_second(self) -> float | None:
        """Words of the answer by the seconds of the attempt that brought it."""
        return None if self.words is None or not self.latency_ms else 1000 * self.words / self.latency_ms


class DifficultyModel(models.Model):
    """The model on which a project's authors try whether a prompt is difficult. What it says is kept nowhere."""

    project = models.OneToOneField(Project, models.CASCADE, primary_key=True, related_name="difficulty_model")
    provider = models.ForeignKey(Provider, models.PROTECT, related_name="+")
    model = models.CharField(max_length=200)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(model=""), name="difficulty_model_named")]

    def __str__(self) -> str:
        return self.model
