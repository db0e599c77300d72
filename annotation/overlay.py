"""Everybody's spans laid over one text: the text cut wherever a span begins or ends. No database."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text between two boundaries, and the ids of the spans that cover all of it."""

    text: str
    spans: tuple[int, ...]

    @property
    def ids(self) -> str:
        return " ".join(map(str, self.spans))


def pieces(text: str, spans: Iterable[tuple[int, int | None, int | None]]) -> list[Piece]:
    """Cut a text along (id, start, end), half-open code points; spans without a place are left out.

    Joined, the pieces are the text. Costs time in proportion to the spans open at each cut.
    """
    placed = [(start, end, number) for number, start, end in spans if start is not None and end is not None]
    cuts = sorted({0, len(text), *(start for start, _end, _id in placed), *(end for _start, end, _id in placed)})
    placed.sort()
    cut: list[Piece] = []
    covering: list[tuple[int, int, int]] = []
    following = 0
    for position, until in pairwise(cuts):
        covering = [span for span in covering if span[1] > position]
        while following < len(placed) and placed[following][0] <= position:
            covering.append(placed[following])
            following += 1
        cut.append(Piece(text[position:until], tuple(number for _start, _end, number in covering)))
    return cut
