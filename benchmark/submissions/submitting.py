"""Submitting a model to an open board: an account once a calendar month, a laboratory once a calendar month, in UTC.

The database's constraints decide about posts at the same moment; what is looked at before only says it earlier. There
is no best of several: a submission counts for its month and stays listed, whatever becomes of it.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from benchmark.models import Ban, Board, Configuration, ModelCard, Submission, SubmissionState, VerifiedAccount
from benchmark.submissions import spending
from benchmark.submissions.months import month_after, month_of
from benchmark.submissions.values import Submitted, read_values
from projects.audit import record
from projects.directions import isolated
from projects.models import Laboratory, User
from projects.problems import Invalid, Problem


def submit(board: Board, account: User, values: Mapping[str, Any], *, uuid: UUID | None = None) -> Submission:
    """Put a model into the board's queue.

    values  as `benchmark.submissions.values.SubmissionForm` takes them.
    uuid    of whoever sends, made once for each form that is filled in: sent again, it is answered with what is there.

    Raises Invalid with the reason, and nothing is stored: not open to submissions, not verified, banned, the month
    used by the account or its laboratory (with the date from which it is possible again), the month's budget used up,
    the name taken, or what is wrong with the values.
    """
    if (resent := sent_before(board, account, uuid)) is not None:
        return resent
    now = timezone.now()
    try:
        laboratory = laboratory_that_may_submit(board, account, now)
        said = read_values(values)
        check_name(board, said.name)
    except Invalid:
        # What stands in the way may be the same form, stored since by its other click.
        if (resent := sent_before(board, account, uuid)) is not None:
            return resent
        raise
    try:
        with transaction.atomic():
            return store(board, account, laboratory, said, uuid or uuid4(), month_of(now))
    except IntegrityError:
        # Another post was quicker: the same form sent twice, or the month's one submission.
        if (resent := sent_before(board, account, uuid)) is not None:
            return resent
        if problem := month_problem(board, account, laboratory, month_of(now)):
            raise Invalid(problem) from None
        raise


def sent_before(board: Board, account: User, uuid: UUID | None) -> Submission | None:
    """What this form has made already. Raises Invalid where its identifier is somebody else's."""
    if uuid is None:
        return None
    row = Submission.objects.filter(uuid=uuid).first()
    if row is not None and (row.board_id, row.account_id) != (board.pk, account.pk):
        raise Invalid(Problem("id_taken", _("Load the page anew and submit again: this form was sent before."), "id"))
    return row


def store(board: Board, account: User, laboratory: Laboratory, said: Submitted, uuid: UUID, month: str) -> Submission:
    row = Submission.objects.create(
        uuid=uuid,
        board=board,
        account=account,
        laboratory=laboratory,
        month=month,
        name=said.name,
        card=said.card,
        run=said.run,
    )
    record("submission.made", actor=account, project=board.project, subject=row.name, id=str(row.uuid), month=month)
    return row


def laboratory_that_may_submit(board: Board, account: User, now: datetime) -> Laboratory:
    """The laboratory that the account speaks for. Raises Invalid where it may not submit at this moment."""
    if not board.is_open or not board.takes_submissions:
        raise Invalid(Problem("closed", _("This board takes no submissions at present.")))
    verified = VerifiedAccount.objects.select_related("laboratory").filter(user=account).first()
    if verified is None:
        message = _(
            "Your account is not verified for a laboratory. Write to whoever runs this installation, from the address "
            "of your account, and name your laboratory: they verify it."
        )
        raise Invalid(Problem("not_verified", message))
    ban = Ban.objects.filter(board=board, user=account, lifted_at=None).first()
    if ban is not None:
        raise Invalid(Problem("banned", _("You may not submit to this board: %(reason)s") % {"reason": ban.reason}))
    month = month_of(now)
    if problem := month_problem(board, account, verified.laboratory, month):
        raise Invalid(problem)
    if spending.is_used_up(board, month):
        message = _("What the submissions of %(month)s may cost is used up. Possible again from %(date)s, 00:00 UTC.")
        told = {"month": isolated(month), "date": next_month(month)}
        raise Invalid(Problem("budget_used", message % told))
    return verified.laboratory


def next_month(month: str) -> str:
    """From when on it is possible again, for a sentence."""
    return isolated(month_after(month).isoformat())


def month_problem(board: Board, account: User, laboratory: Laboratory, month: str) -> Problem | None:
    """What stands in the way this month: a submission of the account's own, or of its laboratory."""
    rows = board.submissions.filter(Q(account=account) | Q(laboratory=laboratory), month=month)
    # One's own says more than a colleague's.
    row = min(rows, key=lambda each: each.account_id != account.pk, default=None)
    if row is None:
        return None
    told = {"name": row.name, "state": row.get_state_display(), "date": next_month(month)}
    if row.account_id == account.pk:
        message = _(
            "Once a calendar month: you have submitted “%(name)s” this month (%(state)s), and it counts whatever "
            "becomes of it. Possible again from %(date)s, 00:00 UTC."
        )
        return Problem("month_used", message % told)
    message = _(
        "Once a calendar month: %(laboratory)s has submitted “%(name)s” this month (%(state)s), and it counts for all "
        "accounts of the laboratory. Possible again from %(date)s, 00:00 UTC."
    )
    return Problem("month_used_by_laboratory", message % (told | {"laboratory": laboratory.name}))


def check_name(board: Board, name: str) -> None:
    """Raises Invalid for a name that a model on the board has, or one that waits to be on it."""
    waiting = (SubmissionState.QUEUED, SubmissionState.ACCEPTED, SubmissionState.RUNNING)
    taken = (
        Configuration.objects.filter(project=board.project_id, name__iexact=name),
        ModelCard.objects.filter(project=board.project_id, name__iexact=name),
        Submission.objects.filter(board=board, name__iexact=name, state__in=waiting),
    )
    if any(rows.exists() for rows in taken):
        message = _("A model of this board has this name: say in the name what is different, such as its version.")
        raise Invalid(Problem("name_taken", message, "name"))
