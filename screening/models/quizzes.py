"""A quiz before a stage: what it asks and what is right, as the lead edits it."""

import uuid

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from projects.models import QuestionType, Response, ResponsePair
from workflow.models import Stage

#: So many quizzes can stand one after the other.
MAX_STEP = 20


class QuestionKind(models.TextChoices):
    TRUE_FALSE = "true_false", _("True or false")
    CHOICE = "choice", _("Multiple choice")
    RATING = "rating", _("Sample rating")
    SPANS = "spans", _("Sample marking")
    GRADING = "grading", _("Sample grading by a rubric")


class ScoringRules(models.Model):
    """How near to the gold an answer must come to be right: metrics.md, "Ratings and preferences", "Error spans"."""

    tolerance = models.PositiveSmallIntegerField(
        _("grades may differ by"),
        default=1,
        help_text=_("From the experts' grade, up or down. A preference the other way round is wrong at any distance."),
    )
    span_f1 = models.PositiveSmallIntegerField(
        _("marks are right from this F1, in percent"),
        default=50,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text=_("Against the experts' marks; two marks meet where they share more than 15 % of their words."),
    )

    verdict_share = models.PositiveSmallIntegerField(
        _("grading by a rubric is right from this share of equal verdicts, in percent"),
        default=80,
        db_default=80,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
        help_text=_("Against the author's or an expert's verdicts, criterion by criterion."),
    )

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(condition=Q(span_f1__gte=1, span_f1__lte=100), name="%(class)s_span_f1_percent"),
            models.CheckConstraint(
                condition=Q(verdict_share__gte=1, verdict_share__lte=100), name="%(class)s_verdicts_percent"
            ),
        ]


class Quiz(ScoringRules):
    """What must be passed before a stage's work is handed out to people of a language.

    `language` is LanguageVariety.language; empty serves every language that has no open quiz of its own in this
    `step`. Steps are passed one after the other: a vendor's quiz, then the authors'. Every change to what is asked or
    how it is marked makes a new `version`; attempts keep copies of the one they began.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="quizzes")
    language = models.CharField(_("language"), max_length=8, blank=True)
    step = models.PositiveSmallIntegerField(
        _("step"),
        default=1,
        db_default=1,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_STEP)],
        help_text=_("Several quizzes of a stage are passed one after the other, in this order."),
    )
    version = models.PositiveIntegerField(default=1)
    pass_mark = models.PositiveSmallIntegerField(
        _("pass mark, in percent"), default=80, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    attempts_allowed = models.PositiveSmallIntegerField(
        _("attempts a person has"), default=3, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    introduction = models.TextField(_("introduction"), blank=True, help_text=_("Markdown"))
    retraining = models.TextField(
        _("retraining text"), blank=True, help_text=_("Markdown. Shown after a failed attempt, before the next one.")
    )
    is_open = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(ScoringRules.Meta):
        verbose_name_plural = "quizzes"
        ordering = ["stage__position", "language", "step"]
        constraints = [
            *ScoringRules.Meta.constraints,
            models.UniqueConstraint(fields=["stage", "language", "step"], name="quiz_of_stage_language_and_step"),
            models.CheckConstraint(condition=Q(step__gte=1, step__lte=MAX_STEP), name="quiz_step_in_range"),
            models.CheckConstraint(condition=Q(pass_mark__gte=1, pass_mark__lte=100), name="quiz_pass_mark_percent"),
            models.CheckConstraint(condition=Q(attempts_allowed__gte=1), name="quiz_attempts_positive"),
        ]
        indexes = [models.Index(fields=["stage"], condition=Q(is_open=True), name="quiz_open_of_stage")]

    def __str__(self) -> str:
        return f"{self.stage_id} {self.language}"


ABOUT_NOTHING = Q(pair=None, response=None, question_type=None)
ABOUT_GRADES = Q(question_type__isnull=False) & (
    Q(pair__isnull=False, response=None) | Q(pair=None, response__isnull=False)
)
ABOUT_MARKS = Q(pair=None, response__isnull=False, question_type=None)
FITS_KIND = (
    Q(kind__in=[QuestionKind.TRUE_FALSE, QuestionKind.CHOICE]) & ABOUT_NOTHING
    | Q(kind=QuestionKind.RATING) & ABOUT_GRADES
    | Q(kind__in=[QuestionKind.SPANS, QuestionKind.GRADING]) & ABOUT_MARKS
)


class Asked(models.Model):
    """What one question asks and what is right. `content` is read and written by its kind: screening/quiz/kinds/."""

    kind = models.CharField(max_length=12, choices=QuestionKind.choices)
    text = models.TextField(_("question"), help_text=_("Markdown"))
    content = models.JSONField(default=dict)
    explanation = models.TextField(_("explanation"), blank=True, help_text=_("Markdown. Shown after the attempt."))
    # Of a sample: what is rated or marked, and on which scale.
    pair = models.ForeignKey(ResponsePair, models.PROTECT, null=True, blank=True, related_name="+")
    response = models.ForeignKey(Response, models.PROTECT, null=True, blank=True, related_name="+")
    question_type = models.ForeignKey(QuestionType, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(condition=FITS_KIND, name="%(class)s_fits_kind"),
            models.CheckConstraint(condition=~Q(text=""), name="%(class)s_text_present"),
        ]


class QuizQuestion(Asked):
    """A question as the lead edits it; the database refuses samples of another project (triggers)."""

    quiz = models.ForeignKey(Quiz, models.CASCADE, related_name="questions")
    key = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    position = models.PositiveSmallIntegerField(default=0)
    # The version of the quiz in which it came to ask what it asks: earlier answers were given to something else.
    since_version = models.PositiveIntegerField(default=1, db_default=1)

    class Meta(Asked.Meta):
        ordering = ["position", "id"]

    def __str__(self) -> str:
        return self.text[:60]
