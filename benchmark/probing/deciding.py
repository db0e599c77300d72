"""The lead decides about a flag: it stands, or it is cleared with the reason; and whether the model is ranked."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from agreement import contamination as verdicts
from benchmark.models import Configuration, Flag, FlagKind, Standing
from benchmark.probing.concluding import move
from formats.limits import MAX_COMMENT
from projects import audit
from projects.models import User
from projects.problems import Invalid, Problem
from projects.stored_text import read_text

CLEAR, CONFIRM, RANK = "clear", "confirm", "rank"
DECISIONS = (CLEAR, CONFIRM, RANK)


@transaction.atomic
def decide(flag: Flag, actor: User, decision: str, reason: object) -> Flag:
    """Clear a flag (it goes off, and what it took out of the ranking goes back), confirm it (a clear case stays out of
    the ranking), or confirm it and rank the model all the same. A later decision takes the place of an earlier one.

    Raises Invalid for an unknown decision, or without a reason.
    """
    problems: list[Problem] = []
    if decision not in DECISIONS:
        problems.append(Problem("unknown_choice", _("There is no such choice."), "decision"))
    said = read_text(reason, MAX_COMMENT, "reason", problems).strip()
    if not said and not any(problem.field == "reason" for problem in problems):
        problems.append(Problem("required", _("Say why: the reason stands beside the model."), "reason"))
    if problems:
        raise Invalid(problems)
    row = Configuration.objects.select_for_update().select_related("project").get(pk=flag.configuration_id)
    stored = Flag.objects.select_for_update(of=("self",)).select_related("question_set").get(pk=flag.pk)
    stored.is_cleared, stored.reason = decision == CLEAR, said
    stored.decided_by, stored.decided_at = actor, timezone.now()
    stored.save()
    subject = f"{stored.question_set}: {row.slug}"
    action = "flag.cleared" if decision == CLEAR else "flag.confirmed"
    audit.record(action, actor=actor, project=row.project, subject=subject, flag=stored.kind, reason=said)
    if stored.kind == FlagKind.CONTAMINATED and is_clear_case(stored) and row.standing != Standing.WITHDRAWN:
        wanted = Standing.PENDING if decision == CONFIRM or is_held_by_another(stored) else Standing.RANKED
        if row.standing != wanted:
            move(row, wanted, subject, actor, reason=said)
    return stored


def is_clear_case(flag: Flag) -> bool:
    """Whether it keeps its model out of the ranking: a warning never did."""
    return bool(flag.detail.get("verdict") == verdicts.CLEAR)


def is_held_by_another(flag: Flag) -> bool:
    """Whether the same model is a clear case, or was confirmed to be one, on another version."""
    others = Flag.objects.filter(configuration=flag.configuration_id, kind=FlagKind.CONTAMINATED, is_cleared=False)
    return any(is_clear_case(other) and not other.decided_at for other in others.exclude(pk=flag.pk))
