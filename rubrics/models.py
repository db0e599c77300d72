"""Penalty-weighted rubrics (Perle): written before a response is seen, frozen, then graded against.

What an author has not frozen yet is a draft of their assignment (workflow.Draft); a row of `Rubric` is frozen.
"""

import uuid

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from formats.choices import DifficultyOutcome as DifficultyOutcome
from formats.choices import Explicitness as Explicitness
from formats.choices import GradeRole as GradeRole
from formats.choices import Objectivity as Objectivity
from formats.choices import Scope as Scope
from formats.choices import VerdictValue as VerdictValue
from projects.models import Project, Prompt, Rater, Response
from projects.models.shipped import Named
from projects.vocabularies import MAX_WORD
from workflow.models import Assignment, Stage


class RubricSettings(models.Model):
    """How a project writes its rubrics. Without a row the defaults hold."""

    project = models.OneToOneField(Project, models.CASCADE, primary_key=True, related_name="rubric_settings")
    needs_difficulty_check = models.BooleanField(_("a prompt is tried on a model before it is frozen"), default=True)
    needs_review = models.BooleanField(_("a second author reviews before the freeze"), default=False)
    judges_alone = models.BooleanField(_("judges grade alone, and no person does"), default=False)

    class Meta:
        verbose_name_plural = "rubric settings"

    def __str__(self) -> str:
        return f"rubrics of {self.project_id}"


class WeightBand(Named, models.Model):
    """A range of weights with a meaning; Perle's four are copied in from the preset."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="weight_bands")
    slug = models.SlugField(max_length=60)
    name = models.CharField(_("name"), max_length=80)
    lowest = models.PositiveSmallIntegerField(_("lowest weight"))
    highest = models.PositiveSmallIntegerField(_("highest weight"))
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "slug"], name="weight_band_slug_unique"),
            models.CheckConstraint(condition=Q(lowest__gte=1, highest__gte=F("lowest")), name="weight_band_range"),
        ]

    def __str__(self) -> str:
        return self.name


class DifficultyCheck(models.Model):
    """A prompt tried once on a model, in a clean session. What the model said is kept nowhere.

    One text is tried once: a prompt that was answered perfectly must be revised, which makes it another text.
    """

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="difficulty_checks")
    prompt_sha256 = models.CharField(max_length=64)
    model = models.CharField(max_length=200)
    by_hand = models.BooleanField(default=False)
    asked_at = models.DateTimeField()
    outcome = models.CharField(max_length=8, choices=DifficultyOutcome.choices, blank=True)
    marked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "prompt_sha256"], name="difficulty_asked_once"),
            models.CheckConstraint(
                condition=Q(outcome="", marked_at=None)
                | Q(outcome__in=DifficultyOutcome.values, marked_at__isnull=False),
                name="difficulty_outcome_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model}: {self.outcome or 'unmarked'}"


class ReviewDecision(models.TextChoices):
    APPROVED = "approved", _("Approved")
    RETURNED = "returned", _("Returned with remarks")


class DraftReview(models.Model):
    """A second author's look at a rubric before its freeze. It holds of the very words it was asked for."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="draft_reviews")
    body = models.JSONField()
    body_sha256 = models.CharField(max_length=64)
    asked_at = models.DateTimeField(auto_now_add=True)
    reviewer = models.ForeignKey(Rater, models.PROTECT, null=True, blank=True, related_name="draft_reviews")
    decision = models.CharField(max_length=8, choices=ReviewDecision.choices, blank=True)
    remarks = models.TextField(blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"], condition=Q(decision=""), name="draft_review_one_open_per_rubric"
            ),
            models.CheckConstraint(
                condition=Q(decision="", decided_at=None, reviewer=None)
                | Q(decision__in=ReviewDecision.values, decided_at__isnull=False, reviewer__isnull=False),
                name="draft_review_decided",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment_id}: {self.decision or 'open'}"


