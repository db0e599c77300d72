"""Rows of a table that a project lists, such as its categories: read in order, and made as a file says.

A row is known by its short name, which never changes. The place in the list is the row's position.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import models, transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from formats.project_file.part import Findings, with_defaults, without_defaults

#: The ids, among these, of rows that answers rest on.
Used = Callable[[Collection[int]], Collection[int]]


def nothing_used(_ids: Collection[int]) -> Collection[int]:
    return ()


@dataclass(frozen=True)
class Rows:
    """How a table and the entries of a list belong together.

    columns   the attribute of the row by the field of the entry, in the order of the file.
    defaults  by field; `ALWAYS` where it is written in any case.
    fixed     fields that stay as they are once answers rest on the row.
    owner     the attribute that says whose rows these are.
    """

    model: Any
    columns: Mapping[str, str]
    defaults: Mapping[str, Any]
    key: str = "slug"
    owner: str = "project"
    fixed: Collection[str] = ()
    used: Used = nothing_used
    #: Of what is stored beside the entry: attributes by their values.
    beside: Mapping[str, Any] = field(default_factory=dict)

    def entry(self, row: Any) -> dict[str, Any]:
        """The row as the file says it."""
        said = {name: getattr(row, attribute) for name, attribute in self.columns.items()}
        return without_defaults(said, self.defaults)

    def write(
        self,
        owner: Any,
        existing: Iterable[Any],
        entries: list[dict[str, Any]],
        place: str,
        findings: Findings,
    ) -> tuple[dict[str, Any], list[Any]]:
        """Store the entries as rows. Returns the rows by their short names, and those that no entry names."""
        there = {getattr(row, self.columns[self.key]): row for row in existing}
        made, changed, rows = [], [], {}
        guarded: dict[int, tuple[int, list[str]]] = {}
        for index, entry in enumerate(entries):
            wanted = self.wanted(entry, index)
            row = there.pop(entry[self.key], None)
            if row is None:
                row = self.model(**{self.owner: owner}, **wanted)
                made.append(row)
            elif differing := [name for name, value in wanted.items() if getattr(row, name) != value]:
                fields = [name for name, attribute in self.columns.items() if attribute in differing]
                guarded[row.pk] = (index, [name for name in fields if name in self.fixed])
                for name in differing:
                    setattr(row, name, wanted[name])
                changed.append(row)
            rows[entry[self.key]] = row
        self._refuse_fixed(guarded, place, findings)
        self.model.objects.bulk_create(made)
        if changed and not findings.total:
            attributes = sorted({*self.wanted(entries[0], 0)} - {self.columns[self.key]})
            self.model.objects.bulk_update(changed, attributes, batch_size=500)
        return rows, list(there.values())

    def wanted(self, entry: dict[str, Any], index: int) -> dict[str, Any]:
        """The attributes of the row that an entry makes."""
        full = with_defaults(entry, self.defaults)
        wanted = {attribute: full[name] for name, attribute in self.columns.items()}
        return {**wanted, "position": index + 1, **self.beside}

    def _refuse_fixed(self, guarded: dict[int, tuple[int, list[str]]], place: str, findings: Findings) -> None:
        asked = {pk: touched for pk, touched in guarded.items() if touched[1]}
        for pk in self.used(list(asked)) if asked else ():
            index, fields = asked[pk]
            for name in fields:
                message = _("Answers rest on this, so it stays as it is. Add another one beside it for what is new.")
                findings.refuse(f"{place}[{index}].{name}", "in_use", message)

    def remove(self, rows: Collection[Any], place: str, findings: Findings) -> None:
        """Delete rows that the file no longer names; one that something rests on is a problem."""
        used = set(self.used([row.pk for row in rows])) if rows else set()
        for row in rows:
            name = getattr(row, self.columns[self.key])
            if row.pk in used or not deleted(row):
                message = _("“%(name)s” is missing here, and answers or texts rest on it: it cannot be taken away.")
                findings.refuse(place, "in_use", message % {"name": name})


def deleted(row: models.Model) -> bool:
    """Delete the row; False where another one needs it."""
    try:
        with transaction.atomic():
            row.delete()
    except ProtectedError:
        return False
    return True


@dataclass(frozen=True)
class Settings:
    """A row of settings, one for a project or a stage, and the record that says it. What the file leaves out is as a
    new row has it."""

    model: Any
    columns: Mapping[str, str]

    @property
    def defaults(self) -> dict[str, Any]:
        new = self.model()
        return {name: getattr(new, attribute) for name, attribute in self.columns.items()}

    def entry(self, row: Any) -> dict[str, Any]:
        said = {name: getattr(row, attribute) for name, attribute in self.columns.items()}
        return without_defaults(said, self.defaults)

    def set_on(self, row: Any, value: Mapping[str, Any]) -> list[str]:
        """Set the row as the record says, without saving it. Returns the attributes that changed."""
        full = with_defaults(value, self.defaults)
        changed = []
        for name, attribute in self.columns.items():
            if getattr(row, attribute) != full[name]:
                setattr(row, attribute, full[name])
                changed.append(attribute)
        return changed
