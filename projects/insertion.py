"""Many rows at once, at nearly the speed of the database.

The ORM's bulk_create builds SQL text and resolves expressions for every value of every row, which costs several
times what storing it does. Where thousands of rows come together (imports, judges) they come this way.
"""

import itertools
import json
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db import connection, models

# So many rows PostgreSQL takes one by one sooner than by COPY, which goes back and forth twice more and plans nothing.
FEW = 20


def as_json(value: object) -> str:
    """A JSON column's value as both databases take it."""
    return json.dumps(value, ensure_ascii=False) if value or isinstance(value, list) else "{}"


def column_of(model: type[models.Model], name: str) -> str:
    field = model._meta.get_field(name)
    assert isinstance(field, models.Field)
    assert field.column is not None
    return field.column


def insert_rows(model: type[models.Model], fields: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows given as the values of `fields`, in that order; foreign keys as ids, JSON by `as_json`.

    Python defaults do not apply: every field without a default in the database is named. Primary keys are given
    by the database and not returned. Constraints and triggers hold as ever: IntegrityError.
    """
    columns = ", ".join(connection.ops.quote_name(column_of(model, name)) for name in fields)
    table = connection.ops.quote_name(model._meta.db_table)
    coming = iter(rows)
    few = list(itertools.islice(coming, FEW + 1))
    if not few:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql" and len(few) > FEW:
            with connection.wrap_database_errors, cursor.cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for row in itertools.chain(few, coming):
                    copy.write_row(row)
            return
        places = ", ".join(["%s"] * len(fields))
        values: Any = itertools.chain(few, coming)
        if connection.vendor == "sqlite":
            # SQLite keeps UUIDs as hexadecimal text.
            values = (tuple(value.hex if type(value) is UUID else value for value in row) for row in values)
        cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", values)


def update_rows(model: type[models.Model], name: str, values: Iterable[tuple[Any, int]]) -> None:
    """Set one field of many rows, each to its own value; foreign keys as ids. values  (value, primary key).

    An UPDATE with a CASE per row (`bulk_update`) takes several times as long. PostgreSQL gets all rows in one, and what
    fires after each statement fires once; SQLite gets a prepared statement for each.
    """
    rows = list(values)
    if not rows:
        return
    table, column = (connection.ops.quote_name(each) for each in (model._meta.db_table, column_of(model, name)))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            kinds = [model._meta.get_field(each).cast_db_type(connection) for each in (name, "id")]  # type: ignore[union-attr]
            rows_given = f"UNNEST(%s::{kinds[0]}[], %s::{kinds[1]}[]) AS given (value, id)"
            statement = f"UPDATE {table} SET {column} = given.value FROM {rows_given} WHERE {table}.id = given.id"
            cursor.execute(statement, [list(each) for each in zip(*rows, strict=True)])
        else:
            cursor.executemany(f"UPDATE {table} SET {column} = %s WHERE id = %s", rows)


def insert_new_rows(model: type[models.Model], fields: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """As `insert_rows`, but rows that are there already (by whatever unique constraint) are left as they are; returns
    how many are new. Two that write the same at once leave one of each."""
    columns = ", ".join(connection.ops.quote_name(column_of(model, name)) for name in fields)
    table = connection.ops.quote_name(model._meta.db_table)
    values = list(rows)
    if not values:
        return 0
    places = ", ".join(["%s"] * len(fields))
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places}) ON CONFLICT DO NOTHING", values)
        return max(0, int(cursor.rowcount))


def count_rows_anew(tables: Iterable[type[models.Model]]) -> None:
    """Tell PostgreSQL's planner of the rows of this transaction, which nobody else sees yet.

    Autovacuum that comes by meanwhile counts pages with no row in them, and every later join of the transaction would
    go through them row by row. Where somebody else holds the lock the count is left out.
    """
    if connection.vendor == "postgresql":
        names = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in tables)
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE (SKIP_LOCKED) {names}")
