"""Every version of a project's guidelines with its translations, what changed in it, and who has read which; and what
its leads are writing for the next."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from projects.models.people import Rater

MAX_LANGUAGE = 100  # characters of a language tag


class GuidelinesVersion(models.Model):
    """The guidelines as they stood from `published_at` until the next version.

    text          the main text; `language` the tag it is in, empty where nobody has said.
    text_version  the version in which the main text last became another: translations that are older lag behind it.
    """

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="guidelines_versions")
    number = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    language = models.CharField(max_length=MAX_LANGUAGE, blank=True, default="", db_default="")
    text_version = models.PositiveIntegerField(default=1, db_default=1)
    change = models.TextField(_("what changed"), blank=True)
    published_at = models.DateTimeField(auto_now_add=True)
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="guidelines_number_unique")]

    def __str__(self) -> str:
        return f"v{self.number}"


class GuidelinesTranslation(models.Model):
    """The guidelines in a language other than the main text's, written with a version: it holds until the next one in
    this language. An empty text takes the translation back. `change` says in the language what changed."""

    version = models.ForeignKey(GuidelinesVersion, models.CASCADE, related_name="translations")
    language = models.CharField(max_length=MAX_LANGUAGE)
    text = models.TextField(blank=True)
    change = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "language"], name="guidelines_translation_once"),
            models.CheckConstraint(condition=~Q(language=""), name="guidelines_translation_language"),
        ]

    def __str__(self) -> str:
        return f"{self.language} of {self.version_id}"


class GuidelinesChoice(models.Model):
    """The language in which a person reads a project's guidelines, as they chose; empty: the main text."""

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="guidelines_choices")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    language = models.CharField(max_length=MAX_LANGUAGE, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "user"], name="guidelines_choice_once")]

    def __str__(self) -> str:
        return f"{self.user_id} reads {self.language}"


class GuidelinesDraft(models.Model):
    """What leads are writing for the next version, in one language; empty: the main text. Nobody else sees it.

    `number` counts how often it was saved: whoever saves says which one they build on.
    """

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="guidelines_drafts")
    language = models.CharField(max_length=MAX_LANGUAGE, blank=True)
    text = models.TextField(blank=True)
    change = models.TextField(blank=True)
    number = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField(auto_now=True)
    saved_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "language"], name="guidelines_draft_once")]

    def __str__(self) -> str:
        return f"{self.language} of {self.project_id}"


class GuidelinesSetAside(models.Model):
    """A draft that met another's: what one lead had written where the other's stands. Kept until somebody drops it."""

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="guidelines_set_aside")
    language = models.CharField(max_length=MAX_LANGUAGE, blank=True)
    text = models.TextField(blank=True)
    change = models.TextField(blank=True)
    written_at = models.DateTimeField(auto_now=True)
    written_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["-written_at", "-pk"]
        constraints = [
            # What somebody goes on typing while they have not decided is one text, not one a second.
            models.UniqueConstraint(fields=["project", "language", "written_by"], name="guidelines_set_aside_once")
        ]

    def __str__(self) -> str:
        return f"{self.language} of {self.project_id} by {self.written_by_id}"


class GuidelinesRead(models.Model):
    """A rater has been told of a version and has put the notice away."""

    version = models.ForeignKey(GuidelinesVersion, models.CASCADE, related_name="readings")
    rater = models.ForeignKey(Rater, models.CASCADE, related_name="guidelines_readings")
    read_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "rater"], name="guidelines_read_once")]

    def __str__(self) -> str:
        return f"{self.rater_id} read {self.version_id}"
