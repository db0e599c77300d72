"""Is this a score, finished or not? No database.

A body is {"score": 0 to 10 or null, "note": "..."}. Whole points, as judges give them: the two are compared.
"""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from formats.limits import MAX_COMMENT
from projects.problems import Invalid, Problem
from projects.stored_text import read_text

LOWEST, HIGHEST = 0, 10
FIELDS = ("score", "note")


def blank() -> dict:
    """A score that nobody has given."""
    return {"score": None, "note": ""}


def check_draft(body: object) -> dict:
    """The body with both fields in their places. Raises Invalid with every problem found."""
    if not isinstance(body, Mapping):
        raise Invalid(Problem("not_an_object", _("A draft must be an object."), "body"))
    problems = [
        Problem("unknown_field", _("There is no such field."), str(field)[:40]) for field in body if field not in FIELDS
    ]
    score = body.get("score")
    if score is not None and (type(score) is not int or not LOWEST <= score <= HIGHEST):
        problems.append(Problem("off_scale", _("Points are a whole number from 0 to 10."), "score"))
    note = read_text(body.get("note"), MAX_COMMENT, "note", problems)
    if problems:
        raise Invalid(problems)
    return {"score": score, "note": note}


def check_complete(draft: Mapping[str, object]) -> None:
    """Raises Invalid where a checked draft is not yet an answer."""
    if draft["score"] is None:
        raise Invalid(Problem("required", _("Give the points."), "score"))
