"""Where two texts differ, word by word: what was taken out of one and what stands in its place in the other."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from agreement.words import words

#: Words of one text times words of the other, behind what they begin and end with alike: 8 MB are held for that many.
MOST_COMPARED = 32_000_000

#: start and end in the first text, start and end in the second; half open, in code points.
Edit = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the two texts: the same in both, or `before` in the first and `after` in the second."""

    same: str = ""
    before: str = ""
    after: str = ""


def differences(first: str, second: str, segmentation: str = "whitespace") -> list[Edit]:
    """Where the texts differ, ascending; whole words and the space between them. What is not named is the same.

    The fewest words are changed. Of texts in which too many words differ to compare each with each it is one edit, from
    the first word that differs to the last.
    """
    if first == second:
        return []
    one, other = cuts(first, segmentation), cuts(second, segmentation)
    pieces, others = pieces_of(first, one), pieces_of(second, other)
    head = alike(pieces, others)
    tail = alike(pieces[head:][::-1], others[head:][::-1])
    inner, outer = pieces[head : len(pieces) - tail], others[head : len(others) - tail]
    if not inner or not outer or len(inner) * len(outer) > MOST_COMPARED:
        changed = [(0, len(inner), 0, len(outer))]
    else:
        from rapidfuzz.distance import Levenshtein  # loads when it is first needed

        found = Levenshtein.opcodes(inner, outer)
        changed = [(op.src_start, op.src_end, op.dest_start, op.dest_end) for op in found if op.tag != "equal"]
    return joined((one[head + a], one[head + b], other[head + c], other[head + d]) for a, b, c, d in changed)


def cuts(text: str, segmentation: str) -> list[int]:
    """Where words and what stands between them begin, and the end of the text."""
    found = words(text, segmentation)
    edges = np.concatenate([[0], found.starts, found.ends, [len(text)]])
    return [int(edge) for edge in np.unique(edges)]


def pieces_of(text: str, edges: Sequence[int]) -> list[str]:
    return [text[start:end] for start, end in itertools.pairwise(edges)]


def alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many pieces they begin with alike."""
    for position, (here, there) in enumerate(zip(one, other, strict=False)):
        if here != there:
            return position
    return min(len(one), len(other))


def joined(edits: Iterator[Edit]) -> list[Edit]:
    """With those put together between which nothing lies."""
    whole: list[Edit] = []
    for edit in edits:
        if whole and whole[-1][1] == edit[0] and whole[-1][3] == edit[2]:
            whole[-1] = (whole[-1][0], edit[1], whole[-1][2], edit[3])
        else:
            whole.append(edit)
    return whole


def laid_side_by_side(first: str, second: str, edits: Sequence[Sequence[int]]) -> Iterator[Part]:
    """Both texts in pieces, from their beginning to their end."""
    here = there = 0
    for start, end, begin, stop in edits:
        if here < start:
            yield Part(same=first[here:start])
        yield Part(before=first[start:end], after=second[begin:stop])
        here, there = end, stop
    if here < len(first):
        yield Part(same=first[here:])
    assert first[here:] == second[there:], "the edits are of other texts"
