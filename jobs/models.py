"""Jobs: what is done in the background. The row is the truth; a message on the broker only wakes a worker."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from projects.models import Project


class Queue(models.TextChoices):
    """By what a job mostly does, so that none of these waits for another: see `settings.QUEUES`."""

    CALLS = "calls", _("Asking models")
    FIGURES = "figures", _("Figures that somebody waits for")
    WORK = "work", _("Imports, exports and other long work")


class JobState(models.TextChoices):
    PLANNED = "planned", _("Planned")
    QUEUED = "queued", _("Waiting")
    RUNNING = "running", _("Running")
    PAUSED = "paused", _("Paused")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")


OVER = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)
OPEN = (JobState.PLANNED, JobState.QUEUED, JobState.RUNNING, JobState.PAUSED)


class JobQuerySet(QuerySet["Job"]):
    def held_under(self, claim: uuid.UUID) -> "JobQuerySet":
        """The running job that a worker holds under this claim: the condition of every write of a worker's."""
        return self.filter(claim=claim, state=JobState.RUNNING)

    def waiting(self, queue: str) -> "JobQuerySet":
        """What a worker of a queue may take up now, in the order in which it should."""
        return self.filter(queue=queue, state=JobState.QUEUED, due_at__lte=timezone.now()).order_by("due_at", "pk")

    def newest(self, kind: str, key: str) -> "Job | None":
        """The job of this key that was asked for last, in whatever state."""
        return self.filter(kind=kind, key=key).order_by("-pk").first()

    def open(self) -> "JobQuerySet":
        return self.filter(state__in=OPEN)


class Job(models.Model):
    """One piece of work for a worker: planned, queued, running in one worker's hands, over.

    `kind` names what does it (`jobs.kinds`), `options` is what that is told. `resource` names what many jobs would hold
    at once, such as a provider: of one resource, no worker holds more than its share. `key` keeps a second job of the
    same kind from being begun while one is open. `heartbeat_at` is when it was queued, taken up or last moved; a
    running job whose worker has been silent for long is given to another. `sentence` and `problem` are in the
    `language` of whoever asked for it.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    kind = models.CharField(max_length=30)
    project = models.ForeignKey(Project, models.CASCADE, null=True, blank=True, related_name="jobs")
    queue = models.CharField(max_length=10, choices=Queue.choices, default=Queue.WORK)
    resource = models.CharField(max_length=60, blank=True)
    key = models.CharField(max_length=200, blank=True)
    options = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.PLANNED)
    claim = models.UUIDField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    # How far it is: of `total` parts, where they can be counted beforehand, so many are done.
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(null=True, blank=True)
    sentence = models.TextField(blank=True)
    problem = models.TextField(blank=True)
    result = models.JSONField(null=True, blank=True)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    language = models.CharField(max_length=10, default="en")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=JobState.values), name="job_state_known"),
            models.CheckConstraint(condition=Q(queue__in=Queue.values), name="job_queue_known"),
            models.CheckConstraint(
                condition=Q(state=JobState.RUNNING, claim__isnull=False)
                | (~Q(state=JobState.RUNNING) & Q(claim__isnull=True)),
                name="job_claimed_while_running",
            ),
            models.CheckConstraint(
                condition=Q(state__in=OVER, ended_at__isnull=False) | (~Q(state__in=OVER) & Q(ended_at__isnull=True)),
                name="job_ended_when_over",
            ),
            models.UniqueConstraint(
                fields=["kind", "key"], condition=~Q(key="") & Q(state__in=OPEN), name="job_open_once_by_key"
            ),
        ]
        indexes = [
            models.Index(fields=["queue", "state", "due_at", "id"], name="job_waiting"),
            models.Index(fields=["state", "heartbeat_at"], name="job_sweep"),
            models.Index(fields=["project", "-id"], name="job_of_project"),
            models.Index(fields=["kind", "key", "-id"], name="job_by_key"),
            models.Index(fields=["claim"], name="job_by_claim", condition=Q(claim__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.uuid}"

    @property
    def is_over(self) -> bool:
        return self.state in OVER


class StoredFile(models.Model):
    """A file on its way to a job or from it: in the database, so that a worker on any machine has it.

    One that is being written belongs to no job yet. It is gone some time after `expires_at`, but not while its job is
    open.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # One that waits for what is to be done with it, in whose project.
    project = models.ForeignKey(Project, models.CASCADE, null=True, blank=True, related_name="+")
    job = models.OneToOneField(Job, models.CASCADE, null=True, blank=True, related_name="file")
    name = models.CharField(max_length=200)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    media_type = models.CharField(max_length=100, default="application/octet-stream")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["expires_at"], name="stored_file_expires")]

    def __str__(self) -> str:
        return self.name


class FileChunk(models.Model):
    """A part of a file, a megabyte at most; `number` counts from 0."""

    file = models.ForeignKey(StoredFile, models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["file", "number"], name="file_chunk_once")]

    def __str__(self) -> str:
        return f"{self.file_id} {self.number}"


class Worker(models.Model):
    """A process that takes up jobs, as it said itself when it was last seen. `slots` are those of all its processes."""

    name = models.CharField(max_length=200, unique=True)
    queues = models.JSONField(default=list)
    slots = models.PositiveSmallIntegerField(default=1)
    started_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["seen_at"], name="worker_seen")]

    def __str__(self) -> str:
        return self.name
