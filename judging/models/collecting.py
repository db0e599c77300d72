"""Prompts put to target models, and what they answered."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from judging.models.calls import ProviderCall
from judging.models.runs import Run, Shard
from judging.models.targets import TargetEndpoint
from projects.models import Prompt, Response


class CollectionState(models.TextChoices):
    PLANNED = "planned", _("Planned")
    COLLECTED = "collected", _("Collected")
    REFUSED = "refused", _("Refused")
    TRUNCATED = "truncated", _("Cut short")
    EMPTY = "empty", _("Empty")
    UNUSABLE = "unusable", _("Unusable")
    FAILED = "failed", _("No answer came")
    CANCELLED = "cancelled", _("Cancelled")


class CollectionCall(ProviderCall):
    """One prompt put to one target model, once for each replicate. What it answered first is its response, word for
    word.

    What came as an answer is never asked for a second time: the database lets a call be planned again only where
    none came (triggers of its migration). `raw_output` holds an answer that did not become a response, unaltered unless
    unusable. A call without a run is what a person pasted.
    """

    run = models.ForeignKey(Run, models.CASCADE, null=True, blank=True, related_name="collection_calls")
    shard = models.ForeignKey(Shard, models.CASCADE, null=True, blank=True, related_name="collection_calls")
    endpoint = models.ForeignKey(TargetEndpoint, models.PROTECT, related_name="calls")
    prompt = models.ForeignKey(Prompt, models.PROTECT, related_name="collection_calls")
    replicate = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=12, choices=CollectionState.choices, default=CollectionState.PLANNED)
    response = models.OneToOneField(Response, models.PROTECT, null=True, blank=True, related_name="collection_call")
    started_at = models.DateTimeField(null=True, blank=True)
    # Of a response that was pasted: by whom, and what they confirmed of how they came by it.
    pasted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    controls = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "prompt", "replicate"], name="collection_asked_once"),
            models.CheckConstraint(condition=Q(replicate__gte=1), name="collection_replicate_counted"),
            models.CheckConstraint(condition=Q(state__in=CollectionState.values), name="collection_call_state_known"),
            models.CheckConstraint(
                condition=Q(state=CollectionState.COLLECTED, response__isnull=False)
                | (~Q(state=CollectionState.COLLECTED) & Q(response=None)),
                name="collected_with_response",
            ),
            models.CheckConstraint(condition=Q(cost=None) | Q(cost__gte=0), name="collection_cost_not_negative"),
            models.CheckConstraint(
                condition=Q(run=None, shard=None) | Q(run__isnull=False, shard__isnull=False),
                name="collection_call_of_a_shard_of_its_run",
            ),
        ]
        indexes = [
            models.Index(fields=["run", "state"], name="collection_progress"),
            models.Index(fields=["shard", "state"], name="collection_of_shard"),
            models.Index(fields=["input_sha256"], name="collection_by_input", condition=~Q(input_sha256="")),
        ]

    def __str__(self) -> str:
        return f"{self.endpoint_id} on {self.prompt_id}"

    @property
    def words_per_second(self) -> float | None:
        """Words of the answer by the seconds of the attempt that brought it."""
        return None if self.words is None or not self.latency_ms else 1000 * self.words / self.latency_ms
