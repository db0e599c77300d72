"""Error spans marked by one side against those of another: word overlap, matching, precision, recall, F1.

Statistics are counted per response first and added up last, so that an interval is made of counts and never
matches anything twice.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_GOLD_SPANS, NO_PREDICTED_SPANS, NO_SPANS, Figure
from agreement.parts import Parts, no_parts, shared_units
from agreement.statistics import Scale, on_scale
from agreement.words import Intervals, Laid, owned_in

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

#: A span pair counts as a match when its word IoU is strictly greater (`is_match`).
THRESHOLD = 0.15

#: Columns of every table of match counts, one row per response.
MATCHED_PREDICTED, PREDICTED, MATCHED_GOLD, GOLD = range(4)

_PAIRS_AT_ONCE = 1_000_000  # bounds memory where many spans meet in one response


@dataclass(frozen=True, eq=False)
class Spans:
    """Spans of one side (a rater, a judge, the gold set) over responses 0..n_responses-1.

    response     which response each span lies in, integers, shape (S,), any order.
    start, end   code points, half open, shape (S,).
    first, last  the words it owns, half open, shape (S,); equal where it owns none.
    anchored     False for omissions: they point at something that is not in the text, so they have no words
                 to overlap, are left out of every match count, and are counted beside (`omissions`).
    n_responses  how many responses there are, with or without spans.
    more         further parts of spans in several places; each such span counts as one, and covers what all parts do.
    """

    response: Integers
    start: Integers
    end: Integers
    first: Integers
    last: Integers
    anchored: NDArray[np.bool_]
    n_responses: int
    more: Parts = field(default_factory=no_parts)

    def __len__(self) -> int:
        return len(self.response)

    def taken(self, chosen: ArrayLike) -> "Spans":
        """The spans that a mask or an index array chooses, over the same responses."""
        picked = {
            name: getattr(self, name)[chosen] for name in ("response", "start", "end", "first", "last", "anchored")
        }
        return replace(self, **picked, more=self.more.taken(np.arange(len(self))[np.asarray(chosen)]))

    def followed_by(self, others: "Spans") -> "Spans":
        """These spans and then those, over the same responses."""
        names = ("response", "start", "end", "first", "last", "anchored")
        response, start, end, first, last, anchored = (
            np.concatenate((getattr(self, name), getattr(others, name))) for name in names
        )
        more = self.more.followed_by(others.more, len(self))
        return Spans(response, start, end, first, last, anchored, self.n_responses, more)

    def omissions(self) -> Integers:
        """Omissions per response, shape (n_responses,)."""
        return np.bincount(self.response[~self.anchored], minlength=self.n_responses)

    def counts(self) -> Integers:
        """Anchored spans per response, shape (n_responses,)."""
        return np.bincount(self.response[self.anchored], minlength=self.n_responses)


def marked(
    texts: Sequence[Intervals] | Laid,
    response: ArrayLike,
    start: ArrayLike,
    end: ArrayLike,
    omission: ArrayLike | None = None,
    more: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
) -> Spans:
    """Spans with the words they own.

    texts     `words.words` of every response, length n_responses, or all of them laid end to end.
    response  index into `texts`, shape (S,); start, end in code points, shape (S,).
    omission  which spans are omissions, booleans, shape (S,). A span without any character is one anyway.
    more      further parts: the index of the span that each is of, its start and its end, shape (P,) each.

    Raises ValueError where a span leaves its text (see `words.owned_in`).
    """
    response, start, end = (np.asarray(values, dtype=np.int64) for values in (response, start, end))
    first, last = owned_in(texts, response, start, end)
    anchored = end > start
    if omission is not None:
        anchored &= ~np.asarray(omission, dtype=bool)
    parts = no_parts()
    if more is not None and len(np.asarray(more[0])):
        span, begin, stop = (np.asarray(values, dtype=np.int64) for values in more)
        parts = Parts(span, begin, stop, *owned_in(texts, response[span], begin, stop))
    return Spans(response, start, end, first, last, anchored, len(texts), parts)


def word_iou(a: Spans, b: Spans) -> Floats:
    """Intersection over union of the words of a[i] and b[i], shape (S,), in [0, 1].

    The words of a span are contiguous, so sets reduce to index intervals:
    |A & B| = max(0, min(last) - max(first)), |A or B| = |A| + |B| - |A & B|. Those of a span in several places are the
    union of its parts' (`parts.shared_units`).

    A span of whitespace only owns no word but is a mark all the same (a superfluous space). Two such spans
    are compared by their characters instead; against a span that owns words the overlap is 0. This is what
    `mqm_sxs2023_ende_sample.json` rests on: two raters mark the same stray space, and it counts as a match.
    """
    (a_from, a_to, a_wordless), (b_from, b_to, b_wordless) = _extent(a), _extent(b)
    shared = np.maximum(np.minimum(a_to, b_to) - np.maximum(a_from, b_from), 0)
    together = (a_to - a_from) + (b_to - b_from) - shared
    shared = np.where(a_wordless == b_wordless, shared, 0)
    here = np.arange(len(shared))
    shared, together = shared_units(a, b, here, here, shared, together)
    comparable = together > 0
    return np.divide(shared, together, out=np.zeros(len(shared)), where=comparable)


def _extent(spans: Spans) -> tuple[Integers, Integers, NDArray[np.bool_]]:
    """From where to where each span is compared, in words, or in characters where it owns no word, which is third."""
    wordless = spans.first == spans.last
    return np.where(wordless, spans.start, spans.first), np.where(wordless, spans.end, spans.last), wordless


def _pairs(predicted: Spans, gold: Spans) -> Iterator[tuple[Integers, Integers, Floats]]:
    """Every (predicted, gold) pair within a response that has words in common: index arrays and `word_iou`, response
    by response.

    Comes in pieces of at most about `_PAIRS_AT_ONCE` pairs; a predicted span's pairs stay together.
    Raises ValueError where the two sides are not over the same responses.
    """
    if predicted.n_responses != gold.n_responses:
        raise ValueError("both sides are over the same responses")
    (a_from, a_to, a_wordless), (b_from, b_to, b_wordless) = _extent(predicted), _extent(gold)
    ordered = _by_response(predicted)
    opposite = _by_response(gold)
    opposite_counts = gold.counts()
    opposite_from = np.cumsum(opposite_counts) - opposite_counts
    partners = opposite_counts[predicted.response[ordered]]
    reached = np.cumsum(partners)
    begin = 0
    while begin < len(ordered):
        done = reached[begin - 1] if begin else 0
        stop = max(begin + 1, int(np.searchsorted(reached, done + _PAIRS_AT_ONCE, side="right")))
        here, partner_counts = ordered[begin:stop], partners[begin:stop]
        own = np.repeat(here, partner_counts)
        place = np.arange(len(own)) - np.repeat(np.cumsum(partner_counts) - partner_counts, partner_counts)
        other = opposite[opposite_from[predicted.response[own]] + place]
        shared = np.minimum(a_to[own], b_to[other]) - np.maximum(a_from[own], b_from[other])
        shared = np.where(a_wordless[own] == b_wordless[other], np.maximum(shared, 0), 0)
        together = (a_to - a_from)[own] + (b_to - b_from)[other] - shared
        shared, together = shared_units(predicted, gold, own, other, shared, together)
        met = np.flatnonzero(shared > 0)
        yield own[met], other[met], shared[met] / together[met]
        begin = stop


def _by_response(spans: Spans) -> Integers:
    anchored = np.flatnonzero(spans.anchored)
    return anchored[np.argsort(spans.response[anchored], kind="stable")]


@dataclass(frozen=True, eq=False)
class Overlap:
    """Each span's best IoU with any span of the other side in the same response; 0 for omissions.

    predicted, gold            the spans.
    best_predicted, best_gold  in [0, 1], shape (number of spans,). Computed once, read at any threshold.
    own, other, iou            the pairs that have anything in common: indices of predicted and gold, and their IoU.
    """

    predicted: Spans
    gold: Spans
    best_predicted: Floats
    best_gold: Floats
    own: Integers
    other: Integers
    iou: Floats

    def narrowed(self, is_kept: NDArray[np.bool_]) -> "Overlap":
        """The overlap with some gold spans alone; the predicted side's best is looked for anew among them."""
        kept = is_kept[self.other]
        number = np.cumsum(is_kept) - 1
        pairs = self.own[kept], number[self.other[kept]], self.iou[kept]
        return _overlap(self.predicted, self.gold.taken(is_kept), *pairs)


