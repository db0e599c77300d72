"""Is this the draft, or the answer, of a question check? No database.

A draft is `{"answer", "decision", "fault", "is_aligned", "instruction", "input", "reference", "note"}`: texts, but
`is_aligned`, which is true, false or null. The texts of a question are the new wording.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from benchmark.models import Decision, Fault
from benchmark.wording import FIELDS, MAX_TEXT, is_same_wording
from formats.limits import MAX_COMMENT
from projects.problems import Invalid, Problem
from projects.stored_text import read_text

CHOICES = {"decision": Decision, "fault": Fault}
LONGEST = {"answer": MAX_TEXT, "note": MAX_COMMENT, **dict.fromkeys(FIELDS, MAX_TEXT)}


def blank() -> dict[str, Any]:
    return {**dict.fromkeys(LONGEST, ""), **dict.fromkeys(CHOICES, ""), "is_aligned": None}


def read_draft(body: object) -> dict[str, Any]:
    """The draft with all its fields and nothing else. Raises Invalid with every problem found."""
    if not isinstance(body, Mapping):
        raise Invalid(Problem("not_an_object", _("A draft must be an object."), "body"))
    draft = blank()
    problems = [
        Problem("unknown_field", _("There is no such field."), str(field)[:40]) for field in body if field not in draft
    ]
    for field, longest in LONGEST.items():
        draft[field] = read_text(body.get(field), longest, field, problems)
    for field, choices in CHOICES.items():
        draft[field] = body.get(field) or ""
        if draft[field] and draft[field] not in choices.values:
            problems.append(Problem("unknown_choice", _("There is no such choice."), field))
    draft["is_aligned"] = body.get("is_aligned")
    if draft["is_aligned"] not in (None, True, False):
        problems.append(Problem("unknown_choice", _("There is no such choice."), "is_aligned"))
    if problems:
        raise Invalid(problems)
    return draft


def new_wording(draft: Mapping[str, Any], checked: Mapping[str, str]) -> dict[str, str]:
    """The parts that a repair words otherwise; empty where a part stays as it was checked."""
    if draft["decision"] != Decision.REPAIR:
        return dict.fromkeys(FIELDS, "")
    return {part: "" if is_same_wording(draft[part], checked[part]) else draft[part].strip() for part in FIELDS}


def check_complete(draft: Mapping[str, Any], checked: Mapping[str, str], own_answer: str | None) -> dict[str, Any]:
    """The answer: the draft with what is not asked under its decision left out. Raises Invalid with every problem.

    `checked` are the question's texts; `own_answer` is what was answered before the reference was shown, None where
    nothing was.
    """
    problems = []
    if own_answer is None:
        message = _("Answer the question yourself first: the reference is shown after that.")
        problems.append(Problem("required", message, "answer"))
    if draft["is_aligned"] is None:
        message = _("Say whether question and reference answer fit each other.")
        problems.append(Problem("required", message, "is_aligned"))
    decision = draft["decision"]
    if not decision:
        message = _("Decide whether the question is kept, repaired or dropped.")
        problems.append(Problem("required", message, "decision"))
    elif decision != Decision.KEEP and not draft["fault"]:
        problems.append(Problem("required", _("Name the fault."), "fault"))
    wording = new_wording(draft, checked)
    if decision == Decision.REPAIR and not any(wording.values()):
        message = _("Word something otherwise, or decide differently.")
        problems.append(Problem("required", message, "instruction"))
    if problems:
        raise Invalid(problems)
    return {**draft, **wording, "answer": own_answer, "fault": "" if decision == Decision.KEEP else draft["fault"]}
