"""What people are asked about themselves, and what they answered: apart from their work, and theirs to take back."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from projects.models import Project, Rater

#: No number that somebody answers is larger.
MAX_NUMBER = 1_000_000


class BackgroundKind(models.TextChoices):
    CHOICE = "choice", _("One of several answers")
    NUMBER = "number", _("A whole number")


IS_CHOICE = Q(kind=BackgroundKind.CHOICE, at_least=None, at_most=None)
IS_NUMBER = Q(kind=BackgroundKind.NUMBER, eligible=[])
DECIDES_NOTHING = Q(eligible=[], at_least=None, at_most=None)


class BackgroundQuestion(models.Model):
    """A fact of eligibility, or a demographic one, as the project file declares it.

    Of a choice `options` are the answers and `eligible` those that let people work; of a number `bands` are the lowest
    numbers of the cells in which it is counted, in ascending order, and `at_least` and `at_most` bound who may work.
    One that decides who may work is required; all others may be left.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="background_questions")
    slug = models.SlugField(max_length=40)
    position = models.PositiveSmallIntegerField(default=0)
    text = models.CharField(max_length=300)
    purpose = models.CharField(max_length=500, blank=True)
    kind = models.CharField(max_length=8, choices=BackgroundKind.choices)
    is_required = models.BooleanField(default=False)
    options = models.JSONField(default=list)
    bands = models.JSONField(default=list)
    eligible = models.JSONField(default=list)
    at_least = models.PositiveIntegerField(null=True, blank=True)
    at_most = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "slug"], name="background_question_of_project"),
            models.CheckConstraint(condition=IS_CHOICE | IS_NUMBER, name="background_question_fits_kind"),
            models.CheckConstraint(
                condition=Q(is_required=True) | DECIDES_NOTHING, name="background_what_decides_is_required"
            ),
        ]

    def __str__(self) -> str:
        return self.text[:60]

    @property
    def decides(self) -> bool:
        """Whether the answer decides who may work."""
        return bool(self.eligible) or self.at_least is not None or self.at_most is not None


class BackgroundAnswer(models.Model):
    """One person's answer: an option, or a number. Nobody else reads it; taken back, the row is gone."""

    question = models.ForeignKey(BackgroundQuestion, models.CASCADE, related_name="answers")
    rater = models.ForeignKey(Rater, models.CASCADE, related_name="background_answers")
    value = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["question", "rater"], name="background_answer_once")]
        indexes = [models.Index(fields=["rater"], name="background_of_rater")]

    def __str__(self) -> str:
        return f"answer to {self.question_id}"
