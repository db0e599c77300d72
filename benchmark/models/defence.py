"""Whether a score says what it seems to: probes of contamination, and flags of gaming."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from benchmark.models.configurations import Configuration
from benchmark.models.sets import Question, QuestionSet
from benchmark.models.spending import Spending, counts_fit


class ProbeKind(models.TextChoices):
    COMPLETION = "completion", _("Guided completion")
    QUIZ = "quiz", _("Quiz")
    TWINS = "twins", _("Held-back twins")
    CANARY = "canary", _("Canary")


class Probe(Spending):
    """A pass of one probe over the questions of a version with one configuration; what each question gave, in order to
    compute the figure again."""

    configuration = models.ForeignKey(Configuration, models.CASCADE, related_name="probes")
    question_set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="probes")
    kind = models.CharField(max_length=10, choices=ProbeKind.choices)
    seed = models.PositiveIntegerField(default=0)
    # How it was asked: how many questions, who wrote the paraphrases.
    options = models.JSONField(default=dict, blank=True)
    began_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    # The figure as agreement/contamination.py gives it (value, p, n, undefined), once the pass has ended.
    figure = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-began_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=ProbeKind.values), name="probe_kind_known"),
            models.CheckConstraint(condition=Q(cost__gte=0, tokens__gte=0), name="probe_cost_not_negative"),
            models.CheckConstraint(condition=counts_fit(), name="probe_calls_fit"),
        ]
        indexes = [models.Index(fields=["configuration", "question_set", "kind"], name="probe_of_configuration")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.configuration_id}"


class ProbeResult(models.Model):
    """What one question gave in a probe, in JSON types: by part of the probe what was replied, and what it is worth."""

    probe = models.ForeignKey(Probe, models.CASCADE, related_name="results")
    question_key = models.CharField(max_length=200)
    result = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["probe", "question_key"], name="probe_result_once")]

    def __str__(self) -> str:
        return self.question_key


class Paraphrase(models.Model):
    """A question said in other words, as the control of guided completion; written once, for all models."""

    question = models.OneToOneField(Question, models.CASCADE, related_name="paraphrase")
    text = models.TextField()
    written_by = models.CharField(max_length=200)
    written_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="paraphrase_has_words")]

    def __str__(self) -> str:
        return f"{self.question_id} by {self.written_by}"


class FlagKind(models.TextChoices):
    """Flags stand beside a score and keep it out of calibrated and controlled columns; notes only inform."""

    ONE_TEXT = "one_text", _("One text for many questions")
    ATTACK = "attack", _("An attack on the judge")
    OPTIONS = "options", _("Repeats all options")
    PADDING = "padding", _("Padding")
    DUPLICATE = "duplicate", _("Nearly the answers of another entry")
    CONTAMINATED = "contaminated", _("Knows the questions")
    EMPTY_SCORED = "empty_scored", _("Empty answers that were scored")


class Flag(models.Model):
    """What was found of a configuration's answers to a version. `is_note`: it informs and takes nothing away.

    Decided by a lead (`decided_at`): confirmed, or, with `is_cleared`, taken off, with the reason.
    """

    configuration = models.ForeignKey(Configuration, models.CASCADE, related_name="flags")
    question_set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="flags")
    kind = models.CharField(max_length=14, choices=FlagKind.choices)
    is_note = models.BooleanField(default=False)
    detail = models.JSONField(default=dict, blank=True)
    found_at = models.DateTimeField(auto_now_add=True)
    is_cleared = models.BooleanField(default=False)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ["configuration", "kind"]
        constraints = [
            models.UniqueConstraint(fields=["configuration", "question_set", "kind"], name="flag_once"),
            models.CheckConstraint(condition=Q(kind__in=FlagKind.values), name="flag_kind_known"),
            models.CheckConstraint(condition=Q(is_cleared=False) | ~Q(reason=""), name="flag_cleared_with_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.configuration_id}"

    @property
    def is_decided(self) -> bool:
        return self.decided_at is not None or self.is_cleared
