"""The words by which a project tells errors apart: types of error, how critical they are, types of failure."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from projects.models.shipped import Defined


class Vocabulary(models.TextChoices):
    ERROR_TYPE = "error-type", _("Type of error")
    CRITICALITY = "criticality", _("Criticality")
    FAILURE_TYPE = "failure-type", _("Type of failure")


class Label(Defined, models.Model):
    """One word of one vocabulary of a project. The preset's are copied in; from then on they are the project's own.

    Answers hold the slug, which never changes; a label that answers rest on is retired, not deleted. `points` is what
    an error of this criticality costs, where errors cost points; of criticality the most serious stands first. `covers`
    lists the slugs of the types of error that one which is both of them stands for. `is_missing` is true of a failure
    that is something not there: it points at no words.
    """

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="labels")
    vocabulary = models.CharField(max_length=12, choices=Vocabulary.choices)
    slug = models.SlugField(_("short name"), max_length=60)
    name = models.CharField(_("name"), max_length=80)
    definition = models.TextField(_("definition"), blank=True)
    position = models.PositiveSmallIntegerField(default=0)
    points = models.FloatField(_("points"), null=True, blank=True)
    covers = models.JSONField(default=list, blank=True)
    is_missing = models.BooleanField(_("of something missing"), default=False, db_default=False)
    is_retired = models.BooleanField(_("retired"), default=False, db_default=False)

    class Meta:
        ordering = ["vocabulary", "position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "vocabulary", "slug"], name="label_slug_unique"),
            models.CheckConstraint(condition=Q(vocabulary__in=Vocabulary.values), name="label_vocabulary_known"),
            models.CheckConstraint(condition=~Q(slug=""), name="label_slug_present"),
            models.CheckConstraint(
                condition=Q(points=None) | Q(vocabulary=Vocabulary.CRITICALITY), name="label_points_of_criticality"
            ),
        ]

    def __str__(self) -> str:
        return self.slug
