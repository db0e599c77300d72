"""Tables are emptied after a transactional test, without making again what every migrated database holds.

Django empties all of them and then has content types, permissions and language varieties made anew, which takes ten
times as long. Where those still are what they were after the last time, they are left; else it is done Django's way.
"""

from typing import Any

from django.core.management.color import no_style
from django.db import connection, transaction
from django.test import TransactionTestCase

Rows = dict[str, list[tuple]]

_empty_all = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]
_made_by_migrating: Rows = {}  # every row that emptying leaves, by table, as Django left it last

NOT_EMPTY = """
    SELECT relname FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND pg_relation_size(oid) > 0
"""


def rows_of(tables: list[str]) -> Rows:
    found = {}
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} ORDER BY 1")
            found[table] = cursor.fetchall()
    return found


def own_tables() -> list[str]:
    return sorted(connection.introspection.django_table_names(only_existing=True, include_views=False))


def empty(case: TransactionTestCase) -> None:
    """Leave what `_fixture_teardown` leaves."""
    is_plain = case.available_apps is None and not case.serialized_rollback and may_leave_guards_aside()
    if not (is_plain and _made_by_migrating and rows_of(list(_made_by_migrating)) == _made_by_migrating):
        _empty_all(case)
        _made_by_migrating.clear()
        if is_plain:
            _made_by_migrating.update({table: rows for table, rows in rows_of(own_tables()).items() if rows})
        return
    others = [table for table in own_tables() if table not in _made_by_migrating]
    if connection.vendor == "postgresql":
        delete_in_postgresql(others)
    else:
        connection.ops.execute_sql_flush(connection.ops.sql_flush(no_style(), others))


def may_leave_guards_aside() -> bool:
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('is_superuser')")
        return cursor.fetchone() == ("on",)


def delete_in_postgresql(tables: list[str]) -> None:
    """TRUNCATE makes the files of each table anew, mostly of empty ones; few hold rows after a test.

    As it does, this waits for whoever still writes to one of them. What is being written is on a page already.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(NOT_EMPTY)
        filled: Any = {row[0] for row in cursor.fetchall()}
        names = [connection.ops.quote_name(table) for table in tables if table in filled]
        if not names:
            return
        cursor.execute(f"LOCK TABLE {', '.join(names)} IN ACCESS EXCLUSIVE MODE")
        # Neither the guards of what is never deleted nor references between tables that are emptied both.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for name in names:
            cursor.execute(f"DELETE FROM {name}")
