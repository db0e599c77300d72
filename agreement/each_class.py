"""The same difference for each of several classes over the same items: categories of errors, say.

As `inference` makes it of one class, but what is left without each prompt is worked out for all classes at once.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, TOO_FEW, Figure
from agreement.inference import ONE_SIDE, difference_of_spread, estimate_of_spread
from agreement.numbering import Clusters
from agreement.spread import CONFIDENCE, Spread
from agreement.statistics import Statistic, scale_of
from agreement.units import added_up

Floats = NDArray[np.float64]


def paired_differences_of_each(
    first: ArrayLike,
    second: ArrayLike,
    statistic: Statistic,
    *,
    cluster: ArrayLike | Clusters | None = None,
    confidence: float = CONFIDENCE,
) -> list[Figure]:
    """`inference.paired_difference` of each class.

    first, second  per-item columns of the two sides, shape (N, classes, k).
    Raises ValueError where the two tables have different shapes.
    """
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if a.shape != b.shape or a.ndim != 3:
        raise ValueError("a paired comparison needs the same items, classes and columns on both sides")
    n, classes, k = a.shape
    if n == 0:
        return [Figure.without_value(NO_ITEMS) for _ in range(classes)]

    def difference(sums: Floats) -> Floats:
        return statistic(sums[..., :k]) - statistic(sums[..., k:])

    values, spreads = _spreads(np.concatenate((a, b), axis=2), difference, cluster)
    figures = []
    for value, (count, spread) in zip(values, spreads, strict=True):
        if count < 2 or np.isnan(value):
            figures.append(Figure.without_value(TOO_FEW if count < 2 else ONE_SIDE, n))
        else:
            figures.append(difference_of_spread(Figure(value, n), spread, count, scale_of(statistic), confidence))
    return figures


def estimates_of_each(columns: ArrayLike, statistic: Statistic, cluster: ArrayLike | Clusters | None) -> list[Figure]:
    """`inference.estimate` of each class; columns  shape (N, classes, k)."""
    rows = np.asarray(columns, dtype=float)
    items = (rows != 0).any(axis=2).sum(axis=0).tolist()
    values, spreads = _spreads(rows, statistic, cluster)
    return [
        estimate_of_spread(value, n, spread, count)
        for value, n, (count, spread) in zip(values, items, spreads, strict=True)
    ]


def _spreads(
    columns: Floats, statistic: Statistic, cluster: ArrayLike | Clusters | None
) -> tuple[list[float], Sequence[tuple[int, Spread | None]]]:
    """The value of each class, and how many prompts say anything of it with its spread over these; None where it has
    no value without one of them."""
    n, classes, k = columns.shape
    sums = columns.reshape(n, classes * k)
    units = (sums if cluster is None else added_up(sums, Clusters.of(cluster))).reshape(-1, classes, k)
    total = units.sum(axis=0)
    value = statistic(total)
    says = (units != 0).any(axis=2)
    # Without a prompt that says nothing the value is what it is.
    apart = np.where(says, statistic(total - units) - value, 0.0)
    count = says.sum(axis=0)
    variance = (count - 1) / np.maximum(1, count) * (apart**2).sum(axis=0)
    spreads = [
        (number, None if number < 2 or np.isnan(one) else Spread(one, number - 1))
        for number, one in zip(count.tolist(), variance.tolist(), strict=True)
    ]
    return value.tolist(), spreads
