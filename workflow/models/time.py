"""The time people work: when they did, by what rules it is counted, and what a lead corrected."""

from typing import cast

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from projects.models import Project, Rater

IDLE_SECONDS = 60
MOST_MINUTES_PER_ITEM = 240


# The most that a cap of a day can say: whole days of minutes, and more items than anybody does.
MOST_ITEMS = 10_000
MOST_MINUTES = 1440


def most_of_a_day(name: str | Promise, most: int) -> models.PositiveSmallIntegerField:
    """A number that may be left empty: then a day has no end of it."""
    validators = [MinValueValidator(1), MaxValueValidator(most)]
    return models.PositiveSmallIntegerField(cast(str, name), null=True, blank=True, validators=validators)


def a_day_holds() -> Q:
    items = Q(items_per_day=None) | Q(items_per_day__gte=1, items_per_day__lte=MOST_ITEMS)
    return items & (Q(minutes_per_day=None) | Q(minutes_per_day__gte=1, minutes_per_day__lte=MOST_MINUTES))


class TimeRules(models.Model):
    """By what rules a project counts working time, and what it pays. Without a row the defaults hold.

    `idle_seconds` is the pause after the last sign of life (a key, a pointer, scrolling) up to which a visible page
    counts as work.
    """

    project = models.OneToOneField(Project, models.CASCADE, primary_key=True, related_name="time_rules")
    idle_seconds = models.PositiveSmallIntegerField(
        _("pause after which time stops, in seconds"),
        default=IDLE_SECONDS,
        validators=[MinValueValidator(15), MaxValueValidator(600)],
        help_text=_("Counted from the last key, pointer movement or scrolling while the page is in view."),
    )
    most_minutes_per_item = models.PositiveSmallIntegerField(
        _("most minutes counted of one item"),
        default=MOST_MINUTES_PER_ITEM,
        validators=[MinValueValidator(1), MaxValueValidator(1440)],
    )
    counts_quizzes = models.BooleanField(_("quizzes count as working time"), default=False, db_default=False)
    counts_guidelines = models.BooleanField(
        _("reading the guidelines counts as working time"),
        default=False,
        db_default=False,
        help_text=_("Of one day at most as long as of one item."),
    )
    # From then on, time on items that were given back or whose lease ran out does not count; empty: it counts.
    begun_uncounted_since = models.DateTimeField(null=True, blank=True, editable=False)
    hourly_rate = models.DecimalField(
        _("pay of an hour"),
        max_digits=10,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(0)],
        help_text=_("Empty where the project pays in another way: people then see hours alone."),
    )
    currency = models.CharField(_("currency"), max_length=3, blank=True, help_text=_("Three letters, such as EGP"))
    # The most that a person is handed in a day of theirs (workflow/daily_cap.py).
    items_per_day = most_of_a_day(_("most items a day"), MOST_ITEMS)
    minutes_per_day = most_of_a_day(_("most minutes a day"), MOST_MINUTES)

    class Meta:
        verbose_name_plural = "time rules"
        constraints = [
            models.CheckConstraint(condition=a_day_holds(), name="time_day_range"),
            models.CheckConstraint(condition=Q(idle_seconds__gte=15, idle_seconds__lte=600), name="time_idle_range"),
            models.CheckConstraint(
                condition=Q(most_minutes_per_item__gte=1, most_minutes_per_item__lte=1440), name="time_item_range"
            ),
            models.CheckConstraint(
                condition=Q(hourly_rate=None, currency="") | (Q(hourly_rate__gte=0) & ~Q(currency="")),
                name="time_rate_has_currency",
            ),
        ]

    def __str__(self) -> str:
        return f"time in {self.project_id}"

    @property
    def counts_begun(self) -> bool:
        """Whether time on items that were begun and given back counts. Taken away, it counts as long as it did; said
        again, all of it counts."""
        return self.begun_uncounted_since is None

    @counts_begun.setter
    def counts_begun(self, counts: bool) -> None:
        if counts != self.counts_begun:
            self.begun_uncounted_since = None if counts else timezone.now()


class Activity(models.TextChoices):
    """What time is spent on."""

    ITEM = "item", _("Item")
    QUIZ = "quiz", _("Quiz")
    GUIDELINES = "guidelines", _("Guidelines")


class OwnLimits(models.Model):
    """What a person wants no more of in a day of theirs in one project, and what they do not want to read there: slugs
    of its content notes. Nobody else is shown it."""

    rater = models.OneToOneField(Rater, models.CASCADE, primary_key=True, related_name="own_limits")
    items_per_day = most_of_a_day(_("most items a day"), MOST_ITEMS)
    minutes_per_day = most_of_a_day(_("most minutes a day"), MOST_MINUTES)
    unwanted_notes = models.JSONField(default=list, db_default=[], blank=True)

    class Meta:
        verbose_name_plural = "own limits"
        constraints = [models.CheckConstraint(condition=a_day_holds(), name="own_limits_range")]

    def __str__(self) -> str:
        return f"limits of {self.rater_id}"


class WorkedInterval(models.Model):
    """A stretch of time in which a rater worked on an item, or on what else counts. No two of a rater overlap
    (workflow/working_time.py): time with two tabs in view is one time."""

    rater = models.ForeignKey(Rater, models.CASCADE, related_name="worked_intervals")
    assignment = models.ForeignKey(
        "workflow.Assignment", models.CASCADE, null=True, blank=True, related_name="worked_intervals"
    )
    activity = models.CharField(
        max_length=10, choices=Activity.choices, default=Activity.ITEM, db_default=Activity.ITEM
    )
    begun_at = models.DateTimeField()
    ended_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(ended_at__gt=F("begun_at")), name="worked_interval_has_length"),
            models.CheckConstraint(
                condition=Q(activity=Activity.ITEM, assignment__isnull=False)
                | Q(activity__in=(Activity.QUIZ, Activity.GUIDELINES), assignment=None),
                name="worked_interval_on_something",
            ),
            models.UniqueConstraint(fields=["rater", "begun_at"], name="worked_interval_begins_once"),
        ]
        indexes = [models.Index(fields=["rater", "ended_at"], name="worked_interval_of_rater")]

    def __str__(self) -> str:
        return f"{self.rater_id}: {self.begun_at:%Y-%m-%d %H:%M:%S}"


class TimeCorrection(models.Model):
    """A change of the time counted for a rater on one day: asked for by the rater, made by a lead, or both.

    `day` is the rater's own. Open while `decided_at` is empty. `seconds` may take time away, and is 0 where a lead
    declined; the reason always stands beside it.
    """

    rater = models.ForeignKey(Rater, models.CASCADE, related_name="time_corrections")
    day = models.DateField()
    request = models.TextField(_("what is wrong"), blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    seconds = models.IntegerField(default=0)
    reason = models.TextField(_("reason"), blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-day", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(decided_at=None, seconds=0, reason="") | (Q(decided_at__isnull=False) & ~Q(reason="")),
                name="time_correction_has_reason",
            ),
            models.CheckConstraint(
                condition=(Q(asked_at=None, request="") & Q(decided_at__isnull=False))
                | (Q(asked_at__isnull=False) & ~Q(request="")),
                name="time_correction_asked_or_made",
            ),
            # One open question about a day at a time.
            models.UniqueConstraint(
                fields=["rater", "day"], condition=Q(decided_at=None), name="time_correction_one_open"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rater_id} {self.day}: {self.seconds}"
