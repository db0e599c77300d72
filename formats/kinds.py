"""Kinds of values: what a field may hold, said once as a check with its message and as JSON Schema keywords.

A check is given a value that is not null. It returns None for a good one, else the stable code and the message of what
is wrong with it, in the language of whoever asks.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.core.validators import slug_re
from django.utils.translation import gettext as _

from projects import conversations

Fault = tuple[str, str]
Check = Callable[[Any], Fault | None]

# Of offsets and of texts that nothing else bounds: the largest number that every database keeps.
FAR = 2**31 - 1
# One line without control characters, with something in it and no space around it.
ONE_LINE = r"^(?! )[^\u0000-\u001f\u007f]*[^\s\u0000-\u001f\u007f][^\u0000-\u001f\u007f]*(?<! )$"


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """What a value may be: its check, and the JSON Schema keywords that say the same of it."""

    check: Check
    keywords: Mapping[str, Any]

    @property
    def json_type(self) -> str:
        """What JSON calls such a value; choices are texts."""
        return str(self.keywords.get("type", "string"))

    def schema(self, is_nullable: bool) -> dict[str, Any]:
        """The keywords of a field; a null stands for an optional field left out."""
        keywords = dict(self.keywords)
        if not is_nullable:
            return keywords
        if "const" in keywords:
            return {"enum": [keywords["const"], None]}
        if "enum" in keywords:
            return {**keywords, "enum": [*keywords["enum"], None]}
        if "type" in keywords:
            return {**keywords, "type": [keywords["type"], "null"]}
        return {"anyOf": [*keywords.get("anyOf", [keywords]), {"type": "null"}]}


def too_long(length: int, limit: int) -> Fault:
    message = _("The text has %(length)d characters; at most %(limit)d fit.")
    return "too_long", message % {"length": length, "limit": limit}


def text(max_length: int | None = None) -> Kind:
    """A text with more in it than white space, of at most `max_length` code points."""

    def check(value: object) -> Fault | None:
        if type(value) is not str:
            return "not_text", _("A text in quotes is expected.")
        if not value or value.isspace():
            return "empty", _("The text is empty.")
        if max_length is not None and len(value) > max_length:
            return too_long(len(value), max_length)
        return None

    keywords: dict[str, Any] = {"type": "string", "minLength": 1, "pattern": r"\S"}
    return Kind(check, keywords if max_length is None else {**keywords, "maxLength": max_length})


def text_or_messages(max_length: int) -> Kind:
    """A text, or a conversation as a list of messages with role and content, of at most `max_length` code points."""
    of_text = text(max_length)

    def check(value: object) -> Fault | None:
        if not isinstance(value, list):
            return of_text.check(value)
        return conversations.fault(value) or of_text.check(conversations.as_text(value))

    message = {
        "type": "object",
        "properties": {"role": {"enum": list(conversations.ROLES)}, "content": of_text.keywords},
        "required": ["role", "content"],
        "additionalProperties": False,
    }
    turns = {"type": "array", "items": message, "minItems": 1, "maxItems": conversations.MAX_MESSAGES}
    return Kind(check, {"anyOf": [of_text.keywords, turns]})


def slugs_or_text(most: int) -> Kind:
    """Short names in a list, or in one text with commas between them, as a cell of a table has them."""

    def check(value: object) -> Fault | None:
        names = in_list(value)
        if names is None or len(names) > most or not all(re.fullmatch(r"[-\w]{1,60}", each) for each in names):
            return "not_names", _("At most %(most)d short names are expected, with commas between them.") % {
                "most": most
            }
        return None

    items = {"type": "string", "minLength": 1, "maxLength": 60}
    return Kind(check, {"anyOf": [{"type": "string"}, {"type": "array", "items": items, "maxItems": most}]})


def in_list(value: object) -> list[str] | None:
    """Short names as `slugs_or_text` takes them, as a list; None for anything else."""
    if isinstance(value, str):
        return [each.strip() for each in value.split(",") if each.strip()]
    return value if isinstance(value, list) and all(type(each) is str for each in value) else None


def name(max_length: int) -> Kind:
    """A text on one line, without white space around it: what ids and names are made of."""
    check_text = text(max_length).check

    def check(value: object) -> Fault | None:
        fault = check_text(value)
        if fault:
            return fault
        assert isinstance(value, str)
        if not value.isprintable() and any(character < " " or character == "\x7f" for character in value):
            return "control_character", _("A name stands on one line, without tabs or control characters.")
        if value[0] == " " or value[-1] == " ":
            return "space_around", _("There is a space before or after the name.")
        return None

    return Kind(check, {"type": "string", "minLength": 1, "maxLength": max_length, "pattern": ONE_LINE})


def name_or_nothing(max_length: int) -> Kind:
    """A name, or the "" that an export writes where there is none."""
    named = name(max_length)
    return Kind(lambda value: None if value == "" else named.check(value), {"anyOf": [{"const": ""}, named.keywords]})


def slug(max_length: int) -> Kind:
    """A short name of Latin letters, digits, hyphens and underscores."""
    check_name = name(max_length).check

    def check(value: object) -> Fault | None:
        if fault := check_name(value):
            return fault
        if slug_re.fullmatch(str(value)) is None:
            return "not_a_slug", _("Latin letters, digits, hyphens and underscores are expected.")
        return None

    return Kind(check, {"type": "string", "minLength": 1, "maxLength": max_length, "pattern": "^[-a-zA-Z0-9_]+$"})


def short_text(max_length: int = FAR) -> Kind:
    """A text that may be empty."""

    def check(value: object) -> Fault | None:
        if type(value) is not str:
            return "not_text", _("A text in quotes is expected.")
        return too_long(len(value), max_length) if len(value) > max_length else None

    return Kind(check, {"type": "string"} if max_length == FAR else {"type": "string", "maxLength": max_length})


def one_of(values: Collection[str]) -> Kind:
    def check(value: object) -> Fault | None:
        if type(value) is str and value in values:
            return None
        return "not_a_choice", _("One of these is expected: %(values)s.") % {"values": ", ".join(values)}

    return Kind(check, {"const": next(iter(values))} if len(values) == 1 else {"enum": list(values)})


def whole(low: int, high: int = FAR) -> Kind:
    """A whole number; true and 1.0 are none."""

    def check(value: object) -> Fault | None:
        if type(value) is not int:
            return "not_whole_number", _("A whole number is expected.")
        if not low <= value <= high:
            return "out_of_range", _("A number from %(low)d to %(high)d is expected.") % {"low": low, "high": high}
        return None

    return Kind(check, {"type": "integer", "minimum": low, "maximum": high})


def _number(value: object) -> Fault | None:
    return None if type(value) in (int, float) else ("not_a_number", _("A number is expected."))


def number_within(low: float, high: float) -> Kind:
    """A number between two bounds."""

    def check(value: object) -> Fault | None:
        return _number(value) or (None if low <= value <= high else ("not_a_number", _("A number is expected.")))  # type: ignore[operator]

    return Kind(check, {"type": "number", "minimum": low, "maximum": high})


def _probabilities(value: object) -> Fault | None:
    if type(value) is not list or not value:
        return "not_list", _("A JSON list in brackets is expected.")
    if any(_number(one) or not 0 <= one <= 1 for one in value):
        return "not_a_number", _("A probability is a number from 0 to 1.")
    return None


PROBABILITIES = Kind(
    _probabilities,
    {"type": "array", "minItems": 1, "items": {"type": "number", "minimum": 0, "maximum": 1}},
)


def _flag(value: object) -> Fault | None:
    return None if type(value) is bool else ("not_boolean", _("true or false is expected."))


MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)", re.ASCII)


def _moment(value: object) -> Fault | None:
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


LOCAL = re.compile(r"2\d{3}-\d\d-\d\d \d\d:\d\d", re.ASCII)


def local_minute(value: object) -> datetime | None:
    """What a clock shows, in no zone; None for anything else."""
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) and LOCAL.fullmatch(value) else None
    except ValueError:
        return None


def _local_minute(value: object) -> Fault | None:
    if local_minute(value) is not None:
        return None
    return "not_a_moment", _("A date and time is expected, such as 2026-11-30 18:00.")


def _mapping(value: object) -> Fault | None:
    return None if type(value) is dict else ("not_object", _("A JSON object in braces is expected."))


def _rows(value: object) -> Fault | None:
    """A list of objects; what is in them is checked one by one, so that each problem names its place."""
    if type(value) is not list:
        return "not_list", _("A JSON list in brackets is expected.")
    if any(type(item) is not dict for item in value):
        return "not_object", _("Each entry of the list is a JSON object in braces.")
    return None


NUMBER = Kind(_number, {"type": "number"})
FLAG = Kind(_flag, {"type": "boolean"})
MAPPING = Kind(_mapping, {"type": "object"})
ROWS = Kind(_rows, {"type": "array", "items": {"type": "object"}})
INSTANT = Kind(_moment, {"type": "string", "format": "date-time", "pattern": f"^{MOMENT.pattern}$"})
LOCAL_MINUTE = Kind(_local_minute, {"type": "string", "pattern": f"^{LOCAL.pattern}$"})
# The comparison with the text's own hash follows and says more than its form could.
SHA256 = Kind(short_text().check, {"type": "string", "pattern": "^[0-9a-f]{64}$"})
