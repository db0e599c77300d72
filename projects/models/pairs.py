"""Two responses to one prompt, set side by side."""

from django.db import models
from django.db.models import F, Q

from projects.models.texts import LanguageVariety, Prompt, Response


class ResponsePair(models.Model):
    """Two responses to be compared. `first` and `second` only name them: who sees which first is drawn per rater.

    The database refuses responses to another prompt, and the same two the other way round (triggers).
    """

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="pairs")
    key = models.CharField(max_length=200)
    prompt = models.ForeignKey(Prompt, models.PROTECT, related_name="pairs")
    variety = models.ForeignKey(LanguageVariety, models.PROTECT, related_name="pairs")
    first = models.ForeignKey(Response, models.PROTECT, related_name="pairs_as_first")
    second = models.ForeignKey(Response, models.PROTECT, related_name="pairs_as_second")
    came_with = models.ForeignKey("projects.Import", models.SET_NULL, null=True, blank=True, related_name="pairs")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="pair_key_unique"),
            models.UniqueConstraint(fields=["first", "second"], name="pair_unique"),
            models.CheckConstraint(condition=~Q(first=F("second")), name="pair_of_two"),
        ]
        indexes = [models.Index(fields=["project", "variety", "id"], name="pair_by_variety")]

    def __str__(self) -> str:
        return self.key
