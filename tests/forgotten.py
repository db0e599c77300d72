"""What a test leaves in PostgreSQL's tables although it was taken back, and how it is cleared away.

The rows of a transaction that was taken back stay on their pages as dead ones; and what ANALYZE counted within it stays
too, since `pg_class` is written in place. "Fifty pages and no row" of one test then has the planner of the next join
thousands of rows one by one. Autovacuum, which mends both in a few minutes of production, is off in tests.
"""

from django.db import connection

PAGES = 64  # from half a megabyte on, dead rows cost those that read the table more than clearing them away
LEFT = """
    SELECT relname, relpages, reltuples, pg_relation_size(oid) / current_setting('block_size')::int
    FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
        AND (relpages > 0 OR pg_relation_size(oid) >= %s * current_setting('block_size')::int)
"""
_accepted: set[tuple] = set()  # the rows of `LEFT` that are so after VACUUM too: tables with rows of the migrations


def clear_what_was_taken_back() -> list[str]:
    """VACUUM the tables that are counted wrongly or full of dead rows, and return their names.

    Nothing where this is not PostgreSQL, where the test used no database, or within a transaction, whose rows stand
    for the tests to come.
    """
    if connection.vendor != "postgresql" or connection.connection is None or connection.in_atomic_block:
        return []
    with connection.cursor() as cursor:
        cursor.execute(LEFT, [PAGES])
        names = [row[0] for row in cursor.fetchall() if row not in _accepted]
        if names:
            cursor.execute(f"VACUUM (SKIP_LOCKED) {', '.join(map(connection.ops.quote_name, names))}")
            cursor.execute(LEFT, [PAGES])
            _accepted.update(cursor.fetchall())
    return names
