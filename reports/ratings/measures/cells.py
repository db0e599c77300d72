"""People's grades on one ordered scale, cut into cells (dimensions, question types): counted once for all of them.

Whatever a cell is asked is a statistic of sums over its items, and an item adds the same to every cell that it is in.
So the columns of all items are made once, and a cell adds up those of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement import chance, consensus, crossed, within
from agreement.alpha import alpha_from_counts, alpha_of_coincidences, dense_coincidences
from agreement.figures import NO_ITEMS, NO_PAIRABLE_VALUES, NO_VARIATION, TOO_FEW, Figure
from agreement.intersection import Answers, Cells
from agreement.numbering import numbered
from agreement.statistics import Scale, on_scale, ratio_of_sums, share_of_sums
from agreement.units import WIDE, units_of
from reports.dashboard.columns import Flags, Floats, Integers
from reports.dashboard.intervals import Block

#: Numbers that the kinds of ratings of all cells may take together.
_AT_MOST = 2_000_000


@dataclass(frozen=True, eq=False)
class CountedCell:
    """Ratings, items and raters of a cell, and the blocks of its figures: `agreement` has alpha, AC, agreement within
    1; `means` mean and standard deviation. `ends` of its scale."""

    counts: tuple[Figure, ...]
    agreement: list[Block]
    means: Block
    ends: tuple[float, float]


class OneScale:
    """item, rater, grade  of each grade, shape (G,); prompt  of each item, shape (I,); ends  of the scale."""

    def __init__(self, item: Integers, rater: Integers, grade: Floats, prompt: Integers, ends: tuple[int, int]):
        self.item, self.grade, self.prompt = item, grade, prompt
        self.ends = (float(ends[0]), float(ends[1]))
        self.domain, code = np.unique(grade, return_inverse=True)
        self.table = consensus.value_counts(item, code, len(prompt), len(self.domain))
        self.rater, n_raters = numbered(rater)
        self.ratings = crossed.CountedRatings(self.table, item, code, self.rater, n_raters)
        self.scale = np.union1d(self.domain, np.asarray(ends, dtype=float))
        self.n_values = int(self.scale[-1] - self.scale[0]) + 1
        self.alpha = alpha_of_coincidences(self.domain, "ordinal")
        self.ac = chance.ac_statistic(self.scale, "quadratic", self.n_values)
        kinds = (dense_coincidences, self._ac_columns, self._near)
        self.widths = [len(self.domain) ** 2, len(self.scale) + 3, 2]

        def together(table: Any) -> Floats:
            return np.hstack([columns_of(table) for columns_of in kinds])

        self._together: Callable[[Any], Floats] = together

    @property
    def is_small(self) -> bool:
        """Whether all columns may stand side by side: on a scale of few grades, not of hundreds."""
        is_narrow = len(self.domain) ** 2 <= WIDE
        return is_narrow and self.ratings.n_kinds * sum(self.widths) <= _AT_MOST

    def count(self) -> None:
        """Makes what the cells share."""
        self.columns = np.hstack((self.ratings.columns(self._together), moments(self.table, self.domain)))
        self.changes = self.ratings.changes(self._together)

    def cell(self, chosen: Flags) -> CountedCell:
        """Of these items; chosen  shape (I,)."""
        items, ratings = np.flatnonzero(chosen), np.flatnonzero(chosen[self.item])
        grade, table = self.grade[ratings], self.table[items]
        n, n_raters = len(grade), int(np.count_nonzero(np.bincount(self.rater[ratings])))
        sums = units_of(self.columns[items], self.prompt[items])
        lost = self.ratings.lost_among(self.changes, ratings)
        (coincidences, ac, near), rest = self._parts(sums), self._parts(lost)
        used, kind = self.ratings.kinds_among(ratings)
        cells = Cells(self.prompt[self.item[ratings]], self.rater[ratings])
        single = [Answers(changes, kind, cells) for changes in self._parts(self.changes[used])]
        near_figure = within.agreement_within(table, self.domain, interval=False)
        spread = spread_figure(grade)
        agreement = [
            Block([figure], columns, [statistic], None, crossed.what_is_left(columns, without), answers)
            for figure, columns, statistic, without, answers in (
                (alpha_from_counts(table, self.domain, "ordinal"), coincidences, self.alpha, rest[0], single[0]),
                (ac_figure(ac, self.ac, "quadratic", self.n_values), ac, self.ac, rest[1], single[1]),
                (near_figure, near, share_of_sums, rest[2], single[2]),
            )
        ]
        of_means = [Figure(float(grade.mean()), n), spread]
        means = Block(of_means, sums[:, -3:], [mean, standard_deviation])
        counts = tuple(Figure(float(one), n) for one in (n, len(items), n_raters))
        return CountedCell(counts, agreement, means, self.ends)

    def _parts(self, columns: Floats) -> list[Floats]:
        """Of alpha, of AC, of agreement within 1."""
        ends = np.cumsum(self.widths).tolist()
        return [columns[:, end - width : end] for end, width in zip(ends, self.widths, strict=True)]

    def _ac_columns(self, table: Any) -> Floats:
        return ac_columns(table, self.domain, self.scale, "quadratic")

    def _near(self, table: Any) -> Floats:
        return within.pair_columns(table, self.domain)


# --- What cells of any scale are asked ---------------------------------------------------------------


def ac_columns(table: Any, domain: Floats, scale: Floats, weights: str) -> Floats:
    """`chance.ac_columns` of counts of the values that were given (`domain`), with the ends of the scale."""
    counts = np.zeros((len(table), len(scale)))
    counts[:, np.searchsorted(scale, domain)] = table
    return chance.ac_columns(counts, scale, weights)


def ac_figure(columns: Any, statistic: Callable[[Floats], Floats], weights: str, n_values: int) -> Figure:
    """n = items with two grades. Undefined as `chance.gwet_ac`."""
    total = np.asarray(columns.sum(axis=0), dtype=float).reshape(-1)
    n, value = int(total[1]), float(statistic(total))
    if not np.isnan(value):
        return Figure(value, n, detail={"weights": weights, "values": n_values})
    few = chance.ONE_VALUE if n_values < 2 else NO_VARIATION
    return Figure.without_value(few if n else NO_PAIRABLE_VALUES, n)


def moments(table: Integers, domain: Floats) -> Floats:
    """Sum of grades, of their squares, and their number, of each item, shape (I, 3)."""
    return np.column_stack((table @ domain, table @ domain**2, table.sum(axis=1)))


def mean(sums: Floats) -> Floats:
    return ratio_of_sums(sums[..., [0, 2]])


@on_scale(Scale.POSITIVE)
def standard_deviation(sums: Floats) -> Floats:
    """Of the grades of a sample, n - 1 below the line, from sums of `moments`; NaN for fewer than two."""
    total, squares, n = np.moveaxis(np.asarray(sums, dtype=float), -1, 0)
    among = np.divide(total**2, n, out=np.zeros_like(n), where=n > 0)
    variance = np.divide(squares - among, n - 1, out=np.full(np.shape(n), np.nan), where=n > 1)
    return np.sqrt(np.maximum(variance, 0.0))


def spread_figure(grade: Floats) -> Figure:
    if len(grade) < 2:
        return Figure.without_value(TOO_FEW if len(grade) else NO_ITEMS, len(grade))
    return Figure(float(grade.std(ddof=1)), len(grade))


def without_values(reason: str, n: int, prompt: Integers, figures: int) -> Block:
    """So many figures that have none, of items of these prompts."""
    nothing = [Figure.without_value(reason, n)] * figures
    return Block(nothing, np.zeros((len(prompt), 1)), [_undefined] * figures, prompt)


def _undefined(sums: Floats) -> Floats:
    return np.full(np.shape(sums)[:-1], np.nan)
