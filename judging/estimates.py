"""What a plan will cost: a range, from like calls that have ended, else from what is commonly seen."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Range(NamedTuple):
    """From `low` to `high`, both included."""

    low: int
    high: int

    def plus(self, other: "Range") -> "Range":
        return Range(self.low + other.low, self.high + other.high)


NOTHING = Range(0, 0)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Of one judge's calls. `money` is in billionths of a US dollar, None where the model has no price.

    `most_tokens` and `most_money` are what cannot be exceeded without attempts that break off: a token for every byte
    that is sent, and as many written as the judge may write. `ended_calls` is how many like calls the range is drawn
    from; 0 where it rests on what is commonly seen.
    """

    calls: int
    tokens: Range
    money: Range | None
    most_tokens: int
    most_money: int | None
    ended_calls: int


def total(ranges: Iterable[Range]) -> Range:
    found = NOTHING
    for each in ranges:
        found = found.plus(each)
    return found
