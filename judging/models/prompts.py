"""Prompts: those a project keeps, and the exact texts that runs are pinned to."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from projects.models import Project


class PromptVersion(models.Model):
    """The exact text of a prompt file at the time a run used it; a run is pinned to it."""

    name = models.CharField(max_length=80)
    version = models.CharField(max_length=20)
    text = models.TextField()
    text_sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "version", "text_sha256"], name="prompt_version_unique")]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class JudgePrompt(models.Model):
    """A prompt of a project's own for one kind of judging: its templates by name, in one language of instruction.

    A row is never changed (a trigger of its migration); what is edited becomes the next number. Shipped prompts are
    files (`judging/prompts/`) and have no row here.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="judge_prompts")
    kind = models.CharField(max_length=20)
    language = models.CharField(max_length=10, default="en")
    number = models.PositiveIntegerField()
    parts = models.JSONField()
    note = models.CharField(max_length=200, blank=True)
    # What it was begun from: another number of the project, or a shipped version by its name.
    based_on = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+")
    based_on_shipped = models.CharField(max_length=40, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["kind", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "kind", "number"], name="judge_prompt_number_unique"),
            models.CheckConstraint(condition=Q(number__gte=1), name="judge_prompt_number_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"
