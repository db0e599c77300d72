"""Words of a text as intervals, and which of them a span owns.

All positions are code points, half open, as in Python slices of the text itself (never normalised).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import regex
from numpy.typing import ArrayLike, NDArray

Positions = NDArray[np.int64]

# str.isspace() of every code point of Unicode 14, the version of Python 3.11. Listed so that the same text
# has the same words whatever Python reads it; a test compares it with the running interpreter.
_SPACES = (
    *range(0x09, 0x0E),
    *range(0x1C, 0x21),
    *(0x85, 0xA0, 0x1680),
    *range(0x2000, 0x200B),
    *(0x2028, 0x2029, 0x202F, 0x205F, 0x3000),
)
_IS_SPACE = np.zeros(0x3002, dtype=bool)
_IS_SPACE[list(_SPACES)] = True

_WORD_BOUNDARY = regex.compile(r"(?w)\b")  # (?w): Unicode's default word boundaries, UAX #29

#: Names a recipe uses. "whitespace": maximal runs of non-space characters. "uax29": segments between
#: default Unicode word boundaries (UAX #29 without a dictionary) that hold a non-space character.
SEGMENTATIONS = ("whitespace", "uax29")


@dataclass(frozen=True, eq=False)
class Intervals:
    """Disjoint pieces of one text in reading order: its words, or its sentences.

    starts, ends  code points, shape (W,), starts[i] < ends[i] <= starts[i + 1].
    length        of the whole text in code points.
    """

    starts: Positions
    ends: Positions
    length: int

    def __len__(self) -> int:
        return len(self.starts)


def words(text: str, segmentation: str = "whitespace") -> Intervals:
    """The words of a text. Costs time linear in the text: keep the result per text.

    "whitespace" (default): a word is a maximal run of non-space characters, so punctuation belongs to the
    word it touches.

    "uax29" is for scripts without spaces between words. Default Unicode word boundaries know no
    dictionary: Thai, Khmer, Lao, Burmese, Chinese and Hiragana are cut into single characters with their
    marks, Katakana runs and Latin words stay whole, punctuation stands for itself. Overlap in such a text
    is therefore close to overlap in characters; it is reproducible everywhere, a dictionary is not.

    Raises ValueError for an unknown segmentation.
    """
    if segmentation == "uax29":
        return _between_boundaries(text)
    if segmentation != "whitespace":
        raise ValueError(f"segmentation must be one of {SEGMENTATIONS}, not {segmentation!r}")
    code_points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    in_word = np.zeros(len(code_points) + 2, dtype=np.int8)
    in_word[1:-1] = ~_IS_SPACE[np.minimum(code_points, 0x3001)]
    edges = np.flatnonzero(np.diff(in_word))
    return Intervals(edges[0::2], edges[1::2], len(code_points))


def _between_boundaries(text: str) -> Intervals:
    cuts = [boundary.start() for boundary in _WORD_BOUNDARY.finditer(text)]
    kept = [(start, end) for start, end in pairwise(cuts) if not text[start:end].isspace()]
    pieces = np.array(kept, dtype=np.int64).reshape(-1, 2)
    return Intervals(pieces[:, 0], pieces[:, 1], len(text))


def owned(pieces: Intervals, start: ArrayLike, end: ArrayLike) -> tuple[Positions, Positions]:
    """The pieces each span shares a character with, as index intervals [first, last).

    start, end  code points of spans in this one text, shape (S,).
    Returns first and last, shape (S,); first == last where a span owns nothing (whitespace only, empty).
    Raises ValueError where not 0 <= start <= end <= length of the text.
    """
    start = np.asarray(start, dtype=np.int64)
    return owned_in([pieces], np.zeros(start.shape, dtype=np.int64), start, end)


def owned_in(
    texts: Sequence[Intervals], text: ArrayLike, start: ArrayLike, end: ArrayLike
) -> tuple[Positions, Positions]:
    """As `owned`, for spans of many texts at once: one binary search over all pieces laid end to end.

    texts  pieces of each text, length R.
    text   which text a span lies in, integers in [0, R), shape (S,).
    Returns indices counted within each span's own text.
    Raises ValueError where a span names a text that is not there or leaves its text.
    """
    text, start, end = (np.asarray(values, dtype=np.int64) for values in (text, start, end))
    lengths = np.fromiter((pieces.length for pieces in texts), dtype=np.int64, count=len(texts))
    if text.size and (text.min() < 0 or text.max() >= len(texts)):
        raise ValueError("a span names a text that is not there")
    if np.any((start < 0) | (end < start) | (end > lengths[text])):
        raise ValueError("a span leaves its text or ends before it starts")
    if not text.size:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    # One free position between texts keeps a span at a text's end apart from the next text's first word.
    base = np.concatenate(([0], np.cumsum(lengths + 1)[:-1]))
    sizes = np.fromiter((len(pieces) for pieces in texts), dtype=np.int64, count=len(texts))
    shift = np.repeat(base, sizes)
    starts = np.concatenate([pieces.starts for pieces in texts]) + shift
    ends = np.concatenate([pieces.ends for pieces in texts]) + shift
    before = np.concatenate(([0], np.cumsum(sizes)[:-1]))[text]
    first = np.searchsorted(ends, start + base[text], side="right") - before
    last = np.searchsorted(starts, end + base[text], side="left") - before
    return first, np.where(start < end, np.maximum(first, last), first)
