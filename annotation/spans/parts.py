"""Further parts of a mark: words elsewhere in the text that are the same error ("he … up", a subject and its verb).

The first part in reading order is the span itself, its head; the others are its further parts. No two of a mark overlap
or touch: what touches is one part. No database.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Part(NamedTuple):
    """Words of a mark: half-open code-point offsets, and what stands there."""

    start: int
    end: int
    quote: str

    @property
    def raw(self) -> dict:
        """As screens and files write it."""
        return self._asdict()


def in_order(parts: Iterable[Part]) -> list[Part]:
    """The parts of one mark in reading order, whichever order they were named in."""
    return sorted(parts)


def are_apart(ordered: Sequence[Part]) -> bool:
    """Whether no two of these parts, in reading order, overlap or touch."""
    return all(before.end < after.start for before, after in pairwise(ordered))


def put_together(text: str, parts: Iterable[Part]) -> list[Part]:
    """Places of one mark as its parts: in reading order, those that overlap or touch as one. The first is the head."""
    together: list[Part] = []
    for part in in_order(parts):
        if together and not are_apart([together[-1], part]):
            start, end = together[-1].start, max(together[-1].end, part.end)
            together[-1] = Part(start, end, text[start:end])
        else:
            together.append(part)
    return together


def words_of(quote: str, more: Iterable[Part]) -> str:
    """The words of a mark as people read them: those of all its parts."""
    return " … ".join((quote, *(part.quote for part in more)))
