"""Where models are served, what they cost, and who trained them."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from projects.models import Laboratory


class StructuredOutput(models.TextChoices):
    SCHEMA = "schema", _("By JSON Schema")
    OBJECT = "object", _("Any JSON object")
    PROMPT = "prompt", _("By the prompt alone")


class Provider(models.Model):
    """An OpenAI-compatible endpoint. The key's name stands here; the key itself never does."""

    name = models.SlugField(max_length=60, unique=True)
    base_url = models.URLField(max_length=300)
    key_name = models.CharField(max_length=80, blank=True, help_text=_("Name of the environment variable"))
    # Where one laboratory alone stands behind every model of the endpoint; gateways leave it empty.
    laboratory = models.ForeignKey(Laboratory, models.PROTECT, null=True, blank=True, related_name="+")
    is_simulated = models.BooleanField(default=False)
    # Whoever submitted a model named the address: it is called at public addresses alone.
    is_submitted = models.BooleanField(default=False)
    # Limits hold for all workers together; an empty one is none.
    concurrency = models.PositiveSmallIntegerField(default=16)
    requests_per_minute = models.PositiveIntegerField(null=True, blank=True)
    tokens_per_minute = models.PositiveIntegerField(null=True, blank=True)
    # Of one attempt, and of a call with all its attempts and the waiting between them.
    timeout_seconds = models.PositiveSmallIntegerField(default=120)
    deadline_seconds = models.PositiveIntegerField(default=900)
    # How the endpoint can be made to answer in the form that is asked for.
    structured_output = models.CharField(
        max_length=8, choices=StructuredOutput.choices, default=StructuredOutput.SCHEMA
    )

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=Q(concurrency__gte=1), name="provider_concurrency_positive"),
            models.CheckConstraint(condition=Q(timeout_seconds__gte=1), name="provider_timeout_positive"),
            models.CheckConstraint(
                condition=Q(deadline_seconds__gte=F("timeout_seconds")), name="provider_deadline_beyond_timeout"
            ),
            models.CheckConstraint(
                condition=(Q(requests_per_minute=None) | Q(requests_per_minute__gte=1))
                & (Q(tokens_per_minute=None) | Q(tokens_per_minute__gte=1)),
                name="provider_limits_positive",
            ),
            models.CheckConstraint(
                condition=Q(structured_output__in=StructuredOutput.values), name="provider_structured_output"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class TokenLimit(models.TextChoices):
    """The name under which a model is told how long its answer may be."""

    AS_LABORATORY = "", _("As usual for its laboratory")
    MAX_TOKENS = "max_tokens", "max_tokens"
    MAX_COMPLETION_TOKENS = "max_completion_tokens", "max_completion_tokens"


class ServedModel(models.Model):
    """A model as one provider serves it: what is known of it, what it costs, what a test of it found.

    A capability that is None is not known. Prices are US dollars for a million tokens; without them nothing that
    this model does has a cost. `found` is what the last test saw (`providers/trying.py`), for people to read.
    """

    provider = models.ForeignKey(Provider, models.CASCADE, related_name="served_models")
    name = models.CharField(max_length=200)
    # Who trained it, where its name does not tell: of self-hosted models, say.
    laboratory = models.ForeignKey(Laboratory, models.PROTECT, null=True, blank=True, related_name="+")
    gives_schema = models.BooleanField(_("answers by JSON Schema"), null=True, blank=True)
    gives_object = models.BooleanField(_("answers with any JSON object"), null=True, blank=True)
    gives_logprobs = models.BooleanField(_("gives log probabilities"), null=True, blank=True)
    takes_seed = models.BooleanField(_("takes a seed"), null=True, blank=True)
    takes_temperature = models.BooleanField(_("takes a temperature"), null=True, blank=True)
    reasons = models.BooleanField(_("reasons before it answers"), null=True, blank=True)
    token_limit = models.CharField(max_length=24, choices=TokenLimit.choices, blank=True, default="")
    input_price = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    output_price = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    tested_at = models.DateTimeField(null=True, blank=True)
    found = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["provider__name", "name"]
        constraints = [
            models.UniqueConstraint(fields=["provider", "name"], name="served_model_unique"),
            models.CheckConstraint(condition=~Q(name=""), name="served_model_named"),
            models.CheckConstraint(condition=Q(token_limit__in=TokenLimit.values), name="served_model_token_limit"),
            models.CheckConstraint(
                condition=Q(input_price=None, output_price=None) | Q(input_price__gte=0, output_price__gte=0),
                name="served_model_priced_both_ways",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} at {self.provider_id}"


class ModelMapping(models.Model):
    """Which laboratory stands behind a model's name; what is not mapped is refused."""

    pattern = models.CharField(max_length=120, unique=True, help_text=_("Start of the model's name"))
    laboratory = models.ForeignKey(Laboratory, models.CASCADE, related_name="model_mappings")

    def __str__(self) -> str:
        return f"{self.pattern} -> {self.laboratory_id}"
