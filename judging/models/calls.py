"""Calls: one question to a judge, and what became of it."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from judging.models.judges import Judge
from judging.models.prompts import PromptVersion
from judging.models.runs import Run, Shard
from projects.models import Response


class CallState(models.TextChoices):
    PLANNED = "planned", _("Planned")
    SCORED = "scored", _("Scored")
    REPAIRED = "repaired", _("Scored after repair")
    UNLOCATABLE = "unlocatable", _("Quote not found")
    REFUSED = "refused", _("Refused")
    TRUNCATED = "truncated", _("Cut short")
    MALFORMED = "malformed", _("Unreadable")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


# The judge's answer stands in the marking in these states, and in no other. A span whose quote cannot be
# located is left out of the marking and counted beside it (the call's `parsed`); the rest of the answer stands.
ANSWERED = (CallState.SCORED, CallState.REPAIRED, CallState.UNLOCATABLE)


class Signal(models.TextChoices):
    """What a reply said beside its text, in fields that providers have for that (`Call.signal`)."""

    REFUSAL = "refusal", _("The model declined")
    TOOL_CALL = "tool_call", _("The model asked for a tool")


class ProviderCall(models.Model):
    """What a call to a provider has cost and brought, of a judge or of a target model."""

    input_sha256 = models.CharField(max_length=64, blank=True)
    raw_output = models.TextField(blank=True)
    problem = models.TextField(blank=True)
    reply_model = models.CharField(max_length=200, blank=True)
    finish_reason = models.CharField(max_length=40, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    # How often it was asked again on purpose after it had ended: under another key, as another question.
    retries = models.PositiveSmallIntegerField(default=0)
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)
    reasoning_tokens = models.PositiveIntegerField(null=True, blank=True)
    # In billionths of a US dollar; None where the model has no price. An upper bound where the provider did not
    # say how many tokens it counted, or an attempt broke off that it may charge for.
    cost = models.BigIntegerField(null=True, blank=True)
    cost_is_bound = models.BooleanField(null=True, blank=True)
    # The call whose reply was taken over, where the same had been asked before: nothing was sent.
    reused = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+")
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    # Of the answer, as a person counts them: speed is these by the seconds of the attempt that brought them.
    words = models.PositiveIntegerField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class Call(ProviderCall):
    """One question to a judge. `unit` is the paragraph's number, or -1 for the whole response.

    A question about errors that are marked already, or about criteria, names them in `about` by their ids; one about
    rows of several tables by names that say of which ("question:5", "pair:7"). What its unit's number is says the
    judge's kind. A pair's call stands under the response that it shows first.

    Its key (judge, response, unit, prompt version, round) is unique: running again asks nothing twice.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="calls")
    shard = models.ForeignKey(Shard, models.CASCADE, related_name="calls")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="calls")
    response = models.ForeignKey(Response, models.CASCADE, related_name="judge_calls")
    prompt_version = models.ForeignKey(PromptVersion, models.PROTECT, related_name="calls")
    unit = models.BigIntegerField(default=-1)
    about = models.JSONField(default=list, blank=True)
    round = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=12, choices=CallState.choices, default=CallState.PLANNED)
    # The number in the marks around what was shown: an answer is read with it, now or again.
    nonce = models.CharField(max_length=64, blank=True)
    signal = models.CharField(max_length=12, choices=Signal.choices, blank=True)
    # Which version of the reading made of the reply what stands here (`judging.engine.parsing.VERSION`).
    parser = models.PositiveSmallIntegerField(null=True, blank=True)
    parsed = models.JSONField(null=True, blank=True)
    # What the provider may charge for, of all attempts and of each time that it was asked; None of calls that ended
    # before this was written down, of which the tokens of their reply are known.
    charged_tokens = models.BigIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["judge", "response", "unit", "prompt_version", "round"], name="call_once"),
            models.CheckConstraint(condition=Q(state__in=CallState.values), name="call_state_known"),
            models.CheckConstraint(condition=Q(signal__in=["", *Signal.values]), name="call_signal_known"),
            models.CheckConstraint(condition=Q(cost=None) | Q(cost__gte=0), name="call_cost_not_negative"),
        ]
        indexes = [
            models.Index(fields=["run", "state"], name="call_progress"),
            models.Index(fields=["shard", "state"], name="call_of_shard"),
            models.Index(fields=["input_sha256"], name="call_by_input", condition=~Q(input_sha256="")),
        ]

    def __str__(self) -> str:
        return f"{self.judge_id} on {self.response_id}/{self.unit}"
