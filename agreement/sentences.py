"""Agreement sentence by sentence: is this sentence erroneous?"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import regex
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, Figure
from agreement.spans import Spans
from agreement.statistics import Scale, on_scale
from agreement.words import Intervals, owned_in

#: Why there is no recall.
NO_ERRONEOUS = "no erroneous sentences"

#: Columns of every table of sentence counts, one row per response.
TRUE_POSITIVE, FALSE_POSITIVE, FALSE_NEGATIVE, TRUE_NEGATIVE = range(4)

# A full stop, ! or ? ends a sentence only before a space or the end ("3.14", "example.org" hold together).
# The marks of Arabic, Urdu, Devanagari, Bengali, Chinese, Japanese, Burmese, Khmer, Ethiopic and Armenian end
# one wherever they stand. Closing quotes and brackets stay with their sentence; a line break always ends one.
_END = regex.compile(
    r"""
    [.!?…]++ [\p{Pf}\p{Pe}"'»]*+ (?=\s|\Z)
    | [؟۔।॥。！？｡။។៕።፧։]++ [.!?]*+ [\p{Pf}\p{Pe}"'»]*+
    | [\n\r\u2028\u2029\u0085]++
    """,
    regex.VERBOSE,
)


def sentences(text: str) -> Intervals:
    """Sentences of a text, trimmed of surrounding whitespace, in code points.

    By punctuation and line breaks alone, so an abbreviation before a space ("Dr. Amina") ends a sentence.
    Where sentences are known otherwise, give those intervals instead; the recipe says which.
    """
    cuts = [0, *(mark.end() for mark in _END.finditer(text)), len(text)]
    kept = []
    for begin, stop in pairwise(cuts):
        piece = text[begin:stop]
        start, end = begin + len(piece) - len(piece.lstrip()), begin + len(piece.rstrip())
        if start < end:
            kept.append((start, end))
    pieces = np.array(kept, dtype=np.int64).reshape(-1, 2)
    return Intervals(pieces[:, 0], pieces[:, 1], len(text))


def _touched(spans: Spans, texts: Sequence[Intervals], base: NDArray, size: int) -> NDArray[np.bool_]:
    """Which sentences, all texts laid end to end, an anchored span shares a character with: shape (size,)."""
    chosen = spans.taken(spans.anchored)
    first, last = owned_in(texts, chosen.response, chosen.start, chosen.end)
    change = np.zeros(size + 1, dtype=np.int64)
    np.add.at(change, base[chosen.response] + first, 1)
    np.add.at(change, base[chosen.response] + last, -1)
    return np.cumsum(change[:-1]) > 0


def sentence_counts(predicted: Spans, gold: Spans, texts: Sequence[Intervals]) -> NDArray[np.int64]:
    """Sentences per response: true and false positives, false and true negatives, shape (n_responses, 4).

    texts  the sentences of each response, length n_responses.

    A sentence is erroneous when a gold span touches it, and predicted so when a predicted span does.
    Raises ValueError where sides and texts are not over the same responses.
    """
    base, size, response = _layout(predicted, gold, texts)
    said, true = (_touched(side, texts, base, size) for side in (predicted, gold))
    columns = (said & true, said & ~true, ~said & true, ~said & ~true)
    return np.column_stack([np.bincount(response[column], minlength=len(texts)) for column in columns])


def _layout(predicted: Spans, gold: Spans, texts: Sequence[Intervals]) -> tuple[NDArray, int, NDArray]:
    if not predicted.n_responses == gold.n_responses == len(texts):
        raise ValueError("both sides and the texts are over the same responses")
    sizes = np.fromiter((len(text) for text in texts), dtype=np.int64, count=len(texts))
    return np.cumsum(sizes) - sizes, int(sizes.sum()), np.repeat(np.arange(len(texts)), sizes)


def sentence_class_counts(
    predicted: Spans, gold: Spans, texts: Sequence[Intervals], gold_class: ArrayLike, n_classes: int
) -> NDArray[np.int64]:
    """Erroneous sentences by class of their gold spans, shape (n_responses, n_classes, 2): found, all.

    A sentence counts once for every class that touches it and is found when any predicted span touches it.
    gold_class  as for `spans.class_counts`; arguments and errors otherwise as for `sentence_counts`.
    """
    base, size, response = _layout(predicted, gold, texts)
    gold_class = np.asarray(gold_class, dtype=np.int64)
    said = _touched(predicted, texts, base, size)
    counts = np.zeros((len(texts), n_classes, 2), dtype=np.int64)
    for number in range(n_classes):
        true = _touched(gold.taken(gold_class == number), texts, base, size)
        counts[:, number, 0] = np.bincount(response[true & said], minlength=len(texts))
        counts[:, number, 1] = np.bincount(response[true], minlength=len(texts))
    return counts


@on_scale(Scale.SHARE)
def accuracy(counts: ArrayLike) -> NDArray[np.float64]:
    """(TP + TN) / all sentences, over summed counts of shape (..., 4); NaN without sentences."""
    counts = np.asarray(counts, dtype=float)
    return _ratio(counts[..., TRUE_POSITIVE] + counts[..., TRUE_NEGATIVE], counts.sum(axis=-1))


@on_scale(Scale.SHARE)
def precision(counts: ArrayLike) -> NDArray[np.float64]:
    """TP / (TP + FP), over summed counts of shape (..., 4); NaN where no sentence was predicted erroneous."""
    counts = np.asarray(counts, dtype=float)
    return _ratio(counts[..., TRUE_POSITIVE], counts[..., TRUE_POSITIVE] + counts[..., FALSE_POSITIVE])


@on_scale(Scale.SHARE)
def recall(counts: ArrayLike) -> NDArray[np.float64]:
    """TP / (TP + FN), over summed counts of shape (..., 4); NaN where no sentence is erroneous."""
    counts = np.asarray(counts, dtype=float)
    return _ratio(counts[..., TRUE_POSITIVE], counts[..., TRUE_POSITIVE] + counts[..., FALSE_NEGATIVE])


@on_scale(Scale.SHARE)
def f1(counts: ArrayLike) -> NDArray[np.float64]:
    """2 TP / (2 TP + FP + FN), over summed counts of shape (..., 4).

    0 where both sides named sentences and none is common; NaN where either named none, as precision or
    recall then has no value.
    """
    p, r = precision(counts), recall(counts)
    return np.where(p + r == 0, 0.0, _ratio(2 * p * r, p + r))


def _ratio(part: ArrayLike, whole: ArrayLike) -> NDArray[np.float64]:
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=np.asarray(whole) > 0)


def figure(counts: ArrayLike, statistic: Callable[[ArrayLike], NDArray[np.float64]]) -> Figure:
    """`accuracy`, `precision`, `recall` or `f1` of sentence counts, without an interval.

    counts  shape (n_responses, 4). n = number of sentences.
    Undefined: "no items" (no sentence), "no predicted sentences", "no erroneous sentences".
    """
    total = np.asarray(counts).sum(axis=0)
    names = ("true_positive", "false_positive", "false_negative", "true_negative")
    detail = {name: int(total[column]) for column, name in enumerate(names)}
    n, value = int(total.sum()), float(statistic(total))
    if not np.isnan(value):
        return Figure(value, n, detail=detail)
    if n == 0:
        reason = NO_ITEMS
    elif total[TRUE_POSITIVE] + total[FALSE_POSITIVE] == 0 and statistic is not recall:
        reason = "no predicted sentences"
    else:
        reason = NO_ERRONEOUS
    return Figure.without_value(reason, n, **detail)
