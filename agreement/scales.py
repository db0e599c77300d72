"""A judge's classes against gold where items are of several scales: each question by its own classes, then their mean.

Grade 1 of a question from 0 to 1 is not grade 1 of one from 0 to 100: no class of theirs is the same, so they share no
table. Items of one ordered scale are one table; of several, every figure is the mean of the questions' figures, of
those that have one. Everything is a statistic of sums over items, as in agreement/classes.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement import classes
from agreement.figures import NO_ITEMS, NO_VARIATION, Figure
from agreement.statistics import Statistic, on_scale, scale_of, sums_of_columns

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

DIFFERENT_SCALES = "questions on different scales"
NO_ORDER = "grades without an order"
#: Which take for granted that a class lies between others.
ORDERED_ONLY = ("quadratic_kappa", "spearman", "mad", "signed_error")
_READ_ONLY = ("alpha", "spearman", "mad", "signed_error")
_ASK_FOR_VARIATION = ("alpha", "quadratic_kappa", "unweighted_kappa", "spearman")


@dataclass(frozen=True, eq=False)
class Table:
    """The items that share one table: which rows they are, how many classes, and whether these have an order."""

    rows: Integers
    n_classes: int
    is_ordered: bool = True

    @property
    def width(self) -> int:
        return self.n_classes * (self.n_classes + 1)


def tables_of(question: ArrayLike, lowest: ArrayLike, highest: ArrayLike, is_nominal: ArrayLike) -> tuple[Table, ...]:
    """One table where all items are on one ordered scale, else one for each question; () without items.

    question  the question that each item was rated on; lowest, highest  ends of its scale; is_nominal  whether its
    grades are names without an order, which no other question has; all of shape (N,).
    """
    question, lowest, highest = (np.asarray(one, dtype=np.int64) for one in (question, lowest, highest))
    nominal = np.asarray(is_nominal, dtype=bool)
    if not len(question):
        return ()
    if (lowest == lowest[0]).all() and (highest == highest[0]).all() and not nominal.any():
        return (Table(np.arange(len(question)), int(highest[0] - lowest[0]) + 1),)
    tables = []
    for one in np.unique(question):
        rows = np.flatnonzero(question == one)
        first = rows[0]
        tables.append(Table(rows, int(highest[first] - lowest[first]) + 1, not nominal[first]))
    return tuple(tables)


def confusion_columns(
    truth: ArrayLike, predicted: ArrayLike, tables: Sequence[Table], unparseable: str = "excluded"
) -> "scipy.sparse.csr_array":
    """`classes.confusion_columns` of every table beside each other, sparse: an item has its 1 in its own table.

    truth, predicted, unparseable  as there. Memory grows with the items, not with the scales.
    Raises ValueError for an unknown policy, or a class that is not of its scale.
    """
    place, counted, width = _cells(truth, predicted, tables, unparseable)
    columns = scipy.sparse.csr_array((counted, (np.arange(len(place)), place)), shape=(len(place), width))
    columns.eliminate_zeros()
    return columns


def confusion_sums(
    truth: ArrayLike, predicted: ArrayLike, tables: Sequence[Table], unparseable: str = "excluded"
) -> Floats:
    """The sums of `confusion_columns`, shape (k,), without the columns: of a hundred items these take longer than all
    that is made of them."""
    place, counted, width = _cells(truth, predicted, tables, unparseable)
    return np.bincount(place, counted, minlength=width).astype(np.float64)


def _cells(
    truth: ArrayLike, predicted: ArrayLike, tables: Sequence[Table], unparseable: str
) -> tuple[Integers, Floats, int]:
    """The column in which each item has its 1, whether it counts, and how many columns there are."""
    if unparseable not in classes.POLICIES:
        raise ValueError(f"unparseable must be one of {classes.POLICIES}, not {unparseable!r}")
    truth, predicted = np.asarray(truth, dtype=np.int64), np.asarray(predicted, dtype=np.int64)
    place, counted = np.zeros(len(truth), dtype=np.int64), np.ones(len(truth))
    begin = 0
    for table in tables:
        right, said = truth[table.rows], predicted[table.rows]
        if len(right) and not (
            right.min() >= 0 and max(right.max(), said.max()) < table.n_classes and said.min() >= -1
        ):
            raise ValueError("a class is an index below n_classes")
        said = np.where(said == classes.UNPARSEABLE, table.n_classes, said)
        place[table.rows] = begin + right * (table.n_classes + 1) + said
        begin += table.width
    if unparseable == "excluded":
        counted[predicted == classes.UNPARSEABLE] = 0
    return place, counted, max(1, begin)


def statistic(name: str, tables: Sequence[Table]) -> Statistic:
    """`classes.STATISTICS[name]` from sums of `confusion_columns`, (..., k) to (...): of several tables the mean of
    those that have a value; NaN where none has. Of classes without an order alpha is nominal, and what asks for an
    order is left out. Raises KeyError for an unknown name."""
    known = [
        (begin, table)
        for begin, table in zip(_begins(tables), tables, strict=True)
        if table.is_ordered or name not in ORDERED_ONLY
    ]
    nominal = classes.alpha("nominal") if name == "alpha" else classes.STATISTICS[name]

    @on_scale(scale_of(classes.STATISTICS[name]))
    def mean(sums: Floats) -> Floats:
        sums = np.asarray(sums, dtype=float)
        total, n = np.zeros(sums.shape[:-1]), np.zeros(sums.shape[:-1])
        for begin, table in known:
            of_table = classes.STATISTICS[name] if table.is_ordered else nominal
            value = of_table(sums[..., begin : begin + table.width])
            total += np.nan_to_num(value)
            n += ~np.isnan(value)
        return np.divide(total, n, out=np.full(np.shape(n), np.nan), where=n > 0)

    return mean


def figures(total: Floats, tables: Sequence[Table], names: Sequence[str]) -> dict[str, Figure]:
    """The named figures of `classes.STATISTICS`, without intervals, from `confusion_sums`.

    n = items that count. detail, where the items are of several tables: `questions` with a value, `of_questions`.
    Undefined: "no items", "no variation"; "grades without an order" where no table has one and the figure asks for it.
    """
    return figures_of_several([(total, tables)], names)[0]


def figures_of_several(
    several: Sequence[tuple[Floats, Sequence[Table]]], names: Sequence[str]
) -> list[dict[str, Figure]]:
    """`figures` of sums and tables each. Those whose tables are alike are worked out together: of the judges of a
    study that takes a tenth of the time."""
    alike: dict[tuple[tuple[int, bool], ...], list[int]] = {}
    for place, (_total, tables) in enumerate(several):
        alike.setdefault(tuple((table.n_classes, table.is_ordered) for table in tables), []).append(place)
    made: list[dict[str, Figure]] = [{} for _ in several]
    for places in alike.values():
        tables = several[places[0]][1]
        sums = np.stack([several[place][0] for place in places])
        begins = _begins(tables)
        of_tables = [sums[:, begin : begin + table.width] for begin, table in zip(begins, tables, strict=True)]
        counts = [one.sum(axis=1) for one in of_tables]
        read = [sums_of_columns(classes.tables(one))[:, :-1].sum(axis=1) for one in of_tables]
        for name in names:
            asked = [at for at, table in enumerate(tables) if table.is_ordered or name not in ORDERED_ONLY]
            counted = read if name in _READ_ONLY else counts
            n = sum(counted[at].astype(np.int64) for at in asked) if asked else np.zeros(len(places), dtype=np.int64)
            values = statistic(name, tables)(sums)
            known = _known_tables(name, of_tables, tables) if len(tables) > 1 else None
            for row, place in enumerate(places):
                if not np.isnan(values[row]):
                    detail = {} if known is None else {"questions": int(known[row]), "of_questions": len(tables)}
                    made[place][name] = Figure(float(values[row]), int(n[row]), detail=detail)
                elif tables and not asked:
                    made[place][name] = Figure.without_value(NO_ORDER, int(sums[row].sum()))
                else:
                    few = NO_VARIATION if n[row] and name in _ASK_FOR_VARIATION else NO_ITEMS
                    made[place][name] = Figure.without_value(few, int(n[row]))
    return made


def _known_tables(name: str, of_tables: Sequence[Floats], tables: Sequence[Table]) -> Integers:
    """Of how many tables this figure has a value, shape (N,)."""
    values = [statistic(name, [table])(sums) for sums, table in zip(of_tables, tables, strict=True)]
    return (~np.isnan(values)).sum(axis=0)


def _begins(tables: Sequence[Table]) -> list[int]:
    return [0, *np.cumsum([table.width for table in tables]).tolist()][: len(tables)]


def is_one_measure(lowest: ArrayLike, highest: ArrayLike, is_nominal: ArrayLike) -> str:
    """Why grades of these items, all of shape (N,), cannot be added up or subtracted from each other; "" where they
    can: on one ordered scale. "questions on different scales", or "grades without an order"."""
    lowest, highest, nominal = np.asarray(lowest), np.asarray(highest), np.asarray(is_nominal, dtype=bool)
    if nominal.all() and len(nominal):
        return NO_ORDER
    alike = not len(lowest) or bool((lowest == lowest[0]).all() and (highest == highest[0]).all())
    return "" if alike and not nominal.any() else DIFFERENT_SCALES
