"""Who answers: a row of a board is a configuration of a model, and a model has a card."""

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q

from agreement.sizes import size_class
from benchmark.baseline_names import shown_name
from formats.choices import Access, ConfigurationKind, SizeClass, Standing
from projects.models import Laboratory, Project, TargetModel


class ModelCard(models.Model):
    """What is known of a model. Parameters are billions; None where its makers do not say."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="model_cards")
    slug = models.SlugField(max_length=80)
    name = models.CharField(max_length=200)
    laboratory = models.ForeignKey(Laboratory, models.PROTECT, related_name="model_cards")
    access = models.CharField(max_length=4, choices=Access.choices)
    parameters_total = models.FloatField(null=True, blank=True, validators=[MinValueValidator(0)])
    parameters_active = models.FloatField(null=True, blank=True, validators=[MinValueValidator(0)])
    licence = models.CharField(max_length=200, blank=True)
    context_tokens = models.PositiveIntegerField(null=True, blank=True)
    link = models.URLField(max_length=500, blank=True)
    # What its makers say of texts of the set that it was trained on; empty: they say nothing.
    declared_overlap = models.TextField(blank=True)
    # Pairs of tags around thinking that the known ones do not cover.
    thinking_tags = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["project", "slug"], name="model_card_slug_unique"),
            models.UniqueConstraint(fields=["project", "name"], name="model_card_name_unique"),
            models.CheckConstraint(condition=~Q(slug="") & ~Q(name=""), name="model_card_named"),
            models.CheckConstraint(condition=Q(access__in=Access.values), name="model_card_access_known"),
            models.CheckConstraint(
                condition=Q(parameters_total=None) | Q(parameters_total__gt=0), name="model_card_total_positive"
            ),
            models.CheckConstraint(
                condition=Q(parameters_active=None)
                | (
                    Q(parameters_active__gt=0)
                    & (Q(parameters_total=None) | Q(parameters_active__lte=F("parameters_total")))
                ),
                name="model_card_active_within_total",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def page(self) -> str:
        """The link where it leads to a page; "" for `javascript:` and the like, which nobody should follow."""
        return self.link if self.link.lower().startswith(("https://", "http://")) else ""

    @property
    def size(self) -> SizeClass:
        """The class of its parameters in total; undisclosed where nobody says."""
        return SizeClass(size_class(self.parameters_total))


class Configuration(models.Model):
    """A row of a board: a model as it was run. Another prompt template or sampling is another configuration.

    Its answers are the responses of `target_model` in the project. `sampling` holds temperature, top_p and the like
    as they are sent; the rest is empty where it does not apply or nobody said.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="configurations")
    kind = models.CharField(max_length=8, choices=ConfigurationKind.choices, default=ConfigurationKind.MODEL)
    card = models.ForeignKey(ModelCard, models.PROTECT, null=True, blank=True, related_name="configurations")
    target_model = models.ForeignKey(TargetModel, models.PROTECT, related_name="configurations")
    slug = models.SlugField(max_length=80)
    name = models.CharField(max_length=200)
    provider = models.CharField(max_length=120, blank=True)
    revision = models.CharField(max_length=120, blank=True)
    precision = models.CharField(max_length=40, blank=True)
    template_sha256 = models.CharField(max_length=64, blank=True)
    system_prompt = models.TextField(blank=True)
    sampling = models.JSONField(default=dict, blank=True)
    thinking_effort = models.CharField(max_length=40, blank=True)
    token_limit = models.PositiveIntegerField(null=True, blank=True)
    standing = models.CharField(max_length=10, choices=Standing.choices, default=Standing.RANKED)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.UniqueConstraint(fields=["project", "target_model"], name="configuration_target_unique"),
            models.UniqueConstraint(fields=["project", "slug"], name="configuration_slug_unique"),
            models.UniqueConstraint(fields=["project", "name"], name="configuration_name_unique"),
            models.CheckConstraint(condition=~Q(slug="") & ~Q(name=""), name="configuration_named"),
            models.CheckConstraint(condition=Q(kind__in=ConfigurationKind.values), name="configuration_kind_known"),
            models.CheckConstraint(condition=Q(standing__in=Standing.values), name="configuration_standing_known"),
            models.CheckConstraint(
                condition=Q(kind=ConfigurationKind.MODEL, card__isnull=False)
                | (~Q(kind=ConfigurationKind.MODEL) & Q(card=None)),
                name="configuration_of_a_card",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def shown_name(self) -> str:
        return shown_name(self.name, is_baseline=self.kind == ConfigurationKind.BASELINE)
