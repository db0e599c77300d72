"""Arithmetic of stretches of time. Pure: pairs of a beginning and an end, half-open, of anything that has an order."""

from collections.abc import Iterable
from datetime import datetime, timedelta

Interval = tuple[datetime, datetime]


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """The same time in as few intervals as possible, in order; what has no length is left out."""
    joined: list[Interval] = []
    for begin, end in sorted(each for each in intervals if each[0] < each[1]):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((begin, end))
    return joined


def without(intervals: Iterable[Interval], taken: Iterable[Interval]) -> list[Interval]:
    """The time of the first that is in none of the others, merged and in order."""
    left: list[Interval] = []
    others = merged(taken)
    at = 0
    for begin, end in merged(intervals):
        while at < len(others) and others[at][1] <= begin:
            at += 1
        following = at
        while following < len(others) and others[following][0] < end:
            if begin < others[following][0]:
                left.append((begin, others[following][0]))
            begin = max(begin, others[following][1])
            following += 1
        if begin < end:
            left.append((begin, end))
    return left


def length(intervals: Iterable[Interval]) -> timedelta:
    """Of intervals that do not overlap."""
    return sum((end - begin for begin, end in intervals), timedelta())


def first_part(intervals: Iterable[Interval], limit: timedelta) -> list[Interval]:
    """As much of the time as fits the limit, from the earliest on."""
    part: list[Interval] = []
    for begin, end in intervals:
        if limit <= timedelta():
            break
        part.append((begin, min(end, begin + limit)))
        limit -= end - begin
    return part
