"""What people and judges mark, how others validate it, and the one set of errors it adds up to."""

from typing import Self

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from annotation.spans.parts import Part
from formats.choices import AnchorKind, Depth, ReviewVerdict
from projects.models import Project, Rater, Response
from projects.models.shipped import Defined
from projects.vocabularies import MAX_WORD, Words
from workflow.models import Assignment


class ErrorCategories(models.QuerySet["ErrorCategory"]):
    def offered(self) -> Self:
        """Those that may be chosen: neither merged into another one nor split."""
        return self.filter(merged_into=None, is_split=False)


class ErrorCategory(Defined, models.Model):
    """A category of the project's taxonomy; the eight thin and thick ones are copied in from the preset.

    Answers keep the category that they were given with. One that was merged into another is read as that one, one that
    was split as none until somebody has chosen again (annotation/taxonomy.py); neither is offered any more.

    Types of error and criticality, here and in all answers, are short names of the project's labels. What is written
    passes annotation/spans/checking.py, which knows them; a label that answers hold is never deleted.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="error_categories")
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=80)
    definition = models.TextField(blank=True)
    example = models.TextField(blank=True)
    error_type = models.CharField(max_length=MAX_WORD, blank=True)
    depth = models.CharField(max_length=8, choices=Depth.choices, default=Depth.SEPARATE)
    position = models.PositiveSmallIntegerField(default=0)
    merged_into = models.ForeignKey("self", models.RESTRICT, null=True, blank=True, related_name="merged")
    is_split = models.BooleanField(default=False, db_default=False)

    objects = ErrorCategories.as_manager()

    class Meta:
        ordering = ["position", "id"]
        verbose_name_plural = "error categories"
        constraints = [
            models.UniqueConstraint(fields=["project", "slug"], name="category_slug_unique"),
            models.CheckConstraint(condition=Q(depth__in=Depth.values), name="category_depth_known"),
            models.CheckConstraint(
                condition=Q(merged_into=None) | (Q(is_split=False) & ~Q(merged_into=F("id"))),
                name="category_retired_one_way",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_offered(self) -> bool:
        return self.merged_into_id is None and not self.is_split

    def fits(self, error_type: str, types: Words) -> bool:
        """Whether an error of this type may be of this category; one of a type that covers others may be of either."""
        kinds = types.covered(error_type) | {error_type}
        return not self.error_type or not error_type or self.error_type in kinds


class SourceErrors(models.TextChoices):
    """What an error of the source text costs; the values are those of agreement.mqm.SOURCE_ERRORS."""

    AS_OTHERS = "as others", _("As much as any other")
    NOTHING = "nothing", _("Nothing: they are not the answer's own")


class ErrorScheme(models.Model):
    """How a project weighs errors, beside its points per criticality. Without a row the defaults hold.

    An error is one of the source where its category, or the category its rater wrote into its metadata, is named in
    `source_categories`, a list of texts. `weights` is a list of {"category": slug, "points": number} with or without a
    "criticality": what errors of that category cost in place of the points of their criticality; the first that fits
    counts.
    """

    project = models.OneToOneField(Project, models.CASCADE, primary_key=True, related_name="error_scheme")
    source_errors = models.CharField(
        _("errors of the source cost"), max_length=10, choices=SourceErrors.choices, default=SourceErrors.AS_OTHERS
    )
    source_categories = models.JSONField(_("categories of errors of the source"), default=list, blank=True)
    weights = models.JSONField(_("points of categories"), default=list, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(source_errors__in=SourceErrors.values), name="error_scheme_source_errors_known"
            ),
        ]

    def __str__(self) -> str:
        return f"errors of {self.project_id}"


class Marking(models.Model):
    """One rater's answer on one response in one round: its spans, or the explicit statement of no errors.

    A judge's round is its replicate. `is_complete` is false where part of a judge's answer was refused or
    unreadable: such a marking is counted beside the figures, not in them. `is_evaluation` is true of a judge's answer
    that was asked for to evaluate the judge, or came with a file and is about a model of its own laboratory: its spans
    go to nobody and make no gold.
    """

    response = models.ForeignKey(Response, models.CASCADE, related_name="markings")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="markings")
    round = models.PositiveSmallIntegerField(default=1)
    no_errors = models.BooleanField(default=False)
    is_complete = models.BooleanField(default=True)
    is_evaluation = models.BooleanField(default=False)
    assignment = models.OneToOneField(Assignment, models.PROTECT, null=True, blank=True, related_name="marking")
    metadata = models.JSONField(default=dict, blank=True)
    # The file that brought it, here and below; none where it was given here, or given here anew since.
    came_with = models.ForeignKey("projects.Import", models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["response", "rater", "round"], name="marking_once"),
        ]
        indexes = [models.Index(fields=["rater", "response"], name="marking_of_rater")]

    def __str__(self) -> str:
        return f"{self.rater_id} on {self.response_id}"


class CheckMarking(models.Model):
    """The answer to a check (workflow.WorkItem.is_check), as a draft's body. It says something of the rater alone, so
    it is kept apart from markings: it stands in no figure, has no part in gold, and nobody reviews it."""

    assignment = models.OneToOneField(Assignment, models.PROTECT, primary_key=True, related_name="check_marking")
    body = models.JSONField()

    def __str__(self) -> str:
        return f"check: {self.assignment_id}"


ANCHORED_TO_WORDS = Q(anchor=AnchorKind.WORDS, start__gte=0, end__gt=F("start"), paragraph=None) & ~Q(quote="")
ANCHORED_TO_PARAGRAPH = Q(anchor=AnchorKind.PARAGRAPH, start=None, end=None, quote="", paragraph__gte=0)
ANCHORED_TO_RESPONSE = Q(anchor=AnchorKind.RESPONSE, start=None, end=None, quote="", paragraph=None)
PROPERLY_ANCHORED = ANCHORED_TO_WORDS | ANCHORED_TO_PARAGRAPH | ANCHORED_TO_RESPONSE


class Anchored(models.Model):
    """Where an error lies: half-open code-point offsets with their quote, or what an omission is missing from.

    The database refuses a quote that is not at its offsets in the response (the triggers of migration 0003).
    """

    anchor = models.CharField(max_length=10, choices=AnchorKind.choices, default=AnchorKind.WORDS)
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    quote = models.TextField(blank=True)
    paragraph = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        abstract = True


class ErrorGroup(models.Model):
    """Spans of one response that point at one and the same issue: one error, found several times."""

    response = models.ForeignKey(Response, models.CASCADE, related_name="error_groups")
    key = models.CharField(max_length=64)
    confirmed_by = models.ForeignKey(Rater, models.SET_NULL, null=True, blank=True, related_name="+")
    came_with = models.ForeignKey("projects.Import", models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["response", "key"], name="error_group_key_unique")]

    def __str__(self) -> str:
        return self.key


class GoldError(Anchored):
    """One error of the final set: what the spans, their reviews, groups and classifications add up to.

    Derived rows are rewritten by annotation/gold.py whenever something they rest on changes; rows of an
    imported gold file (`is_imported`) stand as they came.
    """

    response = models.ForeignKey(Response, models.CASCADE, related_name="gold_errors")
    key = models.CharField(max_length=64)
    error_type = models.CharField(max_length=MAX_WORD, blank=True)
    category = models.ForeignKey(ErrorCategory, models.PROTECT, null=True, blank=True, related_name="+")
    criticality = models.CharField(max_length=MAX_WORD, blank=True)
    explanation = models.TextField(blank=True)
    correction = models.TextField(blank=True)
    varies_by_region = models.BooleanField(default=False)
    found_by_human = models.BooleanField(default=False)
    found_by_judge = models.BooleanField(default=False)
    # Who found it, who validated it and how, under which policy: pseudonyms and judge models, ready to export.
    provenance = models.JSONField(default=dict)
    is_imported = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["response", "key"], name="gold_error_key_unique"),
            models.CheckConstraint(condition=PROPERLY_ANCHORED, name="gold_error_anchored"),
        ]
        indexes = [models.Index(fields=["response", "start"], name="gold_error_in_order")]

    def __str__(self) -> str:
        return self.key

    @property
    def more(self) -> list[Part]:
        """Further parts of an error that lies in several places, in reading order."""
        return [Part(**part) for part in self.provenance.get("more", [])]


class Span(Anchored):
    """One error as one rater marked it."""

    marking = models.ForeignKey(Marking, models.CASCADE, related_name="spans")
    response = models.ForeignKey(Response, models.CASCADE, related_name="spans")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="spans")
    key = models.CharField(max_length=64, help_text=_("Unique in its response; chosen by who marked it"))
    error_type = models.CharField(max_length=MAX_WORD, blank=True)
    category = models.ForeignKey(ErrorCategory, models.PROTECT, null=True, blank=True, related_name="spans")
    criticality = models.CharField(max_length=MAX_WORD, blank=True)
    explanation = models.TextField(blank=True)
    correction = models.TextField(blank=True)
    # Key of the mark of the same answer that this one repeats on the same words elsewhere; that mark may be gone since.
    origin = models.CharField(max_length=64, blank=True, default="", db_default="")
    # Points of this very error where the rater's scheme weighs errors itself (MQM); else those of the project's labels.
    penalty = models.FloatField(null=True, blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    group = models.ForeignKey(ErrorGroup, models.SET_NULL, null=True, blank=True, related_name="spans")
    gold_error = models.ForeignKey(GoldError, models.SET_NULL, null=True, blank=True, related_name="spans")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["response", "key"], name="span_key_unique"),
            models.CheckConstraint(condition=PROPERLY_ANCHORED, name="span_anchored"),
        ]
        indexes = [models.Index(fields=["rater", "response"], name="span_of_rater")]

    def __str__(self) -> str:
        return self.quote[:40] or self.get_anchor_display()


class Review(models.Model):
    """What a rater other than its author says of a span. Corrected fields are filled with CORRECT alone.

    The database refuses a review of one's own span (the triggers of migration 0003).
    """

    span = models.ForeignKey(Span, models.CASCADE, related_name="reviews")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="reviews")
    round = models.PositiveSmallIntegerField(default=1)
    assignment = models.ForeignKey(Assignment, models.PROTECT, null=True, blank=True, related_name="reviews")
    verdict = models.CharField(max_length=8, choices=ReviewVerdict.choices)
    # Given before the explanation was shown, where the stage has it so; else empty.
    first_verdict = models.CharField(max_length=8, choices=ReviewVerdict.choices, blank=True, default="", db_default="")
    comment = models.TextField(blank=True)
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)
    quote = models.TextField(blank=True)
    error_type = models.CharField(max_length=MAX_WORD, blank=True)
    category = models.ForeignKey(ErrorCategory, models.PROTECT, null=True, blank=True, related_name="+")
    criticality = models.CharField(max_length=MAX_WORD, blank=True)
    explanation = models.TextField(blank=True)
    correction = models.TextField(blank=True)
    came_with = models.ForeignKey("projects.Import", models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["span", "rater", "round"], name="review_once"),
            models.CheckConstraint(condition=Q(verdict__in=ReviewVerdict.values), name="review_verdict_known"),
            models.CheckConstraint(
                condition=Q(first_verdict__in=["", *ReviewVerdict.values]), name="review_first_verdict_known"
            ),
            models.CheckConstraint(
                condition=Q(start=None, end=None, quote="")
                | (Q(verdict=ReviewVerdict.CORRECT, start__gte=0, end__gt=F("start")) & ~Q(quote="")),
                name="review_boundaries",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rater_id}: {self.verdict}"


class GroupProposal(models.Model):
    """A judge's (or the overlap rule's) suggestion that spans are one error. Nothing counts until confirmed."""

    class State(models.TextChoices):
        OPEN = "open", _("To be decided")
        CONFIRMED = "confirmed", _("Confirmed")
        CHANGED = "changed", _("Confirmed in part")
        DISMISSED = "dismissed", _("Dismissed")

    response = models.ForeignKey(Response, models.CASCADE, related_name="group_proposals")
    proposed_by = models.ForeignKey(Rater, models.PROTECT, null=True, blank=True, related_name="+")
    spans = models.ManyToManyField(Span, related_name="group_proposals")
    reason = models.TextField(blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    decided_by = models.ForeignKey(Rater, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.response_id}: {self.state}"


class Classification(models.Model):
    """A coder's category for a span. A judge's is a proposal until a person has confirmed or refused it.

    `after_proposal` marks a person's choice made in sight of a proposal: it counts, but not for kappa.
    """

    span = models.ForeignKey(Span, models.CASCADE, related_name="classifications")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="classifications")
    category = models.ForeignKey(ErrorCategory, models.PROTECT, related_name="classifications")
    reason = models.TextField(blank=True, db_default="")
    confirmed_by = models.ForeignKey(Rater, models.SET_NULL, null=True, blank=True, related_name="+")
    refused_by = models.ForeignKey(Rater, models.SET_NULL, null=True, blank=True, related_name="+")
    after_proposal = models.BooleanField(default=False, db_default=False)
    came_with = models.ForeignKey("projects.Import", models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["span", "rater"], name="classification_once"),
            models.CheckConstraint(
                condition=Q(confirmed_by=None) | Q(refused_by=None), name="classification_decided_one_way"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.span_id}: {self.category_id}"


class CodingSample(models.Model):
    """Spans drawn to be classified by a second coder who does not see the first one's choice."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="coding_samples")
    seed = models.PositiveIntegerField()
    spans = models.ManyToManyField(Span, related_name="coding_samples")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.project_id}: seed {self.seed}"


