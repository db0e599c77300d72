"""Judges that give probabilities: do they mean what they say, and whom would it help if they kept silent when unsure?

Sources: expected calibration error: M. P. Naeini, G. F. Cooper and M. Hauskrecht, AAAI 2015; in bins of equal mass:
K. Nguyen and B. O'Connor, EMNLP 2015, and R. Roelofs et al., Mitigating Bias in Calibration Error Estimation, AISTATS
2022; G. W. Brier, Monthly Weather Review 78 (1950), 1-3; coverage and risk: R. El-Yaniv and Y. Wiener, JMLR 11 (2010),
1605-1641, and Y. Geifman, G. Uziel and R. El-Yaniv, ICLR 2019 (area under the curve).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement import inference
from agreement.figures import NO_ITEMS, NO_VARIATION, Figure
from agreement.inference import mean
from agreement.statistics import Scale, of_columns, on_scale, rate_of_sums, share_of_sums

BINS = 10
#: With fewer items in a bin its share of right answers says more of chance than of the judge.
ITEMS_PER_BIN = 5

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def _checked(confidence: ArrayLike, right: ArrayLike) -> tuple[Floats, Floats]:
    said, truth = np.asarray(confidence, dtype=float), np.asarray(right, dtype=float)
    if said.shape != truth.shape or said.ndim != 1:
        raise ValueError("every confidence has its outcome")
    known = ~np.isnan(said) & ~np.isnan(truth)
    if ((said[known] < 0) | (said[known] > 1)).any() or ((truth[known] < 0) | (truth[known] > 1)).any():
        raise ValueError("a confidence and an outcome lie between 0 and 1")
    return np.where(known, said, np.nan), np.where(known, truth, np.nan)


def equal_bins(confidence: ArrayLike, bins: int = BINS) -> Integers:
    """The bin of each confidence, 0 the lowest, shape (N,); -1 for NaN. Bins hold equally many, as far as items with
    the same confidence, which stay together, allow; so there may be fewer of them."""
    said = np.asarray(confidence, dtype=float)
    known = ~np.isnan(said)
    result = np.full(said.shape, -1)
    if known.any():
        _, at, count = np.unique(said[known], return_inverse=True, return_counts=True)
        middle = (np.cumsum(count) - count / 2) / count.sum()
        _, result[known] = np.unique(np.minimum((middle * bins).astype(int), bins - 1)[at], return_inverse=True)
    return result


@dataclass(frozen=True)
class Reliability:
    """One bin: n items, mean confidence, share right."""

    n: int
    confidence: float
    right: float


def reliability(confidence: ArrayLike, right: ArrayLike, bins: int = BINS) -> list[Reliability]:
    """The bins of `equal_bins` in order: what a reliability diagram draws. Arguments as `calibration_error`."""
    said, truth = _checked(confidence, right)
    at = equal_bins(said, bins)
    return [
        Reliability(int((at == one).sum()), float(said[at == one].mean()), float(truth[at == one].mean()))
        for one in range(int(at.max(initial=-1)) + 1)
    ]


def calibration_error(confidence: ArrayLike, right: ArrayLike, bins: int = BINS, **options: Any) -> Figure:
    """Expected calibration error in bins of equal mass: sum_b n_b / N |mean confidence - share right|, 0 to 1.

    confidence  of each answer, shape (N,). right  whether it was right: 0 or 1, or the share of people it is right
                for, shape (N,). NaN in either leaves an item out.
    The error of a perfectly calibrated judge is not 0: shares in a bin scatter. detail["by_chance"] is what it would
    be on average, sum_b n_b / N root(2 / pi) root(sum c (1 - c)) / n_b for outcomes of 0 and 1; an error near it is
    none. detail["bins"]: how many. The interval holds the bins as they are; options as `inference.with_interval`.
    Bins are fewer where they would hold less than 5 items. n = items. Undefined: "no items". ValueError beyond [0, 1].
    """
    said, truth = _checked(confidence, right)
    known = ~np.isnan(said)
    n = int(known.sum())
    if n == 0:
        return Figure.without_value(NO_ITEMS)
    at = equal_bins(said, max(1, min(bins, n // ITEMS_PER_BIN)))
    count = int(at.max()) + 1
    member = at[:, None] == np.arange(count)
    off = np.where(known, np.nan_to_num(said) - np.nan_to_num(truth), 0.0)
    columns = np.hstack((member * off[:, None], member)).astype(float)
    spread = np.array([np.sqrt((said[at == one] * (1 - said[at == one])).sum()) for one in range(count)])
    detail = {"bins": count, "by_chance": float(np.sqrt(2 / np.pi) * spread.sum() / n)}
    figure = Figure(float(_calibration_statistic(columns.sum(axis=0))), n, detail=detail)
    return inference.with_interval(figure, columns, _calibration_statistic, **options).within(0.0, 1.0)


@on_scale(Scale.POSITIVE)
def _calibration_statistic(sums: Floats) -> Floats:
    """sum_b |sum of (confidence - outcome) in b| / N."""
    table = np.asarray(sums, dtype=float)
    half = table.shape[-1] // 2
    total = table[..., half:].sum(axis=-1)
    off = np.abs(table[..., :half]).sum(axis=-1)
    return np.divide(off, total, out=np.full(np.shape(total), np.nan), where=total > 0)


def brier_score(confidence: ArrayLike, right: ArrayLike, **options: Any) -> Figure:
    """Mean (confidence - outcome)^2, 0 to 1: calibration and sharpness in one. Arguments as `calibration_error`;
    options and reasons as `inference.mean`. Of more than two values see `distributions.brier`, for two twice this."""
    said, truth = _checked(confidence, right)
    return mean((said - truth) ** 2, statistic=rate_of_sums, **options).within(0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Abstention:
    """What is left when a judge keeps silent on the answers it is least sure of.

    coverage   share of items answered, ascending, one for each distinct confidence, shape (K,).
    right      share right among those, shape (K,). threshold  the least confidence that is answered, shape (K,).
    area       area under the risk-coverage curve: mean over coverages of the share wrong; smaller is better. detail:
               `overall`, the share wrong of all, which an unsure-at-random judge would have; `best`, the area of
               one that is unsure exactly where it is wrong.
    """

    coverage: Floats
    right: Floats
    threshold: Floats
    area: Figure

    def at(self, coverage: float) -> tuple[float, float]:
        """Share right and the least confidence answered, at the smallest coverage of at least this much. Raises
        ValueError beyond (0, 1] or without items."""
        if not 0 < coverage <= 1 or not len(self.coverage):
            raise ValueError("a coverage lies above 0 and up to 1, of some items")
        place = min(int(np.searchsorted(self.coverage, coverage - 1e-12)), len(self.coverage) - 1)
        return float(self.right[place]), float(self.threshold[place])

    def coverage_for(self, right: float) -> Figure:
        """The largest coverage at which at least this share is right; n = items. Undefined: "never so often right".

        Chosen on the items it is read from, it is a hope for others and no promise.
        """
        reached = np.flatnonzero(self.right >= right - 1e-12)
        if not len(reached):
            return Figure.without_value("never so often right", self.area.n)
        place = int(reached[-1])
        return Figure(float(self.coverage[place]), self.area.n, detail={"threshold": float(self.threshold[place])})


def abstention(confidence: ArrayLike, right: ArrayLike) -> Abstention:
    """The risk-coverage curve. Arguments as `calibration_error`.

    Items of the same confidence are answered together or not at all; within them the area goes straight, as if they
    were answered in random order: area = sum over ranks i of (expected share wrong of the first i) / N.
    Undefined area: "no items". It has no interval, as it is no function of sums; `selective` has, at a fixed threshold.
    """
    said, truth = _checked(confidence, right)
    known = ~np.isnan(said)
    n = int(known.sum())
    empty = np.empty(0)
    if n == 0:
        return Abstention(empty, empty, empty, Figure.without_value(NO_ITEMS))
    values, at = np.unique(-said[known], return_inverse=True)
    count = np.bincount(at)
    hits = np.cumsum(np.bincount(at, truth[known]))
    answered = np.cumsum(count)
    wrong = 1 - truth[known]
    area = _area(np.bincount(at, wrong).astype(float), count)
    ideal = np.sort(wrong)
    best = float((np.cumsum(ideal) / np.arange(1, n + 1)).mean())
    detail = {"overall": float(wrong.mean()), "best": best}
    return Abstention(answered / n, hits / answered, -values, Figure(area, n, detail=detail))


def _area(wrong: Floats, count: Integers) -> float:
    """Mean over ranks of the share wrong so far, items of a group in random order: the group's rate is its mean's."""
    before, rate = np.cumsum(wrong) - wrong, np.repeat(wrong / count, count)
    first = np.repeat(np.cumsum(count) - count, count)
    rank = np.arange(1, len(rate) + 1)
    return float(((np.repeat(before, count) + rate * (rank - first)) / rank).mean())


def coverage_columns(confidence: ArrayLike, right: ArrayLike, threshold: float) -> Floats:
    """Right and answered, answered, and all, of each item at a threshold that was fixed beforehand; shape (N, 3)."""
    said, truth = _checked(confidence, right)
    known = ~np.isnan(said)
    answered = known & (np.nan_to_num(said, nan=-1.0) >= threshold)
    return np.column_stack((np.where(answered, np.nan_to_num(truth), 0.0), answered, known)).astype(float)


def selective(confidence: ArrayLike, right: ArrayLike, threshold: float, **options: Any) -> tuple[Figure, Figure]:
    """Share right among what is answered at this confidence or more, and share answered, with intervals over items.

    threshold  fixed before these items were seen. Options as `inference.with_intervals`. n = items answered, and all.
    Undefined: "no items"; for the first also where nothing is answered.
    """
    columns = coverage_columns(confidence, right, threshold)
    hit, answered, n = columns.sum(axis=0)
    if not n:
        none = Figure.without_value(NO_ITEMS)
        return none, none
    statistics = [of_columns(share_of_sums, slice(0, 2)), of_columns(share_of_sums, slice(1, 3))]
    share = Figure(float(hit / answered), int(answered)) if answered else Figure.without_value(NO_ITEMS)
    first, second = inference.with_intervals(
        [share, Figure(float(answered / n), int(n))], columns, statistics, **options
    )
    return first, second


def discrimination(confidence: ArrayLike, right: ArrayLike) -> Figure:
    """Chance that a right answer was given with more confidence than a wrong one, ties a half (area under the ROC).

    right  0 or 1. n = items. Undefined: "no items", "no variation" where all are right or all wrong. Raises ValueError
    for outcomes between.
    """
    said, truth = _checked(confidence, right)
    known = ~np.isnan(said)
    said, truth = said[known], truth[known]
    if not np.isin(truth, (0.0, 1.0)).all():
        raise ValueError("an outcome is 0 or 1")
    if not len(said):
        return Figure.without_value(NO_ITEMS)
    hits = int(truth.sum())
    if hits in (0, len(said)):
        return Figure.without_value(NO_VARIATION, len(said))
    _, at, count = np.unique(said, return_inverse=True, return_counts=True)
    rank = np.cumsum(count) - (count - 1) / 2
    above = rank[at][truth == 1].sum() - hits * (hits + 1) / 2
    return Figure(float(above / (hits * (len(said) - hits))), len(said))
