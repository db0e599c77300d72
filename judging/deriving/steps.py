"""Steps of a project: adding a cut, and saying whether what a step made is taken further."""

from django.db import transaction
from django.utils.translation import gettext as _

from projects.audit import record
from projects.derived import MAX_STEP_NAME
from projects.models import Change, DerivationStep, Project, User
from projects.problems import Invalid, Problem

CUTS = (Change.WORDS, Change.CHARACTERS)
MAX_LIMIT = 1_000_000


def add_cut(project: Project, change: str, limit: int, by: User | None = None) -> DerivationStep:
    """The step that cuts responses after so many words or characters; the one that is there, where it is.

    Raises Invalid for a limit that is none.
    """
    if change not in CUTS:
        message = _("One of these is expected: %(values)s.") % {"values": ", ".join(CUTS)}
        raise Invalid(Problem("unknown_value", message, "change"))
    if not 1 <= limit <= MAX_LIMIT:
        message = _("A number from %(low)d to %(high)d is expected.") % {"low": 1, "high": MAX_LIMIT}
        raise Invalid(Problem("unknown_value", message, "limit"))
    return add_step(project, f"{limit}-{change}", Change(change), limit, by)


def step_of_prompt(project: Project, prompt: str) -> DerivationStep:
    """The step of all judges that edit by this prompt."""
    return add_step(project, prompt[:MAX_STEP_NAME].replace(" ", "-"), Change.MODEL)


def add_step(
    project: Project, name: str, change: Change, limit: int | None = None, by: User | None = None
) -> DerivationStep:
    with transaction.atomic():
        step, is_new = DerivationStep.objects.get_or_create(
            project=project, name=name, defaults={"change": change, "limit": limit}
        )
        if is_new:
            record("derivation.added", actor=by, project=project, subject=name, change=str(change), limit=limit)
    return step


def take(step: DerivationStep, is_taken: bool, by: User | None = None) -> bool:
    """Whether what is planned from now on takes the step's texts, or what they were made from. False where it did."""
    with transaction.atomic():
        changed = DerivationStep.objects.filter(pk=step.pk, is_taken=not is_taken).update(is_taken=is_taken)
        if changed:
            record("derivation.taken", actor=by, project=step.project, subject=step.name, is_taken=is_taken)
    step.is_taken = is_taken
    return bool(changed)
