"""Our records out of rows: templates filled, values put into our words, equal ones made once, lists gathered."""

import sqlite3
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import orjson
from django.utils.translation import gettext as _

from formats.fitting import as_text
from formats.mapping.rows import Row
from formats.mapping.templates import Template, template
from formats.reading import Record
from projects.problems import Invalid, Problem

OTHERS = "*"
ABSENT = object()
#: Beside our fields: a template without whose value nothing is made.
ONLY_IF = "if"


class Made:
    """What one record (or one entry of a list) is made of: its fields with what fills each."""

    def __init__(self, stated: Row, values: dict[str, dict[str, Any]], prefix: str = "") -> None:
        self.condition = compiled(stated[ONLY_IF], prefix + ONLY_IF) if ONLY_IF in stated else None
        self.parts = {name: compiled(each, prefix + name) for name, each in stated.items() if name != ONLY_IF}
        self.values = {
            name: by_text(of_field)
            for full, of_field in values.items()
            for name in [full.removeprefix(prefix)]
            if full == prefix + name and name in self.parts
        }
        #: Of fields that are objects: the values of one of its parts, such as the answer to one question.
        self.inner = {
            (name, part): by_text(of_part)
            for full, of_part in values.items()
            for name, _dot, part in [full.removeprefix(prefix).partition(".")]
            if part and full.startswith(prefix) and isinstance(self.parts.get(name), dict)
        }

    @property
    def names(self) -> set[str]:
        return {name for part in self.parts.values() for name in names_in(part)}

    def of(self, row: Row) -> Row:
        """Empty where what it is made only for has no value."""
        if self.condition is not None and filled(self.condition, row) in (None, ""):
            return {}
        record = {}
        for name, part in self.parts.items():
            value = in_words_of(self.values.get(name), filled(part, row))
            if isinstance(value, dict):
                value = self._with_parts_in_our_words(name, value)
            if value is not None and value != {}:
                record[name] = value
        return record

    def _with_parts_in_our_words(self, name: str, value: Row) -> Row:
        for (field, part), known in self.inner.items():
            if field == name:
                value = {**value, part: in_words_of(known, value.get(part))}
        return {part: said for part, said in value.items() if said is not None}


def in_words_of(known: dict[str, Any] | None, value: Any) -> Any:
    """What a value is called here, itself where nothing is said of it."""
    if known is None:
        return value
    found = known.get("" if value is None else str(as_text(value)), ABSENT)
    if found is ABSENT:
        found = known.get(OTHERS, value) if value is not None else None
    return found


def compiled(stated: Any, place: str) -> Any:
    """Texts as templates, at any depth; {"join": [...], "with": "..."} sets parts that have a value side by side."""
    try:
        if isinstance(stated, str):
            return template(stated)
    except Invalid as refused:
        raise Invalid([Problem(each.code, each.message, place) for each in refused.problems]) from None
    if isinstance(stated, dict) and "join" in stated and stated.keys() <= {"join", "with"}:
        if not isinstance(stated["join"], list):
            message = _("What is to be joined is a list of parts.")
            raise Invalid(Problem("not_list", message, place))
        return Joined([compiled(each, place) for each in stated["join"]], str(stated.get("with", " ")))
    if isinstance(stated, dict):
        return {name: compiled(each, place) for name, each in stated.items()}
    if isinstance(stated, list):
        return [compiled(each, place) for each in stated]
    return stated


def by_text(values: dict[str, Any]) -> dict[str, Any]:
    return {str(as_text(key)): value for key, value in values.items()}


def in_our_words(kept: Row, nested: dict[tuple[str, str], dict[str, Any]]) -> Row:
    """A record that keeps its own fields, with the values of entries of its lists put into our words; an entry's field
    that has none there is left out."""
    for (name, part), known in nested.items():
        entries = kept.get(name)
        if isinstance(entries, list):
            kept = {**kept, name: [_entry_in_our_words(entry, part, known) for entry in entries]}
    return kept


