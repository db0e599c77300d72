"""What is judged: prompts, the models that answered them, and their responses."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from projects.languages import names
from projects.languages.tags import MAX_TAG


class Direction(models.TextChoices):
    LTR = "ltr", _("Left to right")
    RTL = "rtl", _("Right to left")


class Segmentation(models.TextChoices):
    SPACE = "space", _("Words between spaces")
    UNICODE = "unicode", _("Unicode word boundaries")

    @property
    def rule(self) -> str:
        """The name by which agreement/words.py knows how words are told apart."""
        return {"space": "whitespace", "unicode": "uax29"}[self.value]


class LanguageVariety(models.Model):
    """A language as written in a place: what `lang` and `dir` of every text block come from."""

    tag = models.CharField(max_length=MAX_TAG, unique=True, help_text=_("BCP 47, for example ar-EG"))
    # In English, as prompts of judges have it; people are shown `local_name`.
    name = models.CharField(max_length=200)
    native_name = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=8)
    script = models.CharField(max_length=4)
    region = models.CharField(max_length=3, blank=True)
    direction = models.CharField(max_length=3, choices=Direction.choices)
    segmentation = models.CharField(max_length=8, choices=Segmentation.choices, default=Segmentation.SPACE)

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "language varieties"
        constraints = [
            models.CheckConstraint(condition=Q(direction__in=Direction.values), name="variety_direction"),
            models.CheckConstraint(condition=Q(segmentation__in=Segmentation.values), name="variety_words"),
        ]

    def __str__(self) -> str:
        return self.local_name

    @property
    def local_name(self) -> str:
        """The name in the reader's language."""
        return names.name(self.tag, get_language() or "en")

    @property
    def label(self) -> str:
        """Short, for tables of several projects; within one, `Project.calls` knows what it calls the variety."""
        return self.tag


class ProjectVariety(models.Model):
    """A language variety that a project is about, and what the project calls it in tables and files."""

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="varieties")
    variety = models.ForeignKey(LanguageVariety, models.PROTECT, related_name="projects")
    short_name = models.CharField(_("short name"), max_length=12, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "id"]
        verbose_name_plural = "project varieties"
        constraints = [
            models.UniqueConstraint(fields=["project", "variety"], name="project_variety_once"),
            models.UniqueConstraint(
                fields=["project", "short_name"], condition=~Q(short_name=""), name="project_variety_short_name"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.variety_id} in {self.project_id}"


class Laboratory(models.Model):
    """Who trained a model. A judge never judges output of its own laboratory, whatever gateway it came through."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)

    class Meta:
        ordering = ["name"]
        verbose_name_plural = "laboratories"

    def __str__(self) -> str:
        return self.name


class TargetModel(models.Model):
    """A model whose responses are judged."""

    name = models.CharField(max_length=200, unique=True)
    laboratory = models.ForeignKey(Laboratory, models.PROTECT, related_name="target_models")

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class ModelLaboratory(models.Model):
    """Who trained a target model as one project has it, where that is another than the installation's.

    It counts wherever the project asks whose model a response is of: a file's word does not change other projects.
    """

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="model_laboratories")
    target_model = models.ForeignKey(TargetModel, models.CASCADE, related_name="project_laboratories")
    laboratory = models.ForeignKey(Laboratory, models.PROTECT, related_name="project_models")

    class Meta:
        verbose_name_plural = "model laboratories"
        constraints = [models.UniqueConstraint(fields=["project", "target_model"], name="model_laboratory_once")]

    def __str__(self) -> str:
        return f"{self.target_model_id} of {self.laboratory_id}"


class Prompt(models.Model):
    """What was asked. The text never changes once stored; the database refuses it.

    Of a conversation `messages` are its turns (projects/conversations.py), and the text is all of them.
    """

    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="prompts")
    key = models.CharField(max_length=200)
    text = models.TextField()
    text_sha256 = models.CharField(max_length=64)
    messages = models.JSONField(default=list, blank=True)
    variety = models.ForeignKey(LanguageVariety, models.PROTECT, related_name="prompts")
    task = models.CharField(max_length=80, blank=True)
    domain = models.CharField(max_length=80, blank=True)
    # What its responses are rated on; empty: on every question type of the project.
    question = models.ForeignKey("projects.QuestionType", models.PROTECT, null=True, blank=True, related_name="prompts")
    # Prompts of one template, in whatever language, never stand on both sides of a split.
    template = models.ForeignKey(
        "projects.PromptTemplate", models.PROTECT, null=True, blank=True, related_name="prompts"
    )
    # What may be hard to read in it and its responses: the number of a ContentNoteSet of the project, 0 for nothing.
    note_set = models.PositiveIntegerField(default=0, db_default=0)
    metadata = models.JSONField(default=dict, blank=True)
    came_with = models.ForeignKey("projects.Import", models.SET_NULL, null=True, blank=True, related_name="prompts")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="prompt_key_unique"),
            models.CheckConstraint(condition=~Q(text=""), name="prompt_text_present"),
        ]
        # The same words asked under another key.
        indexes = [models.Index(fields=["project", "text_sha256"], name="prompt_by_its_words")]

    def __str__(self) -> str:
        return self.key


class Response(models.Model):
    """What a target model wrote. The text never changes once stored; the database refuses it."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey("projects.Project", models.CASCADE, related_name="responses")
    prompt = models.ForeignKey(Prompt, models.PROTECT, related_name="responses")
    target_model = models.ForeignKey(TargetModel, models.PROTECT, related_name="responses")
    variety = models.ForeignKey(LanguageVariety, models.PROTECT, related_name="responses")
    key = models.CharField(max_length=200)
    text = models.TextField()
    text_sha256 = models.CharField(max_length=64)
    metadata = models.JSONField(default=dict, blank=True)
    came_with = models.ForeignKey("projects.Import", models.SET_NULL, null=True, blank=True, related_name="responses")
    # The version before it, where another text of the same id came when that one had answers already.
    earlier = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="later")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "key"], name="response_key_unique"),
            models.CheckConstraint(condition=~Q(text=""), name="response_text_present"),
        ]
        indexes = [models.Index(fields=["project", "variety", "id"], name="response_by_variety")]

    def __str__(self) -> str:
        return self.key
