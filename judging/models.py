"""What models are asked to judge and what they said: providers, judges, runs, shards, calls."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from projects.models import Laboratory, Project, Prompt, Rater, Response, TargetModel


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
    concurrency = models.PositiveSmallIntegerField(default=16)
    timeout_seconds = models.PositiveSmallIntegerField(default=120)
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
                condition=Q(structured_output__in=StructuredOutput.values), name="provider_structured_output"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ModelMapping(models.Model):
    """Which laboratory stands behind a model's name; what is not mapped is refused."""

    pattern = models.CharField(max_length=120, unique=True, help_text=_("Start of the model's name"))
    laboratory = models.ForeignKey(Laboratory, models.CASCADE, related_name="model_mappings")

    def __str__(self) -> str:
        return f"{self.pattern} -> {self.laboratory_id}"


class PromptVersion(models.Model):
    """The exact text of a prompt file at the time a run used it; a run is pinned to it."""

    name = models.CharField(max_length=80)
    version = models.CharField(max_length=20)
    text = models.TextField()
    text_sha256 = models.CharField(max_length=64)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["name", "version", "text_sha256"], name="prompt_version_unique")]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


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


class Judge(models.Model):
    """A model set up to judge in one project in one way. Its answers are those of `rater`."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="judges")
    rater = models.OneToOneField(Rater, models.PROTECT, related_name="judge")
    provider = models.ForeignKey(Provider, models.PROTECT, related_name="judges")
    kind = models.CharField(max_length=20, default="spans")
    model = models.CharField(max_length=200)
    granularity = models.CharField(max_length=10, choices=Granularity.choices, default=Granularity.PARAGRAPH)
    with_taxonomy = models.BooleanField(_("the taxonomy stands in the prompt"), default=False)
    temperature = models.FloatField(null=True, blank=True, default=0.0)
    max_output_tokens = models.PositiveIntegerField(default=4000)
    options = models.JSONField(default=dict, blank=True)
    is_active = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(granularity__in=Granularity.values), name="judge_granularity")
        ]

    def __str__(self) -> str:
        return self.rater.name


class RunState(models.TextChoices):
    PLANNED = "planned", _("Planned")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    CANCELLED = "cancelled", _("Cancelled")


class Run(models.Model):
    """One pass of a judge over responses. Cancelled runs can be resumed: what was stored stays."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    project = models.ForeignKey(Project, models.CASCADE, related_name="judge_runs")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="runs")
    prompt_version = models.ForeignKey(PromptVersion, models.PROTECT, related_name="runs")
    round = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.PLANNED)
    excluded = models.PositiveIntegerField(default=0, help_text=_("Responses of the judge's own laboratory"))
    options = models.JSONField(default=dict, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.CheckConstraint(condition=Q(state__in=RunState.values), name="run_state_known")]

    def __str__(self) -> str:
        return f"{self.judge} {self.created_at:%Y-%m-%d %H:%M}"


class ShardState(models.TextChoices):
    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    CANCELLED = "cancelled", _("Cancelled")


class Shard(models.Model):
    """A few hundred calls that one task runs concurrently. A stale heartbeat gives it back to the queue.

    `heartbeat_at` is when it was queued or last moved. All calls of a response stand in one shard.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="shards")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=ShardState.choices, default=ShardState.QUEUED)
    claim = models.UUIDField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="shard_number_unique"),
            models.CheckConstraint(condition=Q(state__in=ShardState.values), name="shard_state_known"),
        ]
        indexes = [models.Index(fields=["state", "heartbeat_at"], name="shard_sweep")]

    def __str__(self) -> str:
        return f"{self.run_id}/{self.number}"


class CallState(models.TextChoices):
    PLANNED = "planned", _("Planned")
    SCORED = "scored", _("Scored")
    REPAIRED = "repaired", _("Scored after repair")
    UNLOCATABLE = "unlocatable", _("Quote not found")
    REFUSED = "refused", _("Refused")
    TRUNCATED = "truncated", _("Cut short")
    MALFORMED = "malformed", _("Unreadable")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


# The judge's answer stands in the marking in these states, and in no other. A span whose quote cannot be
# located is left out of the marking and counted beside it (the call's `parsed`); the rest of the answer stands.
ANSWERED = (CallState.SCORED, CallState.REPAIRED, CallState.UNLOCATABLE)


class Call(models.Model):
    """One question to a judge. `unit` is the paragraph's number, or -1 for the whole response.

    A question about errors that are marked already, or about criteria, names them in `about` by their ids; one about
    rows of several tables by names that say of which ("question:5", "pair:7"). What its unit's number is says the
    judge's kind. A pair's call stands under the response that it shows first.

    Its key (judge, response, unit, prompt version, round) is unique: running again asks nothing twice.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="calls")
    shard = models.ForeignKey(Shard, models.CASCADE, related_name="calls")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="calls")
    response = models.ForeignKey(Response, models.CASCADE, related_name="judge_calls")
    prompt_version = models.ForeignKey(PromptVersion, models.PROTECT, related_name="calls")
    unit = models.BigIntegerField(default=-1)
    about = models.JSONField(default=list, blank=True)
    round = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=12, choices=CallState.choices, default=CallState.PLANNED)
    input_sha256 = models.CharField(max_length=64, blank=True)
    raw_output = models.TextField(blank=True)
    parsed = models.JSONField(null=True, blank=True)
    problem = models.TextField(blank=True)
    reply_model = models.CharField(max_length=200, blank=True)
    finish_reason = models.CharField(max_length=40, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["judge", "response", "unit", "prompt_version", "round"], name="call_once"),
            models.CheckConstraint(condition=Q(state__in=CallState.values), name="call_state_known"),
        ]
        indexes = [
            models.Index(fields=["run", "state"], name="call_progress"),
            models.Index(fields=["shard", "state"], name="call_of_shard"),
        ]

    def __str__(self) -> str:
        return f"{self.judge_id} on {self.response_id}/{self.unit}"


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


