"""Checks: items with a known answer, mixed into the work, and what follows from the answers to them."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from projects.models import Rater
from screening.models.quizzes import ScoringRules
from workflow.models import Assignment, Stage, WorkItem

MAX_SHARE = 50


class CheckSettings(ScoringRules):
    """How a stage checks its raters. Without a row it does not."""

    stage = models.OneToOneField(Stage, models.CASCADE, primary_key=True, related_name="check_settings")
    share = models.PositiveSmallIntegerField(
        _("checks among the items handed out, in percent"),
        default=10,
        validators=[MaxValueValidator(MAX_SHARE)],
        help_text=_("0 hands out none for now."),
    )
    window = models.PositiveSmallIntegerField(
        _("latest checks that count"), default=20, validators=[MinValueValidator(1), MaxValueValidator(1000)]
    )
    least = models.PositiveSmallIntegerField(
        _("checks before anybody is paused"), default=8, validators=[MinValueValidator(1)]
    )
    mark = models.PositiveSmallIntegerField(
        _("paused below this accuracy, in percent"),
        default=70,
        validators=[MinValueValidator(1), MaxValueValidator(100)],
    )
    retraining = models.TextField(
        _("retraining text"), blank=True, help_text=_("Markdown. Shown to a person who is paused.")
    )

    class Meta(ScoringRules.Meta):
        verbose_name_plural = "check settings"
        constraints = [
            *ScoringRules.Meta.constraints,
            models.CheckConstraint(condition=Q(share__lte=MAX_SHARE), name="check_share_of_the_work"),
            models.CheckConstraint(condition=Q(mark__gte=1, mark__lte=100), name="check_mark_percent"),
            models.CheckConstraint(condition=Q(least__gte=1, least__lte=F("window")), name="check_window"),
        ]

    def __str__(self) -> str:
        return f"checks of {self.stage_id}"


class GoldCheck(models.Model):
    """An item that is a check, with the experts' answer as it was when the lead chose it.

    `gold` is read and written by the kind of work: screening/checks/kinds/. A retired check is handed out to nobody
    any more; what was answered stays.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="gold_checks")
    item = models.OneToOneField(WorkItem, models.CASCADE, related_name="gold_check")
    gold = models.JSONField()
    is_active = models.BooleanField(default=True)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["stage"], condition=Q(is_active=True), name="gold_check_active")]

    def __str__(self) -> str:
        return f"check {self.item_id}"


class CheckResult(models.Model):
    """How one answer to a check compares with its gold. The first answer counts: taken back and handed in again,
    it is not marked again."""

    check_item = models.ForeignKey(GoldCheck, models.CASCADE, related_name="results")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="check_results")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="check_results")
    assignment = models.OneToOneField(Assignment, models.PROTECT, related_name="check_result")
    is_right = models.BooleanField()
    score = models.FloatField()
    parts = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(score__gte=0, score__lte=1), name="check_score_is_a_share"),
        ]
        indexes = [models.Index(fields=["stage", "rater", "-id"], name="check_results_latest")]

    def __str__(self) -> str:
        return f"{self.rater_id}: {self.score}"


class Pause(models.Model):
    """A person is handed nothing of a stage until the lead lifts it; checks answered before then no longer count.

    `right` of the `n` latest checks were right when it began.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="pauses")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="pauses")
    right = models.PositiveSmallIntegerField()
    n = models.PositiveSmallIntegerField()
    mark = models.PositiveSmallIntegerField()
    begun_at = models.DateTimeField(auto_now_add=True)
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    # The last result there was when it was lifted: what counts begins behind it.
    last_result = models.ForeignKey(CheckResult, models.PROTECT, null=True, blank=True, related_name="+")
    note = models.TextField(_("note"), blank=True)

    class Meta:
        ordering = ["-begun_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "rater"], condition=Q(lifted_at=None), name="pause_one_at_a_time"),
            models.CheckConstraint(condition=Q(n__gte=1, right__lte=F("n")), name="pause_of_results"),
            models.CheckConstraint(
                condition=Q(lifted_at__isnull=False) | Q(lifted_by=None, note=""), name="pause_lifted"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rater_id} in {self.stage_id}"
