"""Words of a text as intervals, and which of them a span owns.

All positions are code points, half open, as in Python slices of the text itself (never normalised).
"""

from collections.abc import Iterator, Sequence
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

_CHARACTERS_AT_ONCE = 4_000_000  # bounds memory where many texts are cut together


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


@dataclass(frozen=True, eq=False)
class Laid:
    """Pieces of many texts laid end to end, so that whatever is asked of them is asked of all at once.

    starts, ends  of every piece, shape (P,), counted from the beginning of the first text.
    begins        where each text begins, shape (R,). One free position between texts keeps a span at a text's end
                  apart from the next text's first piece.
    lengths       of each text in code points, shape (R,).
    sizes         how many pieces each text has, shape (R,).
    """

    starts: Positions
    ends: Positions
    begins: Positions
    lengths: Positions
    sizes: Positions

    def __len__(self) -> int:
        return len(self.lengths)

    def of(self, text: int) -> Intervals:
        """The pieces of one text, counted from its own beginning."""
        stop = int(self.sizes[: text + 1].sum())
        here = slice(stop - int(self.sizes[text]), stop)
        begin = self.begins[text]
        return Intervals(self.starts[here] - begin, self.ends[here] - begin, int(self.lengths[text]))

    def owned(self, text: ArrayLike, start: ArrayLike, end: ArrayLike) -> tuple[Positions, Positions]:
        """As `owned_in`: one binary search over all pieces."""
        text, start, end = (np.asarray(values, dtype=np.int64) for values in (text, start, end))
        if text.size and (text.min() < 0 or text.max() >= len(self)):
            raise ValueError("a span names a text that is not there")
        if np.any((start < 0) | (end < start) | (end > self.lengths[text])):
            raise ValueError("a span leaves its text or ends before it starts")
        before, begin = (np.cumsum(self.sizes) - self.sizes)[text], self.begins[text]
        first = np.searchsorted(self.ends, start + begin, side="right") - before
        last = np.searchsorted(self.starts, end + begin, side="left") - before
        return first, np.where(start < end, np.maximum(first, last), first)


def laid(texts: Sequence[Intervals]) -> Laid:
    """The pieces of these texts, laid end to end."""
    lengths = np.fromiter((pieces.length for pieces in texts), dtype=np.int64, count=len(texts))
    sizes = np.fromiter((len(pieces) for pieces in texts), dtype=np.int64, count=len(texts))
    begins = _begins(lengths)
    shift = np.repeat(begins, sizes)
    none = [np.empty(0, np.int64)]
    starts = np.concatenate([pieces.starts for pieces in texts] or none) + shift
    ends = np.concatenate([pieces.ends for pieces in texts] or none) + shift
    return Laid(starts, ends, begins, lengths, sizes)


def laid_between(starts: Positions, ends: Positions, lengths: Positions) -> Laid:
    """Pieces that are counted from the beginning of the first text already, ascending, of texts of these lengths."""
    begins = _begins(lengths)
    reached = np.searchsorted(starts, begins)
    return Laid(starts, ends, begins, lengths, np.diff(reached, append=len(starts)))


def _begins(lengths: Positions) -> Positions:
    return np.cumsum(lengths + 1) - lengths - 1


def together(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The texts with a line break between them, as many at once as memory should hold: where each such part begins,
    and the part."""
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    begins = _begins(lengths)
    part = begins // _CHARACTERS_AT_ONCE
    cuts = [0, *(np.flatnonzero(np.diff(part)) + 1).tolist(), len(texts)] if len(texts) else [0]
    for since, until in pairwise(cuts):
        yield int(begins[since]), "\n".join(texts[since:until])


def is_space(text: str) -> NDArray[np.bool_]:
    """Which code points of a text are space, shape (length,)."""
    code_points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return _IS_SPACE[np.minimum(code_points, 0x3001)]


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
    return Intervals(*_between_spaces(text), len(text))


def words_in(texts: Sequence[str]) -> Laid:
    """The "whitespace" words of many texts; several times faster than `words` of each."""
    edges = [np.stack(_between_spaces(part)) + begin for begin, part in together(texts)]
    starts, ends = np.concatenate([np.empty((2, 0), np.int64), *edges], axis=1)
    return laid_between(starts, ends, np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)))


def _between_spaces(text: str) -> tuple[Positions, Positions]:
    in_word = np.zeros(len(text) + 2, dtype=np.int8)
    in_word[1:-1] = ~is_space(text)
    edges = np.flatnonzero(np.diff(in_word))
    return edges[0::2], edges[1::2]


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
    texts: Sequence[Intervals] | Laid, text: ArrayLike, start: ArrayLike, end: ArrayLike
) -> tuple[Positions, Positions]:
    """As `owned`, for spans of many texts at once.

    texts  pieces of each text, length R.
    text   which text a span lies in, integers in [0, R), shape (S,).
    Returns indices counted within each span's own text.
    Raises ValueError where a span names a text that is not there or leaves its text.
    """
    return (texts if isinstance(texts, Laid) else laid(texts)).owned(text, start, end)
