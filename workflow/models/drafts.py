"""What a rater has written and not handed in."""

from django.db import models

from workflow.models.work import Assignment


class Draft(models.Model):
    """What a rater has written and not yet submitted. One row per assignment; each save raises the version."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, primary_key=True, related_name="draft")
    version = models.PositiveIntegerField(default=1)
    body = models.JSONField()
    client = models.CharField(max_length=40, blank=True)
    saved_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.assignment_id} v{self.version}"


class SetAsideDraft(models.Model):
    """The other side of a conflict: what a stale tab wanted to save, kept so that nothing written is lost."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="set_aside_drafts")
    base_version = models.PositiveIntegerField()
    body = models.JSONField()
    client = models.CharField(max_length=40, blank=True)
    saved_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.assignment_id} from v{self.base_version}"
