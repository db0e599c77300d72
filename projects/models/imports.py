"""Files that were brought in, and how files of other tools are to be read."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q


class Import(models.Model):
    """A file whose prompts, responses, pairs or answers came into the project: they name it, and it can be taken back
    whole while nothing rests on them. `counts` says what was stored."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="imports")
    kind = models.CharField(max_length=40)
    name = models.CharField(max_length=200, blank=True)
    # Of the file, and of the mapping by which it was read.
    sha256 = models.CharField(max_length=64, blank=True)
    counts = models.JSONField(default=dict, blank=True)
    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    imported_at = models.DateTimeField()
    taken_back_at = models.DateTimeField(null=True, blank=True)
    taken_back_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["project", "-id"], name="import_of_project"),
            models.Index(fields=["project", "sha256"], name="import_of_content"),
        ]

    def __str__(self) -> str:
        return self.name or str(self.uuid)


class ImportMapping(models.Model):
    """What becomes of files that another tool writes, under a name of the project's (`formats.mapping`)."""

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="import_mappings")
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=40)
    stated = models.JSONField()
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="import_mapping_name_unique"),
            models.CheckConstraint(condition=~Q(name=""), name="import_mapping_named"),
        ]

    def __str__(self) -> str:
        return self.name
