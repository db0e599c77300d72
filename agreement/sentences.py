"""Agreement sentence by sentence: is this sentence erroneous?"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import regex
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, Figure
from agreement.numbering import distinct
from agreement.spans import Spans
from agreement.statistics import Scale, on_scale
from agreement.words import Intervals, Laid, is_space, laid, laid_between, together

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
    return sentences_in([text]).of(0)


def sentences_in(texts: Sequence[str]) -> Laid:
    """The `sentences` of many texts, cut together: between texts stands a line break, which ends a sentence anyway."""
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    starts, ends = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for begin, part in together(texts):
        marks = [mark.end() for mark in _END.finditer(part)]
        filled = np.flatnonzero(~is_space(part))
        # A run of line breaks may go over the end of a text, which is a cut all the same.
        cuts = np.searchsorted(
            filled, np.sort(np.append(np.array(marks, dtype=np.int64), _ends_within(begin, len(part), lengths)))
        )
        since, until = np.concatenate(([0], cuts)).astype(np.int64), np.append(cuts, len(filled))
        kept = since < until
        starts.append(filled[since[kept]] + begin)
        ends.append(filled[until[kept] - 1] + 1 + begin)
    return laid_between(np.concatenate(starts), np.concatenate(ends), lengths)


def _ends_within(begin: int, length: int, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where texts end in the part of them that begins there."""
    ends = np.cumsum(lengths + 1) - 1 - begin
    return ends[(ends >= 0) & (ends <= length)]


def in_sentences(spans: Spans, texts: Sequence[Intervals] | Laid) -> Spans:
    """The same spans with the sentences they share a character with in place of the words they own.

    texts  the sentences of each response, length n_responses. Raises ValueError where these are of other responses.
    """
    if spans.n_responses != len(texts):
        raise ValueError("spans and texts are over the same responses")
    laid_out = texts if isinstance(texts, Laid) else laid(texts)
    first, last = laid_out.owned(spans.response, spans.start, spans.end)
    more = spans.more
    if len(more):
        of_parts = laid_out.owned(spans.response[more.span], more.start, more.end)
        more = replace(more, first=of_parts[0], last=of_parts[1])
    return replace(spans, first=first, last=last, more=more)


def sentence_counts(predicted: Spans, gold: Spans, texts: Sequence[Intervals] | Laid) -> NDArray[np.int64]:
    """Sentences per response: true and false positives, false and true negatives, shape (n_responses, 4).

    texts  the sentences of each response, length n_responses.

    A sentence is erroneous when a gold span touches it, and predicted so when a predicted span does.
    Raises ValueError where sides and texts are not over the same responses.
    """
    return touched_counts(in_sentences(predicted, texts), in_sentences(gold, texts), _sizes(texts))


def touched_counts(predicted: Spans, gold: Spans, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """As `sentence_counts`, of spans `in_sentences`; sizes  how many sentences each response has, (n_responses,)."""
    base, size = np.cumsum(sizes) - sizes, int(sizes.sum())
    said, true = (np.zeros(size, dtype=bool) for _side in range(2))
    for flags, side in ((said, predicted), (true, gold)):
        flags[_touched(side, base)[1]] = True
    response = np.repeat(np.arange(len(sizes)), sizes)
    both, of_said, of_true = (np.bincount(response[flags], minlength=len(sizes)) for flags in (said & true, said, true))
    return np.column_stack((both, of_said - both, of_true - both, sizes - of_said - of_true + both))


def sentence_class_counts(
    predicted: Spans, gold: Spans, texts: Sequence[Intervals] | Laid, gold_class: ArrayLike, n_classes: int
) -> NDArray[np.int64]:
    """Erroneous sentences by class of their gold spans, shape (n_responses, n_classes, 2): found, all.

    A sentence counts once for every class that touches it and is found when any predicted span touches it.
    gold_class  as for `spans.class_counts`; arguments and errors otherwise as for `sentence_counts`.
    """
    said, true = in_sentences(predicted, texts), in_sentences(gold, texts)
    return touched_class_counts(said, true, _sizes(texts), gold_class, n_classes)


def touched_class_counts(
    predicted: Spans, gold: Spans, sizes: NDArray[np.int64], gold_class: ArrayLike, n_classes: int
) -> NDArray[np.int64]:
    """As `sentence_class_counts`, of spans `in_sentences`; sizes as for `touched_counts`."""
    base = np.cumsum(sizes) - sizes
    said = np.zeros(int(sizes.sum()), dtype=bool)
    said[_touched(predicted, base)[1]] = True
    span, sentence = _touched(gold, base)
    number = np.asarray(gold_class, dtype=np.int64)[span]
    counted = (number >= 0) & (number < n_classes)
    once = distinct(sentence[counted] * n_classes + number[counted])
    sentence, number = np.divmod(once, n_classes)
    cell = (np.searchsorted(base, sentence, side="right") - 1) * n_classes + number
    size = len(sizes) * n_classes
    columns = (np.bincount(cell[said[sentence]], minlength=size), np.bincount(cell, minlength=size))
    return np.stack(columns, axis=-1).reshape(len(sizes), n_classes, 2)


def _sizes(texts: Sequence[Intervals] | Laid) -> NDArray[np.int64]:
    return (texts if isinstance(texts, Laid) else laid(texts)).sizes


def _touched(spans: Spans, base: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each anchored span with each sentence it touches: index of the span, and of the sentence among those of all
    responses laid end to end; base  the first sentence of each."""
    owner = np.concatenate((np.arange(len(spans)), spans.more.span))
    chosen = np.flatnonzero(spans.anchored[owner])
    owner = owner[chosen]
    first, last = (
        np.concatenate(ends)[chosen] for ends in ((spans.first, spans.more.first), (spans.last, spans.more.last))
    )
    many = last - first
    within = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    span = np.repeat(owner, many)
    return span, base[spans.response[span]] + np.repeat(first, many) + within


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


def _ratio(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    return part / np.where(whole > 0, whole, np.nan)


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
