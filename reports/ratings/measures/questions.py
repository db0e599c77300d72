"""Agreement on questions of several scales: each question by itself, then their mean."""

from collections.abc import Sequence

import numpy as np

from agreement.figures import Figure
from agreement.statistics import Scale, Statistic, on_scale
from reports.dashboard.columns import Floats


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
