"""Spearman's rank correlation, of single values and of tables of classes; Pearson's, as a statistic of sums."""

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_VARIATION, TOO_FEW, Figure
from agreement.statistics import Scale, on_scale

Floats = NDArray[np.float64]

_CONFIDENT = 1.959964  # standard errors on either side of an interval of 95 %


def spearman(first: ArrayLike, second: ArrayLike) -> Figure:
    """Pearson's correlation of the mid-ranks, with a 95 % interval.

    first, second  values of the same items, finite numbers, shape (N,). n = items.
    Interval: Fisher's z with standard error sqrt((1 + r^2 / 2) / (n - 3)) (D. G. Bonett and T. A. Wright,
    Psychometrika 65 (2000), 23-28); none for n < 4 or |r| = 1, where it has no width to give.
    Undefined: "n < 2"; "no variation" where either side is constant.
    Raises ValueError for lengths that differ or numbers that are not finite.
    """
    one, other = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if one.shape != other.shape or one.ndim != 1:
        raise ValueError("both sides have the same items")
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        raise ValueError("a value is a finite number; leave out what is missing")
    n = len(one)
    if n < 2:
        return Figure.without_value(TOO_FEW, n)
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return Figure.without_value(NO_VARIATION, n)
    r = float(np.clip(scipy.stats.spearmanr(one, other).statistic, -1, 1))
    if n < 4 or abs(r) > 1 - 1e-12:
        return Figure(r, n)
    half = _CONFIDENT * np.sqrt((1 + r * r / 2) / (n - 3))
    low, high = np.tanh([np.arctanh(r) - half, np.arctanh(r) + half])
    return Figure(r, n, float(low), float(high), detail={"interval": "Fisher z, 95 %"})


@on_scale(Scale.CORRELATION)
def spearman_of_tables(table: ArrayLike) -> Floats:
    """The same of confusion tables, shape (..., C, C) to (...), a statistic of their sums.

    Every item of a class has the class's mid-rank, which the margins give. NaN where either side is constant.
    """
    table = np.asarray(table, dtype=float)
    n = table.sum(axis=(-2, -1))
    centred = []
    for axis in (-1, -2):
        margin = table.sum(axis=axis)
        # Mid-ranks have the same mean whatever the ties: half of n.
        centred.append((np.cumsum(margin, axis=-1) - margin / 2 - n[..., None] / 2, margin))
    (rows, row_margin), (columns, column_margin) = centred
    together = np.einsum("...c,...ck,...k->...", rows, table, columns)
    spread = np.sqrt((row_margin * rows**2).sum(axis=-1) * (column_margin * columns**2).sum(axis=-1))
    return np.divide(together, spread, out=np.full(np.shape(n), np.nan), where=spread > 1e-9)


@on_scale(Scale.CORRELATION)
def correlation_of_sums(sums: ArrayLike) -> Floats:
    """Pearson's correlation from sums of 1, x, y, x^2, y^2 and x y, shape (..., 6) to (...); NaN where either side is
    constant."""
    n, x, y, xx, yy, xy = np.moveaxis(np.asarray(sums, dtype=float), -1, 0)
    spread = np.maximum(n * xx - x**2, 0) * np.maximum(n * yy - y**2, 0)
    varies = spread > 1e-12 * np.maximum(n, 1) ** 4
    ratio = np.divide(n * xy - x * y, np.sqrt(spread), out=np.full(np.shape(n), np.nan), where=varies)
    return np.clip(ratio, -1, 1)


def slope_of_sums(sums: ArrayLike) -> Floats:
    """How much y changes for 1 of x, by least squares, from the same sums; NaN where x is constant."""
    n, x, y, xx, _yy, xy = np.moveaxis(np.asarray(sums, dtype=float), -1, 0)
    spread = n * xx - x**2
    varies = spread > 1e-12 * np.maximum(n, 1) ** 2
    return np.divide(n * xy - x * y, spread, out=np.full(np.shape(n), np.nan), where=varies)


def correlation_columns(x: ArrayLike, y: ArrayLike) -> Floats:
    """What `correlation_of_sums` and `slope_of_sums` are statistics of, shape (N, 6). Both sides are taken from their
    means first, which changes neither figure and keeps sums of large numbers exact. Raises ValueError for lengths that
    differ."""
    one, other = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if one.shape != other.shape or one.ndim != 1:
        raise ValueError("both sides have the same items")
    if len(one):
        one, other = one - one.mean(), other - other.mean()
    return np.column_stack((np.ones(len(one)), one, other, one**2, other**2, one * other))
