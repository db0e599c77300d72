"""What a person keeps for themselves about an item, beside their answer."""

from django.db import models
from django.db.models import Q

from workflow.models.work import Assignment


class Remark(models.Model):
    """A person's bookmark of an item and their note to themselves about it. Nobody else reads either, but leads a note
    that was written while the project shared them (`FeedbackRules.shares_notes`), as its page said then."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, primary_key=True, related_name="remark")
    bookmarked_at = models.DateTimeField(null=True, blank=True)
    note = models.TextField(blank=True)
    note_is_shared = models.BooleanField(default=False)
    noted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(note="") | Q(note_is_shared=False), name="remark_shares_a_note"),
        ]

    def __str__(self) -> str:
        return f"{self.assignment_id}: {self.note[:40]}"
