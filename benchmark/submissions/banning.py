"""Accounts that may not submit to a board any more: banned with a reason, lifted, and on record either way."""

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from benchmark.models import Ban, Board
from benchmark.submissions.ending import reason_in
from projects.audit import record
from projects.models import User
from projects.problems import Invalid, Problem


def ban(board: Board, user: User, by: User, reason: str) -> Ban:
    """Raises Invalid without a reason, which the account reads, and for one that is banned already."""
    words = reason_in(reason)
    try:
        with transaction.atomic():
            row = Ban.objects.create(board=board, user=user, reason=words, banned_by=by)
            record("submission.banned", actor=by, project=board.project, subject=user.email, reason=words)
    except IntegrityError:
        raise Invalid(Problem("banned", _("This account is banned already. Nothing was changed."))) from None
    return row


def lift(row: Ban, by: User) -> None:
    """Let the account submit again. Raises Invalid where somebody has lifted the ban already."""
    with transaction.atomic():
        if not Ban.objects.filter(pk=row.pk, lifted_at=None).update(lifted_at=timezone.now()):
            raise Invalid(Problem("lifted", _("The ban is lifted already. Nothing was changed.")))
        record("submission.ban_lifted", actor=by, project=row.board.project, subject=row.user.email)
