"""What is drawn of a figure's columns, and the values of statistics without each of it; `inference` makes intervals of
these."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.numbering import Clusters
from agreement.statistics import Statistic, joint_of

Floats = NDArray[np.float64]

_VALUES_AT_ONCE = 1_000_000  # bounds memory, whatever the number of prompts and columns
#: Columns up to which sparse ones are made dense: those of a scale of twenty grades.
WIDE = 20 * 21
#: Of few cells, adding up one column after the other is mostly calling.
_CELLS_TOGETHER = 20_000


def units_of(columns: Any, cluster: ArrayLike | Clusters | None = None) -> Any:
    """The items, or the sums of each cluster, shape (C, k); those whose columns are all 0 say nothing and are left out.

    columns  per item, shape (N, k); an array, or sparse (scipy.sparse.csr_array) where k is large, and then so is the
             result.
    cluster  which prompt each item is of, any labels, shape (N,), or these numbered.

    Raises ValueError where cluster has another length than columns.
    """
    is_sparse = scipy.sparse.issparse(columns)
    columns = columns if is_sparse else np.asarray(columns, dtype=np.float64)
    if columns.ndim != 2:
        raise ValueError("columns has one row per item")
    is_narrow = is_sparse and columns.shape[1] <= WIDE
    if cluster is not None:
        columns = added_up(columns, Clusters.of(cluster), is_narrow)
    elif is_narrow:
        columns = columns.toarray().astype(np.float64)
    is_sparse = is_sparse and not is_narrow
    telling = np.diff(columns.indptr) > 0 if is_sparse else (columns != 0).any(axis=1)
    return columns if telling.all() else columns[telling]


def added_up(columns: Any, clusters: Clusters, is_narrow: bool = False) -> Any:
    """The sums of each cluster, shape (C, k); sparse columns that are narrow become an array."""
    index, count = clusters.index, clusters.count
    if index.shape != columns.shape[:1]:
        raise ValueError("every item has a cluster")
    if isinstance(columns, np.ndarray):
        width = columns.shape[1]
        if columns.size <= _CELLS_TOGETHER:
            place = index[:, None] * width + np.arange(width)
            return np.bincount(place.ravel(), columns.ravel(), minlength=count * width).reshape(count, width)
        sums = np.zeros((count, width))
        for place, column in enumerate(columns.T):
            sums[:, place] = np.bincount(index, column, minlength=count)
        return sums
    if is_narrow:  # cells are added up where they stand: an item of a confusion table has one of thirty
        width, cells = columns.shape[1], columns.tocoo()
        place = index[cells.coords[0]] * width + cells.coords[1]
        return np.bincount(place, cells.data, minlength=count * width).astype(float).reshape(count, width)
    ones = (np.ones(len(index)), (index, np.arange(len(index))))
    return scipy.sparse.csr_array(scipy.sparse.csr_array(ones, shape=(count, len(index))) @ columns)


def values_at(rows: Any, statistics: Sequence[Statistic], less_than: Floats | None = None) -> Floats:
    """Each statistic of each row of sums, shape (statistics, R); where `less_than` (shape (k,)) is given, of what is
    left of it without the row. A few rows at a time, so that memory is bounded.

    rows  shape (R, k), an array or sparse.
    """
    count, width = rows.shape
    at_once = max(1, _VALUES_AT_ONCE // max(1, width))
    values = np.empty((len(statistics), count))
    joint = joint_of(statistics)
    for begin in range(0, count, at_once):
        piece = rows[begin : begin + at_once]
        piece = piece if isinstance(piece, np.ndarray) else piece.toarray()
        sums = piece if less_than is None else less_than - piece
        if joint is not None:
            statistic, chosen = joint
            values[:, begin : begin + at_once] = statistic(sums[:, chosen]).T
            continue
        for place, statistic in enumerate(statistics):
            values[place, begin : begin + at_once] = statistic(sums)
    return values
