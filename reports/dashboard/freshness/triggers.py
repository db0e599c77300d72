"""The triggers by which every write of measured rows moves a revision, on both databases.

They are put in place after every migration, whatever it was: on SQLite a migration that changes a table makes it anew,
without its triggers, and stumbles over triggers that name it; so there they go before and come back after. Names carry
a digest of the definition, and what is as it should be is left alone: starting anew locks nothing.
"""

import hashlib
import re
from collections.abc import Iterable
from typing import Any

from django.apps import AppConfig
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from reports.dashboard.freshness.entries import DELETE, INSERT, UPDATE, Measured
from reports.dashboard.freshness.measured import MEASURED
from reports.models import ALL, DataRevision

TABLE = DataRevision._meta.db_table
PREFIX = "measured_"
PLACE = "project_id, variety_id, part"
FIELDS = f"{PLACE}, writes, token"
# Of 40 bits: the sum of millions stays far below 2 ** 63.
RANDOM = {"postgresql": "floor(random() * 1099511627776)::bigint", "sqlite": "(random() >> 24)"}
UNIQUE_PLACE = f"CREATE UNIQUE INDEX IF NOT EXISTS {PREFIX}place ON {TABLE} ({PLACE})"


# --- Keeping them in place ------------------------------------------------------------------------------


def before_migration(sender: AppConfig, using: str, plan: Iterable[Any] = (), **kwargs: Any) -> None:
    """Out of the way: on SQLite of every migration, elsewhere of one that takes the table of revisions away."""
    connection = connections[using]
    steps = list(plan)
    takes_away = any(backwards and migration.app_label == sender.label for migration, backwards in steps)
    if steps and (connection.vendor == "sqlite" or takes_away):
        remove(connection, present(connection))


def after_migration(sender: AppConfig, using: str, **kwargs: Any) -> None:
    install(connections[using])


def install(connection: BaseDatabaseWrapper) -> None:
    """Put in place what is missing, take away what is of another definition, and let all figures be made anew then:
    nobody knows what was written in between."""
    there = present(connection)
    wanted = {name: statements for entry in MEASURED for name, statements in definitions(entry, connection.vendor)}
    if wanted.keys() == there.keys() or not is_complete(connection):
        return
    with transaction.atomic(using=connection.alias):
        remove(connection, {name: table for name, table in there.items() if name not in wanted})
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute(UNIQUE_PLACE)
            for name in sorted(wanted.keys() - there.keys()):
                for statement in wanted[name]:
                    cursor.execute(statement)
            if connection.vendor == "sqlite":
                cursor.execute(f"DELETE FROM {TABLE} WHERE project_id = {ALL} AND part = 'triggers'")
            random = RANDOM[connection.vendor]
            cursor.execute(f"INSERT INTO {TABLE} ({FIELDS}) VALUES ({ALL}, {ALL}, 'triggers', 1, {random})")


