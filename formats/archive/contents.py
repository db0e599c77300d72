"""What of a project goes into its archive: the tables of each room in the order in which they come in again.

A row is written with its columns but its own id, its project and accounts of people. What it refers to is another row
of the archive, by its number there, or a row of the installation that several projects share (`Shared`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Model, Q

#: The number in the archive of a row by its id, or the id by the number; 0 where there is none. Of a model's rows.
Renumber = Callable[[type[Model], int], int]
Row = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows of one model, in the order of their ids.

    project   how a row leads to its project, as a lookup; empty: the row is the project.
    name      of its file, where a model stands in two.
    where     which of them, where a model stands in two files.
    instead   expressions that are written in place of columns: what must not leave, or does not hold elsewhere.
    beside    expressions that are written and never stored: what `renumber` must know.
    later     columns that are stored by a `Seal`, once what they seal is in.
    renumber  is given a row, and puts other ids in place of those that stand within its JSON.
    """

    model: type[Model]
    project: str
    name: str = ""
    where: Q = field(default_factory=Q)
    instead: Mapping[str, Any] = field(default_factory=dict)
    beside: Mapping[str, Any] = field(default_factory=dict)
    later: Sequence[str] = ()
    renumber: Callable[[Row, Renumber], None] | None = None

    @property
    def file(self) -> str:
        """Its name in the archive."""
        return f"{self.model._meta.app_label}/{self.name or self.model._meta.model_name}.jsonl"


@dataclass(frozen=True)
class Seal:
    """The columns that a table left for later are stored now."""

    model: type[Model]


@dataclass(frozen=True)
class LeftOut:
    """A model with rows of a project that does not go along, and why."""

    model: type[Model]
    reason: str


@dataclass(frozen=True)
class Shared:
    """Rows that projects of an installation share: written by these columns, found or made by them elsewhere.

    `said` gives what is written of a row, for a project. `found` gives the id of the row that is meant, made where it
    is not there; it raises Invalid where it can be neither.
    """

    model: type[Model]
    said: Callable[[Model, Model], Row]
    found: Callable[[Row, Model], int]

    @property
    def file(self) -> str:
        return f"shared/{self.model._meta.model_name}.jsonl"


@dataclass(frozen=True)
class Contents:
    """What one room puts into an archive. Rooms come by their positions: after what their rows refer to."""

    room: str
    position: int
    steps: Sequence[Table | Seal]
    left_out: Sequence[LeftOut] = ()
    shared: Sequence[Shared] = ()


_contents: dict[str, Contents] = {}


def register(*contents: Contents) -> None:
    for each in contents:
        if each.room in _contents:
            raise ValueError(f"what of {each.room!r} goes into an archive is declared twice")
        _contents[each.room] = each


def contents() -> list[Contents]:
    return sorted(_contents.values(), key=lambda each: each.position)


def steps() -> list[Table | Seal]:
    return [step for each in contents() for step in each.steps]


def tables() -> list[Table]:
    return [step for step in steps() if isinstance(step, Table)]


def shared() -> list[Shared]:
    return [each for of_room in contents() for each in of_room.shared]
