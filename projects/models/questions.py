"""What a rating asks: dimensions of quality, the question types of each, and what every grade of a scale means."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from agreement.consensus import Nominal
from projects.models.shipped import Defined


class Dimension(Defined, models.Model):
    """One side of quality, such as fluency. MENLO's four are copied in from the preset."""

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="dimensions")
    slug = models.SlugField(max_length=60)
    name = models.CharField(_("name"), max_length=80)
    definition = models.TextField(_("definition"), blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["project", "slug"], name="dimension_slug_unique")]

    def __str__(self) -> str:
        return self.name


class QuestionType(Defined, models.Model):
    """One question that responses are rated on, with its scale. Without a scale it asks for a preference alone."""

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="question_types")
    dimension = models.ForeignKey(Dimension, models.PROTECT, related_name="question_types")
    slug = models.SlugField(max_length=60)
    name = models.CharField(_("name"), max_length=80)
    definition = models.TextField(_("what is asked"), blank=True)
    lowest = models.SmallIntegerField(_("lowest grade"), null=True, blank=True, default=1)
    highest = models.SmallIntegerField(_("highest grade"), null=True, blank=True, default=5)
    # Its grades are names of classes, such as of dialects: none lies between two others, and none is nearer to gold.
    is_nominal = models.BooleanField(_("grades have no order"), default=False)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["dimension__position", "position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "slug"], name="question_type_slug_unique"),
            models.CheckConstraint(
                condition=Q(lowest=None, highest=None) | Q(highest__gt=F("lowest"), lowest__isnull=False),
                name="question_type_scale",
            ),
            models.CheckConstraint(
                condition=Q(is_nominal=False) | Q(lowest__isnull=False), name="question_type_nominal_has_classes"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def has_scale(self) -> bool:
        return self.lowest is not None

    @property
    def ends(self) -> tuple[int, int] | None:
        """Lowest and highest grade, by which gold is made; `Nominal` where they have no order, None without a scale."""
        if self.lowest is None or self.highest is None:
            return None
        return Nominal(self.lowest, self.highest) if self.is_nominal else (self.lowest, self.highest)

    @property
    def scale(self) -> range:
        """The whole grades from the lowest to the highest; empty where only a preference is asked for."""
        if self.lowest is None or self.highest is None:
            return range(0)
        return range(self.lowest, self.highest + 1)


class Level(models.Model):
    """What one grade means for one question type: a line of its rubric, and more where it is unfolded."""

    question = models.ForeignKey(QuestionType, models.CASCADE, related_name="levels")
    grade = models.SmallIntegerField()
    label = models.CharField(_("label"), max_length=40, blank=True)
    summary = models.CharField(_("in one line"), max_length=300)
    detail = models.TextField(_("in full"), blank=True)

    class Meta:
        ordering = ["grade"]
        constraints = [models.UniqueConstraint(fields=["question", "grade"], name="level_grade_unique")]

    def __str__(self) -> str:
        return f"{self.grade}: {self.summary}"

    @property
    def named(self) -> str:
        """The label in the reader's language where it is still the one shipped."""
        return gettext(self.label) if self.label else ""

    @property
    def summarised(self) -> str:
        """The line, likewise."""
        return gettext(self.summary) if self.summary else ""

    @property
    def detailed(self) -> str:
        """What is unfolded, likewise."""
        return gettext(self.detail) if self.detail else ""
