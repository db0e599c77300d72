"""Prompts before they are asked anywhere: templates with placeholders, and what native speakers made of them."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from projects.models.people import Rater
from projects.models.questions import QuestionType
from projects.models.texts import LanguageVariety, Prompt, TargetModel


class Split(models.TextChoices):
    TRAIN = "train", _("Training")
    VALIDATION = "validation", _("Validation")
    TEST = "test", _("Test")


class PromptTemplate(models.Model):
    """A prompt with placeholders such as `[locale_country]`, written once for all varieties.

    Its split is that of every prompt made from it, in whatever language: no translation of a template that a
    judge was trained on is ever tested on. Empty: a seeded draw says so when training sets are made.

    question  what its responses are rated on; None where every question type, or none, is asked.
    variety   of a prompt that is asked as it is, and is to be put into others: the one it is written in.
    """

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="prompt_templates")
    key = models.CharField(_("id"), max_length=200)
    question = models.ForeignKey(
        QuestionType, models.PROTECT, null=True, blank=True, related_name="templates", verbose_name=_("question type")
    )
    variety = models.ForeignKey(LanguageVariety, models.PROTECT, null=True, blank=True, related_name="templates")
    text = models.TextField(_("text"))
    split = models.CharField(_("split"), max_length=10, choices=Split.choices, blank=True)
    came_with = models.ForeignKey("projects.Import", models.SET_NULL, null=True, blank=True, related_name="templates")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["question__dimension__position", "question__position", "key"]
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="template_key_unique"),
            models.CheckConstraint(condition=~Q(text=""), name="template_text_present"),
            models.CheckConstraint(condition=Q(split__in=["", *Split.values]), name="template_split_known"),
        ]

    def __str__(self) -> str:
        return self.key


class Localisation(models.Model):
    """A native speaker's translation of a template and the local values of its placeholders.

    `text` still carries the placeholders; `prompt` is the finished prompt, made when the localisation is handed
    in. What was asked never changes, so neither does a localisation that has its prompt.
    """

    template = models.ForeignKey(PromptTemplate, models.PROTECT, related_name="localisations")
    variety = models.ForeignKey(LanguageVariety, models.PROTECT, related_name="localisations")
    text = models.TextField()
    values = models.JSONField(default=dict)
    rater = models.ForeignKey(Rater, models.PROTECT, null=True, blank=True, related_name="localisations")
    prompt = models.OneToOneField(Prompt, models.PROTECT, related_name="localisation")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["template", "variety"], name="localisation_once")]

    def __str__(self) -> str:
        return f"{self.template_id} {self.variety_id}"


class DraftOutcome(models.TextChoices):
    VALIDATED = "validated", _("Accepted as it was")
    EDITED = "edited", _("Changed")
    REJECTED = "rejected", _("Put aside")


class LocalisationDraft(models.Model):
    """What a model made of a template in a variety: a native speaker accepts it, changes it or puts it aside.

    A draft is no prompt, and no model is asked it.

    text, values  as of `Localisation`, values that the model did not give empty; they never change.
    model         as the provider calls it; prompt  version and start of the hash of what it was asked by.
    cost          billionths of a US dollar, none where the model has no price.
    outcome       what the speaker made of it, with the `localisation` they handed in; empty until then.
    edits         where the draft and the translation differ: [start, end, start, end] in code points of either.
    """

    template = models.ForeignKey(PromptTemplate, models.CASCADE, related_name="drafts")
    variety = models.ForeignKey(LanguageVariety, models.PROTECT, related_name="localisation_drafts")
    text = models.TextField()
    values = models.JSONField(default=dict, blank=True)
    target_model = models.ForeignKey(TargetModel, models.PROTECT, related_name="localisation_drafts")
    model = models.CharField(max_length=200)
    is_simulated = models.BooleanField(default=False)
    prompt = models.CharField(max_length=80)
    cost = models.BigIntegerField(null=True, blank=True)
    tokens = models.BigIntegerField(default=0)
    outcome = models.CharField(max_length=10, choices=DraftOutcome.choices, blank=True)
    localisation = models.OneToOneField(Localisation, models.CASCADE, null=True, blank=True, related_name="draft")
    edits = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["template", "variety"], name="localisation_draft_once"),
            models.CheckConstraint(condition=~Q(text=""), name="localisation_draft_text_present"),
            models.CheckConstraint(
                condition=Q(outcome="", localisation=None)
                | Q(outcome__in=DraftOutcome.values, localisation__isnull=False),
                name="localisation_draft_outcome",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.template_id} {self.variety_id}"
