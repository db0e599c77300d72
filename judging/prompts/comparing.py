"""What differs between two texts: by line, and within lines that were changed by word. Knows no database."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Literal, NamedTuple

WORDS = re.compile(r"\s+|\S+")
# Below this share of common words, a line is another line and not the same one changed.
ALIKE = 0.35

Change = Literal["same", "removed", "added"]


class Piece(NamedTuple):
    change: Change
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of either text or of both, with its number in each, counted from 1. Its pieces make its text."""

    change: Change
    pieces: tuple[Piece, ...]
    before: int | None = None
    after: int | None = None

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def compare(before: str, after: str) -> list[Line]:
    """The lines of both texts in order: those of `before` are the same and the removed ones, of `after` the same and
    the added ones."""
    old, new = before.splitlines(), after.splitlines()
    lines: list[Line] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            lines += [Line("same", (Piece("same", old[a + n]),), a + n + 1, c + n + 1) for n in range(b - a)]
        else:
            lines += changed(old[a:b], new[c:d], a + 1, c + 1)
    return lines


def changed(old: Sequence[str], new: Sequence[str], before: int, after: int) -> Iterator[Line]:
    """Lines that were exchanged for others, pair by pair; what is left over was removed or added."""
    for n, (was, is_now) in enumerate(zip_longest(old, new)):
        old_pieces, new_pieces = words(was, is_now)
        if was is not None:
            yield Line("removed", old_pieces, before=before + n)
        if is_now is not None:
            yield Line("added", new_pieces, after=after + n)


def words(was: str | None, is_now: str | None) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """The pieces of a line before and after: what is the same in both, and what was removed or added."""
    if was is None or is_now is None:
        return (Piece("removed", was or ""),), (Piece("added", is_now or ""),)
    # Spaces are common to any two lines, so they do not count as words that they share.
    if SequenceMatcher(None, was.split(), is_now.split(), autojunk=False).ratio() < ALIKE:
        return (Piece("removed", was),), (Piece("added", is_now),)
    old, new = WORDS.findall(was), WORDS.findall(is_now)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    old_pieces: list[Piece] = []
    new_pieces: list[Piece] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        same = tag == "equal"
        if b > a:
            old_pieces.append(Piece("same" if same else "removed", "".join(old[a:b])))
        if d > c:
            new_pieces.append(Piece("same" if same else "added", "".join(new[c:d])))
    return tuple(old_pieces), tuple(new_pieces)
