"""Cohen's kappa between two raters."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, NO_VARIATION, Figure
from agreement.statistics import Scale, Statistic, added_up, on_scale, sums_of_columns, sums_of_rows

WEIGHTS = ("unweighted", "linear", "quadratic")


def confusion(first: ArrayLike, second: ArrayLike, n_classes: int) -> NDArray[np.int64]:
    """How often the first rater's class met the second's: integers, shape (n_classes, n_classes).

    first, second  class of each item as indices in [0, n_classes), shape (N,).
    Raises ValueError for lengths that differ or an index out of range.
    """
    first, second = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError("both raters judge the same items")
    both = np.concatenate((first, second))
    if both.size and (both.min() < 0 or both.max() >= n_classes):
        raise ValueError("a class is an index below n_classes")
    counts = np.bincount(first * n_classes + second, minlength=n_classes**2)
    return counts.reshape(n_classes, n_classes)


def cohen_kappa(table: ArrayLike, weights: str = "unweighted") -> Figure:
    """Cohen's kappa of a confusion table.

    table    counts, shape (C, C), rows the first rater, classes in the order of the scale.
    weights  "unweighted", "linear" (|i - j|) or "quadratic" ((i - j)^2): what a disagreement counts.

    kappa = 1 - sum w_ij o_ij / sum w_ij e_ij, o the table, e = row sums x column sums / n.
    n = number of items. Undefined: "no items"; "no variation" when both raters gave one and the same class
    throughout, so that no disagreement was to be expected.
    Raises ValueError for unknown weights or a table that is not square.

    Sources: J. Cohen, Educational and Psychological Measurement 20 (1960), 37-46; weighted: Psychological
    Bulletin 70 (1968), 213-220.
    """
    observed = np.asarray(table, dtype=float)
    if observed.ndim != 2 or observed.shape[0] != observed.shape[1]:
        raise ValueError("a confusion table is square")
    if weights not in WEIGHTS:
        raise ValueError(f"weights must be one of {WEIGHTS}, not {weights!r}")
    n = observed.sum()
    if n == 0:
        return Figure.without_value(NO_ITEMS, weights=weights)
    expected_cost = _costs(observed, weights)[1]
    detail = {"weights": weights, "observed_agreement": float(np.trace(observed) / n)}
    if expected_cost == 0:
        return Figure.without_value(NO_VARIATION, int(n), **detail)
    return Figure(float(kappa_of_tables(observed, weights)), int(n), detail=detail)


@on_scale(Scale.CORRELATION)
def kappa_of_tables(tables: ArrayLike, weights: str = "unweighted") -> NDArray[np.float64]:
    """Cohen's kappa of many confusion tables, shape (..., C, C) to (...): a statistic of sums of tables.

    A table may have one column more, (..., C, C + 1): what the second rater gave that is no class. It is a
    disagreement with every class, as great as that between the two ends of the scale.
    NaN where no disagreement was to be expected. Raises ValueError for unknown weights.
    """
    if weights not in WEIGHTS:
        raise ValueError(f"weights must be one of {WEIGHTS}, not {weights!r}")
    observed_cost, expected_cost = _costs(np.asarray(tables, dtype=float), weights)
    defined = expected_cost > 0
    ratio = np.divide(observed_cost, expected_cost, out=np.full(np.shape(defined), np.nan), where=defined)
    return 1 - ratio


def kappa_of_flat_tables(n_classes: int, weights: str = "unweighted") -> Statistic:
    """`kappa_of_tables` of tables whose cells stand in one row, shape (..., C * C) to (...)."""
    return on_scale(Scale.CORRELATION)(
        lambda sums: kappa_of_tables(np.asarray(sums).reshape(*np.shape(sums)[:-1], n_classes, n_classes), weights)
    )


def _costs(tables: NDArray, weights: str) -> tuple[NDArray, NDArray]:
    """Cost of the disagreements observed and of those to be expected, (...) each."""
    n_classes, n_columns = tables.shape[-2:]
    distance = np.abs(np.arange(n_classes)[:, None] - np.arange(n_columns)[None, :])
    distance[:, n_classes:] = max(1, n_classes - 1)
    cost = {"unweighted": distance > 0, "linear": distance, "quadratic": distance**2}[weights].astype(float)
    margins = np.einsum("...i,ij,...j->...", sums_of_rows(tables), cost, sums_of_columns(tables))
    n = added_up(tables)
    expected = np.divide(margins, n, out=np.zeros(np.shape(n)), where=n > 0)
    return np.einsum("...ij,ij->...", tables, cost), expected
