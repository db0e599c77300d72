"""Statistics of sums: what a figure is made of, so that whoever puts an interval to it need only add and subtract.

A figure is computed from columns with a row per item; its statistic takes their sums. What the figure is without some
items is the statistic of what is left of the sums.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Function = TypeVar("Function", bound=Callable)
#: Takes sums of the columns, shape (..., k), gives values, shape (...); NaN marks an undefined value.
Statistic = Callable[[Floats], Floats]


class Scale(StrEnum):
    """What values a statistic can take, and so on which scale its interval is made."""

    PLAIN = "plain"  # any: means, signed errors, differences
    SHARE = "share"  # 0 to 1: shares, accuracy, F1
    POSITIVE = "positive"  # from 0 on: deviations, rates, ratios
    COEFFICIENT = "coefficient"  # at most 1: agreement beyond chance of several people, AC2, gamma
    CORRELATION = "correlation"  # -1 to 1: correlations, tau, kappa and alpha of two


def on_scale(scale: Scale) -> Callable[[Function], Function]:
    """Says of a statistic what values it can take; one that says nothing is PLAIN."""

    def mark(statistic: Function) -> Function:
        statistic.scale = scale  # type: ignore[attr-defined]
        return statistic

    return mark


def scale_of(statistic: Statistic) -> Scale:
    return getattr(statistic, "scale", Scale.PLAIN)


def of_columns(statistic: Statistic, columns: slice | list[int]) -> Statistic:
    """The statistic of these columns of wider sums, on its own scale."""

    def narrow(sums: Floats) -> Floats:
        return statistic(sums[..., columns])

    if isinstance(columns, list):
        narrow.narrowed = (statistic, columns)  # type: ignore[attr-defined]
    return on_scale(scale_of(statistic))(narrow)


def joint_of(statistics: Sequence[Statistic]) -> tuple[Statistic, NDArray[np.int64]] | None:
    """Where these are one statistic `of_columns`, as many of each: that statistic and the columns, shape (statistics,
    k), so that all are asked at once. None where they are not."""
    narrowed = [getattr(statistic, "narrowed", None) for statistic in statistics]
    known = [one for one in narrowed if one is not None]
    if len(known) < max(2, len(narrowed)):
        return None
    if any(of is not known[0][0] or len(columns) != len(known[0][1]) for of, columns in known):
        return None
    return known[0][0], np.array([columns for _of, columns in known], dtype=np.int64)


def mean_columns(values: ArrayLike) -> Floats:
    """Columns of a mean: each value beside a 1, shape (N, 2). A NaN value is an item that has none."""
    values = np.asarray(values, dtype=np.float64)
    present = ~np.isnan(values)
    return np.column_stack((np.where(present, values, 0.0), present))


def ratio_of_sums(sums: Floats) -> Floats:
    """First column over second, shape (...); NaN where the second is 0. The mean of `mean_columns`."""
    sums = np.asarray(sums, dtype=float)
    part, whole = sums[..., 0], sums[..., 1]
    return part / np.where(whole != 0, whole, np.nan)


@on_scale(Scale.SHARE)
def share_of_sums(sums: Floats) -> Floats:
    """`ratio_of_sums` of a part over the whole."""
    return ratio_of_sums(sums)


@on_scale(Scale.POSITIVE)
def rate_of_sums(sums: Floats) -> Floats:
    """`ratio_of_sums` of what is never below 0: counts per item, absolute deviations."""
    return ratio_of_sums(sums)


def sums_of_rows(tables: Floats) -> Floats:
    """Of each table, shape (..., C, K), the sum of each row, (..., C). `sum` goes through a short last axis row by row,
    which takes four times as long; of thousands of tables that is most of a statistic."""
    return np.einsum("...ij->...i", tables)


def sums_of_columns(tables: Floats) -> Floats:
    """Of each table, shape (..., C, K), the sum of each column, (..., K)."""
    return np.einsum("...ij->...j", tables)


def added_up(tables: Floats) -> Floats:
    """Of each table, shape (..., C, K), the sum of all cells, (...)."""
    return np.einsum("...ij->...", tables)
