"""Models set up to judge in a project."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from judging.models.prompts import JudgePrompt
from projects.models import Project, Rater
from providers.models import Provider


class Granularity(models.TextChoices):
    PARAGRAPH = "paragraph", _("Paragraph by paragraph")
    RESPONSE = "response", _("Whole response at once")


class Target(models.TextChoices):
    """Whether a judge is told which model wrote the response (`Judge.options["target"]`)."""

    MASKED = "masked", _("Hidden")
    SHOWN = "shown", _("Named in the prompt")


class Shots(models.TextChoices):
    """Whether a judge that rates is shown examples (`Judge.options["shots"]`)."""

    ZERO = "zero", _("No examples")
    FEW = "few", _("Three graded examples")


class Orders(models.TextChoices):
    """In which orders a judge is shown the two responses of a pair (`Judge.options["orders"]`)."""

    BOTH = "both", _("Each pair in both orders")
    ONE = "one", _("Each pair once, in an order drawn by lot")


class Effort(models.TextChoices):
    """How much a model is asked to reason before it answers (`Judge.options["reasoning"]`)."""

    AS_PROVIDED = "", _("As the provider sets it")
    NONE = "none", _("None")
    MINIMAL = "minimal", _("Minimal")
    LOW = "low", _("Low")
    MEDIUM = "medium", _("Medium")
    HIGH = "high", _("High")


class Judge(models.Model):
    """A model set up to judge in one project in one way. Its answers are those of `rater`."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="judges")
    rater = models.OneToOneField(Rater, models.PROTECT, related_name="judge")
    provider = models.ForeignKey(Provider, models.PROTECT, related_name="judges")
    kind = models.CharField(max_length=20, default="spans")
    model = models.CharField(max_length=200)
    temperature = models.FloatField(null=True, blank=True, default=0.0)
    max_output_tokens = models.PositiveIntegerField(default=4000)
    # How it is set up, by the options of its kind (`judging/kinds/options.py`).
    options = models.JSONField(default=dict, blank=True)
    # The project's own prompt, or the shipped one in a language of instruction.
    prompt = models.ForeignKey(JudgePrompt, models.PROTECT, null=True, blank=True, related_name="judges")
    instruction_language = models.CharField(max_length=10, default="en")
    is_active = models.BooleanField(default=True)

    def __str__(self) -> str:
        return self.rater.name

    @property
    def asks_by(self) -> str:
        """The version of its prompt as figures name it: `v1`, `v2-ar`, `own-3`. Of the shipped ones `v2` are those that
        ask for explanations in a language that is said."""
        if self.prompt:
            return f"own-{self.prompt.number}"
        version = "v2" if self.options.get("explanation_language") else "v1"
        return version if self.instruction_language == "en" else f"{version}-{self.instruction_language}"
