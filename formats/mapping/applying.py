"""A mapping at work on the records of a file, one after the other, in bounded memory."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _

from formats.mapping.making import Made, Shelf, by_text, entries_said, in_our_words, unknown_columns
from formats.mapping.rows import Melting, Row, is_one_of, splitter, walk
from formats.mapping.templates import looked_up
from formats.readers.choosing import Reading, read_records
from formats.reading import Record, Source
from projects.problems import Invalid, Problem

#: Columns that every row has: the line of its record, and how many records stand before it.
LINE, INDEX = "@line", "@index"


class Applied:
    """A mapping made ready. Raises Invalid where a part of it says nothing that can be done."""

    def __init__(self, stated: dict[str, Any]) -> None:
        values = stated.get("values") or {}
        self.path = stated["each"].split(".") if stated.get("each") else None
        self.splits = [splitter(column, how) for column, how in (stated.get("split") or {}).items()]
        self.where, self.unless = stated.get("where") or {}, stated.get("unless") or {}
        self.melting = Melting(stated["wide"]) if stated.get("wide") else None
        self.made = [Made(each, values) for each in entries_said(stated["fields"])]
        self.keeps, self.once = bool(stated.get("keep")), bool(stated.get("once"))
        self.needs = [name for name in stated.get("needs") or () if "." not in name]
        self.nested = {name.partition(".")[::2]: by_text(known) for name, known in values.items() if "." in name}
        self.gathered = next(iter(stated.get("gather") or {}), "")
        of_entries = entries_said((stated.get("gather") or {}).get(self.gathered, []))
        prefix = f"{self.gathered}."
        self.entries = [Made(each, values, prefix) for each in of_entries]
        self.entry_needs = [
            name.removeprefix(prefix) for name in stated.get("needs") or () if self.gathered and name.startswith(prefix)
        ]
        if not self.keeps:
            refuse_values_of_nothing(values, self.made, self.entries, prefix)
        is_plain = self.path is None and self.melting is None and not self.splits
        self.names = {name for each in (*self.made, *self.entries) for name in each.names} if is_plain else set()

    def records(self, coming: Iterator[Record | Problem], source: Source) -> Iterator[Record | Problem]:
        """Our records in place of theirs; problems of reading pass through. Each has the line that it comes from."""
        shelf = Shelf()
        is_checked = False
        try:
            for number, record in enumerate(coming):
                if isinstance(record, Problem):
                    yield record
                    continue
                if not is_checked and source.columns is not None and self.names:
                    refused = unknown_columns(self.names - {LINE, INDEX}, source.columns)
                    if refused:
                        raise refused
                is_checked = True
                for row in self.rows(record.fields, record.line, number):
                    yield from self._of_row(row, record, shelf)
            if self.gathered:
                yield from shelf.gathered(self.gathered)
        finally:
            shelf.close()

    def rows(self, fields: Row, line: int, number: int) -> Iterator[Row]:
        """The rows of one record that count."""
        for row in walk(fields, self.path) if self.path else (dict(fields),):
            row[LINE], row[INDEX] = line, number
            for split in self.splits:
                split(row)
            if not is_one_of(row, self.where) or (self.unless and is_one_of(row, self.unless)):
                continue
            yield from self.melting.rows(row) if self.melting else (row,)

    def _of_row(self, row: Row, record: Record, shelf: Shelf) -> Iterator[Record]:
        for made in self.made:
            fields = made.of(row)
            if not fields and not self.keeps:
                continue
            if self.keeps:
                kept = {name: value for name, value in record.fields.items() if name not in made.parts}
                fields = in_our_words(kept, self.nested) | fields
            if any(looked_up(fields, name) in (None, "") for name in self.needs):
                continue
            if self.gathered:
                entries = [entry for each in self.entries if self._is_whole(entry := each.of(row))]
                shelf.add(record.line, fields, entries)
            elif not self.once or shelf.is_new(fields):
                yield Record(record.line, fields)

    def _is_whole(self, entry: Row) -> bool:
        return bool(entry) and all(looked_up(entry, name) not in (None, "") for name in self.entry_needs)


def reading_of(mapping: dict[str, Any], asked: Reading) -> Reading:
    """How the file is read: what the mapping says of it goes before what is asked."""
    said = mapping.get("read") or {}
    delimiter, sheet = said.get("delimiter") or asked.delimiter, said.get("sheet") or asked.sheet
    return Reading(delimiter, sheet, takes_object=True, kind=mapping["kind"])


def mapped_records(
    source: Source, file_format: str, reading: Reading, mapping: dict[str, Any]
) -> Iterator[Record | Problem]:
    """Our records out of a file that a checked mapping is about. What it says of reading goes before what is asked."""
    asked = mapping.get("read") or {}
    reading = reading_of(mapping, reading)
    return Applied(mapping).records(read_records(source, asked.get("format") or file_format, reading=reading), source)


def refuse_values_of_nothing(values: Iterable[str], made: Iterable[Made], entries: Iterable[Made], prefix: str) -> None:
    """Values of a field that the mapping does not fill would be left unsaid in silence. Raises Invalid."""
    filled = {name for each in made for name in (*each.values, *map(".".join, each.inner))}
    filled |= {prefix + name for each in entries for name in (*each.values, *map(".".join, each.inner))}
    problems = [
        Problem("unknown_field", _("Nothing fills this field: its values are never looked at."), f"values.{name}")
        for name in values
        if name not in filled
    ]
    if problems:
        raise Invalid(problems)
