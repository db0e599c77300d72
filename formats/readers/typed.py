"""Values of files whose cells have types, as JSON has them."""

import math
import re
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from django.utils.translation import gettext as _

from formats.reading import MAX_DEPTH, MAX_LINE_BYTES, number_too_large, too_deep
from projects.problems import Invalid, Problem

#: What stands in a cell whose formula was never computed.
NOT_COMPUTED = object()
HALF_PAIR = re.compile("[\ud800-\udfff]")


def cell_value(value: object, depth: int = 1) -> object:
    """The value as a text, a number, true or false, a list or an object; None where there is none. Raises Invalid.

    Dates are texts (ISO 8601). NaN is how tables of numbers write that there is none.
    """
    match value:
        case None | bool():
            return value
        case str():
            return checked_text(value)
        case int():
            if abs(value) >= 2**63:
                raise Invalid(number_too_large())
            return value
        case float():
            return checked_number(value)
        case datetime() | date() | time():
            return value.isoformat()
        case Decimal():
            return checked_number(float(value))
        case timedelta():
            return value.total_seconds()
        case bytes():
            raise Invalid(Problem("binary", _("The column holds bytes, not text.")))
        case dict() | list():
            if depth >= MAX_DEPTH:
                raise Invalid(too_deep())
            if isinstance(value, list):
                return [cell_value(each, depth + 1) for each in value]
            return {str(name): cell_value(each, depth + 1) for name, each in value.items()}
    return checked_text(str(value))


def checked_number(value: float) -> float | None:
    if math.isnan(value):
        return None
    if math.isinf(value) or abs(value) >= 2.0**63:
        raise Invalid(number_too_large())
    return value


def checked_text(value: str) -> str:
    if len(value) > MAX_LINE_BYTES:
        message = _("The cell is longer than %(limit)d MB.")
        raise Invalid(Problem("line_too_long", message % {"limit": MAX_LINE_BYTES // 1_000_000}))
    if "\x00" in value:
        raise Invalid(Problem("null_character", _("A text holds the character U+0000, which no text may hold.")))
    if HALF_PAIR.search(value):
        raise Invalid(Problem("lone_surrogate", _("A text holds half of a surrogate pair.")))
    return value
