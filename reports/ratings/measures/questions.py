"""Agreement on questions of several scales: each question by itself, then their mean."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy

from agreement import crossed
from agreement.figures import Figure
from agreement.intersection import Answers
from agreement.statistics import Scale, Statistic, of_columns, on_scale
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.intervals import Block


def mean_statistic(statistics: Sequence[Statistic]) -> Statistic:
    """The mean of those that have a value; NaN where none has."""

    @on_scale(Scale.COEFFICIENT)
    def mean_of_known(sums: Floats) -> Floats:
        values = np.stack([statistic(sums) for statistic in statistics])
        known = ~np.isnan(values)
        n = known.sum(axis=0)
        return np.divide(np.where(known, values, 0.0).sum(axis=0), n, out=np.full(np.shape(n), np.nan), where=n > 0)

    return mean_of_known if len(statistics) > 1 else statistics[0]


def mean_figure(figures: Sequence[Figure]) -> Figure:
    """Of one question, or of one scale, as it is; of several the mean of those that have a value."""
    known = [one for one in figures if one.value is not None]
    if len(figures) == 1 or not known:
        return figures[0]
    mean_of_known = sum(one.number for one in known) / len(known)
    counts = {"questions": len(known), "of_questions": len(figures)}
    return Figure(mean_of_known, sum(one.n for one in known), detail=counts)


def mean_on_scale(figures: Sequence[Figure], at: int, ends: tuple[float, ...]) -> tuple[Figure, ...]:
    """The same figures, the interval of the mean grade at this place cut to the ends of its scale: no mean lies beyond
    them. () where the grades have no scale in common."""
    return tuple(one.within(*ends) if place == at and ends else one for place, one in enumerate(figures))


def block_of_questions(
    figure: Figure,
    columns: Sequence[Any],
    statistics: Sequence[Statistic],
    lost: Sequence[Any],
    prompt: Integers,
    answers: Answers | None,
) -> Block:
    """A figure of one scale, or the mean of the questions'; people are drawn as well as prompts."""
    ends = np.cumsum([0, *(one.shape[1] for one in columns)]).tolist()
    of_questions = [of_columns(one, slice(*ends[at : at + 2])) for at, one in enumerate(statistics)]
    together = beside(columns)
    without = crossed.what_is_left(together, beside(lost))
    return Block([figure], together, [mean_statistic(of_questions)], prompt, without, answers)


def beside(columns: Sequence[Any]) -> Any:
    """Columns of several questions beside each other; sparse where there are many, which are mostly 0."""
    return scipy.sparse.hstack([*map(scipy.sparse.csr_array, columns)], format="csr") if columns[1:] else columns[0]
