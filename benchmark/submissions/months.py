"""Calendar months in UTC, wherever whoever submits or the server may be."""

from datetime import UTC, date, datetime


def month_of(moment: datetime) -> str:
    """The calendar month of an aware moment, as 2026-11."""
    return moment.astimezone(UTC).strftime("%Y-%m")


def month_after(month: str) -> date:
    """The first day of the month after one that is written as 2026-11."""
    year, number = map(int, month.split("-"))
    return date(year + number // 12, number % 12 + 1, 1)