def overlap(predicted: Spans, gold: Spans) -> Overlap:
    """Best IoU of every span on both sides. Time grows with the pairs that share a response.

    Raises ValueError where the two sides are not over the same responses.
    """
    return _overlap(predicted, gold, *_edges(predicted, gold, 0))


def _overlap(predicted: Spans, gold: Spans, own: Integers, other: Integers, iou: Floats) -> Overlap:
    best_predicted, best_gold = np.zeros(len(predicted)), np.zeros(len(gold))
    np.maximum.at(best_predicted, own, iou)
    np.maximum.at(best_gold, other, iou)
    return Overlap(predicted, gold, best_predicted, best_gold, own, other, iou)


def is_match(iou: Floats, threshold: float) -> NDArray[np.bool_]:
    """Whether an overlap is a match: IoU > threshold, strictly; at a threshold of 1 IoU = 1, the very same words, which
    nothing could be above. Shape of `iou`."""
    return iou >= 1 if threshold >= 1 else iou > threshold


def match_counts(overlaps: Overlap, threshold: float = THRESHOLD) -> Integers:
    """Match counts per response, shape (n_responses, 4): matched predicted, predicted, matched gold, gold.

    A predicted span is matched when SOME gold span `is_match`; a gold span likewise.
    One span may so match several, and the two matched columns may differ.
    """
    return sweep_counts(overlaps, [threshold])[0]


