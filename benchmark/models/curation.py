"""People look after questions: native speakers check them before a set is frozen, readers report faults after."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from benchmark.models.answers import Answer
from benchmark.models.sets import Question, QuestionSet
from formats.limits import MAX_QUESTION_KEY
from projects.models import Project, Rater
from workflow.models import Assignment


class Decision(models.TextChoices):
    KEEP = "keep", _("Keep")
    REPAIR = "repair", _("Repair")
    DROP = "drop", _("Drop")


class Fault(models.TextChoices):
    MISSING_CONTEXT = "missing_context", _("Context is missing")
    AMBIGUOUS = "ambiguous", _("Question or choices are ambiguous")
    TRANSLATION = "translation", _("Wrong translation")
    REFERENCE = "reference", _("Wrong reference")
    OTHER = "other", _("Something else")


class OwnAnswer(models.Model):
    """What a checker answers to a question before its reference is shown: written once and for all."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, primary_key=True, related_name="own_answer")
    text = models.TextField()
    given_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="own_answer_says_something")]

    def __str__(self) -> str:
        return f"{self.assignment_id}"


class QuestionCheck(models.Model):
    """What a native speaker says of a question: their own answer first, then, having seen the reference and models'
    answers, whether to keep, repair or drop it.

    `checked` holds instruction, input and reference as they were then; `repaired_*` is the new wording beside the old,
    empty where that part stays.
    """

    question = models.ForeignKey(Question, models.CASCADE, related_name="checks")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="question_checks")
    assignment = models.OneToOneField(Assignment, models.SET_NULL, null=True, blank=True, related_name="question_check")
    round = models.PositiveSmallIntegerField(default=1)
    answer = models.TextField()
    is_aligned = models.BooleanField()
    decision = models.CharField(max_length=6, choices=Decision.choices)
    fault = models.CharField(max_length=16, choices=Fault.choices, blank=True)
    repaired_instruction = models.TextField(blank=True)
    repaired_input = models.TextField(blank=True)
    repaired_reference = models.TextField(blank=True)
    note = models.TextField(blank=True)
    checked = models.JSONField(default=dict, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["question", "rater", "round"], name="question_checked_once"),
            models.CheckConstraint(condition=Q(decision__in=Decision.values), name="question_check_decision_known"),
            models.CheckConstraint(
                condition=Q(decision=Decision.KEEP, fault="")
                | (~Q(decision=Decision.KEEP) & Q(fault__in=Fault.values)),
                name="question_check_names_a_fault",
            ),
            models.CheckConstraint(
                condition=Q(decision=Decision.REPAIR)
                & ~Q(repaired_instruction="", repaired_input="", repaired_reference="")
                | (~Q(decision=Decision.REPAIR) & Q(repaired_instruction="", repaired_input="", repaired_reference="")),
                name="question_check_repairs_something",
            ),
            models.CheckConstraint(condition=Q(round__gte=1), name="question_check_round_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.question_id}: {self.decision}"


class QuestionRevision(models.Model):
    """What the lead made of a question while its set was a draft, and what it said before and says now.

    It stays when the question is dropped. `round` is that of the checks it follows, 0 where nobody had checked it;
    `before` and `after` hold instruction, input and reference (`after` is empty for a dropped question), `checks` what
    the checkers said.
    """

    question_set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="revisions")
    key = models.CharField(max_length=MAX_QUESTION_KEY)
    round = models.PositiveSmallIntegerField(default=0)
    decision = models.CharField(max_length=6, choices=Decision.choices)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict, blank=True)
    checks = models.JSONField(default=list, blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["question_set", "id"]
        constraints = [
            models.CheckConstraint(condition=~Q(key=""), name="question_revision_keyed"),
            models.CheckConstraint(condition=Q(decision__in=Decision.values), name="question_revision_decision_known"),
        ]
        indexes = [models.Index(fields=["question_set", "key", "id"], name="question_revision_in_order")]

    def __str__(self) -> str:
        return f"{self.key}: {self.decision}"


class ErratumState(models.TextChoices):
    OPEN = "open", _("Open")
    ACCEPTED = "accepted", _("Accepted")
    REJECTED = "rejected", _("Rejected")


class Erratum(models.Model):
    """A fault that a reader of a frozen version reports; the lead decides, and a later version mends it.

    `decision` and `corrected_*` say what the later version has instead; `mended_in` is that version.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, models.CASCADE, related_name="errata")
    question = models.ForeignKey(Question, models.CASCADE, related_name="errata")
    answer = models.ForeignKey(Answer, models.SET_NULL, null=True, blank=True, related_name="errata")
    fault = models.CharField(max_length=16, choices=Fault.choices)
    words = models.TextField()
    reported_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    reported_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=8, choices=ErratumState.choices, default=ErratumState.OPEN)
    decision = models.CharField(max_length=6, choices=Decision.choices, blank=True)
    corrected_instruction = models.TextField(blank=True)
    corrected_input = models.TextField(blank=True)
    corrected_reference = models.TextField(blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)
    mended_in = models.ForeignKey(QuestionSet, models.SET_NULL, null=True, blank=True, related_name="errata_mended")

    class Meta:
        ordering = ["-reported_at", "-id"]
        verbose_name_plural = "errata"
        constraints = [
            models.CheckConstraint(condition=Q(state__in=ErratumState.values), name="erratum_state_known"),
            models.CheckConstraint(condition=Q(fault__in=Fault.values) & ~Q(words=""), name="erratum_says_something"),
            models.CheckConstraint(
                condition=Q(state=ErratumState.OPEN, decided_at=None, decision="")
                | Q(state=ErratumState.REJECTED, decided_at__isnull=False, decision="")
                | Q(
                    state=ErratumState.ACCEPTED,
                    decided_at__isnull=False,
                    decision__in=[Decision.REPAIR, Decision.DROP],
                ),
                name="erratum_decided",
            ),
        ]
        indexes = [models.Index(fields=["project", "state", "-reported_at"], name="erratum_in_order")]

    def __str__(self) -> str:
        return f"{self.question_id}: {self.fault}"
