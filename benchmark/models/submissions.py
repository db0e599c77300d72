"""Models that others submit to an open board: an account once a calendar month, a laboratory once a calendar month."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from benchmark.models.boards import Board
from benchmark.models.configurations import Configuration
from benchmark.models.sets import QuestionSet
from projects.models import Laboratory


class VerifiedAccount(models.Model):
    """That an account speaks for a laboratory, as somebody who runs the installation has checked."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="verified_account"
    )
    laboratory = models.ForeignKey(Laboratory, models.PROTECT, related_name="verified_accounts")
    verified_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    verified_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.user_id} for {self.laboratory_id}"


class SubmissionState(models.TextChoices):
    QUEUED = "queued", _("Waits for a moderator")
    ACCEPTED = "accepted", _("Accepted")
    RUNNING = "running", _("Running")
    DONE = "done", _("On the board")
    REFUSED = "refused", _("Refused")
    FAILED = "failed", _("Failed")
    TIMED_OUT = "timed_out", _("Timed out")
    WITHDRAWN = "withdrawn", _("Withdrawn")


class Submission(models.Model):
    """A model somebody submits. All of them count for their month and stay listed, whatever became of them.

    `month` is the calendar month in UTC, as 2026-11. `card` and `run` are what the submitter says of the model and
    of how it is to be run, in the shapes of ModelCard and Configuration. `question_set` is the version that the board
    ranked when it was accepted: it is asked this one to its end, whatever is frozen meanwhile.
    """

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    board = models.ForeignKey(Board, models.CASCADE, related_name="submissions")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="submissions")
    laboratory = models.ForeignKey(Laboratory, models.PROTECT, related_name="submissions")
    month = models.CharField(max_length=7)
    name = models.CharField(max_length=200)
    card = models.JSONField(default=dict)
    run = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=SubmissionState.choices, default=SubmissionState.QUEUED)
    reason = models.TextField(blank=True)
    configuration = models.OneToOneField(
        Configuration, models.SET_NULL, null=True, blank=True, related_name="submission"
    )
    question_set = models.ForeignKey(QuestionSet, models.SET_NULL, null=True, blank=True, related_name="submissions")
    submitted_at = models.DateTimeField(auto_now_add=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["submitted_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["board", "account", "month"], name="submission_once_by_account"),
            models.UniqueConstraint(fields=["board", "laboratory", "month"], name="submission_once_by_laboratory"),
            models.CheckConstraint(condition=~Q(month=""), name="submission_month_present"),
            models.CheckConstraint(condition=Q(state__in=SubmissionState.values), name="submission_state_known"),
            models.CheckConstraint(
                condition=~Q(state=SubmissionState.REFUSED) | ~Q(reason=""), name="submission_refused_with_reason"
            ),
            models.CheckConstraint(condition=~Q(name=""), name="submission_named"),
        ]
        indexes = [models.Index(fields=["board", "state", "submitted_at"], name="submission_queue")]

    def __str__(self) -> str:
        return self.name


class Ban(models.Model):
    """An account that may not submit to a board any more, with the reason; lifted, it stays on record."""

    board = models.ForeignKey(Board, models.CASCADE, related_name="bans")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="bans")
    reason = models.TextField()
    banned_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    banned_at = models.DateTimeField(auto_now_add=True)
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["board", "user"], condition=Q(lifted_at=None), name="ban_once"),
            models.CheckConstraint(condition=~Q(reason=""), name="ban_with_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} from {self.board_id}"