def assignment(predicted: Spans, gold: Spans, threshold: float = THRESHOLD) -> tuple[Integers, Integers, Floats]:
    """One-to-one matching with the most pairs that match (`is_match`), then the largest sum of IoU.

    Returns indices into `predicted`, indices into `gold` and the pairs' IoU, each shape (pairs,).
    Solved per response by `scipy.optimize.linear_sum_assignment`: a pair earns 1 + (number of spans of the
    smaller side), more than all IoU together could, plus its IoU.
    """
    own, other, iou = _edges(predicted, gold, threshold)
    response = predicted.response[own]
    cuts = np.flatnonzero(np.diff(response)) + 1
    chosen = []
    for begin, stop in zip((0, *cuts), (*cuts, len(own)), strict=True):
        if stop - begin <= 1:
            chosen.append(np.arange(begin, stop))
            continue
        rows, row = np.unique(own[begin:stop], return_inverse=True)
        columns, column = np.unique(other[begin:stop], return_inverse=True)
        worth = np.zeros((len(rows), len(columns)))
        worth[row, column] = 1 + min(worth.shape) + iou[begin:stop]
        edge = np.full(worth.shape, -1)
        edge[row, column] = np.arange(begin, stop)
        picked = edge[scipy.optimize.linear_sum_assignment(worth, maximize=True)]
        chosen.append(picked[picked >= 0])
    kept = np.concatenate(chosen)
    return own[kept], other[kept], iou[kept]


def _edges(predicted: Spans, gold: Spans, threshold: float) -> tuple[Integers, Integers, Floats]:
    """The pairs that match, as `_pairs` gives them."""
    pieces = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))]
    for own, other, iou in _pairs(predicted, gold):
        matches = is_match(iou, threshold)
        pieces.append((own[matches], other[matches], iou[matches]))
    own, other, iou = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
    return own, other, iou


def one_to_one_counts(predicted: Spans, gold: Spans, threshold: float = THRESHOLD) -> Integers:
    """Match counts as `match_counts`, for the optimal one-to-one `assignment`: both matched columns agree."""
    own, _, _ = assignment(predicted, gold, threshold)
    matched = np.bincount(predicted.response[own], minlength=predicted.n_responses)
    return np.column_stack((matched, predicted.counts(), matched, gold.counts()))


def sweep_counts(overlaps: Overlap, thresholds: ArrayLike) -> Integers:
    """`match_counts` at each threshold, shape (T, n_responses, 4). As t rises, matched columns fall."""
    steps = np.asarray(thresholds, dtype=float).tolist()
    size = overlaps.predicted.n_responses
    counts = np.empty((len(steps), size, 4), dtype=np.int64)
    counts[..., PREDICTED], counts[..., GOLD] = overlaps.predicted.counts(), overlaps.gold.counts()
    sides = (
        (MATCHED_PREDICTED, overlaps.predicted.response, overlaps.best_predicted),
        (MATCHED_GOLD, overlaps.gold.response, overlaps.best_gold),
    )
    for place, threshold in enumerate(steps):
        for column, response, best in sides:
            counts[place, :, column] = np.bincount(response[is_match(best, threshold)], minlength=size)
    return counts


