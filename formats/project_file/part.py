"""A part of the project file: one key of it, what stands there, and how that becomes rows and comes back from them."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from django.utils.translation import gettext as _

from formats.kinds import Fault, Kind, slug
from formats.limits import MAX_SLUG
from formats.problems import ProblemLog
from formats.project_file.reading import MAX_KEY, Lines
from projects.models import Project, User

#: What answers and files hold; it never changes.
Slug = Annotated[str, slug(MAX_SLUG)]
#: Stands for a field that has no default: it is always written.
ALWAYS = object()


class Findings(ProblemLog):
    """What is wrong with a file, each problem with its line; and what was left out with a word of why (`notes`)."""

    def __init__(self, lines: Lines | None = None, actor: User | None = None) -> None:
        super().__init__()
        self.lines = lines or {}
        self.actor = actor
        self.notes: list[str] = []

    def say(self, line: int, code: str, message: str, name: str = "") -> None:
        """As any log, but that the line follows from the place; where the place is not in the file, from the nearest
        around it that is."""
        super().say(self.line_of(name), code, message, name)

    def refuse(self, place: str, code: str, message: str) -> None:
        self.say(0, code, message, place)

    def note(self, place: str, message: str) -> None:
        """Something that the file asks for and that was left out, which does not stand in the way of the rest."""
        self.notes.append(_("line %(line)d, %(place)s: %(message)s") % self._told(place, message))

    def are_any(self) -> bool:
        return self.total > 0

    def _told(self, place: str, message: str) -> dict[str, Any]:
        return {"line": self.line_of(place), "place": place, "message": message}

    def line_of(self, place: str) -> int:
        if len(place) >= MAX_KEY:  # a key without end, of which only the beginning is told
            place = next((whole for whole in self.lines if whole.startswith(place)), place)
        while place and place not in self.lines:
            shorter = re.sub(r"(\.[^.\[\]]*|\[\d+\]|[^.\[\]]+)$", "", place)
            place = shorter if shorter != place else place[:-1]  # signs that no place has
        return self.lines.get(place, 1)


class Part(ABC):
    """What a room has to say of a project. `record` is the type of its value: a record type, a list of them, or a text,
    annotated as fields of records are (`formats/records.py`).

    A key that a file leaves out leaves the project as it is; an empty list or record takes everything away.
    """

    key: str
    record: Any
    #: Of parts, in the file and when it is brought in: what others point at comes before them.
    position: int

    @abstractmethod
    def read(self, project: Project) -> Any:
        """The value as it stands: in a stable order, without what is as it is by default; None or empty where nothing
        is left. In a number of statements that does not grow with it."""

    @abstractmethod
    def write(self, project: Project, value: Any, findings: Findings) -> None:
        """Make the project so, or refuse what may no longer change with its place in the file.

        The value is well-formed. Called inside a transaction that is undone where there is any problem.
        """

    def check(self, project: Project, value: Any, findings: Findings) -> None:
        """Refuse what names rows that the project does not have. Called when every part of the file is written."""


_registry: dict[str, Part] = {}


def register(*parts: Part) -> None:
    for part in parts:
        if part.key in _registry:
            raise ValueError(f"the part {part.key!r} of the project file is declared twice")
        _registry[part.key] = part


def parts() -> list[Part]:
    """Every part that is declared, in the order of the file."""
    return sorted(_registry.values(), key=lambda part: (part.position, part.key))


def without_defaults(record: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The record without the fields that are as they are by default; one without a default is kept."""
    return {name: value for name, value in record.items() if name not in defaults or value != defaults[name]}


def with_defaults(record: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The record with every field, a null counting as one left out."""
    said = {name: value for name, value in record.items() if value is not None}
    return {**{name: value for name, value in defaults.items() if value is not ALWAYS}, **said}


# --- Kinds of values, with words for YAML ---


def _list(value: object) -> Fault | None:
    if type(value) is not list:
        return "not_list", _("A list is expected, each entry behind a hyphen.")
    if any(type(item) is not dict for item in value):
        return "not_object", _("Each entry of the list is a record of keys and values.")
    return None


def _record(value: object) -> Fault | None:
    return None if type(value) is dict else ("not_object", _("A record of keys and values is expected."))


def texts(most: int, longest: int) -> Kind:
    """A list of short texts, none of them empty."""

    def check(value: object) -> Fault | None:
        if type(value) is not list:
            return "not_list", _("A list is expected, each entry behind a hyphen.")
        if len(value) > most:
            return "too_many", _("At most %(limit)d entries are expected.") % {"limit": most}
        if not all(type(item) is str and item.strip() and len(item) <= longest for item in value):
            return "not_text", _("Each entry is a text of at most %(limit)d characters.") % {"limit": longest}
        return None

    items = {"type": "string", "minLength": 1, "maxLength": longest}
    return Kind(check, {"type": "array", "items": items, "maxItems": most})


def numbers(most: int) -> Kind:
    """A record whose values are all numbers that are not negative."""

    def check(value: object) -> Fault | None:
        if fault := _record(value):
            return fault
        assert isinstance(value, dict)
        good = (type(number) in (int, float) and 0 <= number <= most for number in value.values())
        return None if all(good) else ("not_a_number", _("Each value is a number from 0 to %(most)d.") % {"most": most})

    values = {"type": "number", "minimum": 0, "maximum": most}
    return Kind(check, {"type": "object", "additionalProperties": values})


LIST = Kind(_list, {"type": "array", "items": {"type": "object"}})
RECORD = Kind(_record, {"type": "object"})


def joined(names: Iterable[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)
