"""Which overlap of two spans says that they point at one and the same issue.

A semantic oracle says of pairs of spans whether they are one issue. At each threshold "the overlap is a match" is a
classification of these pairs, and the oracle the truth that it is compared with (JuICE, appendix F.2.1).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, Figure
from agreement.sentences import f1, precision, recall
from agreement.spans import is_match
from agreement.statistics import Statistic, of_columns

#: Columns of the counts at one threshold: the match is right, wrong, missing, rightly none.
COLUMNS = 4
#: Of each threshold.
STATISTICS = (precision, recall, f1)
NO_MATCHING_PAIR, NO_SAME_ISSUE = "no pair overlaps so much", "no pair is one issue"


def pair_counts(iou: ArrayLike, is_same: ArrayLike, thresholds: Sequence[float]) -> NDArray[np.int64]:
    """Of each pair at each threshold whether the match is a true or false positive, or a false or true negative, shape
    (P, 4 T), the columns of one threshold beside each other.

    iou      overlap of each pair in [0, 1], shape (P,).
    is_same  whether the oracle calls it one issue, booleans, shape (P,).
    """
    overlap, same = np.asarray(iou, dtype=float), np.asarray(is_same, dtype=bool)
    counts = np.empty((len(overlap), len(thresholds), COLUMNS), dtype=np.int64)
    for place, threshold in enumerate(thresholds):
        match = is_match(overlap, threshold)
        for column, cell in enumerate((match & same, match & ~same, ~match & same, ~match & ~same)):
            counts[:, place, column] = cell
    return counts.reshape(len(overlap), len(thresholds) * COLUMNS)


def statistics_at(place: int) -> list[Statistic]:
    """Precision, recall and F1 at the threshold of this place, of the sums of `pair_counts`."""
    here = list(range(COLUMNS * place, COLUMNS * (place + 1)))
    return [of_columns(statistic, here) for statistic in STATISTICS]


def figures_at(counts: NDArray[np.int64], place: int) -> list[Figure]:
    """Precision, recall and F1 at the threshold of this place, without intervals; n = number of pairs.

    Undefined: "no items", "no pair overlaps so much", "no pair is one issue".
    """
    total = counts[:, COLUMNS * place : COLUMNS * (place + 1)].sum(axis=0)
    right, wrong, missing, _none = (int(number) for number in total)
    detail = {"matched_same": right, "matched": right + wrong, "same": right + missing}
    figures = []
    for statistic in STATISTICS:
        value = float(statistic(total))
        if not np.isnan(value):
            figures.append(Figure(value, len(counts), detail=detail))
            continue
        is_unmatched = right + wrong == 0 and statistic is not recall
        reason = NO_ITEMS if not len(counts) else NO_MATCHING_PAIR if is_unmatched else NO_SAME_ISSUE
        figures.append(Figure.without_value(reason, len(counts), **detail))
    return figures


def best_place(counts: NDArray[np.int64]) -> int | None:
    """The place of the threshold at which F1 with the oracle is highest, of several the lowest; None where it has no
    value at any."""
    values = f1(counts.sum(axis=0).reshape(-1, COLUMNS))
    return None if np.all(np.isnan(values)) else int(np.nanargmax(values))
