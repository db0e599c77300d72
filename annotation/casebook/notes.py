"""What a lead says of a settled case: that it is an example, with a sentence why, or that it is not to be shown."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import MAX_WHY, CaseNote, SettledCase
from projects.audit import record
from projects.models import User
from projects.problems import Invalid, Problem


def note_case(case: SettledCase, by: User, *, why: str = "", is_excluded: bool = False) -> None:
    """Say it, in place of what was said before; with neither, nothing is said of it any more.

    Raises Invalid for an example that is excluded, and for a sentence of more than MAX_WHY characters.
    """
    why = why.replace("\0", "").strip()
    if len(why) > MAX_WHY:
        message = _("This is longer than %(limit)d characters.") % {"limit": MAX_WHY}
        raise Invalid(Problem("too_long", message, "why"))
    if why and is_excluded:
        raise Invalid(Problem("not_alone", _("What is not shown is no example."), "why"))
    place: dict[str, Any] = {
        "kind": case.kind,
        "response_id": case.gold_id or case.response_id,
        "pair_id": case.pair_id,
        "prompt_id": case.prompt_id,
    }
    place |= {"key": case.key, "is_kept": case.is_kept}
    with transaction.atomic():
        if why or is_excluded:
            said = {"why": why, "is_excluded": is_excluded, "written_by": by}
            CaseNote.objects.update_or_create(**place, defaults=said)
        elif not CaseNote.objects.filter(**place).delete()[0]:
            return
        record("case.noted", actor=by, project=case.project, subject=case.key, why=why, is_excluded=is_excluded)
