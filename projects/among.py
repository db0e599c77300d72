"""Rows whose id is among many: as one parameter of a statement, however many there are.

A list in a condition is a parameter for each of its members, of which PostgreSQL takes 65,535. `Among` is for lists
that no query can tell; where one can, it is better given as the query itself.
"""

from collections.abc import Iterable
from typing import Any

from django.db.models import BigIntegerField, Func, Value


class Among(Func):
    """`rows.filter(pk__in=Among(ids))`; whole numbers, in any order, of which some may be repeated."""

    def __init__(self, ids: Iterable[int]):
        numbers = ",".join(map(str, sorted(set(map(int, ids)))))
        super().__init__(Value(numbers), output_field=BigIntegerField())

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, Any]:
        template = "(SELECT value FROM json_each('[' || %(expressions)s || ']'))"
        return super().as_sql(compiler, connection, template=template, **context)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, Any]:
        template = "(SELECT unnest(('{' || %(expressions)s || '}')::bigint[]))"
        return super().as_sql(compiler, connection, template=template, **context)
