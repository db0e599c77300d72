"""When will it be done? Arithmetic on counts; what cannot be said yet is None, not a number."""

import math
from datetime import date, timedelta


def seconds_left(items: int, done: int, seconds_worked: int) -> int | None:
    """Working seconds for `items` more at the mean pace so far; None while nothing is done."""
    if items == 0:
        return 0
    if done == 0 or seconds_worked == 0:
        return None
    return round(items * seconds_worked / done)


def finish_date(today: date, remaining: int, recent: int, days: int) -> date | None:
    """The day on which `remaining` answers are in, at `recent` answers over the last `days` days.

    None where none came in over these days: no pace, no date.
    """
    if remaining <= 0:
        return today
    if recent <= 0 or days <= 0:
        return None
    return today + timedelta(days=math.ceil(remaining * days / recent))
