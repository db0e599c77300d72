"""The difficulty check: a prompt is tried once on a model before it is frozen.

One text is tried once in one rubric. What the model answered is stored nowhere: only which model it was, when it was
asked, and how well it did in the author's eyes. A prompt that was answered perfectly is too easy; it is revised,
which makes it another text, and tried again.

By hand the author asks a model elsewhere and says how it did. Where the project names a model that can be asked from
here, a room above registers how (`register_asker`): it calls `begin`, asks, shows the answer once, and the author
marks it; `withdraw` takes the check back where the model gave no answer at all.
"""

from collections.abc import Callable

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from projects.anchors import sha256
from projects.problems import Invalid, Problem
from rubrics.authoring.bodies import revised_by
from rubrics.authoring.settings import settings_of
from rubrics.models import DifficultyCheck, DifficultyOutcome
from workflow.models import Assignment

MAX_MODEL = 200

# Says which model the rubric's project asks, and where: {"model": its name, "url": POST {"prompt"}}; None for none.
Asker = Callable[[Assignment], dict | None]
_askers: list[Asker] = []


def register_asker(asker: Asker) -> None:
    _askers.append(asker)


def asker_for(assignment: Assignment) -> dict | None:
    """How the project's own model is asked for this rubric, or None where prompts are tried by hand alone."""
    return next((asking for asker in _askers if (asking := asker(assignment))), None)


def is_needed(assignment: Assignment) -> bool:
    """Whether the prompt is to be tried before the freeze. A new version keeps its prompt, and the check of it."""
    revised = revised_by(assignment)
    if revised is not None and revised.difficulty:
        return False
    return settings_of(assignment.stage.project).needs_difficulty_check


def begin(assignment: Assignment, prompt_text: str, model: str, by_hand: bool) -> DifficultyCheck:
    """Note that this text is being tried on this model. Raises Invalid where the text is empty or was tried before."""
    if not prompt_text.strip():
        raise Invalid(Problem("required", _("Write the prompt first."), "prompt"))
    if not model.strip():
        raise Invalid(Problem("required", _("Say which model was asked."), "model"))
    try:
        with transaction.atomic():
            return DifficultyCheck.objects.create(
                assignment=assignment,
                prompt_sha256=sha256(prompt_text),
                model=model.strip()[:MAX_MODEL],
                by_hand=by_hand,
                asked_at=timezone.now(),
            )
    except IntegrityError:
        message = _("This very prompt was tried already; a prompt is tried once. Change the prompt to try it again.")
        raise Invalid(Problem("tried_already", message, "prompt")) from None


def tried_by_hand(assignment: Assignment, prompt_text: str, model: str, outcome: str) -> DifficultyCheck:
    """The check of a model that cannot be asked from here, with its outcome. A resend is no second check."""
    with transaction.atomic():
        known = check_of(assignment, prompt_text)
        if known is not None and known.by_hand and (known.model, known.outcome) == (model.strip(), outcome):
            return known
        check = begin(assignment, prompt_text, model, by_hand=True)
        mark(check, outcome)
    return check


def mark(check: DifficultyCheck, outcome: str) -> None:
    """Say how the model did. Raises Invalid where that is no outcome, or another one was given before."""
    if outcome not in DifficultyOutcome.values:
        raise Invalid(Problem("unknown", _("Say whether the answer was perfect, partial or failed."), "outcome"))
    unmarked = DifficultyCheck.objects.filter(pk=check.pk, outcome="")
    if not unmarked.update(outcome=outcome, marked_at=timezone.now()):
        check.refresh_from_db()
        if check.outcome != outcome:  # the same once more is a resend
            raise Invalid(Problem("marked_already", _("How the model did was said already. It stays."), "outcome"))
    check.refresh_from_db()


def withdraw(check: DifficultyCheck) -> None:
    """Take back a check that came to nothing: the model gave no answer, so the text may be tried again."""
    DifficultyCheck.objects.filter(pk=check.pk, outcome="", by_hand=False).delete()


def state(assignment: Assignment, prompt_text: str) -> dict | None:
    """How this very text did, as `as_json` tells it; None where it was not tried in this rubric."""
    check = check_of(assignment, prompt_text)
    return as_json(check) if check else None


def check_of(assignment: Assignment, prompt_text: str) -> DifficultyCheck | None:
    return DifficultyCheck.objects.filter(assignment=assignment, prompt_sha256=sha256(prompt_text)).first()


def as_json(check: DifficultyCheck) -> dict:
    """`outcome` is empty until the author has marked how the model did."""
    return {
        "id": check.pk,
        "prompt_sha256": check.prompt_sha256,
        "model": check.model,
        "by_hand": check.by_hand,
        "outcome": check.outcome,
        "asked_at": check.asked_at.isoformat(),
    }
