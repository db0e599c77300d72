"""Many-facet Rasch model: how severe each rater is, told apart from how good the responses are that they graded.

    logit P(grade of response i by rater j >= k) = ability(i) - severity(j) - threshold(k),   k = 1 .. K - 1

Source: J. M. Linacre, Many-Facet Rasch Measurement (1989); in the cumulative form of F. Samejima, Psychometrika
Monograph 17 (1969). Raters can be compared only where shared responses link them, so each linked group of raters is
fitted by itself and its severities sum to zero.

Fit: penalised marginal maximum likelihood. A response has few grades, and ability parameters of their own would
stretch the scale (J. Neyman and E. L. Scott, Econometrica 16 (1948)), so abilities are integrated over a normal
distribution with a mean per group of responses (a community's are as good as they are) and one common spread. Weak
normal penalties keep the severity of a rater finite who gave the lowest grade alone.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_VARIATION, Figure
from agreement.numbering import all_differ

NOT_LINKED = "not linked"
CONFIDENT = 1.959964  # standard errors on either side of an interval of 95 %

#: Standard deviations of the penalties, in logits (spread and gaps: in their logarithms).
SEVERITY_PRIOR, LOCATION_PRIOR, LOGARITHM_PRIOR = 3.0, 10.0, 2.0
#: Abilities are integrated by the trapezoid rule: so many standard deviations either way, in so many nodes.
REACH, NODES = 5.0, 41

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Abilities:
    """Mean ability of each population's responses in one linked group, in logits, whoever graded them.

    populations  ids, ascending, shape (P,). means  the first's is 0, shape (P,). covariance  shape (P, P).
    n            responses of each, shape (P,).
    """

    populations: Integers
    means: Floats
    covariance: Floats
    n: Integers


@dataclass(frozen=True, eq=False)
class Scale:
    """What a linked group's grades are measured on, in logits.

    levels      its categories as they were given, ascending, shape (K,). thresholds  between them, shape (K - 1,).
    spread      standard deviation of the abilities of a population around its mean.
    """

    levels: Integers
    thresholds: Floats
    spread: float


@dataclass(frozen=True, eq=False)
class Severities:
    """What a fit says of J raters, in logits.

    raters     their ids, ascending, shape (J,).
    group      number of the linked group each belongs to, 0 the one with most grades, shape (J,).
    figures    severity of each, sum zero within a group, with its 95 % interval; n = grades; detail["se"] the
               standard error. Undefined: "not linked" for a rater who shares no response with anybody,
               "no variation" where a group gave one grade alone.
    covariance of the severities, shape (J, J); zero between groups and where undefined.
    abilities  of the responses of each linked group, by its number; None where the group has no severities.
    scales     of each linked group, by its number; None likewise.
    """

    raters: Integers
    group: Integers
    figures: tuple[Figure, ...]
    covariance: Floats
    abilities: tuple["Abilities | None", ...]
    scales: tuple["Scale | None", ...]

    def by_rater(self) -> dict[int, Figure]:
        return dict(zip(self.raters.tolist(), self.figures, strict=True))


def categories(scores: ArrayLike, cuts: ArrayLike) -> Integers:
    """Ordered category of each score: how many of the cuts, ascending, it reaches; shape (N,)."""
    return np.searchsorted(np.asarray(cuts, dtype=float), np.asarray(scores, dtype=float), side="right")


def quantile_cuts(scores: ArrayLike, n_categories: int) -> Floats:
    """Cuts that part the scores into about equally many, equal ones once; at most n_categories - 1 of them."""
    scores = np.asarray(scores, dtype=float)
    if not len(scores):
        return np.zeros(0)
    cuts = np.unique(np.quantile(scores, np.arange(1, n_categories) / n_categories))
    return cuts[cuts > scores.min()]  # a cut that every score reaches parts nothing


def linked_groups(response: ArrayLike, rater: ArrayLike) -> tuple[Integers, Integers]:
    """Raters, ascending, and the number of the linked group of each: 0 is the group with most grades.

    Two raters are linked when they graded the same response, or a chain of raters and responses joins them.
    response, rater  of each grade, shape (N,).
    """
    raters, at = np.unique(np.asarray(rater), return_inverse=True)
    responses, row = np.unique(np.asarray(response), return_inverse=True)
    if not len(raters):
        return raters, np.zeros(0, dtype=np.int64)
    n = len(raters) + len(responses)
    graph = scipy.sparse.coo_array((np.ones(len(at)), (at, len(raters) + row)), shape=(n, n))
    label = scipy.sparse.csgraph.connected_components(graph, directed=False)[1][: len(raters)]
    _, group = np.unique(label, return_inverse=True)
    grades = np.bincount(group[at])
    rank = np.empty(len(grades), dtype=np.int64)
    rank[np.lexsort((np.arange(len(grades)), -grades))] = np.arange(len(grades))
    return raters, rank[group]


def severities(
    response: ArrayLike, rater: ArrayLike, grade: ArrayLike, population: ArrayLike | None = None
) -> Severities:
    """Severity of every rater, by the linked groups of the design.

    response, rater  ids, shape (N,), one entry per grade; a rater grades a response once.
    grade            ordered category, integers, shape (N,); empty categories are no categories.
    population       which population each grade's response is drawn from (say, its language variety), shape (N,):
                     every one has a mean ability of its own.
    Raises ValueError for lengths that differ or a rater with two grades of one response.
    """
    response, rater, grade = (np.asarray(column, dtype=np.int64) for column in (response, rater, grade))
    drawn_from = np.zeros_like(response) if population is None else np.asarray(population, dtype=np.int64)
    if not response.shape == rater.shape == grade.shape == drawn_from.shape or response.ndim != 1:
        raise ValueError("every grade has its response, rater and population")
    if not all_differ(response, rater):
        raise ValueError("a rater grades a response once")
    raters, group = linked_groups(response, rater)
    at = np.searchsorted(raters, rater)
    n_grades = np.bincount(at, minlength=len(raters))
    figures = [Figure.without_value(NOT_LINKED, int(n)) for n in n_grades]
    covariance = np.zeros((len(raters), len(raters)))
    abilities: list[Abilities | None] = []
    scales: list[Scale | None] = []
    for number in range(int(group.max(initial=-1)) + 1):
        members = np.flatnonzero(group == number)
        mine = group[at] == number
        abilities.append(None)
        scales.append(None)
        if len(members) < 2:
            continue
        if len(np.unique(grade[mine])) < 2:
            for member in members:
                figures[member] = Figure.without_value(NO_VARIATION, int(n_grades[member]))
            continue
        fit = _Likelihood(response[mine], np.searchsorted(members, at[mine]), grade[mine], drawn_from[mine])
        values, spread, abilities[number], scales[number] = fit.solved()
        covariance[np.ix_(members, members)] = spread
        for member, value, variance in zip(members, values, np.diag(spread), strict=True):
            figures[member] = with_standard_error(value, variance, int(n_grades[member]))
    return Severities(raters, group, tuple(figures), covariance, tuple(abilities), tuple(scales))


def with_standard_error(value: float, variance: float, n: int, **detail: object) -> Figure:
    """The value with the interval its standard error gives under a normal approximation."""
    se = float(np.sqrt(max(variance, 0.0)))
    detail = {"se": se, "interval": "normal approximation, 95 %", **detail}
    return Figure(float(value), n, float(value - CONFIDENT * se), float(value + CONFIDENT * se), detail=detail)


def rater_group_severities(fitted: Severities, rater_group: ArrayLike, n_rater_groups: int) -> list[Figure]:
    """Mean severity of each group of raters, such as the speakers of a variety, in logits, where shared responses
    link it to another group.

    rater_group  of each rater of `fitted`, indices in [0, n_rater_groups), below 0 for none; shape (J,).

    A linked group counts when two groups of raters stand in it; of several the one with most grades. n = raters;
    detail["group"] names the group. The standard error is that of the mean of these very raters, not of others whom
    a group might send. Undefined: "not linked".
    """
    of_rater = np.asarray(rater_group, dtype=np.int64)
    defined = np.array([figure.value is not None for figure in fitted.figures], dtype=bool)
    values = np.array([figure.value or 0.0 for figure in fitted.figures])
    result = [Figure.without_value(NOT_LINKED) for _ in range(n_rater_groups)]
    for number in sorted(set(fitted.group[defined].tolist())):
        is_in_group = defined & (fitted.group == number) & (of_rater >= 0)
        if len(np.unique(of_rater[is_in_group])) < 2:
            continue
        for index in np.unique(of_rater[is_in_group]).tolist():
            if result[index].value is not None:
                continue
            mean = (is_in_group & (of_rater == index)) / (is_in_group & (of_rater == index)).sum()
            n = int((mean > 0).sum())
            result[index] = with_standard_error(mean @ values, mean @ fitted.covariance @ mean, n, group=number)
    return result


def severity_gap(fitted: Severities, first: ArrayLike, second: ArrayLike) -> Figure:
    """Mean severity of the first raters less that of the second, in logits; both flags over raters, shape (J,).

    Taken within the linked group with most grades that has raters of both; n = raters of both in it. Undefined:
    "not linked" where no group has both.
    """
    of_first, of_second = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    defined = np.array([figure.value is not None for figure in fitted.figures], dtype=bool)
    values = np.array([figure.value or 0.0 for figure in fitted.figures])
    for number in sorted(set(fitted.group[defined].tolist())):
        is_in_group = defined & (fitted.group == number)
        in_first, in_second = is_in_group & of_first, is_in_group & of_second
        if in_first.any() and in_second.any():
            contrast = in_first / in_first.sum() - in_second / in_second.sum()
            n = int((in_first | in_second).sum())
            return with_standard_error(contrast @ values, contrast @ fitted.covariance @ contrast, n, group=number)
    return Figure.without_value(NOT_LINKED)


def ability_gap(fitted: Severities, first: int, second: int) -> Figure:
    """Mean ability of the first population's responses less that of the second's, in logits: what is left of a gap
    between them when every rater is as severe as any other.

    Taken in the linked group with most grades that has responses of both; n = responses. Undefined: "not linked".
    """
    for number, abilities in enumerate(fitted.abilities):
        if abilities is None or not {first, second} <= set(abilities.populations.tolist()):
            continue
        one, other = abilities.populations == first, abilities.populations == second
        contrast = one.astype(float) - other
        n = int(abilities.n[one | other].sum())
        variance = contrast @ abilities.covariance @ contrast
        return with_standard_error(contrast @ abilities.means, variance, n, group=number)
    return Figure.without_value(NOT_LINKED)


class _Likelihood:
    """Penalised marginal likelihood of one linked group.

    Parameters, in this order: J severities (centred before use), K - 1 thresholds as the first and the logarithms of
    the gaps, P - 1 means of the populations after the first, the logarithm of the abilities' standard deviation.

    What a grade says of an ability depends on its rater and category alone, so log-probabilities are looked up in a
    table of raters x categories x nodes, and a response's are sums of rows: a sparse product. Responses with the same
    grades by the same raters are one pattern that counts several times, which all those with one grade are.
    """

    def __init__(self, response: Integers, rater: Integers, grade: Integers, population: Integers):
        _, row = np.unique(response, return_inverse=True)
        self.levels, category = np.unique(grade, return_inverse=True)
        self.populations, drawn_from = np.unique(population, return_inverse=True)
        self.n_raters, self.n_levels = int(rater.max()) + 1, len(self.levels)
        self.n_populations = int(drawn_from.max()) + 1
        cell = rater * self.n_levels + category
        self.of_population = [
            _patterns(row[mine], cell[mine], self.n_raters * self.n_levels)
            for one in range(self.n_populations)
            for mine in [drawn_from == one]
        ]
        self.nodes = np.linspace(-REACH, REACH, NODES)
        self.weights = -0.5 * self.nodes**2 - np.log(np.exp(-0.5 * self.nodes**2).sum())
        self.shares = np.bincount(category, minlength=self.n_levels) / len(category)
        gaps = self.n_levels - 2
        self.prior = np.concatenate(
            (
                np.full(self.n_raters, SEVERITY_PRIOR),
                [LOCATION_PRIOR],
                np.full(gaps, LOGARITHM_PRIOR),
                np.full(self.n_populations - 1, LOCATION_PRIOR),
                [LOGARITHM_PRIOR],
            )
        )

    def solved(self) -> tuple[Floats, Floats, Abilities, Scale]:
        """Severities, sum zero, and their covariance from the observed information; the mean abilities; the scale."""
        # BFGS rather than its version of limited memory: parameters are few, and the latter's solver spends longer in
        # threads of its own than all evaluations take.
        optimum = scipy.optimize.minimize(self.loss, self.start(), jac=True, method="BFGS", options={"gtol": 1e-4})
        centring = np.eye(self.n_raters) - 1 / self.n_raters
        inverse = scipy.linalg.pinvh(_jacobian(lambda at: self.loss(at)[1], optimum.x))
        values = centring @ optimum.x[: self.n_raters]
        means, spread = np.zeros(self.n_populations), np.zeros((self.n_populations, self.n_populations))
        place = slice(self.n_raters + self.n_levels - 1, -1)  # between the thresholds and the spread
        means[1:], spread[1:, 1:] = optimum.x[place], inverse[place, place]
        n = np.array([times.sum() for _patterns_of, times in self.of_population], dtype=np.int64)
        abilities = Abilities(self.populations, means, spread, n)
        steps = optimum.x[self.n_raters : self.n_raters + self.n_levels - 1]
        thresholds = np.cumsum(np.concatenate((steps[:1], np.exp(steps[1:]))))
        scale = Scale(self.levels, thresholds, float(np.exp(optimum.x[-1])))
        return values, centring @ inverse[: self.n_raters, : self.n_raters] @ centring, abilities, scale

    def start(self) -> Floats:
        """Nobody is severe; thresholds where the shares of the categories would put them."""
        reached = 1 - np.cumsum(self.shares)[:-1]
        thresholds = -np.log(reached / (1 - reached))
        gaps = np.log(np.maximum(np.diff(thresholds), 1e-3))
        rest = np.zeros(self.n_populations)
        return np.concatenate((np.zeros(self.n_raters), thresholds[:1], gaps, rest))

    def loss(self, at: Floats) -> tuple[float, Floats]:
        """Penalised negative log-likelihood and its gradient at these parameters."""
        ends = np.cumsum([self.n_raters, self.n_levels - 1, self.n_populations - 1])
        severity, steps, means, (log_spread,) = np.split(at, ends)
        severity = severity - severity.mean()
        gaps = np.exp(steps[1:])
        thresholds = np.cumsum(np.concatenate((steps[:1], gaps)))
        spread = np.exp(log_spread)
        total, by_severity, by_threshold, by_mean, by_spread = (
            0.0,
            np.zeros(self.n_raters),
            np.zeros(len(steps)),
            [],
            0.0,
        )
        for (grades, times), mean in zip(self.of_population, np.concatenate(([0.0], means)), strict=True):
            ability = mean + spread * self.nodes
            table, by_ability, lower, upper = _categories_at(ability[None, :] - severity[:, None], thresholds)
            of_nodes = grades @ table.reshape(-1, NODES) + self.weights
            highest = of_nodes.max(axis=1, keepdims=True)
            chances = np.exp(of_nodes - highest)
            sums = chances.sum(axis=1, keepdims=True)
            evidence = (highest + np.log(sums))[:, 0]
            posterior = times[:, None] * chances / sums
            expected = (grades.T @ posterior).reshape(self.n_raters, self.n_levels, NODES)
            total += float(times @ evidence)
            slope = (expected * by_ability).sum(axis=1)
            by_severity -= slope.sum(axis=1)
            by_node = slope.sum(axis=0)
            by_mean.append(by_node.sum())
            by_spread += (by_node * spread * self.nodes).sum()
            by_threshold += (expected * lower).sum(axis=(0, 2))[1:] + (expected * upper).sum(axis=(0, 2))[:-1]
        # Every threshold but the first moves with all gaps below it.
        tail = np.cumsum(by_threshold[::-1])[::-1]
        by_steps = np.concatenate((tail[:1], tail[1:] * gaps))
        gradient = np.concatenate((by_severity - by_severity.mean(), by_steps, by_mean[1:], [by_spread]))
        penalised = at / self.prior**2
        return float(0.5 * (at * penalised).sum() - total), penalised - gradient


def category_chances(distance: ArrayLike, thresholds: ArrayLike) -> Floats:
    """Chance of each of K categories at these differences of ability and severity, (J, Q) to (J, K, Q)."""
    return np.exp(_categories_at(np.asarray(distance, dtype=float), np.asarray(thresholds, dtype=float))[0])


def _categories_at(distance: Floats, thresholds: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Log-probability of every category at ability less severity, shape (J, Q) to (J, K, Q), and its derivatives:
    by the distance, by the category's lower threshold and by its upper one."""
    reached = scipy.special.expit(distance[:, None, :] - thresholds[None, :, None])
    ones, zeros = np.ones((len(distance), 1, distance.shape[1])), np.zeros((len(distance), 1, distance.shape[1]))
    above, beyond = np.concatenate((ones, reached), axis=1), np.concatenate((reached, zeros), axis=1)
    chance = np.maximum(above - beyond, 1e-300)
    return (
        np.log(chance),
        1 - above - beyond,
        -above * (1 - above) / chance,
        beyond * (1 - beyond) / chance,
    )


