"""What is left of a figure's sums without each rater, for figures that speak of raters in general.

How far people agree is a figure of people who might have been others. Leaving out one rater at a time shows how much it
hangs on who they happened to be; `inference` adds that to what hangs on the prompts.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.intersection import Answers, Cells
from agreement.numbering import rows_numbered

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_CELLS_AT_ONCE = 500_000


class CountedRatings:
    """Ratings of items, counted, from which columns are made and what they lose without each rater.

    Items that got the same values are alike in every such column, and so are two ratings of the same value of them:
    each kind is worked out once, however many items there are. Several figures of the same ratings share one of these.

    table       how often each item got each value, shape (I, V).
    item, value, rater  of each rating, shape (N,): places in the table, and rater in [0, n). A rater rates an item
                once.
    n           R, how many raters there are.
    """

    def __init__(self, table: ArrayLike, item: ArrayLike, value: ArrayLike, rater: ArrayLike, n: int):
        counts = np.asarray(table)
        places, self._kind = rows_numbered(counts)
        self._kinds = counts[places]
        n_values = max(1, counts.shape[1])
        values = np.asarray(value, dtype=np.int64)
        self._item = np.asarray(item, dtype=np.int64)
        steps, step = np.unique(self._kind[self._item] * n_values + values, return_inverse=True)
        self._from, self._value = np.divmod(steps, n_values)
        self._step, self._rater, self._n = step.reshape(-1), np.asarray(rater), n

    @property
    def n_kinds(self) -> int:
        """How many kinds of ratings there are: of one value, of items that got the same values."""
        return len(self._from)

    def columns(self, columns_of: Callable[[Any], Any]) -> Any:
        """Columns of all items, shape (I, k).

        columns_of  columns of items from how often each got each value, shape (I, V) to (I, k), an array or sparse,
                    such as `alpha.coincidence_columns`.
        """
        return columns_of(self._kinds)[self._kind]

    def lost(self, columns_of: Callable[[Any], Any]) -> Any:
        """What is lost of the sums of these columns without each rater's ratings, shape (R, k)."""
        columns, lost = columns_of(self._kinds), 0
        at_once = max(1, _CELLS_AT_ONCE // max(1, self._kinds.shape[1]))
        if at_once >= len(self._from):
            return self._times @ self._less(columns, columns_of)
        for begin in range(0, len(self._from), at_once):
            piece = slice(begin, begin + at_once)
            lost = lost + self._times[:, piece] @ (columns[self._from[piece]] - columns_of(self._without(piece)))
        return lost

    def changes(self, columns_of: Callable[[Any], Any]) -> Any:
        """What is lost of an item's columns without one rating, for each kind of rating, shape (n_kinds, k)."""
        return self._less(columns_of(self._kinds), columns_of)

    def lost_among(self, changes: Any, chosen: NDArray[Any]) -> Any:
        """`lost` where the items are those of some ratings alone, from `changes`; `chosen` places of these ratings, all
        of every item that they are of."""
        return self._times_of(chosen) @ changes

    def cells(self, prompt: ArrayLike) -> Cells:
        """Of the ratings; prompt  of each item, shape (I,)."""
        return Cells(np.asarray(prompt)[self._item], self._rater)

    def answers(self, columns_of: Callable[[Any], Any], cells: Cells) -> Answers:
        """What is lost of the sums of these columns without one rating."""
        return Answers(self.changes(columns_of), self._step, cells)

    def kinds_among(self, chosen: NDArray[Any]) -> tuple[Integers, Integers]:
        """Which kinds there are among some ratings, ascending, and which of these each is."""
        step = self._step[chosen]
        is_there = np.zeros(self.n_kinds, dtype=bool)
        is_there[step] = True
        return np.flatnonzero(is_there), (np.cumsum(is_there) - 1)[step]

    @cached_property
    def _times(self) -> "scipy.sparse.csr_array":
        return self._times_of(slice(None))

    def _times_of(self, chosen: Any) -> "scipy.sparse.csr_array":
        """How often each rater gave a rating of each kind, shape (R, n_kinds), among these ratings."""
        rater, step = self._rater[chosen], self._step[chosen]
        return scipy.sparse.csr_array((np.ones(len(step)), (rater, step)), shape=(self._n, len(self._from)))

    def _less(self, columns: Any, columns_of: Callable[[Any], Any]) -> Any:
        return columns[self._from] - columns_of(self._rest)

    @cached_property
    def _rest(self) -> Integers:
        """Counts of each kind of item without each kind of rating."""
        return self._without(slice(None))

    def _without(self, piece: slice) -> Integers:
        rest = self._kinds[self._from[piece]]
        rest[np.arange(len(rest)), self._value[piece]] -= 1
        return rest


def lost_with_each_rater(
    columns_of: Callable[[Any], Any], table: ArrayLike, item: ArrayLike, value: ArrayLike, rater: ArrayLike, n: int
) -> Any:
    """`CountedRatings.lost` of one kind of columns."""
    return CountedRatings(table, item, value, rater, n).lost(columns_of)


def without_each_of_pairs(columns: Any, first: ArrayLike, second: ArrayLike) -> Any:
    """Sums of columns of pairs of raters, without the pairs that each rater is in; shape (R, k).

    columns        per pair, shape (P, k), an array or sparse.
    first, second  raters of each pair, any labels, shape (P,).
    """
    raters, who = np.unique(np.concatenate((np.asarray(first), np.asarray(second))), return_inverse=True)
    n = columns.shape[0]
    lost = sum(_by_rater(side, len(raters)) @ columns for side in (who[:n], who[n:]))
    return what_is_left(columns, lost)


class PairMeans:
    """Means of items, each over its pairs of raters: what the sums of their `statistics.mean_columns` are without each
    rater's pairs.

    value  of each pair, shape (P,), NaN where it has none. item  of each pair. first, second  raters of each pair.
    """

    def __init__(self, value: ArrayLike, item: ArrayLike, first: ArrayLike, second: ArrayLike):
        values = np.asarray(value, dtype=np.float64)
        known = np.flatnonzero(~np.isnan(values))
        values = values[known]
        self.items, place = np.unique(np.asarray(item)[known], return_inverse=True)
        sides = np.concatenate((np.asarray(first)[known], np.asarray(second)[known]))
        self.raters, who = np.unique(sides, return_inverse=True)
        total, pairs = np.bincount(place, values), np.bincount(place)
        n_items = max(1, len(pairs))
        # What each rater has a part in: cells of rater and item.
        cells, cell = np.unique(who * n_items + np.tile(place, 2), return_inverse=True)
        self._rater, self._item = np.divmod(cells, n_items)
        rest_pairs = pairs[self._item] - np.bincount(cell, minlength=len(cells))
        rest_total = total[self._item] - np.bincount(cell, np.tile(values, 2), minlength=len(cells))
        rest_mean = np.divide(rest_total, rest_pairs, out=np.zeros(len(cells)), where=rest_pairs > 0)
        self._lost = np.column_stack((total[self._item] / pairs[self._item] - rest_mean, 1.0 - (rest_pairs > 0)))
        self._whole = np.column_stack((total / np.maximum(pairs, 1), np.ones(len(pairs))))

    def without_each(self) -> Floats:
        """Shape (R, 2)."""
        return self._whole.sum(axis=0) - _by_rater(self._rater, len(self.raters)) @ self._lost

    def answers(self, prompt: ArrayLike) -> Answers:
        """What is lost without a rater's pairs of one item; prompt  of each of `items`."""
        return Answers(self._lost, np.arange(len(self._lost)), Cells(np.asarray(prompt)[self._item], self._rater))


def without_each(columns: Any, lost: Any, rater: ArrayLike) -> Any:
    """Sums of the columns without each rater, from what every single answer of a rater adds to them; shape (R, k).

    columns  of items, shape (I, k). lost  of each answer, shape (A, k): its item's columns less those that the item has
             without it. rater  of each answer, any labels, shape (A,).
    """
    raters, who = np.unique(np.asarray(rater), return_inverse=True)
    return what_is_left(columns, _by_rater(who, len(raters)) @ lost)


def _by_rater(who: NDArray[Any], n: int) -> "scipy.sparse.csr_array":
    return scipy.sparse.csr_array((np.ones(len(who)), (who, np.arange(len(who)))), shape=(n, len(who)))


def what_is_left(columns: Any, lost: Any) -> Any:
    """Sums of the columns, shape (N, k), less what is lost with each rater, shape (R, k). Raters whose absence changes
    nothing (nobody else rated what they did) are left out: they say nothing."""
    if isinstance(columns, np.ndarray):
        lost = np.asarray(lost, dtype=np.float64).reshape(-1, columns.shape[1])
        return columns.sum(axis=0, dtype=np.float64) - lost[(np.abs(lost) > 1e-12).any(axis=1)]
    if isinstance(lost, int):
        return scipy.sparse.csr_array((0, columns.shape[1]))
    changes: Any = lost.tocsr()
    changes.data[np.abs(changes.data) < 1e-12] = 0
    changes.eliminate_zeros()
    changes = changes[np.flatnonzero(np.diff(changes.indptr) > 0)]
    total = scipy.sparse.csr_array(np.asarray(columns.sum(axis=0), dtype=np.float64).reshape(1, -1))
    once_each = scipy.sparse.csr_array(np.ones((changes.shape[0], 1)))
    rest: Any = once_each @ total - changes
    return rest.tocsr()
