"""Agreement of two sides' spans in characters."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_SPANS, Figure
from agreement.spans import Spans
from agreement.statistics import Scale, on_scale

#: Columns of every table of character counts, one row per response.
SHARED, PREDICTED_CHARACTERS, GOLD_CHARACTERS = range(3)


def character_counts(predicted: Spans, gold: Spans) -> NDArray[np.int64]:
    """Characters covered per response, shape (n_responses, 3): by both, by predicted, by gold.

    A character covered by several spans of one side counts once; of a span in several places all parts do.
    Omissions cover none.
    Raises ValueError where the two sides are not over the same responses.
    """
    if predicted.n_responses != gold.n_responses:
        raise ValueError("both sides are over the same responses")
    # All texts on one line, each in a stretch of its own, so that one sweep merges every response's spans.
    ends = np.concatenate([column for side in (predicted, gold) for column in (side.end, side.more.end)])
    stretch = 1 + int(ends.max(initial=0))
    sides = [_merged(side, stretch) for side in (predicted, gold)]
    covered = [np.bincount(start // stretch, end - start, minlength=predicted.n_responses) for start, end in sides]
    (start, end), (gold_start, gold_end) = sides
    shared = _length_before(gold_start, gold_end, end) - _length_before(gold_start, gold_end, start)
    both = np.bincount(start // stretch, shared, minlength=predicted.n_responses)
    return np.column_stack((both, *covered)).astype(np.int64)


def _merged(spans: Spans, stretch: int) -> tuple[NDArray, NDArray]:
    """Disjoint intervals that cover what the spans cover, in order."""
    span = np.concatenate((np.arange(len(spans)), spans.more.span))
    start, end = (np.concatenate(ends) for ends in ((spans.start, spans.more.start), (spans.end, spans.more.end)))
    anchored = spans.anchored[span]
    base = (spans.response[span] * stretch)[anchored]
    start, end = base + start[anchored], base + end[anchored]
    order = np.argsort(start, kind="stable")
    start, furthest = start[order], np.maximum.accumulate(end[order])
    opens = np.flatnonzero(np.concatenate(([True], start[1:] > furthest[:-1]))[: len(start)])
    closes = np.concatenate((opens[1:] - 1, [len(start) - 1])) if len(start) else opens
    return start[opens], furthest[closes]


def _length_before(starts: NDArray, ends: NDArray, position: NDArray) -> NDArray:
    """How many characters of disjoint ordered intervals lie before each position."""
    if not len(starts):
        return np.zeros(len(position))
    lengths = np.concatenate(([0], np.cumsum(ends - starts)))
    begun = np.searchsorted(starts, position, side="right")
    past_end = np.maximum(ends[begun - 1] - position, 0)
    return np.where(begun == 0, 0, lengths[begun] - past_end)


@on_scale(Scale.SHARE)
def character_f1(counts: ArrayLike) -> NDArray[np.float64]:
    """2 * shared / (predicted + gold characters), over summed counts (..., 3); NaN where neither marked."""
    counts = np.asarray(counts, dtype=float)
    both = counts[..., PREDICTED_CHARACTERS] + counts[..., GOLD_CHARACTERS]
    return np.divide(2 * counts[..., SHARED], both, out=np.full(both.shape, np.nan), where=both > 0)


@on_scale(Scale.SHARE)
def character_iou(counts: ArrayLike) -> NDArray[np.float64]:
    """Shared / covered by either, over counts (..., 3); NaN where neither side marked anything."""
    counts = np.asarray(counts, dtype=float)
    either = counts[..., PREDICTED_CHARACTERS] + counts[..., GOLD_CHARACTERS] - counts[..., SHARED]
    return np.divide(counts[..., SHARED], either, out=np.full(either.shape, np.nan), where=either > 0)


def micro_character_f1(counts: ArrayLike) -> Figure:
    """`character_f1` of the sums over responses. n = responses. Undefined: "no spans"."""
    counts = np.asarray(counts)
    value = float(character_f1(counts.sum(axis=0)))
    if np.isnan(value):
        return Figure.without_value(NO_SPANS, len(counts))
    return Figure(value, len(counts))
