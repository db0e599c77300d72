"""What a reader sees of a text's markdown, each piece with where it stands in the text.

A text under judgement is never changed, and every mark on it counts its code points. So nothing here makes a new text:
a line is cut into segments that together are exactly that line, and of each it is said whether it is shown or is a sign
of markdown (`**`, `|`, `](address)`), which stays in the page and is not seen.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Segment(NamedTuple):
    """Half-open code-point offsets in the text; `looks` are names of HTML elements, outermost first."""

    start: int
    end: int
    is_shown: bool
    looks: tuple[str, ...] = ()


class Stretch(NamedTuple):
    """Half-open code-point offsets and how what stands between them looks; without a look it is not shown."""

    start: int
    end: int
    look: str = ""


class Pieces:
    """A text put together from pieces of a longer one, by a line end each, and the way back into the longer one."""

    def __init__(self, text: str, pieces: Sequence[tuple[int, int]]) -> None:
        self.pieces = pieces
        self.text = "\n".join(text[start:end] for start, end in pieces)
        self.starts: list[int] = []
        length = 0
        for start, end in pieces:
            self.starts.append(length)
            length += end - start + 1

    def within(self, stretches: Iterable[Stretch]) -> list[list[Stretch]]:
        """The stretches in the longer text, cut where a piece ends: one list for each piece."""
        found: list[list[Stretch]] = [[] for _ in self.pieces]
        for stretch in stretches:
            number = bisect_right(self.starts, stretch.start) - 1
            while number < len(self.pieces) and self.starts[number] < stretch.end:
                start, end = self.pieces[number]
                shift = start - self.starts[number]
                cut = Stretch(max(start, stretch.start + shift), min(end, stretch.end + shift), stretch.look)
                if cut.start < cut.end:
                    found[number].append(cut)
                number += 1
        return found


# The order in which elements stand in each other.
LOOKS = ("a", "strong", "em", "del", "code", "img")


def segments(start: int, end: int, stretches: Iterable[Stretch]) -> list[Segment]:
    """`start` to `end` cut wherever a stretch begins or ends; the segments touch and leave nothing out."""
    changes: dict[int, list[tuple[str, int]]] = {}
    for stretch in stretches:
        changes.setdefault(stretch.start, []).append((stretch.look, 1))
        changes.setdefault(stretch.end, []).append((stretch.look, -1))
    found: list[Segment] = []
    depth: dict[str, int] = {}
    at = start
    for place in sorted(changes):
        if place > at:
            found.append(_segment(at, place, depth))
            at = place
        for look, by in changes[place]:
            depth[look] = depth.get(look, 0) + by
    if at < end:
        found.append(_segment(at, end, depth))
    return found


def _segment(start: int, end: int, depth: dict[str, int]) -> Segment:
    if depth.get(""):
        return Segment(start, end, False)
    return Segment(start, end, True, tuple(look for look in LOOKS if depth.get(look)))