def _entry_in_our_words(entry: Any, part: str, known: dict[str, Any]) -> Any:
    if not isinstance(entry, dict) or entry.get(part) is None:
        return entry
    found = known.get(str(as_text(entry[part])), known.get(OTHERS, entry[part]))
    return {name: value for name, value in {**entry, part: found}.items() if value is not None}


class Joined:
    def __init__(self, parts: list[Any], between: str) -> None:
        self.parts, self.between = parts, between

    def value(self, row: Row) -> str | None:
        values = [filled(part, row) for part in self.parts]
        said = [str(as_text(value)) for value in values if value not in (None, "")]
        return self.between.join(said) if said else None


def filled(part: Any, row: Row) -> Any:
    if isinstance(part, (Template, Joined)):
        return part.value(row)
    if isinstance(part, dict):
        values = {name: filled(each, row) for name, each in part.items()}
        return {name: value for name, value in values.items() if value is not None}
    if isinstance(part, list):
        return [value for each in part if (value := filled(each, row)) is not None]
    return part


def names_in(part: Any) -> set[str]:
    if isinstance(part, Template):
        return part.names
    inner: list[Any] = []
    if isinstance(part, Joined):
        inner = part.parts
    elif isinstance(part, dict):
        inner = list(part.values())
    elif isinstance(part, list):
        inner = part
    return {name for each in inner for name in names_in(each)}


class Shelf:
    """What must be remembered of all records of a file, in a database of its own that the system takes back: on the
    disk where it grows, never all of it in memory."""

    def __init__(self) -> None:
        self.database = sqlite3.connect("", isolation_level=None)
        self.database.execute("PRAGMA journal_mode = OFF")
        self.database.execute("CREATE TABLE seen (key BLOB PRIMARY KEY) WITHOUT ROWID")
        self.database.execute("CREATE TABLE heads (id INTEGER PRIMARY KEY, key BLOB UNIQUE, line INTEGER, head BLOB)")
        self.database.execute("CREATE TABLE entries (head INTEGER, place INTEGER PRIMARY KEY, entry BLOB)")
        self.is_indexed = False

    def is_new(self, record: Row) -> bool:
        return self.database.execute("INSERT OR IGNORE INTO seen VALUES (?)", [digest(record)]).rowcount == 1

    def add(self, line: int, head: Row, entries: list[Row]) -> None:
        key = digest(head)
        values = [key, line, orjson.dumps(head)]
        self.database.execute("INSERT OR IGNORE INTO heads (key, line, head) VALUES (?, ?, ?)", values)
        (number,) = self.database.execute("SELECT id FROM heads WHERE key = ?", [key]).fetchone()
        self.database.executemany(
            "INSERT INTO entries (head, entry) VALUES (?, ?)", [(number, orjson.dumps(each)) for each in entries]
        )

    def gathered(self, name: str) -> Iterator[Record]:
        """Each head with its entries under `name`, in the order in which they came."""
        self.database.execute("CREATE INDEX entries_of_head ON entries (head)")
        for number, line, head in self.database.execute("SELECT id, line, head FROM heads ORDER BY id"):
            rows = self.database.execute("SELECT entry FROM entries WHERE head = ? ORDER BY place", [number])
            yield Record(line, {**orjson.loads(head), name: [orjson.loads(entry) for (entry,) in rows]})

    def close(self) -> None:
        self.database.close()


def digest(record: Row) -> bytes:
    return blake2b(orjson.dumps(record, option=orjson.OPT_SORT_KEYS), digest_size=20).digest()


def entries_said(stated: Any) -> list[Row]:
    return stated if isinstance(stated, list) else [stated]


def unknown_columns(names: set[str], columns: list[str]) -> Invalid | None:
    """What to say where a mapping names columns that a table has not."""
    missing = sorted(name for name in names if not any(name == each or name.startswith(f"{each}.") for each in columns))
    if not missing:
        return None
    message = _("The file has no column “%(name)s”. It has: %(columns)s.")
    shown = ", ".join(columns[:30])
    return Invalid([Problem("unknown_column", message % {"name": name, "columns": shown}) for name in missing])