class Adjudication(models.Model):
    """An expert's last word on a span that the policy left open."""

    span = models.OneToOneField(Span, models.CASCADE, related_name="adjudication")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="adjudications")
    is_kept = models.BooleanField()
    varies_by_region = models.BooleanField(default=False)
    reason = models.TextField(blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.span_id}: {'kept' if self.is_kept else 'rejected'}"


class GoldAnswer(models.Model):
    """The state of a response's final set of errors, which may be empty: what its spans came to.

    Without a row nobody has answered the response yet, so an empty set would be a guess. Of an imported gold
    file only the errors (as `kept`) and the undecided spans are known. `kept` and the others count spans: several of
    them may be one error (`GoldError`).
    """

    response = models.OneToOneField(Response, models.CASCADE, primary_key=True, related_name="gold_answer")
    kept = models.PositiveIntegerField(default=0)
    rejected = models.PositiveIntegerField(default=0)
    open = models.PositiveIntegerField(default=0)
    pending = models.PositiveIntegerField(default=0)
    is_imported = models.BooleanField(default=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        # What was written lately, for the case book.
        indexes = [models.Index(fields=["updated_at"], name="gold_answer_written_lately")]

    def __str__(self) -> str:
        return f"{self.response_id}: {self.kept} kept"

    @property
    def undecided(self) -> int:
        return self.open + self.pending
