"""The first rows of a file as a mapping sees them, what it makes of them, and what is proposed where there is none."""

import itertools
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from formats.fitting import fit
from formats.importing.registry import importer
from formats.mapping.applying import Applied, reading_of
from formats.mapping.guessing import guessed_fields
from formats.problems import ProblemLog
from formats.readers.choosing import Reading, read_records
from formats.reading import Record, Source
from projects.problems import Invalid, Problem

ROWS = 8
#: So many characters of a cell are shown.
SHOWN = 160


@dataclass(slots=True)
class Preview:
    """`columns` and `rows` of the file as shown; `fields` proposed; `made` what the mapping makes of these rows."""

    columns: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return {
            "columns": self.columns,
            "rows": self.rows,
            "fields": self.fields,
            "made": [orjson.loads(each) for each in self.made],
            "problems": [each.as_json() for each in self.problems],
            "notes": self.notes,
        }


def preview(source: Source, kind: str, file_format: str, reading: Reading, mapping: dict[str, Any] | None) -> Preview:
    """Reads no more of the file than its first records. Bad input is in the preview, never raised."""
    found = Preview()
    asked = (mapping or {}).get("read") or {}
    reading = replace(reading_of({"kind": kind, **(mapping or {})}, reading), is_look=True)
    try:
        coming = read_records(source, asked.get("format") or file_format, reading=reading)
        first = list(itertools.islice(coming, ROWS))
        applied = Applied(mapping) if mapping else None
        records = [each for each in first if isinstance(each, Record)]
        rows = _rows(records, applied)
        found.problems += [each for each in first if isinstance(each, Problem)]
        found.columns = list(dict.fromkeys(name for row in rows for name in row if not name.startswith("@")))
        found.rows = [[shown(row.get(name)) for name in found.columns] for row in rows]
        found.fields = guessed_fields(importer(kind).format, rows)
        if applied is not None:
            _make(found, kind, applied, records, source)
    except Invalid as refused:
        found.problems += refused.problems
    found.notes = list(source.notes)
    return found


def _rows(records: list[Record], applied: Applied | None) -> list[dict[str, Any]]:
    if applied is None:
        return [record.fields for record in records]
    rows = (row for number, each in enumerate(records) for row in applied.rows(each.fields, each.line, number))
    return list(itertools.islice(rows, ROWS))


def _make(found: Preview, kind: str, applied: Applied, records: list[Record], source: Source) -> None:
    declared, problems = importer(kind).format, ProblemLog()
    for record in itertools.islice(applied.records(iter(records), source), ROWS):
        if isinstance(record, Record):
            fit(record.fields, declared)
            found.made.append(orjson.dumps(record.fields).decode())
            declared.check(record.fields, record.line, problems)
    found.problems += problems.shown


def shown(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
