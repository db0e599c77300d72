"""The list of a board's submissions: all of them, also withdrawn and refused ones, with their place in the queue."""

from django.db.models import Case, Count, IntegerField, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from benchmark.models import Board, Submission, SubmissionState


def listed(board: Board) -> QuerySet[Submission]:
    """The newest first. `position` is 1 for the one that a moderator comes to next, None for one that waits no more."""
    return with_position(board.submissions.select_related("laboratory")).order_by("-submitted_at", "-id")


def queue(board: Board) -> QuerySet[Submission]:
    """Those that wait for a moderator, the oldest first."""
    rows = board.submissions.filter(state=SubmissionState.QUEUED).select_related("laboratory", "account")
    return with_position(rows).order_by("submitted_at", "id")


def with_position(rows: QuerySet[Submission]) -> QuerySet[Submission]:
    before = Q(submitted_at__lt=OuterRef("submitted_at")) | Q(
        submitted_at=OuterRef("submitted_at"), pk__lt=OuterRef("pk")
    )
    ahead = Submission.objects.filter(before, board=OuterRef("board"), state=SubmissionState.QUEUED).order_by()
    n_ahead = Subquery(ahead.values("board").annotate(n=Count("pk")).values("n"), output_field=IntegerField())
    return rows.annotate(position=Case(When(state=SubmissionState.QUEUED, then=Coalesce(n_ahead, 0) + 1), default=None))
