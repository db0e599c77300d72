"""Which target models a project has, and the model on which authors try their prompts."""

from django.db import models
from django.db.models import Q

from projects.models import Project, TargetModel
from providers.models import Provider


class TargetEndpoint(models.Model):
    """Where the responses of one target model come from in a project: a provider, or people's hands without one.

    `parameters` are sent with every prompt, and nothing else is but the prompt itself.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="target_endpoints")
    target_model = models.ForeignKey(TargetModel, models.PROTECT, related_name="endpoints")
    provider = models.ForeignKey(Provider, models.PROTECT, null=True, blank=True, related_name="target_endpoints")
    model = models.CharField(max_length=200, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["target_model__name"]
        constraints = [
            models.UniqueConstraint(fields=["project", "target_model"], name="target_endpoint_unique"),
            models.CheckConstraint(
                condition=Q(provider=None, model="") | (Q(provider__isnull=False) & ~Q(model="")),
                name="target_endpoint_model_at_provider",
            ),
        ]

    def __str__(self) -> str:
        return self.target_model.name

    @property
    def is_by_hand(self) -> bool:
        return self.provider_id is None


class DifficultyModel(models.Model):
    """The model on which a project's authors try whether a prompt is difficult. What it says is kept nowhere."""

    project = models.OneToOneField(Project, models.CASCADE, primary_key=True, related_name="difficulty_model")
    provider = models.ForeignKey(Provider, models.PROTECT, related_name="+")
    model = models.CharField(max_length=200)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(model=""), name="difficulty_model_named")]

    def __str__(self) -> str:
        return self.model
