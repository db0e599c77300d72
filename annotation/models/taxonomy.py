"""What was changed in a project's categories of errors after work had begun."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from projects.models import Project


class ChangeKind(models.TextChoices):
    RENAME = "rename", _("Renamed")
    MERGE = "merge", _("Merged")
    SPLIT = "split", pgettext_lazy("category", "split")
    UNDO = "undo", _("Taken back")


class CategoryChange(models.Model):
    """One change of the taxonomy. Its number is the version that figures name.

    `before` and `after` hold by slug what was changed: name, definition, example, the slug it is merged into or "",
    whether it is split. A category that the change made is None in `before`.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="category_changes")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=6, choices=ChangeKind.choices)
    before = models.JSONField()
    after = models.JSONField()
    reason = models.CharField(max_length=300, blank=True)
    undoes = models.OneToOneField("self", models.CASCADE, null=True, blank=True, related_name="undone_by")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="category_change_numbered"),
            models.CheckConstraint(condition=Q(kind__in=ChangeKind.values), name="category_change_kind_known"),
            models.CheckConstraint(
                condition=Q(kind=ChangeKind.UNDO, undoes__isnull=False)
                | (~Q(kind=ChangeKind.UNDO) & Q(undoes__isnull=True)),
                name="category_change_undoes_one",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.project_id}: {self.number}"
