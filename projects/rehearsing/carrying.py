"""What was written to a copy, written to the database: rows from file to file, in the order in which they came."""

import itertools
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import IntegrityError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, Model

from projects.rehearsing.journal import DELETE, INSERT, RUNS, UPDATE, Journal, Run, Table, quoted

COPY = "rehearsed"


class Changed(Exception):
    """The database is no longer what the rehearsal saw; nothing was carried over."""


@dataclass(frozen=True)
class Weighed:
    """Rows that the work hangs on: no other may come to them, and none may change or go, until it is stored.

    They are those whose `path` of foreign keys ("span__response") leads to one of `ids`; all rows of the model where
    the path is empty, and then others may come to them.
    """

    model: type[Model]
    path: str = ""
    ids: Collection[int] = ()


@contextmanager
def attached(database: BaseDatabaseWrapper, path: Path) -> Iterator[None]:
    """Within it the copy can be read by statements of the database's own connection."""
    database.ensure_connection()
    raw = database.connection
    raw.execute(f"ATTACH DATABASE ? AS {COPY}", (str(path),))
    try:
        yield
    finally:
        raw.execute(f"DETACH DATABASE {COPY}")


class Carrier:
    """Carries over what one journal noted. Everything here runs in one transaction of the database's connection.

    Raises:
        Changed: somebody changed what the rehearsal saw.
    """

    def __init__(self, database: BaseDatabaseWrapper, journal: Journal) -> None:
        self.raw: sqlite3.Connection = database.connection
        self.database = database
        self.journal = journal
        # Read before the lock is taken: one entry a statement's worth of rows, not one a row.
        with closing(sqlite3.connect(journal.path)) as copy:
            self.runs = [
                (place, list(runs)) for place, runs in itertools.groupby(journal.runs(copy), lambda run: run[1:3])
            ]
            self.logged = {
                table.name
                for table in journal.tables.values()
                if copy.execute(f"SELECT EXISTS(SELECT 1 FROM {quoted(table.log)})").fetchone()[0]
            }

    def carry(self, weighed: Iterable[Weighed]) -> None:
        self._refuse_taken_numbers()
        for row in weighed:
            self._refuse_change(row)
        try:
            with self.database.wrap_database_errors:
                for (name, op), runs in self.runs:
                    table = self.journal.tables[name]
                    if op == INSERT:
                        for run in runs:
                            self._insert(table, run)
                    else:
                        self._change(table, op, runs)
        except IntegrityError as refused:
            raise Changed(str(refused)) from refused

    # --- Rows ---

    def _insert(self, table: Table, run: Run) -> None:
        """The rows of one run as they were first: what they became later is an update that follows."""
        key, name = quoted(table.key), quoted(table.name)
        rows = f"SELECT {table.names} FROM {COPY}.{name} WHERE {key} BETWEEN :first AND :last"
        values = {"first": run.first, "last": run.last}
        if table.name in self.logged:
            log = f"{COPY}.{quoted(table.log)}"
            rows += f" AND NOT EXISTS (SELECT 1 FROM {log} l WHERE l.row = {key} AND l.n > :n)"
            rows += (
                f" UNION ALL SELECT {table.of('l', 'old_')} FROM {log} l WHERE l.n IN (SELECT min(e.n) "
                f"FROM {log} e WHERE e.row BETWEEN :first AND :last AND e.n > :n GROUP BY e.row)"
            )
            values["n"] = run.n
        self.raw.execute(f"INSERT INTO main.{name} ({table.names}) {rows}", values)

    def _change(self, table: Table, op: str, runs: list[Run]) -> None:
        """Updates and deletions, of rows that are still what they were in the columns that change."""
        width = len(table.columns)
        logged = self.raw.execute(
            f"SELECT row, {table.of('l', 'old_')}, {table.of('l', 'new_')} FROM {COPY}.{quoted(table.log)} l "
            "WHERE n BETWEEN ? AND ? ORDER BY n",
            (runs[0].n, runs[-1].n),
        )
        with closing(logged):  # where a change is refused, rows are left unread, and the copy could not be detached
            entries = ((row[0], row[1 : 1 + width], row[1 + width :]) for row in logged)
            different = (
                (key, old, new, tuple(place for place in range(width) if op == DELETE or old[place] != new[place]))
                for key, old, new in entries
            )
            for places, group in itertools.groupby(different, lambda entry: entry[3]):
                if places:
                    self._change_alike(table, op, places, list(group))

    def _change_alike(self, table: Table, op: str, places: tuple[int, ...], group: list[tuple]) -> None:
        columns = [quoted(table.columns[place]) for place in places]
        still = " AND ".join(f"{column} IS ?" for column in columns)
        where = f"{quoted(table.key)} = ? AND {still}"
        if op == UPDATE:
            sets = ", ".join(f"{column} = ?" for column in columns)
            statement = f"UPDATE main.{quoted(table.name)} SET {sets} WHERE {where}"
            values = ((*pick(new, places), key, *pick(old, places)) for key, old, new, _places in group)
        else:
            statement = f"DELETE FROM main.{quoted(table.name)} WHERE {where}"
            values = ((key, *pick(old, places)) for key, old, _new, _places in group)
        if self.raw.executemany(statement, values).rowcount != len(group):
            raise Changed(f"rows of {table.name} are no longer what they were")

    # --- What changed meanwhile ---

    def _refuse_taken_numbers(self) -> None:
        """Another rehearsal that came first has taken the numbers of this one's rows."""
        first: dict[str, Any] = {}
        for (name, op), runs in self.runs:
            if op == INSERT and self.journal.tables[name].base is not None:
                first.setdefault(name, runs[0].first)
        taken = dict(self.raw.execute("SELECT name, seq FROM main.sqlite_sequence"))
        for name, number in first.items():
            if taken.get(name, 0) >= number:
                raise Changed(f"numbers of {name} are taken")

    def _refuse_change(self, weighed: Weighed) -> None:
        """Compare the rows with those that the copy began with."""
        table = self.journal.tables[weighed.model._meta.db_table]
        key = quoted(table.key)
        same = " AND ".join(f"b.{quoted(column)} IS m.{quoted(column)}" for column in table.columns)
        name = f"main.{quoted(table.name)}"
        before = f"({self._before(table)})"
        self.raw.execute("CREATE TEMP TABLE IF NOT EXISTS weighed (id PRIMARY KEY)")
        self.raw.execute("DELETE FROM weighed")
        self.raw.executemany("INSERT OR IGNORE INTO weighed VALUES (?)", ((each,) for each in weighed.ids))
        now_there = f"SELECT 1 FROM {name} m WHERE {leads_to(weighed, 'main', 'm')}"
        once_there = f"SELECT 1 FROM {before} b WHERE {leads_to(weighed, COPY, 'b')}"
        if not weighed.path:
            changes = [f"{once_there} AND NOT EXISTS (SELECT 1 FROM {name} m WHERE m.{key} = b.{key} AND {same})"]
        else:
            changes = [
                f"{now_there} AND NOT EXISTS (SELECT 1 FROM {before} b WHERE b.{key} = m.{key} AND {same})",
                f"{once_there} AND NOT EXISTS (SELECT 1 FROM {name} m WHERE m.{key} = b.{key})",
            ]
        for change in changes:
            if self.raw.execute(f"SELECT EXISTS({change})").fetchone()[0]:
                raise Changed(f"rows of {table.name} are no longer what they were")

    def _before(self, table: Table) -> str:
        """The rows of a table before the rehearsal wrote to it."""
        key = quoted(table.key)
        rows = f"SELECT {table.names} FROM {COPY}.{quoted(table.name)} t WHERE {self._stood('t.' + key, table)}"
        if table.name not in self.logged:
            return rows
        log = f"{COPY}.{quoted(table.log)}"
        columns = ", ".join(f"l.{quoted('old_' + column)} AS {quoted(column)}" for column in table.columns)
        return (
            f"{rows} AND NOT EXISTS (SELECT 1 FROM {log} e WHERE e.row = t.{key}) "
            f"UNION ALL SELECT {columns} FROM {log} l WHERE {self._stood('l.row', table)} "
            f"AND l.n IN (SELECT min(e.n) FROM {log} e GROUP BY e.row)"
        )

    def _stood(self, key: str, table: Table) -> str:
        if table.base is not None:
            return f"{key} <= {table.base}"
        runs = f"{COPY}.{RUNS}"
        return (
            f"NOT EXISTS (SELECT 1 FROM {runs} r WHERE r.tbl = '{table.name}' AND r.op = '{INSERT}' "
            f"AND {key} BETWEEN r.first AND r.last)"
        )


def pick(values: tuple, places: tuple[int, ...]) -> list:
    return [values[place] for place in places]


def leads_to(weighed: Weighed, schema: str, alias: str) -> str:
    """SQL that is true of a row from which the path of foreign keys leads to one of the ids."""
    if not weighed.path:
        return "1 = 1"
    names = weighed.path.split("__")
    fields: list[Field] = []
    model = weighed.model
    for name in names:
        field: Any = model._meta.get_field(name)
        fields.append(field)
        model = field.related_model
    condition = "IN (SELECT id FROM temp.weighed)"
    for field in reversed(fields[1:]):
        owner = field.model._meta
        assert owner.pk is not None
        assert owner.pk.column
        assert field.column
        inner = f"SELECT {quoted(owner.pk.column)} FROM {schema}.{quoted(owner.db_table)}"
        condition = f"IN ({inner} WHERE {quoted(field.column)} {condition})"
    assert fields[0].column
    return f"{alias}.{quoted(fields[0].column)} {condition}"
