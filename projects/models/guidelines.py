"""Every version of a project's guidelines, what changed in it, and who has read which."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from projects.models.people import Rater


class GuidelinesVersion(models.Model):
    """The guidelines as they stood from `published_at` until the next version."""

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="guidelines_versions")
    number = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    change = models.TextField(_("what changed"), blank=True)
    published_at = models.DateTimeField(auto_now_add=True)
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="guidelines_number_unique")]

    def __str__(self) -> str:
        return f"v{self.number}"


class GuidelinesRead(models.Model):
    """A rater has been told of a version and has put the notice away."""

    version = models.ForeignKey(GuidelinesVersion, models.CASCADE, related_name="readings")
    rater = models.ForeignKey(Rater, models.CASCADE, related_name="guidelines_readings")
    read_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "rater"], name="guidelines_read_once")]

    def __str__(self) -> str:
        return f"{self.rater_id} read {self.version_id}"
