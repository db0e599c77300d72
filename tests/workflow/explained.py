"""What PostgreSQL does for the statements of a page: each is explained again with what it really read."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

Statement = tuple[str, tuple]


@contextmanager
def statements() -> Iterator[list[Statement]]:
    """The statements of the block, each with its parameters."""
    seen: list[Statement] = []

    def note(execute, sql, params, many, context):
        seen.append((sql, tuple(params or ())))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield seen


def steps(plan: dict) -> list[dict]:
    return [plan, *(step for part in plan.get("Plans", []) for step in steps(part))]


def plan_of(statement: Statement) -> list[dict]:
    """The steps of a SELECT's plan, with the rows that they really gave and threw away."""
    sql, params = statement
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", params)
        [[explained]] = cursor.fetchall()
    plan = json.loads(explained) if isinstance(explained, str) else explained
    return steps(plan[0]["Plan"])


def rows_read(step: dict) -> int:
    """How many rows of its table or index a step went through, in all its rounds."""
    thrown_away = sum(step.get(f"Rows Removed by {reason}", 0) for reason in ("Filter", "Index Recheck"))
    return round((step["Actual Rows"] + thrown_away) * step["Actual Loops"])
