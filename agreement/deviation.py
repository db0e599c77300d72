"""How far scores are from other scores: mean absolute deviation, signed error, root mean square error.

Scores are qualities: higher is better. A penalty enters with a minus sign, so that everywhere
signed error > 0 means lenient and signed error < 0 means conservative.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement import inference
from agreement.figures import NO_ITEMS, Figure
from agreement.statistics import Scale, on_scale, ratio_of_sums


@dataclass(frozen=True)
class Deviation:
    """mad = mean |score - reference|; signed_error = mean (score - reference); rmse = sqrt mean square.

    All in the units of the scores, all with the same n.
    """

    n: int
    mad: Figure
    signed_error: Figure
    rmse: Figure


def deviation(score: ArrayLike, reference: ArrayLike) -> Deviation:
    """Deviation of scores from their references, both shape (N,).

    Undefined: "no items". Raises ValueError for different lengths or numbers that are not finite: what was
    declined or could not be read is left out and counted by the caller.
    """
    score, reference = np.asarray(score, dtype=float), np.asarray(reference, dtype=float)
    if score.shape != reference.shape or score.ndim != 1:
        raise ValueError("every score has its reference")
    error = score - reference
    if not np.isfinite(error).all():
        raise ValueError("a score is a finite number; leave out what is missing")
    n = len(error)
    if n == 0:
        nothing = Figure.without_value(NO_ITEMS)
        return Deviation(0, nothing, nothing, nothing)
    numbers = np.abs(error).mean(), error.mean(), np.sqrt((error**2).mean())
    return Deviation(n, *(Figure(float(number), n) for number in numbers))


def deviation_columns(score: ArrayLike, reference: ArrayLike) -> NDArray[np.float64]:
    """|e|, e, e^2 and 1 of every item, e = score - reference; shape (N, 4), zeros where either is NaN."""
    error = np.asarray(score, dtype=float) - np.asarray(reference, dtype=float)
    present = ~np.isnan(error)
    known = np.where(present, error, 0.0)
    return np.column_stack((np.abs(known), known, known**2, present))


@on_scale(Scale.POSITIVE)
def _mad(sums: NDArray) -> NDArray:
    return ratio_of_sums(sums[..., [0, 3]])


def _signed_error(sums: NDArray) -> NDArray:
    return ratio_of_sums(sums[..., [1, 3]])


@on_scale(Scale.POSITIVE)
def _rmse(sums: NDArray) -> NDArray:
    return np.sqrt(ratio_of_sums(sums[..., [2, 3]]))


#: Of `Deviation`, in its order, as statistics of sums of `deviation_columns`.
STATISTICS = (_mad, _signed_error, _rmse)


def deviation_with_intervals(score: ArrayLike, reference: ArrayLike, **options: Any) -> Deviation:
    """As `deviation`, each figure with its interval over items; NaN on either side leaves the item out.

    Options as for `inference.with_intervals`. Raises ValueError for different lengths.
    """
    score, reference = np.asarray(score, dtype=float), np.asarray(reference, dtype=float)
    if score.shape != reference.shape or score.ndim != 1:
        raise ValueError("every score has its reference")
    kept = ~np.isnan(score) & ~np.isnan(reference)
    plain = deviation(score[kept], reference[kept])
    columns = deviation_columns(score, reference)
    figures = [plain.mad, plain.signed_error, plain.rmse]
    return Deviation(plain.n, *inference.with_intervals(figures, columns, STATISTICS, **options))


def deviations_compared(
    reference: ArrayLike, first: ArrayLike, second: ArrayLike, **options: Any
) -> tuple[Figure, Figure]:
    """MAD and signed error of the first scores less those of the second, on items where both have one.

    All shape (N,), row by row the same item; NaN leaves an item out of both sides, and detail["left_out"] counts it.
    Options, p-value, reasons and errors as for `inference.paired_differences`. n = items compared.
    """
    if not np.shape(reference) == np.shape(first) == np.shape(second):
        raise ValueError("both sides score the same items")
    sides = [deviation_columns(side, reference) for side in (first, second)]
    kept = (sides[0][:, 3] > 0) & (sides[1][:, 3] > 0)
    if options.get("cluster") is not None:
        options["cluster"] = np.asarray(options["cluster"])[kept]
    differences = inference.paired_differences(sides[0][kept], sides[1][kept], [_mad, _signed_error], **options)
    mad, signed_error = (figure.with_detail(left_out=int((~kept).sum())) for figure in differences)
    return mad, signed_error


def mean_of_others(items: ArrayLike, scores: ArrayLike) -> NDArray[np.float64]:
    """For each score, the mean of the other scores on its item; NaN where it is the only one.

    items   which item each score is of, integers, shape (N,). scores  shape (N,).
    An item's rater gives one score: several answers of one rater are put together before.
    """
    scores = np.asarray(scores, dtype=float)
    _, index = np.unique(np.asarray(items), return_inverse=True)
    others = np.bincount(index)[index] - 1
    rest = np.bincount(index, scores)[index] - scores
    return np.divide(rest, others, out=np.full(len(scores), np.nan), where=others > 0)


def leave_one_out(items: ArrayLike, raters: ArrayLike, scores: ArrayLike) -> dict[int, Deviation]:
    """Each rater against the mean of the others on the items they share: the human ceiling.

    items, raters, scores  shape (N,), one entry per answer; scores are qualities (see the module).
    Items that only one rater scored are left out. Returns rater -> Deviation, raters ascending; a rater
    without any shared item has undefined figures ("no items").
    """
    raters, scores = np.asarray(raters), np.asarray(scores, dtype=float)
    reference = mean_of_others(items, scores)
    shared = ~np.isnan(reference)
    return {
        rater.item(): deviation(scores[chosen], reference[chosen])
        for rater in np.unique(raters)
        for chosen in [shared & (raters == rater)]
    }


def group_means(groups: ArrayLike, values: ArrayLike) -> dict[int, Figure]:
    """Mean of the values in each group (a rater, a system), groups ascending. Both shape (N,)."""
    distinct, index = np.unique(np.asarray(groups), return_inverse=True)
    sizes = np.bincount(index)
    means = np.bincount(index, np.asarray(values, dtype=float)) / sizes
    return {
        group.item(): Figure(float(value), int(size)) for group, value, size in zip(distinct, means, sizes, strict=True)
    }