def _patterns(row: Integers, cell: Integers, n_cells: int) -> "tuple[scipy.sparse.csr_array, Floats]":
    """The different sets of cells that rows have, as a table of flags (patterns, n_cells), and how many rows have each.

    row  of each grade, shape (N,). cell  its rater and category as one number, shape (N,).
    """
    order = np.lexsort((cell, row))
    _, first, sizes = np.unique(row[order], return_index=True, return_counts=True)
    listed = np.full((len(sizes), sizes.max()), -1)
    listed[np.repeat(np.arange(len(sizes)), sizes), np.arange(len(order)) - np.repeat(first, sizes)] = cell[order]
    different, times = np.unique(listed, axis=0, return_counts=True)
    at, place = np.nonzero(different >= 0)
    flags = (np.ones(len(at)), (at, different[at, place]))
    return scipy.sparse.csr_array(flags, shape=(len(different), n_cells)), times.astype(np.float64)


def _jacobian(gradient: Callable[[Floats], Floats], at: Floats, step: float = 1e-4) -> Floats:
    """Second derivatives by central differences of the analytic first ones, made symmetric."""
    rows = [(gradient(at + step * one) - gradient(at - step * one)) / (2 * step) for one in np.eye(len(at))]
    matrix = np.array(rows)
    return (matrix + matrix.T) / 2
