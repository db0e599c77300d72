"""Texts that were made from responses: a pass that corrects grammar, a cut after so many words."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from projects.models.people import Rater
from projects.models.texts import Response


class Change(models.TextChoices):
    """What a step does to a response."""

    MODEL = "model", _("Edited by a model")
    WORDS = "words", _("Cut after so many words")
    CHARACTERS = "characters", _("Cut after so many characters")


class DerivationStep(models.Model):
    """A step that makes new texts from responses. What is planned while `is_taken` holds takes its texts, else the
    responses that they were made from.
    """

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="derivation_steps")
    name = models.CharField(max_length=80)
    change = models.CharField(max_length=10, choices=Change.choices)
    limit = models.PositiveIntegerField(null=True, blank=True)  # of a cut, in words or characters
    is_taken = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="derivation_step_name_unique"),
            models.CheckConstraint(condition=Q(change__in=Change.values), name="derivation_step_change_known"),
            models.CheckConstraint(
                condition=Q(change=Change.MODEL, limit=None) | (~Q(change=Change.MODEL) & Q(limit__gte=1)),
                name="derivation_step_cut_has_limit",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Derivation(models.Model):
    """What a step made of a response: another text, or none where it changed nothing.

    `source` is the text that was changed, `original` the collected one that it goes back to. `edits` are where the two
    differ: [start, end, start, end] in code points of the source and of the new text, ascending. `rater` is the judge
    that edited, `prompt` the version of its prompt with the hash of its words. No row ever changes.
    """

    step = models.ForeignKey(DerivationStep, models.PROTECT, related_name="derivations")
    source = models.ForeignKey(Response, models.PROTECT, related_name="derivations")
    original = models.ForeignKey(Response, models.PROTECT, related_name="all_derivations")
    response = models.OneToOneField(Response, models.PROTECT, null=True, blank=True, related_name="derivation")
    edits = models.JSONField(default=list, blank=True)
    rater = models.ForeignKey(Rater, models.PROTECT, null=True, blank=True, related_name="derivations")
    prompt = models.CharField(max_length=120, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["step", "original"], name="derivation_once"),
            models.CheckConstraint(
                condition=Q(rater=None, prompt="") | (Q(rater__isnull=False) & ~Q(prompt="")),
                name="derivation_by_a_model_has_prompt",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.step_id} of {self.source_id}"
