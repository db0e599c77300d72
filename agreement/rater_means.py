"""A figure of each rater alone, then the mean over raters: two sides that answered the same.

A figure that bends (kappa, F1, precision) of several people's answers put together is that of one rater who changes
yardstick from answer to answer; a judge has one. So the two would not be on one footing: in simulated studies a person
who posed as a judge had a quadratic kappa 0.02 above that of the others put together. Of each person alone, the person
and the judge can change places, so neither is favoured, whatever the statistic. Of what does not bend (accuracy, mean
absolute deviation) both are the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.numbering import numbered
from agreement.statistics import Statistic
from agreement.units import WIDE

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_VALUES_AT_ONCE = 1_000_000  # bounds memory, whatever the number of answers and columns


@dataclass(frozen=True, eq=False)
class RaterMeans:
    """Of both sides in one statistic.

    value           shape (2,), NaN where no rater has a value on either side.
    without_prompt  the same without each prompt that says anything, shape (2, C). without_rater  without each rater
                    who has a value, shape (2, R).
    telling         how many prompts have a value of their own on that side, or change it, shape (2,).
    """

    value: Floats
    without_prompt: Floats
    without_rater: Floats
    telling: Integers


def rater_means(
    first: Any,
    second: Any,
    statistics: Sequence[Statistic],
    *,
    rater: ArrayLike,
    prompt: ArrayLike,
    weight: ArrayLike,
) -> list[RaterMeans]:
    """For each statistic, sum_r w_r f(sums of r's rows) / sum_r w_r of either side, w_r the weight of r's rows.

    first, second  columns of both sides, shape (N, k), row by row the same answer; arrays, or both sparse.
    rater, prompt  of each row, any labels; weight  what it weighs; shape (N,).
    Rows whose columns are all 0 on both sides say nothing and weigh nothing. A rater without a value on either side is
    left out of both. Leaving out a prompt changes the figures of those alone who answered it, so it costs a value for
    each rater and prompt.

    Raises ValueError for shapes that differ.
    """
    weights = np.asarray(weight, dtype=float)
    if first.shape != second.shape or not first.shape[:1] == np.shape(rater) == np.shape(prompt) == weights.shape:
        raise ValueError("both sides have the same rows and columns, and every row its rater, prompt and weight")
    are_sparse = scipy.sparse.issparse(first)
    sides: Any = scipy.sparse.hstack([first, second], format="csr") if are_sparse else np.hstack((first, second))
    sides = sides if are_sparse else sides.astype(np.float64)
    telling = np.flatnonzero(np.diff(sides.indptr) if are_sparse else (sides != 0).any(axis=1))
    answers = _Answers.of(sides[telling], np.asarray(rater)[telling], np.asarray(prompt)[telling], weights[telling])
    whole = _values(((rows, None) for rows in _pieces(answers.of_raters)), statistics, answers.of_raters.shape[0])
    rest = _values(answers.without_each_cell(), statistics, len(answers.cell_rater))
    return [answers.mean(statistic, whole[at], rest[at]) for at, statistic in enumerate(statistics)]


@dataclass(frozen=True, eq=False)
class _Answers:
    """Sums of both sides' columns of each rater, (R, 2k), of each rater in each prompt, (M, 2k), and of each prompt,
    (C, 2k); rater and prompt of each of the M; what raters and they weigh."""

    of_raters: Any
    of_cells: Any
    of_prompts: Any
    cell_rater: Integers
    cell_prompt: Integers
    rater_weight: Floats
    cell_weight: Floats

    @classmethod
    def of(cls, sides: Any, rater: NDArray[Any], prompt: NDArray[Any], weight: Floats) -> "_Answers":
        (who, n_raters), (asked, n_prompts) = numbered(rater), numbered(prompt)
        cells, cell = np.unique(who * max(1, n_prompts) + asked, return_inverse=True)
        cell_rater, cell_prompt = np.divmod(cells, max(1, n_prompts))
        return cls(
            _sums(sides, who, n_raters),
            _sums(sides, cell.reshape(-1), len(cells)),
            _sums(sides, asked, n_prompts),
            cell_rater,
            cell_prompt,
            np.bincount(who, weight, minlength=n_raters).astype(np.float64),
            np.bincount(cell.reshape(-1), weight, minlength=len(cells)).astype(np.float64),
        )

    def without_each_cell(self) -> Iterator[tuple[Any, Any]]:
        for begin, rows in zip(_begins(self.of_cells), _pieces(self.of_cells), strict=True):
            yield self.of_raters[self.cell_rater[begin : begin + rows.shape[0]]], rows

    def mean(self, statistic: Statistic, whole: Floats, rest: Floats) -> RaterMeans:
        """whole  of each rater, shape (2, R); rest  of each rater without each prompt, shape (2, M)."""
        n_prompts = self.of_prompts.shape[0]
        weight = np.where(np.isnan(whole).any(axis=0), 0.0, self.rater_weight)
        left = np.where(np.isnan(rest).any(axis=0), 0.0, self.rater_weight[self.cell_rater] - self.cell_weight)
        worth, worth_left = np.nan_to_num(whole) * weight, np.nan_to_num(rest) * left
        without = [
            _ratio(
                side.sum() + np.bincount(self.cell_prompt, of_left - side[self.cell_rater], minlength=n_prompts),
                weight.sum() + np.bincount(self.cell_prompt, left - weight[self.cell_rater], minlength=n_prompts),
            )
            for side, of_left in zip(worth, worth_left, strict=True)
        ]
        known = np.flatnonzero(weight > 0)
        value = _ratio(worth.sum(axis=1), np.repeat(weight.sum(), 2))
        without_rater = _ratio(
            worth.sum(axis=1)[:, None] - worth[:, known], np.broadcast_to(weight.sum() - weight[known], (2, len(known)))
        )
        return RaterMeans(value, np.array(without), without_rater, self._telling(statistic, value, np.array(without)))

    def _telling(self, statistic: Statistic, value: Floats, without: Floats) -> Integers:
        own = _values(((rows, None) for rows in _pieces(self.of_prompts)), [statistic], self.of_prompts.shape[0])[0]
        return (~np.isnan(own) | (np.abs(without - value[:, None]) > 1e-12)).sum(axis=1)


def _sums(columns: Any, at: Integers, n: int) -> Any:
    """Sums of the rows of each, (n, 2k): dense where they are narrow, for a rater's are looked up again and again."""
    width = columns.shape[1]
    if width > WIDE or isinstance(columns, np.ndarray):
        return scipy.sparse.csr_array((np.ones(len(at)), (at, np.arange(len(at)))), shape=(n, len(at))) @ columns
    # Cells are added up where they stand: a row of two confusion tables has two of sixty.
    place = np.repeat(at * width, np.diff(columns.indptr)) + columns.indices
    return np.bincount(place, columns.data, minlength=n * width).astype(np.float64).reshape(n, width)


def _begins(rows: Any) -> range:
    return range(0, rows.shape[0], max(1, _VALUES_AT_ONCE // max(1, rows.shape[1])))


def _pieces(rows: Any) -> Iterator[Any]:
    for begin in _begins(rows):
        yield rows[begin : begin + _begins(rows).step]


def _values(pieces: Iterator[tuple[Any, Any]], statistics: Sequence[Statistic], n: int) -> Floats:
    """Each statistic of both sides of rows, less the rows taken away where there are any, shape (statistics, 2, n)."""
    values, begin = np.empty((len(statistics), 2, n)), 0
    for rows, taken in pieces:
        sums = _dense(rows)
        if taken is not None:
            sums = sums - _dense(taken)
            sums[np.abs(sums) < 1e-9] = 0.0  # what rounding leaves of nothing is no value
        k, end = sums.shape[1] // 2, begin + len(sums)
        for at, statistic in enumerate(statistics):
            values[at, :, begin:end] = statistic(sums[:, :k]), statistic(sums[:, k:])
        begin = end
    return values


def _dense(rows: Any) -> Floats:
    return rows if isinstance(rows, np.ndarray) else rows.toarray()


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.full(np.shape(part), np.nan), where=np.abs(whole) > 1e-9)
