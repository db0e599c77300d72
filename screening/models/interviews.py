"""Interviews as steps of screening: that there is one, and what came of it for each person."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from projects.models import Rater
from screening.models.quizzes import MAX_STEP
from workflow.models import Stage


class Interview(models.Model):
    """An interview that must be passed before a stage's work is handed out; `language` and `step` as of a quiz, with
    which it shares the order of steps."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="interviews")
    language = models.CharField(_("language"), max_length=8, blank=True)
    step = models.PositiveSmallIntegerField(
        _("step"), default=1, validators=[MinValueValidator(1), MaxValueValidator(MAX_STEP)]
    )
    is_open = models.BooleanField(_("must be passed"), default=True)

    class Meta:
        ordering = ["stage__position", "step", "language"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "language", "step"], name="interview_of_stage_language_and_step"),
            models.CheckConstraint(condition=Q(step__gte=1, step__lte=MAX_STEP), name="interview_step_in_range"),
        ]

    def __str__(self) -> str:
        return f"{self.stage_id} {self.language}"


class InterviewResult(models.Model):
    """What a lead recorded of one person's interview; recorded again, it is what was recorded last."""

    interview = models.ForeignKey(Interview, models.CASCADE, related_name="results")
    rater = models.ForeignKey(Rater, models.CASCADE, related_name="interview_results")
    is_passed = models.BooleanField(_("result"))
    held_on = models.DateField(_("date"))
    interviewer = models.CharField(_("interviewer"), max_length=120)
    note = models.TextField(_("note"), blank=True)
    note_is_shown = models.BooleanField(_("the person may read the note"), default=False)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    recorded_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["interview", "rater"], name="interview_result_once")]

    def __str__(self) -> str:
        return f"{self.rater_id} at {self.interview_id}"
