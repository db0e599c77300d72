"""The state of stored rows, told by sums that the database makes: it changes whenever a row it covers does.

Sums over ids catch two rows that swap their values, which counts alone would not.
"""

import hashlib
from typing import Any

from django.db.models import BigIntegerField, Case, Count, F, Max, Q, Sum, Value, When
from django.db.models.functions import Cast

# A prime that ids are taken modulo of, so that sums of products stay far below 2 ** 63.
SPREAD = 1009


def digest(value: Any) -> str:
    """16 hexadecimal digits that stand for a value of plain types."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def rows_of() -> dict[str, Any]:
    return {"rows": Count("id"), "newest": Max("id"), "ids": Sum("id")}


def rows_where(**condition: Any) -> Sum:
    return Sum("id", filter=Q(**condition), default=0)


def summed(field: str) -> Sum:
    return Sum(Cast(F(field), BigIntegerField()), default=0)


def by_id(field: str) -> Sum:
    """A sum that changes when two rows swap what they hold. Whole numbers: a float sum depends on the order."""
    return Sum(Cast(F(field), BigIntegerField()) * (F("id") % SPREAD), default=0)


def coded(field: str, values: list[str]) -> Sum:
    numbered = [When(**{field: value}, then=Value(number)) for number, value in enumerate(values, start=1)]
    return Sum(Case(*numbered, default=Value(0), output_field=BigIntegerField()) * (F("id") % SPREAD), default=0)
