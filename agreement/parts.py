"""Spans that lie in several places: their further parts, and what they share with others as sets of words.

Most spans have one part, and are compared as intervals (agreement/spans.py). Of a span with several, the words (or,
where no part owns a word, the characters) are the union of those of its parts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Parts:
    """Further parts of spans, beside the interval that each span has itself.

    span         index of the span that each is a part of, shape (P,), any order.
    start, end   code points, half open, shape (P,).
    first, last  the words it owns, half open, shape (P,); equal where it owns none.
    """

    span: Integers
    start: Integers
    end: Integers
    first: Integers
    last: Integers

    def __len__(self) -> int:
        return len(self.span)

    def taken(self, index: Integers) -> "Parts":
        """The parts of the spans that are taken by these indices; of one taken twice, twice."""
        if not len(self):
            return self
        order = np.argsort(self.span, kind="stable")
        owner = self.span[order]
        begin, stop = np.searchsorted(owner, index, "left"), np.searchsorted(owner, index, "right")
        many = stop - begin
        within = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
        at = order[np.repeat(begin, many) + within]
        row = np.repeat(np.arange(len(index)), many)
        return Parts(row, self.start[at], self.end[at], self.first[at], self.last[at])

    def followed_by(self, others: "Parts", n_spans: int) -> "Parts":
        """These parts, of so many spans, and then those, whose spans stand behind."""
        names = ("start", "end", "first", "last")
        columns = (np.concatenate((getattr(self, name), getattr(others, name))) for name in names)
        return Parts(np.concatenate((self.span, others.span + n_spans)), *columns)


def no_parts() -> Parts:
    return Parts(*(np.empty(0, np.int64) for _column in range(5)))


class Placed(Protocol):
    """Spans, as far as their places go (agreement.spans.Spans)."""

    @property
    def start(self) -> Integers: ...
    @property
    def end(self) -> Integers: ...
    @property
    def first(self) -> Integers: ...
    @property
    def last(self) -> Integers: ...
    @property
    def more(self) -> Parts: ...
    def __len__(self) -> int: ...


def stretches(spans: Placed) -> tuple[Integers, Integers, Integers]:
    """Every stretch of text that a span lies on, each part one: index of the span, start, end, shape (S + P,) each."""
    own, more = np.arange(len(spans)), spans.more
    return (
        np.concatenate((own, more.span)),
        np.concatenate((spans.start, more.start)),
        np.concatenate((spans.end, more.end)),
    )


class Units:
    """What each span covers, as a set; made for the spans that are asked about alone."""

    def __init__(self, spans: Placed) -> None:
        self.spans = spans
        self.is_divided = np.zeros(len(spans), dtype=bool)
        self.is_divided[spans.more.span] = True
        self.parts: dict[int, list[int]] = {}
        for number, span in enumerate(spans.more.span.tolist()):
            self.parts.setdefault(span, []).append(number)
        self.known: dict[int, tuple[frozenset[int], bool]] = {}

    def of(self, span: int) -> tuple[frozenset[int], bool]:
        """The words of a span, or its characters where it owns no word, which is second."""
        if span not in self.known:
            words = self._within(span, self.spans.first, self.spans.last, self.spans.more.first, self.spans.more.last)
            if words:
                self.known[span] = words, False
            else:
                more = self.spans.more
                self.known[span] = self._within(span, self.spans.start, self.spans.end, more.start, more.end), True
        return self.known[span]

    def _within(self, span: int, low: Integers, high: Integers, more_low: Integers, more_high: Integers) -> frozenset:
        ranges: list[Iterable[int]] = [range(low[span], high[span])]
        ranges += [range(more_low[part], more_high[part]) for part in self.parts.get(span, ())]
        return frozenset(unit for each in ranges for unit in each)


def shared_units(
    a: Placed, b: Placed, own: Integers, other: Integers, shared: Integers, together: Integers
) -> tuple[Integers, Integers]:
    """Sizes of intersection and union of the pairs (own[i] of a, other[i] of b), shape (S,) each.

    shared, together  what they are of the intervals alone; they stand where neither span of a pair has further parts.
    Spans with words share nothing with spans without.
    """
    if not len(a.more) and not len(b.more):
        return shared, together
    mine, theirs = Units(a), Units(b)
    shared, together = shared.copy(), together.copy()
    for pair in np.flatnonzero(mine.is_divided[own] | theirs.is_divided[other]).tolist():
        (one, is_wordless), (two, is_other_wordless) = mine.of(int(own[pair])), theirs.of(int(other[pair]))
        shared[pair] = len(one & two) if is_wordless == is_other_wordless else 0
        together[pair] = len(one | two)
    return shared, together