@on_scale(Scale.SHARE)
def precision(counts: ArrayLike) -> Floats:
    """Matched predicted / predicted, over summed counts of shape (..., 4); NaN marks "nothing predicted"."""
    counts = np.asarray(counts, dtype=float)
    return _ratio(counts[..., MATCHED_PREDICTED], counts[..., PREDICTED])


@on_scale(Scale.SHARE)
def recall(counts: ArrayLike) -> Floats:
    """Matched gold / gold, over summed counts of shape (..., 4); NaN marks "no gold"."""
    counts = np.asarray(counts, dtype=float)
    return _ratio(counts[..., MATCHED_GOLD], counts[..., GOLD])


@on_scale(Scale.SHARE)
def f1(counts: ArrayLike) -> Floats:
    """2 P R / (P + R), over summed counts of shape (..., 4): a judge against gold.

    0 where both sides marked and nothing met; NaN where a side marked nothing.
    """
    p, r = precision(counts), recall(counts)
    return np.where(p + r == 0, 0.0, _ratio(2 * p * r, p + r))


@on_scale(Scale.SHARE)
def symmetric_f1(counts: ArrayLike) -> Floats:
    """(matched of both sides) / (spans of both sides), over summed counts of shape (..., 4).

    For two humans, neither of whom is gold: swapping them changes nothing, which is not so for `f1` when one
    span meets several. With one-to-one counts both are 2 * pairs / spans. NaN where neither side marked.
    """
    counts = np.asarray(counts, dtype=float)
    matched = counts[..., MATCHED_PREDICTED] + counts[..., MATCHED_GOLD]
    return _ratio(matched, counts[..., PREDICTED] + counts[..., GOLD])


def _ratio(part: Floats, whole: Floats) -> Floats:
    return part / np.where(whole > 0, whole, np.nan)


def undefined_reason(counts: ArrayLike, statistic: Callable) -> str:
    """Why `statistic` has no value over these summed counts, shape (4,)."""
    counts = np.asarray(counts)
    if statistic is symmetric_f1:
        return NO_SPANS
    if counts[PREDICTED] == 0 and statistic in (precision, f1):
        return NO_PREDICTED_SPANS
    return NO_GOLD_SPANS


def figure(counts: ArrayLike, statistic: Callable) -> Figure:
    """`precision`, `recall`, `f1` or `symmetric_f1` of match counts, without an interval.

    counts  shape (n_responses, 4). n = number of responses.
    Undefined: "no predicted spans", "no gold spans", "no spans". For an interval see `inference.with_interval`.
    """
    counts = np.asarray(counts)
    total = counts.sum(axis=0)
    names = ("matched_predicted", "predicted", "matched_gold", "gold")
    detail = {name: int(total[column]) for column, name in enumerate(names)}
    value = float(statistic(total))
    if np.isnan(value):
        return Figure.without_value(undefined_reason(total, statistic), len(counts), **detail)
    return Figure(value, len(counts), detail=detail)


def class_counts(overlaps: Overlap, gold_class: ArrayLike, n_classes: int, threshold: float = THRESHOLD) -> Integers:
    """Gold spans found, by class of the gold span, shape (n_responses, n_classes, 2): matched, all.

    gold_class  class of each gold span, shape (number of gold spans,): a category, or thin / thick;
                -1 leaves a span out. Predictions need not carry the same class.
    Recall of class c is counts[:, c, 0].sum() / counts[:, c, 1].sum().
    Raises ValueError for a class out of range.
    """
    gold_class = np.asarray(gold_class, dtype=np.int64)
    if gold_class.shape != overlaps.gold.response.shape:
        raise ValueError("every gold span has a class, or -1")
    if gold_class.size and (gold_class.min() < -1 or gold_class.max() >= n_classes):
        raise ValueError("a class is an index below n_classes, or -1")
    counted = overlaps.gold.anchored & (gold_class >= 0)
    cell = overlaps.gold.response * n_classes + gold_class
    size = overlaps.gold.n_responses * n_classes
    matched = np.bincount(cell[counted & is_match(overlaps.best_gold, threshold)], minlength=size)
    every = np.bincount(cell[counted], minlength=size)
    return np.stack((matched, every), axis=-1).reshape(overlaps.gold.n_responses, n_classes, 2)