class Collection(models.Model):
    """One pass over the prompts of a project with one target model. A running one without a claim waits for a worker.

    `heartbeat_at` is when it was queued or last moved.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    endpoint = models.ForeignKey(TargetEndpoint, models.PROTECT, related_name="collections")
    state = models.CharField(max_length=10, choices=RunState.choices, default=RunState.PLANNED)
    unfrozen = models.PositiveIntegerField(default=0, help_text=_("Prompts left out for want of a frozen rubric"))
    claim = models.UUIDField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=RunState.values), name="collection_state_known"),
            # A cancelled one keeps its claim until its worker has let go of what was in flight.
            models.CheckConstraint(
                condition=Q(claim=None) | Q(state__in=[RunState.RUNNING, RunState.CANCELLED]),
                name="collection_claimed_while_running",
            ),
        ]
        indexes = [models.Index(fields=["state", "heartbeat_at"], name="collection_sweep")]

    def __str__(self) -> str:
        return f"{self.endpoint} {self.created_at:%Y-%m-%d %H:%M}"


class CollectionState(models.TextChoices):
    PLANNED = "planned", _("Planned")
    COLLECTED = "collected", _("Collected")
    REFUSED = "refused", _("Refused")
    TRUNCATED = "truncated", _("Cut short")
    EMPTY = "empty", _("Empty")
    UNUSABLE = "unusable", _("Unusable")
    FAILED = "failed", _("No answer came")
    CANCELLED = "cancelled", _("Cancelled")


class CollectionCall(models.Model):
    """One prompt put to one target model, once. What it answered first is its response, word for word.

    What came as an answer is never asked for a second time: the database lets a call be planned again only where
    none came (triggers of its migration). `raw_output` holds an answer that did not become a response, unaltered unless
    unusable. A call without a collection is what a person pasted.
    """

    collection = models.ForeignKey(Collection, models.CASCADE, null=True, blank=True, related_name="calls")
    endpoint = models.ForeignKey(TargetEndpoint, models.PROTECT, related_name="calls")
    prompt = models.ForeignKey(Prompt, models.PROTECT, related_name="collection_calls")
    state = models.CharField(max_length=12, choices=CollectionState.choices, default=CollectionState.PLANNED)
    response = models.OneToOneField(Response, models.PROTECT, null=True, blank=True, related_name="collection_call")
    raw_output = models.TextField(blank=True)
    problem = models.TextField(blank=True)
    reply_model = models.CharField(max_length=200, blank=True)
    finish_reason = models.CharField(max_length=40, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    words = models.PositiveIntegerField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    # Of a response that was pasted: by whom, and what they confirmed of how they came by it.
    pasted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    controls = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "prompt"], name="collection_asked_once"),
            models.CheckConstraint(condition=Q(state__in=CollectionState.values), name="collection_call_state_known"),
            models.CheckConstraint(
                condition=Q(state=CollectionState.COLLECTED, response__isnull=False)
                | (~Q(state=CollectionState.COLLECTED) & Q(response=None)),
                name="collected_with_response",
            ),
        ]
        indexes = [models.Index(fields=["collection", "state"], name="collection_progress")]

    def __str__(self) -> str:
        return f"{self.endpoint_id} on {self.prompt_id}"

    @property
    def words_per_second(self) -> float | None:
        """Words of the answer by the seconds of the attempt that brought it."""
        return None if self.words is None or not self.latency_ms else 1000 * self.words / self.latency_ms


class DifficultyModel(models.Model):
    """The model on which a project's authors try whether a prompt is difficult. What it says is kept nowhere."""

    project = models.OneToOneField(Project, models.CASCADE, primary_key=True, related_name="difficulty_model")
    provider = models.ForeignKey(Provider, models.PROTECT, related_name="+")
    model = models.CharField(max_length=200)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(model=""), name="difficulty_model_named")]

    def __str__(self) -> str:
        return self.model
