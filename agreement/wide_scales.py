"""Krippendorff's alpha of numbers of which there are many: its columns do not grow with how many values there are.

`alpha.coincidence_columns` has a column for each pair of values; of a thousand decimals that is a million. Of squared
differences four sums are enough, whatever the values are.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.statistics import Scale, on_scale

Floats = NDArray[np.float64]
#: Of more values than these an interval over their coincidences takes too long.
MANY_VALUES = 60


class Moments:
    """Ratings at the interval level as sums per item.

    item    of each rating, in [0, I), shape (N,). values  numbers, shape (N,).
    columns of each item rated twice or more m, sum x, sum x^2 and m D_o, else 0; shape (I, 4). x is less the mean of
            all, so that large values with small differences lose no digits.
    """

    def __init__(self, item: ArrayLike, values: ArrayLike):
        self._item = np.asarray(item, dtype=np.int64)
        numbers = np.asarray(values, dtype=np.float64)
        self._x = numbers - numbers.mean()
        ones = np.ones(len(numbers))
        self._sums = [_summed(self._item, each) for each in (ones, self._x, self._x**2)]
        self.columns = _columns(*self._sums)

    def lost(self, rater: ArrayLike, n: int) -> Floats:
        """What the sums of the columns lose without each of n raters (in [0, n), of each rating), shape (n, 4)."""
        count, total, squares = (sums[self._item] for sums in self._sums)
        without = _columns(count - 1, total - self._x, squares - self._x**2)
        lost = np.zeros((n, self.columns.shape[1]))
        np.add.at(lost, np.asarray(rater), self.columns[self._item] - without)
        return lost


def _summed(item: NDArray[np.int64], weights: Floats) -> Floats:
    return np.bincount(item, weights).astype(np.float64)


def _columns(count: Floats, total: Floats, squares: Floats) -> Floats:
    within = np.maximum(count * squares - total**2, 0)
    columns = np.column_stack((count, total, squares, 2 * within / np.maximum(count - 1, 1)))
    return np.where(count[:, None] >= 2, columns, 0.0)


@on_scale(Scale.COEFFICIENT)
def alpha_of_moments(sums: NDArray[Any]) -> NDArray[Any]:
    """The statistic of `Moments.columns`: sums of shape (..., 4) to alpha, shape (...). NaN where all are alike."""
    n, total, squares, observed = np.moveaxis(np.asarray(sums, dtype=np.float64), -1, 0)
    expected = 2 * (n * squares - total**2)
    ratio = np.divide((n - 1) * observed, expected, out=np.full(np.shape(n), np.nan), where=expected > 0)
    return 1 - ratio
