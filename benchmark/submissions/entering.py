"""Accepting: a submission gets its card and its row of the board, which waits until all answers are there."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from benchmark.cards import create_card, create_configuration
from benchmark.judged import ranked_version
from benchmark.models import Ban, Configuration, Standing, Submission
from benchmark.submissions.ending import ACCEPTED, QUEUED, decided_already
from projects.audit import record
from projects.models import TargetModel, User
from projects.problems import Invalid, Problem

RUN_COLUMNS = ("revision", "precision", "system_prompt", "sampling", "thinking_effort", "token_limit")
MAX_NAME = 200


@transaction.atomic
def accept(submission: Submission, by: User) -> Configuration:
    """Raises Invalid where somebody has decided already, where the account was banned meanwhile, and where its card
    cannot be made as it says."""
    now = timezone.now()
    waiting = Submission.objects.filter(pk=submission.pk, state=QUEUED)
    if not waiting.update(state=ACCEPTED, decided_by=by, decided_at=now):
        raise Invalid(decided_already(submission))
    if Ban.objects.filter(board=submission.board, user=submission.account, lifted_at=None).exists():
        message = _("The account is banned: lift the ban first, or refuse the submission. Nothing was changed.")
        raise Invalid(Problem("banned", message))
    project = submission.board.project
    card = create_card(
        project, {**submission.card, "name": submission.name, "laboratory": submission.laboratory.slug}, by
    )
    run = {column: submission.run.get(column) for column in RUN_COLUMNS}
    values = {**run, "name": submission.name, "target_model": free_target(submission), "standing": Standing.PENDING}
    configuration = create_configuration(project, card, values, by)
    version = ranked_version(project, submission.board)
    Submission.objects.filter(pk=submission.pk).update(configuration=configuration, question_set=version)
    detail = {"id": str(submission.uuid), "month": submission.month}
    record("submission.accepted", actor=by, project=project, subject=submission.name, **detail)
    submission.refresh_from_db()
    return configuration


def free_target(submission: Submission) -> str:
    """A model's name that none has: answers that another of this name gave are not this one's."""
    if not TargetModel.objects.filter(name=submission.name).exists():
        return submission.name
    behind = f" {submission.uuid.hex[:8]}"
    return f"{submission.name[: MAX_NAME - len(behind)]}{behind}"
