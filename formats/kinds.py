"""The checks of one record, field by field: fast, and each with a message that says how to mend it.

The JSON Schema files beside the importers document the same rules; tests/projects/test_import_schemas.py runs
both on the same records and fails where they differ.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.utils.translation import gettext as _

from projects.problems import Problem

SHOWN_PROBLEMS = 100

# A check returns None for a good value, else the code and the message of what is wrong with it.
Fault = tuple[str, str]
Check = Callable[[object], Fault | None]


@dataclass(frozen=True, slots=True)
class Field:
    check: Check
    required: bool = False


@dataclass(slots=True)
class ProblemLog:
    """Problems of a file: the first hundred in full, all of them counted."""

    shown: list[Problem] = field(default_factory=list)
    total: int = 0

    def add(self, problem: Problem) -> None:
        self.total += 1
        if len(self.shown) < SHOWN_PROBLEMS:
            self.shown.append(problem)

    def say(self, line: int, code: str, message: str, name: str = "") -> None:
        self.add(Problem(code, message, name, line))


def check_fields(fields: Mapping[str, Field], record: dict, line: int, problems: ProblemLog, prefix: str = "") -> bool:
    """True where every field is known and well-formed and none is missing; else the problems are added.

    A null stands for an optional field left out.
    """
    before = problems.total
    for name, value in record.items():
        known = fields.get(name)
        if known is None:
            problems.say(line, "unknown_field", _("There is no such field."), (prefix + name)[:120])
        elif value is not None and (fault := known.check(value)):
            problems.say(line, *fault, prefix + name)
    for name, known in fields.items():
        if known.required and record.get(name) is None:
            problems.say(line, "missing", _("The field is missing."), prefix + name)
    return problems.total == before


def text(max_length: int | None = None) -> Check:
    """A text with more in it than white space, of at most `max_length` code points."""

    def check(value: object) -> Fault | None:
        if type(value) is not str:
            return "not_text", _("A text in quotes is expected.")
        if not value or value.isspace():
            return "empty", _("The text is empty.")
        if max_length is not None and len(value) > max_length:
            message = _("The text has %(length)d characters; at most %(limit)d fit.")
            return "too_long", message % {"length": len(value), "limit": max_length}
        return None

    return check


def name(max_length: int) -> Check:
    """A text on one line, without white space around it: what ids and names are made of."""
    of_text = text(max_length)

    def check(value: object) -> Fault | None:
        fault = of_text(value)
        if fault:
            return fault
        assert isinstance(value, str)
        if not value.isprintable() and any(character < " " or character == "\x7f" for character in value):
            return "control_character", _("A name stands on one line, without tabs or control characters.")
        if value[0] == " " or value[-1] == " ":
            return "space_around", _("There is a space before or after the name.")
        return None

    return check


def short_text(max_length: int) -> Check:
    """A text that may be empty."""

    def check(value: object) -> Fault | None:
        if type(value) is not str:
            return "not_text", _("A text in quotes is expected.")
        if len(value) > max_length:
            message = _("The text has %(length)d characters; at most %(limit)d fit.")
            return "too_long", message % {"length": len(value), "limit": max_length}
        return None

    return check


def one_of(values: Collection[str]) -> Check:
    def check(value: object) -> Fault | None:
        if type(value) is str and value in values:
            return None
        return "not_a_choice", _("One of these is expected: %(values)s.") % {"values": ", ".join(values)}

    return check


def whole(low: int, high: int) -> Check:
    """A whole number; true and 1.0 are none."""

    def check(value: object) -> Fault | None:
        if type(value) is not int:
            return "not_whole_number", _("A whole number is expected.")
        if not low <= value <= high:
            return "out_of_range", _("A number from %(low)d to %(high)d is expected.") % {"low": low, "high": high}
        return None

    return check


def flag(value: object) -> Fault | None:
    return None if type(value) is bool else ("not_boolean", _("true or false is expected."))


MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)", re.ASCII)


def moment(value: object) -> Fault | None:
    """A date and time that says how far it is from UTC: without that nobody knows what came first."""
    message = _("A date and time with its offset from UTC is expected, such as 2026-03-01T09:30:00Z.")
    if type(value) is not str or not MOMENT.fullmatch(value):
        return "not_a_moment", message
    try:
        # In UTC it must still lie in the years that a date can have.
        datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError):
        return "not_a_moment", message
    return None


def moment_of(value: str) -> datetime:
    """A checked moment, in UTC."""
    return datetime.fromisoformat(value).astimezone(UTC)


def mapping(value: object) -> Fault | None:
    return None if type(value) is dict else ("not_object", _("A JSON object in braces is expected."))


def rows(value: object) -> Fault | None:
    """A list of objects; what is in them is checked one by one, so that each problem names its place."""
    if type(value) is not list:
        return "not_list", _("A JSON list in brackets is expected.")
    if any(type(item) is not dict for item in value):
        return "not_object", _("Each entry of the list is a JSON object in braces.")
    return None
