"""Scores of a board's configurations, and rank sets that hold for all of them at once.

Scores are a table of shape (Q, n): Q questions in rows, n configurations in columns, NaN where a configuration is
unscored on a question. Questions that share a cluster (a passage) are not independent: the unit, which intervals and
sign flips go by, is then the cluster.

Sources: simultaneous comparison by the largest statistic: P. H. Westfall and S. S. Young, Resampling-Based Multiple
Testing (1993), section 2.3 (single step); sign flips: J. P. Romano and M. Wolf, JASA 100 (2005), 94-108; flips of whole
clusters: A. C. Cameron, J. B. Gelbach and D. L. Miller, Review of Economics and Statistics 90 (2008), 414-427; rank
sets from simultaneous comparisons: M. Mogstad, J. P. Romano, A. M. Shaikh and D. Wilhelm, Review of Economic
Studies 91 (2024), 476-518; variance of a mean over clusters: W. G. Cochran, Sampling Techniques, 3rd edition (1977),
chapter 6.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, NO_VARIATION, TOO_FEW, Figure
from agreement.spread import CONFIDENCE

FLIPS = 2_000
#: With five units and two configurations a difference of the same sign on all has p = 2^-4 > 0.05.
MIN_UNITS = 6
TOO_FEW_UNITS = "too few units"
QUESTION, CLUSTER = "question", "cluster"
METHOD = "t over units"

_VALUES_AT_ONCE = 1_500_000
#: Sums of the same numbers in another order differ by rounding, which must separate nobody.
_ROUNDING = 1e-9

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True)
class Units:
    """What varies from one drawing of questions to the next.

    name   "question", or "cluster" where at least two questions share one.
    index  which unit each question belongs to, integers from 0, shape (Q,).
    count  how many units there are.
    """

    name: str
    index: Integers
    count: int


def units_of(n_questions: int, cluster: ArrayLike | None = None) -> Units:
    """The units of Q questions.

    cluster  of each question, any labels, shape (Q,); None where no two questions share one.
    Raises ValueError for another length.
    """
    if cluster is None:
        return Units(QUESTION, np.arange(n_questions), n_questions)
    labels = np.asarray(cluster)
    if labels.shape != (n_questions,):
        raise ValueError("every question has a cluster")
    _, index = np.unique(labels, return_inverse=True)
    count = int(index.max(initial=-1)) + 1
    return Units(QUESTION if count == n_questions else CLUSTER, index.reshape(-1), count)


def mean_score(scores: ArrayLike, cluster: ArrayLike | None = None, confidence: float = CONFIDENCE) -> Figure:
    """Mean score of one configuration, with its interval over units.

    scores  of each question, shape (Q,); NaN where unscored: left out, and counted in the detail.

    With n scored questions in U units and e_u = the unit's sum of (score - mean),
        standard error^2 = U / (U - 1) sum e_u^2 / n^2,
    which is variance / n where each question is its own unit. The interval is that of Student's t with U - 1 degrees
    of freedom. n = scored questions; detail: `unit`, `units`, `unscored`, `standard_error`, and `effective`: how many
    independent questions would give the same standard error, at most n (passages that differ less than by chance are a
    chance of few passages, not further questions).

    Undefined: "no items". Without an interval, the reason in detail["interval"]: "n < 2", "too few units" for fewer
    than 6, "no variation" where all scores are equal, which says nothing about the next question.
    Raises ValueError for infinite scores or a cluster of another length.
    """
    values = np.asarray(scores, dtype=float)
    if values.ndim != 1 or np.isinf(values).any():
        raise ValueError("a score is a finite number, or NaN where there is none")
    units = units_of(len(values), cluster)
    scored = ~np.isnan(values)
    return _mean(values[scored], units.index[scored], units.name, int((~scored).sum()), confidence)


def _mean(values: Floats, index: Integers, unit: str, unscored: int, confidence: float) -> Figure:
    n, count = len(values), len(np.unique(index))
    detail: dict[str, Any] = {"unit": unit, "units": count, "unscored": unscored}
    if n == 0:
        return Figure.without_value(NO_ITEMS, **detail)
    mean = float(values.mean())
    if count < 2:
        return Figure(mean, n, detail={**detail, "interval": TOO_FEW})
    rests = values - mean
    error = float(np.sqrt(count / (count - 1) * (np.bincount(index, rests) ** 2).sum())) / n
    detail["standard_error"] = error
    if np.ptp(values) == 0:
        return Figure(mean, n, detail={**detail, "interval": NO_VARIATION})
    detail["effective"] = min(n, float((rests**2).sum() / (n - 1) / error**2)) if error > _ROUNDING else None
    if count < MIN_UNITS:
        return Figure(mean, n, detail={**detail, "interval": TOO_FEW_UNITS})
    half = float(scipy.special.stdtrit(count - 1, (1 + confidence) / 2)) * error
    return Figure(mean, n, mean - half, mean + half, detail={**detail, "interval": METHOD, "confidence": confidence})


def mean_scores(scores: ArrayLike, cluster: ArrayLike | None = None, confidence: float = CONFIDENCE) -> list[Figure]:
    """`mean_score` of every configuration; scores of shape (Q, n)."""
    return [mean_score(column, cluster, confidence) for column in _table(scores).T]


def mean_scores_by(
    scores: ArrayLike,
    group: Sequence[Hashable],
    cluster: ArrayLike | None = None,
    confidence: float = CONFIDENCE,
) -> dict[Hashable, list[Figure]]:
    """`mean_scores` of each group of questions (skill, source, format), in the order in which groups first occur.

    scores  shape (Q, n); group  of each question, Q of them. Raises ValueError for another length.
    """
    table, clusters = _table(scores), None if cluster is None else np.asarray(cluster)
    if len(group) != len(table):
        raise ValueError("every question has a group")
    rows: dict[Hashable, list[int]] = {}
    for row, name in enumerate(group):
        rows.setdefault(name, []).append(row)
    return {
        name: mean_scores(table[chosen], None if clusters is None else clusters[chosen], confidence)
        for name, chosen in rows.items()
    }


@dataclass(frozen=True, eq=False)
class Ranks:
    """Which of n configurations are surely better than which, all statements valid together.

    better      [i, j]: i is surely better than j; shape (n, n).
    statistic   [i, j]: sum of i's scores less j's over the root of the sum of squares of unit sums, > 0 where i is
                ahead; NaN where the two were not compared; shape (n, n).
    p           [i, j]: p-value of the two being equal, two-sided, corrected for all pairs; 1 where not compared.
    critical    what |statistic| must exceed; None where nothing was compared.
    eligible    which configurations have a rank at all, shape (n,).
    unit        "question" or "cluster"; units: how many there are.
    flips       random sign flips that were drawn; seed of them; confidence of all statements together.
    """

    better: Booleans
    statistic: Floats
    p: Floats
    critical: float | None
    eligible: Booleans
    unit: str
    units: int
    flips: int
    seed: int
    confidence: float

    @property
    def sets(self) -> list[tuple[int, int] | None]:
        """[1 + surely better, n - surely worse] of each configuration among the eligible; None for the others."""
        count = int(self.eligible.sum())
        above, below = self.better.sum(axis=0).tolist(), self.better.sum(axis=1).tolist()
        return [
            (1 + higher, count - lower) if ranked else None
            for higher, lower, ranked in zip(above, below, self.eligible.tolist(), strict=True)
        ]

    @property
    def shares(self) -> Booleans:
        """[i, j]: neither is surely better, both are eligible; shape (n, n).

        Reflexive and symmetric, not transitive: A may share with B and B with C where A is surely better than C. It
        is therefore no grouping and must not be drawn as tiers.
        """
        return ~(self.better | self.better.T) & self.eligible[:, None] & self.eligible[None, :]


def rank_sets(
    scores: ArrayLike,
    cluster: ArrayLike | None = None,
    *,
    weights: ArrayLike | None = None,
    eligible: ArrayLike | None = None,
    comparable: ArrayLike | None = None,
    flips: int = FLIPS,
    seed: int = 0,
    confidence: float = CONFIDENCE,
) -> Ranks:
    """Rank sets of n configurations by simultaneous sign flips over units.

    scores      shape (Q, n), NaN where unscored.
    cluster     of each question, shape (Q,), or None.
    weights     of each question, shape (Q,), positive; 1 each by default. See `sensitivity.skill_weights`.
    eligible    which configurations are ranked, shape (n,); all by default. The others are in no comparison.
    comparable  [i, j]: the two may be compared (say, have a judge in common), symmetric, shape (n, n); all by default.
    seed        of numpy's default generator; the same seed and scores give the same ranks.

    For each pair, D_u is the sum over the unit's questions that both have of (score of i - score of j), and
        T = sum D_u / root of sum D_u^2.
    A flip draws one sign for each unit, the same for all pairs, so that dependence between pairs is kept; the critical
    value is the ceil(confidence (B + 1))-th smallest of the B largest |T|. i is surely better than j where T exceeds
    it. Where configurations are equal (D_u symmetric about 0) the chance of any false statement is at most
    1 - confidence, whatever the number of configurations, the spread of their scores and the dependence within a unit;
    so it is for the equal ones among configurations of which others differ.

    Time and memory: O(B n^2) elementary steps in pieces of bounded size, and B Q n where nothing is missing; with m
    missing scores B m n more. 200 configurations on 470 questions take about 1 s.
    Raises ValueError for shapes that differ, infinite scores, weights that are not positive, or no flips.
    """
    table = _table(scores)
    n_questions, n = table.shape
    units = units_of(n_questions, cluster)
    weight = np.ones(n_questions) if weights is None else np.asarray(weights, dtype=float)
    if weight.shape != (n_questions,) or not ((weight > 0) & np.isfinite(weight)).all():
        raise ValueError("every question has a positive weight")
    ranked = np.ones(n, dtype=bool) if eligible is None else np.asarray(eligible, dtype=bool)
    pairs = np.ones((n, n), dtype=bool) if comparable is None else np.asarray(comparable, dtype=bool)
    if ranked.shape != (n,) or pairs.shape != (n, n) or (pairs != pairs.T).any():
        raise ValueError("eligible has one value per configuration, comparable one per pair")
    if flips < 1 or not 0 < confidence < 1:
        raise ValueError("at least one flip, and a confidence between 0 and 1")
    ranked = ranked & ~np.isnan(table).all(axis=0)
    places = np.flatnonzero(ranked)
    differences = _Differences.of(table[:, places] * weight[:, None], units)
    allowed = pairs[np.ix_(places, places)] & (differences.scale > 0)
    statistic, p = np.full((n, n), np.nan), np.ones((n, n))
    critical = None
    if allowed.any():
        with np.errstate(divide="ignore"):
            inverse = np.where(allowed, 1 / differences.scale, 0.0)
        maxima = np.sort(differences.maxima(inverse, flips, np.random.default_rng(seed)))
        place = int(np.ceil(round(confidence * (flips + 1), 9)))
        critical = float(maxima[place - 1]) if place <= flips else float(np.sqrt(units.count))
        observed = differences.total * inverse
        statistic[np.ix_(places, places)] = np.where(allowed, observed, np.nan)
        as_large = flips - np.searchsorted(maxima, np.abs(observed) * (1 - _ROUNDING))
        p[np.ix_(places, places)] = np.where(allowed, (1 + as_large) / (flips + 1), 1.0)
    reached = np.inf if critical is None else critical * (1 + _ROUNDING)
    better = np.nan_to_num(statistic, nan=0.0) > reached
    return Ranks(better, statistic, p, critical, ranked, units.name, units.count, flips, seed, confidence)


@dataclass(frozen=True, eq=False)
class _Differences:
    """Paired differences of all pairs, without ever holding them for all units.

    Rows are units where nothing is missing, else questions; `row_unit` says of which unit, in order.

    values   scores less the row's mean, 0 where missing, shape (R, n): a pair's difference stays the same, and sums of
             what is left keep their digits.
    missing  rows in which each configuration has no score; empty where nothing is missing.
    total    [i, j]: sum of the differences over the rows that both have.
    scale    [i, j]: root of the sum of squares of the unit sums of the same.
    """

    values: Floats
    row_unit: Integers
    missing: list[Integers]
    total: Floats
    scale: Floats
    n_units: int

    @classmethod
    def of(cls, table: Floats, units: Units) -> "_Differences":
        order = np.argsort(units.index, kind="stable")
        table, index = table[order], units.index[order]
        starts = np.flatnonzero(np.diff(index, prepend=-1))
        present = ~np.isnan(table)
        known = present.sum(axis=1)
        sums = np.where(present, table, 0.0).sum(axis=1)
        values = np.where(present, table - (sums / np.maximum(known, 1))[:, None], 0.0)
        missing: list[Integers] = []
        if present.all():
            values = np.add.reduceat(values, starts, axis=0) if len(starts) else values
            index, starts = np.arange(len(values)), np.arange(len(values))
        else:
            missing = [np.flatnonzero(~column) for column in present.T]
        n = table.shape[1]
        total, scale = np.zeros((n, n)), np.zeros((n, n))
        for first in range(n - 1):
            rest = slice(first + 1, n)
            differences = values[:, first, None] - values[:, rest]
            if missing:
                differences *= present[:, first, None] & present[:, rest]
                if len(starts) < len(values):
                    differences = np.add.reduceat(differences, starts, axis=0)
            total[first, rest] = differences.sum(axis=0)
            scale[first, rest] = np.sqrt(np.einsum("un,un->n", differences, differences))
        # What is left of equal scores after their mean went is rounding.
        least = _ROUNDING * max(1.0, float(np.abs(np.where(present, table, 0.0)).max(initial=0.0)))
        scale[scale < least] = 0.0
        return cls(values, index, missing, total - total.T, scale + scale.T, units.count)

    def maxima(self, inverse: Floats, flips: int, generator: np.random.Generator) -> Floats:
        """The largest |T| of all pairs under each flip, shape (flips,); `inverse` is 1 / scale or, uncompared, 0."""
        n = len(inverse)
        width = max(1, _VALUES_AT_ONCE // (n * n if self.missing else max(n, self.n_units)))
        maxima = np.empty(flips)
        for begin in range(0, flips, width):
            drawn = generator.integers(0, 2, (min(width, flips - begin), self.n_units), dtype=np.int8)
            kept = drawn.astype(np.float64)
            largest = self._largest_with_missing(kept, inverse) if self.missing else self._largest(kept, inverse)
            maxima[begin : begin + len(kept)] = largest
        return maxima

    def _flipped(self, rows: Integers | slice, kept: Floats) -> Floats:
        """Sums of each configuration over these rows under each flip, shape (n, b): rows of one unit flip together, so
        they are added up first. kept  of each flip and unit 1 where its sign stays, 0 where it turns, shape (b, U)."""
        unit = self.row_unit[rows]
        starts = np.flatnonzero(np.diff(unit, prepend=-1))
        if not len(starts):
            return np.zeros((self.values.shape[1], len(kept)))
        of_units, staying, units = np.add.reduceat(self.values[rows], starts, axis=0), kept, unit[starts]
        if 2 * len(units) < kept.shape[1]:
            staying = kept[:, units]
        elif len(units) < kept.shape[1]:  # to multiply by 0 costs less than to copy most of what is kept
            of_all = np.zeros((kept.shape[1], of_units.shape[1]))
            of_all[units] = of_units
            of_units = of_all
        return np.ascontiguousarray((2 * (staying @ of_units) - of_units.sum(axis=0)).T)

    def _largest(self, kept: Floats, inverse: Floats) -> Floats:
        """kept  of the flips of this piece, as of `_flipped`; result of shape (b,)."""
        sums = self._flipped(slice(None), kept)
        largest = np.zeros(len(kept))
        for first in range(len(sums) - 1):
            self._raise(largest, sums[first + 1 :] - sums[first], inverse[first, first + 1 :])
        return largest

    def _largest_with_missing(self, kept: Floats, inverse: Floats) -> Floats:
        """As `_largest`. seen[j, i] is the flipped sum of i's scores over the rows that j has; rows that i lacks are 0
        in it, so that seen[j, i] - seen[i, j] is the sum of the pair's differences over the rows that both have."""
        n = len(inverse)
        sums = self._flipped(slice(None), kept)
        seen = np.empty((n, *sums.shape))
        for other, rows in enumerate(self.missing):
            seen[other] = sums - self._flipped(rows, kept) if len(rows) else sums
        largest = np.zeros(len(kept))
        for first in range(n - 1):
            rest = slice(first + 1, n)
            self._raise(largest, seen[rest, first] - seen[first, rest], inverse[first, rest])
        return largest

    @staticmethod
    def _raise(largest: Floats, differences: Floats, inverse: Floats) -> None:
        np.abs(differences, out=differences)
        differences *= inverse[:, None]
        np.maximum(largest, differences.max(axis=0), out=largest)


def _table(scores: ArrayLike) -> Floats:
    table = np.asarray(scores, dtype=float)
    if table.ndim != 2 or np.isinf(table).any():
        raise ValueError("scores have one row per question and one column per configuration, finite or NaN")
    return table
