"""What was written to a copy of the database, in order, noted by triggers of the copy's own.

A run is `(n, table, op, first, last)`: rows of consecutive keys that were inserted one after the other, or one row that
was updated or deleted. Of such a row its columns before and after stand beside it under the same n.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

RUNS = "rehearsed_runs"
BASES = "rehearsed_bases"
INSERT, UPDATE, DELETE = "i", "u", "d"
# Rows that the copy makes get numbers from here on, behind those that the database has: what others insert into the
# database meanwhile then takes none of them, and nothing that refers to a row need be written anew when it is carried.
# A number beyond 2**53 would be the first that a browser cannot hold; at this pace that takes nine billion imports.
GAP = 1_000_000


class Run(NamedTuple):
    n: int
    table: str
    op: str
    first: object
    last: object


@dataclass(frozen=True)
class Table:
    name: str
    key: str
    kind: str  # of the key, as the database declares it
    columns: tuple[str, ...]
    # The highest number that the database has given in this table; None where keys are not numbered by it.
    base: int | None

    @property
    def log(self) -> str:
        return f"rehearsed_{self.name}"

    @cached_property
    def names(self) -> str:
        return ", ".join(map(quoted, self.columns))

    def of(self, alias: str, prefix: str = "") -> str:
        return ", ".join(f"{alias}.{quoted(prefix + column)}" for column in self.columns)


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


# Tables that triggers of the database fill: they do so for the rows that are carried over as for any others.
FILLED_BY_TRIGGERS: set[str] = set()


class Journal:
    """The tables of one copy. `begin` makes it note what is written from then on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tables: dict[str, Table] = {}

    def begin(self) -> None:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as copy:
            copy.execute("PRAGMA journal_mode=DELETE")
            copy.execute("PRAGMA synchronous=OFF")
            copy.execute("BEGIN")
            copy.execute(f"CREATE TABLE {RUNS} (n INTEGER PRIMARY KEY, tbl TEXT, op TEXT, first, last)")
            for name in _names_of_tables(copy):
                self.tables[name] = table = _table(copy, name)
                for statement in _noting(table):
                    copy.execute(statement)
            copy.execute("COMMIT")

    def runs(self, copy: sqlite3.Connection) -> Iterator[Run]:
        return map(Run._make, copy.execute(f"SELECT n, tbl, op, first, last FROM {RUNS} ORDER BY n"))


def _names_of_tables(copy: sqlite3.Connection) -> list[str]:
    rows = copy.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    )
    return [name for (name,) in rows if name != RUNS and name not in FILLED_BY_TRIGGERS]


def _table(copy: sqlite3.Connection, name: str) -> Table:
    rows = copy.execute(f"PRAGMA table_info({quoted(name)})").fetchall()
    ((key, kind),) = ((row[1], row[2]) for row in rows if row[5])
    columns = tuple(row[1] for row in rows)
    if "AUTOINCREMENT" not in copy.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()[0]:
        return Table(name, key, kind, columns, None)
    (base,) = copy.execute(
        f"SELECT max(COALESCE((SELECT seq FROM sqlite_sequence WHERE name = ?), 0), COALESCE(max({quoted(key)}), 0)) "
        f"FROM {quoted(name)}",
        (name,),
    ).fetchone()
    copy.execute("DELETE FROM sqlite_sequence WHERE name = ?", (name,))
    copy.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, base + GAP))
    return Table(name, key, kind, columns, base)


def _noting(table: Table) -> Iterator[str]:
    """The statements that make the copy note what is written to the table."""
    name, key = quoted(table.name), quoted(table.key)
    before, after = ([f"{prefix}{column}" for column in table.columns] for prefix in ("old_", "new_"))
    columns = ", ".join(quoted(column) for column in (*before, *after))
    # The number of a row is declared as the key is: of another kind, no index on it would serve.
    yield f"CREATE TABLE {quoted(table.log)} (n INTEGER PRIMARY KEY, row {table.kind}, {columns})"
    yield f"CREATE INDEX {quoted(table.log + '_row')} ON {quoted(table.log)} (row, n)"
    last = f"n = (SELECT max(n) FROM {RUNS}) AND tbl = '{table.name}' AND op = '{INSERT}'"
    yield (
        f"CREATE TRIGGER {quoted(table.log + '_insert')} AFTER INSERT ON {name} BEGIN "
        f"UPDATE {RUNS} SET last = NEW.{key} WHERE {last} AND last = NEW.{key} - 1; "
        f"INSERT INTO {RUNS} (tbl, op, first, last) SELECT '{table.name}', '{INSERT}', NEW.{key}, NEW.{key} "
        f"WHERE NOT EXISTS (SELECT 1 FROM {RUNS} WHERE {last} AND last = NEW.{key}); END"
    )
    olds = ", ".join(f"OLD.{quoted(column)}" for column in table.columns)
    news = ", ".join(f"NEW.{quoted(column)}" for column in table.columns)
    nulls = ", ".join(["NULL"] * len(table.columns))
    for op, event, values in ((UPDATE, "UPDATE", news), (DELETE, "DELETE", nulls)):
        yield (
            f"CREATE TRIGGER {quoted(f'{table.log}_{event.lower()}')} AFTER {event} ON {name} BEGIN "
            f"INSERT INTO {RUNS} (tbl, op, first, last) VALUES ('{table.name}', '{op}', OLD.{key}, OLD.{key}); "
            f"INSERT INTO {quoted(table.log)} SELECT max(n), OLD.{key}, {olds}, {values} FROM {RUNS}; END"
        )