class Rubric(models.Model):
    """One version of a prompt's rubric. Frozen, nothing of it changes: the database refuses it (migration 0002).

    `sha256` is that of its canonical form (rubrics/canonical.py). It is written with its criteria and frozen in one
    transaction; a later change is a new version that takes the place of `supersedes`.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, models.CASCADE, related_name="rubrics")
    prompt = models.ForeignKey(Prompt, models.PROTECT, related_name="rubrics")
    version = models.PositiveSmallIntegerField(default=1)
    supersedes = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="superseded_by")
    scope = models.CharField(max_length=12, choices=Scope.choices)
    gold_answer = models.TextField()
    author = models.ForeignKey(Rater, models.PROTECT, related_name="rubrics")
    reviewed_by = models.ForeignKey(Rater, models.PROTECT, null=True, blank=True, related_name="+")
    assignment = models.OneToOneField(Assignment, models.PROTECT, null=True, blank=True, related_name="rubric")
    # {"model", "outcome", "by_hand", "asked_at"} of the check that let it pass; empty where none was made.
    difficulty = models.JSONField(default=dict, blank=True)
    # [{"code", "criterion", "words", "reason"}]: what the lint found and the author kept, and why.
    accepted_findings = models.JSONField(default=list, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    frozen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["prompt", "version"]
        constraints = [
            models.UniqueConstraint(fields=["prompt", "version"], name="rubric_version_unique"),
            models.CheckConstraint(condition=Q(version__gte=1), name="rubric_version_positive"),
            models.CheckConstraint(condition=Q(scope__in=Scope.values), name="rubric_scope_known"),
            models.CheckConstraint(condition=~Q(gold_answer=""), name="rubric_gold_answer_present"),
            models.CheckConstraint(
                condition=Q(frozen_at=None, sha256="") | (Q(frozen_at__isnull=False) & ~Q(sha256="")),
                name="rubric_frozen_with_hash",
            ),
        ]
        indexes = [models.Index(fields=["project", "prompt"], name="rubric_of_project")]

    def __str__(self) -> str:
        return f"{self.prompt} v{self.version}"


class Revision(models.Model):
    """An assignment in which a new version of a frozen rubric is written."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, primary_key=True, related_name="revision")
    rubric = models.ForeignKey(Rubric, models.PROTECT, related_name="revisions")

    def __str__(self) -> str:
        return f"{self.assignment_id} of {self.rubric_id}"


class Grade(models.Model):
    """One rater's verdicts on one response, under one version of its rubric, in one round.

    The reference grade names the errors of the response as negative criteria; regraders and judges are asked
    about those without its verdicts. `raw` and `maximum` are S_raw and S_max of metrics.md; both are empty where
    the grade is not complete. A judge's declined evaluation leaves no row: its call says what became of it.
    """

    response = models.ForeignKey(Response, models.CASCADE, related_name="grades")
    rubric = models.ForeignKey(Rubric, models.PROTECT, related_name="grades")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="grades")
    round = models.PositiveSmallIntegerField(default=1)
    role = models.CharField(max_length=12, choices=GradeRole.choices)
    assignment = models.OneToOneField(Assignment, models.PROTECT, null=True, blank=True, related_name="grade")
    raw = models.SmallIntegerField(null=True, blank=True)
    maximum = models.SmallIntegerField(null=True, blank=True)
    is_complete = models.BooleanField(default=True)
    comment = models.TextField(blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["response", "rater", "rubric", "round"], name="grade_once"),
            models.UniqueConstraint(
                fields=["response", "rubric"], condition=Q(role="reference"), name="grade_one_reference"
            ),
            models.CheckConstraint(condition=Q(role__in=GradeRole.values), name="grade_role_known"),
            models.CheckConstraint(
                condition=Q(is_complete=False, raw=None, maximum=None)
                | Q(is_complete=True, raw__isnull=False, maximum__gte=1, raw__lte=F("maximum")),
                name="grade_score_with_answer",
            ),
        ]
        indexes = [models.Index(fields=["rater", "response"], name="grade_of_rater")]

    def __str__(self) -> str:
        return f"{self.rater_id} on {self.response_id}"

    @property
    def percent(self) -> float | None:
        """P = 100 * S_raw / S_max, in percent; below zero where penalties outweigh what was earned."""
        return None if self.raw is None or self.maximum is None else 100 * self.raw / self.maximum


WRITTEN_BEFORE = ~Q(weight=0) & Q(response=None, grade=None, failure_type="", start=None, end=None, quote="")
FOUND_BY_A_GRADER = Q(weight__lt=0, response__isnull=False, grade__isnull=False)
# A failure of something missing points at nothing (the triggers of migration 0006 know by its label).
POINTS_AT_NOTHING = Q(start=None, end=None, quote="")
POINTS_AT_WORDS = Q(start__gte=0, end__gt=F("start")) & ~Q(quote="")


class CheckGrading(models.Model):
    """The grade of a response that was a check (workflow.WorkItem.is_check), as a draft's body. It says something of
    the rater alone, so it is kept apart from grades: it stands in no figure and has no part in gold."""

    assignment = models.OneToOneField(Assignment, models.PROTECT, primary_key=True, related_name="check_grading")
    body = models.JSONField()

    def __str__(self) -> str:
        return f"check: {self.assignment_id}"


