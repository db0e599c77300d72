"""Which target models a project has, what is said to them beside the prompts, and the model on which authors try their
prompts."""

from django.db import models
from django.db.models import Q

from projects.models import LanguageVariety, Project, TargetModel
from providers.models import Provider

MAX_REPLICATES = 20


class TargetEndpoint(models.Model):
    """Where the responses of one target model come from in a project: a provider, or people's hands without one.

    `parameters` are sent with every prompt, with the project's system prompt where they hold none, and nothing else is
    but the prompt itself. Each prompt is asked `replicates` times.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="target_endpoints")
    target_model = models.ForeignKey(TargetModel, models.PROTECT, related_name="endpoints")
    provider = models.ForeignKey(Provider, models.PROTECT, null=True, blank=True, related_name="target_endpoints")
    model = models.CharField(max_length=200, blank=True)
    parameters = models.JSONField(default=dict, blank=True)
    replicates = models.PositiveSmallIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["target_model__name"]
        constraints = [
            models.UniqueConstraint(fields=["project", "target_model"], name="target_endpoint_unique"),
            models.CheckConstraint(
                condition=Q(provider=None, model="") | (Q(provider__isnull=False) & ~Q(model="")),
                name="target_endpoint_model_at_provider",
            ),
            models.CheckConstraint(
                condition=Q(replicates__gte=1, replicates__lte=MAX_REPLICATES), name="target_endpoint_replicates"
            ),
        ]

    def __str__(self) -> str:
        return self.target_model.name

    @property
    def is_by_hand(self) -> bool:
        return self.provider_id is None


class SystemPrompt(models.Model):
    """What target models of a project are told before each prompt, in one language variety; without one: in all others.

    `{language}` and `{variety}` stand for the names of the prompt's.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="system_prompts")
    variety = models.ForeignKey(LanguageVariety, models.PROTECT, null=True, blank=True, related_name="+")
    text = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "variety"], name="system_prompt_once"),
            models.UniqueConstraint(fields=["project"], condition=Q(variety=None), name="system_prompt_of_others_once"),
            models.CheckConstraint(condition=~Q(text=""), name="system_prompt_present"),
        ]

    def __str__(self) -> str:
        return f"{self.project_id} in {self.variety_id or 'others'}"


class DifficultyModel(models.Model):
    """The model on which a project's authors try whether a prompt is difficult. What it says is kept nowhere."""

    project = models.OneToOneField(Project, models.CASCADE, primary_key=True, related_name="difficulty_model")
    provider = models.ForeignKey(Provider, models.PROTECT, related_name="+")
    model = models.CharField(max_length=200)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(model=""), name="difficulty_model_named")]

    def __str__(self) -> str:
        return self.model
