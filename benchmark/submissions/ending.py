"""How a submission ends: each change of state is a conditional UPDATE, so that of two who decide one succeeds.

Its row of the board follows: done, it is ranked; ended otherwise, it is withdrawn. What still runs for it is in a room
above this one, which is told.
"""

from collections.abc import Callable, Collection

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from benchmark.cards import set_standing
from benchmark.models import Standing, Submission, SubmissionState
from projects.audit import record
from projects.models import User
from projects.problems import Invalid, Problem

QUEUED, ACCEPTED, RUNNING = SubmissionState.QUEUED, SubmissionState.ACCEPTED, SubmissionState.RUNNING
DONE = SubmissionState.DONE
GOING = (ACCEPTED, RUNNING)
WITHDRAWABLE = (QUEUED, ACCEPTED, RUNNING, DONE)
ENDED_OTHERWISE = (
    SubmissionState.REFUSED,
    SubmissionState.FAILED,
    SubmissionState.TIMED_OUT,
    SubmissionState.WITHDRAWN,
)
MAX_REASON = 2000

_stoppers: list[Callable[[Submission, User | None], None]] = []


def register_stopper(stop: Callable[[Submission, User | None], None]) -> None:
    """Name what stops the work for a submission; called once it has ended, after its transaction."""
    _stoppers.append(stop)


def end(
    submission: Submission, state: str, from_states: Collection[str], *, reason: str = "", by: User | None = None
) -> bool:
    """End a submission that is in one of these states. False where it is not, and nothing was changed."""
    now = timezone.now()
    with transaction.atomic():
        values = {"state": state, "reason": reason, "ended_at": now}
        if submission.decided_at is None and by is not None and state == SubmissionState.REFUSED:
            values |= {"decided_by": by, "decided_at": now}
        rows = Submission.objects.filter(pk=submission.pk, state__in=list(from_states))
        if not rows.update(**values):
            return False
        submission.refresh_from_db()
        place(submission, by)
        detail = {"id": str(submission.uuid), "month": submission.month}
        detail |= {"reason": reason} if reason else {}
        record(f"submission.{state}", actor=by, project=submission.board.project, subject=submission.name, **detail)
        if state != DONE:
            transaction.on_commit(lambda: stop(submission, by))
    return True


def place(submission: Submission, by: User | None) -> None:
    """Rank the row of one that is done, where nobody decided otherwise; withdraw that of one that ended otherwise."""
    row = submission.configuration
    wanted = Standing.RANKED if submission.state == DONE else Standing.WITHDRAWN
    if row is None or row.standing == Standing.WITHDRAWN or row.standing == wanted:
        return
    told = {"state": submission.get_state_display(), "reason": submission.reason}
    words = _("Submission: %(state)s. %(reason)s") if submission.reason else _("Submission: %(state)s.")
    set_standing(row, wanted, words % told, by)


def stop(submission: Submission, by: User | None) -> None:
    for stopper in _stoppers:
        stopper(submission, by)


def withdraw(submission: Submission, by: User) -> None:
    """Take one's own submission back: it stays listed and counts for its month. Raises Invalid where it has ended."""
    if not end(submission, SubmissionState.WITHDRAWN, WITHDRAWABLE, by=by):
        submission.refresh_from_db()
        message = _("It cannot be withdrawn any more: %(state)s. Nothing was changed.")
        raise Invalid(Problem("ended", message % {"state": submission.get_state_display()}))


def refuse(submission: Submission, by: User, reason: str) -> None:
    """Raises Invalid without a reason, which everybody reads, and where somebody decided already."""
    if not end(submission, SubmissionState.REFUSED, [QUEUED], reason=reason_in(reason), by=by):
        raise Invalid(decided_already(submission))


def fail(submission: Submission, by: User, reason: str) -> None:
    """End one that was accepted and cannot be brought to its end. Raises Invalid as `refuse`."""
    if not end(submission, SubmissionState.FAILED, GOING, reason=reason_in(reason), by=by):
        raise Invalid(decided_already(submission))


def reason_in(reason: str) -> str:
    """Raises Invalid for none, and for one that is too long."""
    words = reason.strip()
    if not words:
        raise Invalid(Problem("required", _("Say why: whoever submitted reads the reason."), "reason"))
    if len(words) > MAX_REASON:
        message = _("This is longer than %(limit)d characters.") % {"limit": MAX_REASON}
        raise Invalid(Problem("too_long", message, "reason"))
    return words


def decided_already(submission: Submission) -> Problem:
    submission.refresh_from_db()
    message = _("It was decided already: %(state)s. Nothing was changed.")
    return Problem("decided_already", message % {"state": submission.get_state_display()})
