"""Who does what next: stages, the items of a stage, who holds them, and what they have written so far."""

import uuid

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from projects.models import LanguageVariety, Project, Prompt, Rater, Response


class Policy(models.TextChoices):
    UNANIMOUS = "unanimous", _("All must keep it")
    MAJORITY = "majority", _("More must keep than reject it")
    ANY = "any", _("One who keeps it suffices")


class Stage(models.Model):
    """One kind of work in a project. `kind` names a task type registered in workflow/task_types.py."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="stages")
    kind = models.CharField(max_length=20)
    name = models.CharField(_("name"), max_length=80)
    position = models.PositiveSmallIntegerField(default=1)
    overlap = models.PositiveSmallIntegerField(_("raters per item"), default=2)
    lease_minutes = models.PositiveSmallIntegerField(_("minutes an item is held for one person"), default=120)
    policy = models.CharField(_("policy"), max_length=10, choices=Policy.choices, default=Policy.UNANIMOUS)
    is_open = models.BooleanField(_("open for work"), default=True)
    # Answers of a locked stage can no longer be amended by those who gave them.
    locked_at = models.DateTimeField(null=True, blank=True)
    seed = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["project", "position"]
        constraints = [
            models.UniqueConstraint(fields=["project", "name"], name="stage_name_unique"),
            models.CheckConstraint(condition=Q(overlap__gte=1), name="stage_overlap_positive"),
            models.CheckConstraint(condition=Q(lease_minutes__gte=1), name="stage_lease_positive"),
            models.CheckConstraint(condition=Q(policy__in=Policy.values), name="stage_policy_known"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def label(self) -> str:
        """The name in the reader's language where it is still one a preset gave, else as the lead wrote it."""
        return gettext(self.name)


class WorkItem(models.Model):
    """What is to be done in a stage by `slots` raters, of which `open_slots` are still to be claimed.

    It is about a response; or about a prompt, where what is written comes before any response; or about neither,
    where a rater has begun something of their own.

    `position` is the order in which items are handed out. The partial index holds open items alone, so the
    next item is found at the same cost among a thousand and among a million.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="items")
    response = models.ForeignKey(Response, models.CASCADE, null=True, blank=True, related_name="work_items")
    prompt = models.ForeignKey(Prompt, models.CASCADE, null=True, blank=True, related_name="work_items")
    variety = models.ForeignKey(LanguageVariety, models.PROTECT, related_name="+")
    position = models.BigIntegerField()
    slots = models.PositiveSmallIntegerField()
    open_slots = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "response"], name="work_item_unique"),
            models.UniqueConstraint(fields=["stage", "prompt"], name="work_item_prompt_unique"),
            models.CheckConstraint(condition=Q(response=None) | Q(prompt=None), name="work_item_one_subject"),
            models.CheckConstraint(
                condition=Q(open_slots__gte=0) & Q(open_slots__lte=F("slots")), name="work_item_slots"
            ),
        ]
        indexes = [
            models.Index(
                fields=["stage", "variety", "position"], condition=Q(open_slots__gt=0), name="work_item_queue"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage}: {self.response or self.prompt or self.pk}"

    @property
    def is_own_beginning(self) -> bool:
        """Begun by a rater as something of their own: nobody else can be given it."""
        return self.response_id is None and self.prompt_id is None


class Status(models.TextChoices):
    RESERVED = "reserved", _("Waiting")
    CLAIMED = "claimed", _("In progress")
    SUBMITTED = "submitted", _("Done")
    SKIPPED = "skipped", _("Skipped")
    RELEASED = "released", _("Given back")
    EXPIRED = "expired", _("Lease ran out")


# A slot of the item is taken in these; in the others it has gone back to the queue.
HOLDING = (Status.RESERVED, Status.CLAIMED, Status.SUBMITTED)


class Assignment(models.Model):
    """One rater's turn at one item. At most one per item, rater and round, ever: nobody gets an item twice."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    item = models.ForeignKey(WorkItem, models.CASCADE, related_name="assignments")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="assignments")
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="assignments")
    round = models.PositiveSmallIntegerField(default=1)
    # The item's position where it came from the queue, empty where a lead handed it out. The highest one is where
    # the rater's next search begins, so that it costs the same after ten items and after ten thousand.
    queue_position = models.BigIntegerField(null=True, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.CLAIMED)
    claimed_at = models.DateTimeField(null=True, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    # Chosen by the browser once per submission and sent again with every retry: a resend changes nothing.
    submission = models.UUIDField(null=True, blank=True, unique=True)
    # The version its draft had when it was submitted. An answer taken back goes on above it, so that a tab left
    # open since can never mistake the new draft for the one it knew.
    submitted_version = models.PositiveIntegerField(default=0)
    skip_reason = models.CharField(max_length=40, blank=True)
    skip_note = models.TextField(blank=True)
    active_seconds = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "rater", "round"], name="assignment_once"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="assignment_status_known"),
            models.CheckConstraint(
                condition=Q(status=Status.SUBMITTED, submitted_at__isnull=False)
                | (~Q(status=Status.SUBMITTED) & Q(submitted_at=None)),
                name="assignment_submitted_at",
            ),
            models.CheckConstraint(
                condition=~Q(status=Status.CLAIMED) | Q(lease_expires_at__isnull=False),
                name="assignment_claim_has_lease",
            ),
        ]
        indexes = [
            models.Index(fields=["rater", "stage", "status"], name="assignment_of_rater"),
            models.Index(fields=["rater", "stage", "queue_position"], name="assignment_cursor"),
            models.Index(fields=["lease_expires_at"], condition=Q(status=Status.CLAIMED), name="assignment_leases"),
        ]

    def __str__(self) -> str:
        return f"{self.rater}: {self.item_id}"

    @property
    def response(self) -> Response:
        """The response it is about; for kinds of work that are about responses alone."""
        response = self.item.response
        assert response is not None
        return response


class Draft(models.Model):
    """What a rater has written and not yet submitted. One row per assignment; each save raises the version."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, primary_key=True, related_name="draft")
    version = models.PositiveIntegerField(default=1)
    body = models.JSONField()
    client = models.CharField(max_length=40, blank=True)
    saved_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.assignment_id} v{self.version}"


class SetAsideDraft(models.Model):
    """The other side of a conflict: what a stale tab wanted to save, kept so that nothing written is lost."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="set_aside_drafts")
    base_version = models.PositiveIntegerField()
    body = models.JSONField()
    client = models.CharField(max_length=40, blank=True)
    saved_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.assignment_id} from v{self.base_version}"
