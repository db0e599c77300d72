"""What may be hard to read in a text, as a project names it, and which of these a prompt carries together."""

from django.db import models
from django.db.models import Q
from django.utils.translation import get_language

# Claims ask once for each set of notes that a person reads, so a project has no more of them.
MOST_NOTES = 20
MOST_SETS = 60


class ContentNote(models.Model):
    """One thing that people may not want to read about: violence, death, slurs. Prompts hold the slug."""

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="content_notes")
    slug = models.SlugField(max_length=60)
    name = models.CharField(max_length=80)
    # In other languages of the interface, by their code.
    names = models.JSONField(default=dict, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "slug"], name="content_note_slug_unique"),
            models.CheckConstraint(condition=~Q(slug=""), name="content_note_slug_present"),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def label(self) -> str:
        """The name in the reader's language, where the project gave one."""
        language = get_language() or ""
        return self.names.get(language) or self.names.get(language.split("-")[0]) or self.name


class ContentNoteSet(models.Model):
    """Notes that stand together on some prompt. Prompts and items hold `number`, which counts from 1 in each project;
    0 stands for no note. Never changed: the queue of a stage is cut by it (workflow/claims.py)."""

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="content_note_sets")
    number = models.PositiveIntegerField()
    # Slugs in ascending order, with a space between: what two sets are compared by.
    slugs = models.CharField(max_length=1300)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="content_note_set_number_unique"),
            models.UniqueConstraint(fields=["project", "slugs"], name="content_note_set_unique"),
            models.CheckConstraint(condition=Q(number__gte=1) & ~Q(slugs=""), name="content_note_set_of_something"),
        ]

    def __str__(self) -> str:
        return self.slugs

    @property
    def notes(self) -> list[str]:
        return self.slugs.split(" ")
