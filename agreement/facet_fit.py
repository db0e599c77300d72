"""Whether the severity model fits each rater, and whether severities are told apart at all.

A mean square of 1 is what the model expects; above it a rater grades less predictably than the others (or by another
yardstick), below it more predictably (say, the middle always). Separation says how many times larger the differences
between severities are than their errors.

Sources: B. D. Wright and G. N. Masters, Rating Scale Analysis (1982), chapter 5 (infit, outfit, separation,
reliability); J. M. Linacre, Many-Facet Rasch Measurement (1989). Abilities are unknown and are integrated over here, as
in `facets`, so that each grade is predicted from the response's OTHER grades (A. E. Gelfand, D. K. Dey and H. Chang,
Bayesian Statistics 4 (1992), 147-167): with an ability estimated from the grade itself, mean squares come out below 1
where responses have few grades. That the ability is not known exactly is part of what is expected, so mean squares lie
nearer to 1 than those of programs that take it for known.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement import inference
from agreement.facets import NODES, NOT_LINKED, REACH, Severities, category_chances
from agreement.figures import NO_ITEMS, TOO_FEW, Figure
from agreement.statistics import of_columns, rate_of_sums

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Expected:
    """What the model expects of N grades, all shape (N,), NaN where a grade's group has no fit.

    grade     in places of the group's categories, from 0. mean, variance  of what the rater would give, in the same.
    """

    grade: Floats
    mean: Floats
    variance: Floats

    def columns(self) -> Floats:
        """e^2, V, e^2 / V and 1 of each grade, e = grade - mean; shape (N, 4), zeros where nothing is expected."""
        known = ~np.isnan(self.mean) & (self.variance > 0)
        squared = np.where(known, (self.grade - self.mean) ** 2, 0.0)
        variance = np.where(known, self.variance, 1.0)
        return np.column_stack((squared, np.where(known, variance, 0.0), squared / variance, known)).astype(float)


def expected_grades(
    fitted: Severities, response: ArrayLike, rater: ArrayLike, grade: ArrayLike, population: ArrayLike | None = None
) -> Expected:
    """Mean and variance of every grade, given the other grades of its response and the fit.

    Arguments are those that `facets.severities` made `fitted` from, in any order. With theta on the fit's nodes,
        P(theta) ~ prior of the response's population * prod over its other grades P(grade | theta - severity),
        P(k) = sum_theta P(theta) P(k | theta - severity of this rater).
    Where a response has no other grade the prior alone speaks. Raises ValueError for lengths that differ, or a rater or
    grade that the fit has not.
    """
    responses, who, said = (np.asarray(column, dtype=np.int64) for column in (response, rater, grade))
    drawn_from = np.zeros_like(responses) if population is None else np.asarray(population, dtype=np.int64)
    if not responses.shape == who.shape == said.shape == drawn_from.shape or responses.ndim != 1:
        raise ValueError("every grade has its response, rater and population")
    if not np.isin(who, fitted.raters).all():
        raise ValueError("a rater is not in the fit")
    at = np.searchsorted(fitted.raters, who)
    result = Expected(*(np.full(len(said), np.nan) for _ in range(3)))
    for number, (scale, abilities) in enumerate(zip(fitted.scales, fitted.abilities, strict=True)):
        mine = np.flatnonzero(fitted.group[at] == number)
        if scale is None or abilities is None or not len(mine):
            continue
        severity = np.array([figure.value or 0.0 for figure in fitted.figures])[at[mine]]
        code = np.searchsorted(scale.levels, said[mine]).clip(max=len(scale.levels) - 1)
        if (scale.levels[code] != said[mine]).any():
            raise ValueError("a grade is not among those of the fit")
        means = abilities.means[np.searchsorted(abilities.populations, drawn_from[mine])]
        mean, variance = _predicted(responses[mine], severity, code, means, scale.thresholds, scale.spread)
        result.grade[mine], result.mean[mine], result.variance[mine] = code, mean, variance
    return result


def _predicted(
    response: Integers, severity: Floats, code: Integers, means: Floats, thresholds: Floats, spread: float
) -> tuple[Floats, Floats]:
    nodes = np.linspace(-REACH, REACH, NODES)
    # What a rater would give at each ability is the same for all responses of a population: raters are few.
    cells, cell = np.unique(np.column_stack((means, severity)), axis=0, return_inverse=True)
    cell = cell.reshape(-1)
    chances = category_chances(cells[:, :1] + spread * nodes - cells[:, 1:], thresholds)
    own = np.log(chances)[cell, code]
    _, row = np.unique(response, return_inverse=True)
    together = np.zeros((int(row.max()) + 1, NODES))
    np.add.at(together, row, own)
    others = together[row] - own - nodes**2 / 2
    weight = np.exp(others - scipy.special.logsumexp(others, axis=1, keepdims=True))
    places = np.arange(chances.shape[1])
    mean, squared = (
        np.einsum("nq,nq->n", weight, np.einsum("k,ckq->cq", power, chances)[cell]) for power in (places, places**2)
    )
    return mean, squared - mean**2


@dataclass(frozen=True)
class Fit:
    """Mean squares of one rater; 1 is expected, n = its grades.

    infit   sum e^2 / sum V: where the grade was open, that is for responses near the thresholds, weighs most.
    outfit  mean e^2 / V: a single grade far from what was expected weighs much.
    Wright and Linacre (Rasch Measurement Transactions 8 (1994), 370) call 0.5 to 1.5 productive for measurement.
    """

    infit: Figure
    outfit: Figure


def fits(
    fitted: Severities, expected: Expected, rater: ArrayLike, *, interval: bool = True, **options: Any
) -> list[Fit]:
    """Fit of each rater of `fitted`, in its order.

    expected  of `expected_grades`; rater of each of its grades, shape (N,). Options as `inference.with_intervals`
    (`cluster`, of each grade, draws prompts). Undefined: "no items" for a rater without a fitted grade.
    """
    columns, who = expected.columns(), np.asarray(rater)
    if who.shape != columns.shape[:1]:
        raise ValueError("every grade has its rater")
    cluster = options.pop("cluster", None)
    statistics = [of_columns(rate_of_sums, slice(0, 2)), of_columns(rate_of_sums, slice(2, None))]
    result = []
    for one in fitted.raters:
        mine = (who == one) & (columns[:, 3] > 0)
        n = int(mine.sum())
        if not n:
            none = Figure.without_value(NO_ITEMS)
            result.append(Fit(none, none))
            continue
        total = columns[mine].sum(axis=0)
        figures = [Figure(float(statistic(total)), n) for statistic in statistics]
        if interval:
            drawn = None if cluster is None else np.asarray(cluster)[mine]
            figures = inference.with_intervals(figures, columns[mine], statistics, cluster=drawn, **options)
        result.append(Fit(*figures))
    return result


def separation(fitted: Severities, group: int = 0) -> Figure:
    """How many times the true spread of severities is their error, G, in one linked group (0 the largest).

        G = root(observed variance - mean se^2) / root(mean se^2), 0 where errors explain all of the variance.
    detail: `reliability` G^2 / (1 + G^2), the share of the variance that is no error (of severities: how surely raters
    are told apart, which nobody wishes high); `strata` (4 G + 1) / 3, so many levels of severity are distinct;
    `spread` the true standard deviation, and `rmse`, both in logits. n = raters.
    Undefined: "not linked" where the group has no severities, "n < 2".
    """
    figures = [
        figure
        for figure, number in zip(fitted.figures, fitted.group.tolist(), strict=True)
        if number == group and figure.value is not None
    ]
    n = len(figures)
    if n == 0:
        return Figure.without_value(NOT_LINKED)
    if n < 2:
        return Figure.without_value(TOO_FEW, n)
    error = float(np.mean([figure.detail["se"] ** 2 for figure in figures]))
    true = max(0.0, float(np.var([figure.number for figure in figures], ddof=1)) - error)
    if error == 0:
        return Figure.without_value("no error", n)
    ratio = float(np.sqrt(true / error))
    detail = {
        "reliability": true / (true + error),
        "strata": (4 * ratio + 1) / 3,
        "spread": float(np.sqrt(true)),
        "rmse": float(np.sqrt(error)),
    }
    return Figure(ratio, n, detail=detail)