def present(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Name of each trigger that is there, and its table."""
    if connection.vendor == "postgresql":
        # Those of the tables as this connection sees them: other schemas may hold a copy of the installation.
        query = (
            "SELECT t.tgname, c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
            "WHERE starts_with(t.tgname, %s) AND pg_table_is_visible(c.oid)"
        )
    else:
        query = "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' AND instr(name, %s) = 1"
    with connection.cursor() as cursor:
        cursor.execute(query, [PREFIX])
        return dict(cursor.fetchall())


def remove(connection: BaseDatabaseWrapper, triggers: dict[str, str]) -> None:
    with connection.cursor() as cursor:
        for name, table in triggers.items():
            if connection.vendor == "postgresql":
                cursor.execute(f"DROP TRIGGER {name} ON {table}")
                cursor.execute(f"DROP FUNCTION {name}()")
            else:
                cursor.execute(f"DROP TRIGGER {name}")


def is_complete(connection: BaseDatabaseWrapper) -> bool:
    """Whether all tables and columns are there: a migration may stop anywhere between the first and the last."""
    needed: dict[str, set[str]] = {TABLE: set()}
    for entry in MEASURED:
        watched = used_in(entry.where, *entry.columns)
        needed.setdefault(entry.table, set()).update((*columns_of(entry), *watched))
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
        return needed.keys() <= tables and all(
            names <= {column.name for column in connection.introspection.get_table_description(cursor, table)}
            for table, names in needed.items()
        )


# --- Writing them -----------------------------------------------------------------------------------------


def definitions(entry: Measured, vendor: str) -> Iterable[tuple[str, list[str]]]:
    """Name and statements of the triggers of an entry, one for each event."""
    write = {"postgresql": postgresql, "sqlite": sqlite}[vendor]
    for event in entry.events:
        body = write(entry, event)
        digest = hashlib.sha256("\n".join(body).encode()).hexdigest()[:10]
        name = f"{PREFIX}{digest}_{event.lower()}_{entry.table}"[:63]
        yield name, [statement.replace("{name}", name) for statement in body]


def columns_of(entry: Measured) -> list[str]:
    """Every column that tells whether and where a row counts, or what of it does."""
    plain = [column for column in entry.columns if not is_expression(column)]
    return list(dict.fromkeys((entry.key, *plain, *used_in(entry.joins, entry.project, entry.variety))))


def used_in(*sql: str) -> list[str]:
    return re.findall(r"\br\.(\w+)", " ".join(sql))


def is_expression(column: str) -> bool:
    return "r." in column


def places(entry: Measured, rows: str) -> str:
    """Project, variety and part of what was written, each once. `rows` is SQL of a table of them."""
    chosen = f"{entry.project} AS project_id, {entry.variety} AS variety_id, {entry.part} AS part"
    return f"SELECT DISTINCT {chosen} FROM {rows} AS r {entry.joins}"


def postgresql(entry: Measured, event: str) -> list[str]:
    """A function, and a trigger that calls it once for a statement, with all the rows it wrote."""
    compared = [f'r."{column}"' for column in columns_of(entry)]
    compared += [f"({column}) AS x{n}" for n, column in enumerate(entry.columns) if is_expression(column)]
    before, after = (
        f"SELECT {', '.join(compared)} FROM {rows} r" + (f" WHERE {entry.where}" if entry.where else "")
        for rows in ("old_rows", "new_rows")
    )
    rows, tables = {
        INSERT: (f"({after})", "NEW TABLE AS new_rows"),
        UPDATE: (
            f"(({before} EXCEPT {after}) UNION ALL ({after} EXCEPT {before}))",
            "OLD TABLE AS old_rows NEW TABLE AS new_rows",
        ),
        DELETE: (f"({before})", "OLD TABLE AS old_rows"),
    }[event]
    return [
        "CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"INSERT INTO {TABLE} ({FIELDS}) SELECT {PLACE}, 1, {RANDOM['postgresql']} "
        f"FROM ({places(entry, rows)}) AS place WHERE project_id IS NOT NULL; RETURN NULL; END $$",
        f"CREATE TRIGGER {{name}} AFTER {event} ON {entry.table} REFERENCING {tables} "
        "FOR EACH STATEMENT EXECUTE FUNCTION {name}()",
    ]


def sqlite(entry: Measured, event: str) -> list[str]:
    """A trigger that is called for every row, and counts up what is there: nobody else writes at that time."""
    rows = {INSERT: ["NEW"], UPDATE: ["OLD", "NEW"], DELETE: ["OLD"]}[event]
    when = " OR ".join(f"({of_row(entry.where, row)})" for row in rows) if entry.where else "true"
    if event == UPDATE:
        pairs = [
            (of_row(column, "OLD"), of_row(column, "NEW"))
            for column in (*(f'r."{name}"' for name in columns_of(entry)), *filter(is_expression, entry.columns))
        ]
        if entry.where:
            pairs.append((of_row(entry.where, "OLD"), of_row(entry.where, "NEW")))
        when = f"({when}) AND ({' OR '.join(f'({old}) IS NOT ({new})' for old, new in pairs)})"
    return [
        f"CREATE TRIGGER {{name}} AFTER {event} ON {entry.table} FOR EACH ROW WHEN {when} BEGIN "
        f"{' '.join(_counting_up(entry, row) for row in rows)} END"
    ]


def _counting_up(entry: Measured, row: str) -> str:
    columns = ", ".join(f'{row}."{name}" AS "{name}"' for name in columns_of(entry))
    counted = f" AND ({of_row(entry.where, row)})" if entry.where else ""
    return (
        f"INSERT INTO {TABLE} ({FIELDS}) SELECT {PLACE}, 1, {RANDOM['sqlite']} "
        f"FROM ({places(entry, f'(SELECT {columns})')}) WHERE project_id IS NOT NULL{counted} "
        f"ON CONFLICT ({PLACE}) DO UPDATE SET writes = writes + 1, token = excluded.token;"
    )


def of_row(sql: str, row: str) -> str:
    return re.sub(r"\br\.", f"{row}.", sql)