class Criterion(models.Model):
    """Positive, weight above 0: what a good answer contains. Negative, weight below 0: an error.

    Those of the rubric, without a grade, are written before any response is seen, hold for every response to the
    prompt and are fixed by the freeze. The others are negative: errors that one grader found in one response, with
    the words that each points at where there are some. The database refuses a quote that is not at its offsets, and
    any change of a frozen criterion.
    """

    rubric = models.ForeignKey(Rubric, models.CASCADE, related_name="criteria")
    response = models.ForeignKey(Response, models.CASCADE, null=True, blank=True, related_name="negative_criteria")
    grade = models.ForeignKey(Grade, models.CASCADE, null=True, blank=True, related_name="negative_criteria")
    key = models.CharField(max_length=64, help_text=_("Unique in its rubric; chosen by who wrote it"))
    position = models.PositiveSmallIntegerField(default=0)
    text = models.TextField()
    weight = models.SmallIntegerField()
    band = models.ForeignKey(WeightBand, models.PROTECT, null=True, blank=True, related_name="criteria")
    objectivity = models.CharField(max_length=10, choices=Objectivity.choices)
    explicitness = models.CharField(max_length=8, choices=Explicitness.choices)
    # Words of its author's by which criteria are filtered and grouped, such as "axis:accuracy"; of the rubric's alone.
    tags = models.JSONField(default=list, blank=True)
    failure_type = models.CharField(max_length=MAX_WORD, blank=True)
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    quote = models.TextField(blank=True)

    class Meta:
        verbose_name_plural = "criteria"
        ordering = ["rubric", "response", "position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["rubric", "key"], name="criterion_key_unique"),
            models.CheckConstraint(condition=~Q(text=""), name="criterion_text_present"),
            models.CheckConstraint(condition=WRITTEN_BEFORE | FOUND_BY_A_GRADER, name="criterion_positive_or_negative"),
            models.CheckConstraint(condition=POINTS_AT_NOTHING | POINTS_AT_WORDS, name="criterion_anchored"),
            models.CheckConstraint(condition=Q(objectivity__in=Objectivity.values), name="criterion_objectivity"),
            models.CheckConstraint(condition=Q(explicitness__in=Explicitness.values), name="criterion_explicitness"),
        ]
        indexes = [models.Index(fields=["response", "rubric"], name="criterion_of_response")]

    def __str__(self) -> str:
        return self.text[:40]

    @property
    def is_positive(self) -> bool:
        return self.weight > 0


class Verdict(models.Model):
    """What a grade says of one criterion. Weighed, the verdicts of a grade make its score."""

    grade = models.ForeignKey(Grade, models.CASCADE, related_name="verdicts")
    criterion = models.ForeignKey(Criterion, models.CASCADE, related_name="verdicts")
    value = models.CharField(max_length=8, choices=VerdictValue.choices)
    justification = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["grade", "criterion"], name="verdict_once"),
            models.CheckConstraint(condition=Q(value__in=VerdictValue.values), name="verdict_value_known"),
        ]
        indexes = [models.Index(fields=["criterion", "value"], name="verdict_of_criterion")]

    def __str__(self) -> str:
        return f"{self.criterion_id}: {self.value}"


class CalibrationStudy(models.Model):
    """A subset of responses graded by people of several communities, so that leniency can be told from ability.

    Its turns are dealt from the seed: each response to the same number of graders of each community, each grader
    about the same number of responses.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="calibration_studies")
    stage = models.OneToOneField(Stage, models.CASCADE, related_name="calibration_study")
    seed = models.PositiveIntegerField()
    responses_per_community = models.PositiveSmallIntegerField()
    graders_per_community = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "calibration studies"
        constraints = [
            models.CheckConstraint(
                condition=Q(responses_per_community__gte=1, graders_per_community__gte=1), name="calibration_not_empty"
            )
        ]

    def __str__(self) -> str:
        return f"{self.stage_id}: seed {self.seed}"


class ImportedOrder(models.Model):
    """When a response of an imported gold file was collected and first shown to a grader, as the file has it.

    This installation saw neither; its own times of such a response say when the file came in.
    """

    response = models.OneToOneField(Response, models.CASCADE, primary_key=True, related_name="imported_order")
    collected_at = models.DateTimeField()
    first_shown_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.response_id}: {self.collected_at}"
