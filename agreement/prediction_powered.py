"""Prediction-powered mean: many judge scores, corrected by the few that people gave as well.

Sources: A. N. Angelopoulos, S. Bates, C. Fannjiang, M. I. Jordan and T. Zrnic, Science 382 (2023), 669-674;
power tuning: A. N. Angelopoulos, J. C. Duchi and T. Zrnic, PPI++ (arXiv 2311.01453), section 6.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, NO_VARIATION, TOO_FEW, Figure
from agreement.inference import mean as mean_of
from agreement.inference import with_bounds
from agreement.spread import CONFIDENCE, spread
from agreement.statistics import Scale, mean_columns, ratio_of_sums
from agreement.units import units_of, values_at

NO_UNLABELLED = "no item without a human label"

Floats = NDArray[np.float64]
_ROUNDING = 1e-12


@dataclass(frozen=True)
class PredictionPowered:
    """Means of one target model, in the units of the scores.

    mean       prediction-powered, with its interval; n = items that the judge scored.
    classical  mean of the human labels alone, with its interval; n = labelled items.
    saved      effective sample size less labels: how many more people's labels the classical mean would need for the
               same width of interval; n = labelled items; < 0 where the judge does more harm than good.
    All have detail["lambda"] (1 without power tuning) and detail["power_tuned"].
    """

    mean: Figure
    classical: Figure
    saved: Figure


def prediction_powered_mean(
    judge: ArrayLike,
    human: ArrayLike,
    *,
    cluster: ArrayLike | None = None,
    power_tuned: bool = False,
    ends: tuple[float, float] | None = None,
    confidence: float = CONFIDENCE,
) -> PredictionPowered:
    """The prediction-powered mean of the scores of N items, of which people labelled a random n.

    judge    the judge's score of each item, shape (N,); NaN where it has none.
    human    people's score (the gold of the item), shape (N,); NaN where nobody labelled it.
    cluster  which prompt each item is of, shape (N,); each item is a prompt of its own by default.
    ends     least and most of the scale of the scores: a mean of them lies between, so what lies beyond, of the mean
             and of both intervals, is cut to them, which brings it nearer to any mean there can be.

    With f the judge's scores and Y the labels, and lambda = 1,
        mean = lambda mean(f over all) + mean(Y - lambda f over labelled).
    Labelled items stand in both terms; counted once, with w = lambda (1 - n / N), the same is
        mean = w mean(f over unlabelled) + mean(Y - w f over labelled).
    With power tuning w = cov(Y, f) / (var(f) (1 + n / (N - n))), clipped to [0, 1], which makes the variance least
    where items are independent, so that a poor judge costs nothing. Intervals leave out one prompt after the other, the
    weight being found anew each time (`inference`), with degrees of freedom of the prompts that people labelled; they
    take the labelled for a random draw.

    An item without a judge's score says nothing to the judge's means: unlabelled, it is left out; labelled, it counts
    for the classical mean alone (detail["without_judge"]).
    Undefined: "no items" without labels; "n < 2" with one; "no item without a human label" where there is nothing to
    gain; `saved` too where either variance is 0. Raises ValueError for lengths that differ or infinite scores.
    """
    judge, human = np.asarray(judge, dtype=float), np.asarray(human, dtype=float)
    if judge.shape != human.shape or judge.ndim != 1:
        raise ValueError("judge and people score the same items")
    if np.isinf(judge).any() or np.isinf(human).any():
        raise ValueError("a score is a finite number, or NaN where there is none")
    prompt = np.arange(len(judge)) if cluster is None else np.asarray(cluster)
    labelled, scored = ~np.isnan(human), ~np.isnan(judge)
    classical = mean_of(human, cluster=prompt, confidence=confidence)
    classical = classical if ends is None else classical.within(*ends)
    both, rest = labelled & scored, ~labelled & scored
    detail: dict[str, Any] = {"power_tuned": power_tuned, "without_judge": int((labelled & ~scored).sum())}
    n, others = int(both.sum()), int(rest.sum())
    reason = _reason(n, others)
    if reason is not None:
        none = Figure.without_value(reason, int(scored.sum()), **detail)
        return PredictionPowered(none, classical, none)
    statistic = _tuned if power_tuned else _plain
    units = units_of(_columns(np.where(scored, judge, 0.0), np.where(labelled, human, 0.0), both, rest), prompt)
    total = units.sum(axis=0)
    [without] = values_at(units, [statistic], total)
    weight = float(_tuned_weight(total)) if power_tuned else others / (n + others)
    detail |= {"lambda": weight * (n + others) / others, "labelled": n}
    with_labels = int((units[:, _N] > 0).sum())
    point = Figure(float(statistic(total)), n + others, detail=detail)
    mean = with_bounds(point, without, Scale.PLAIN, telling=with_labels, confidence=confidence)
    mean = mean if ends is None else _cut(mean, *ends)
    return PredictionPowered(mean, classical, _saved(human, prompt, without, float(statistic(total)), n, detail))


def _cut(mean: Figure, least: float, most: float) -> Figure:
    cut = mean.within(least, most)
    value = min(max(mean.number, least), most)
    return cut if value == mean.number else replace(cut.with_detail(cut_to=[least, most]), value=value)


#: Columns of an item: of the labelled y, f, y f, f^2 and 1, of the unlabelled f, f^2 and 1.
_Y, _F, _YF, _FF, _N, _G, _GG, _M = range(8)


def _columns(judge: Floats, human: Floats, both: NDArray[np.bool_], rest: NDArray[np.bool_]) -> Floats:
    of_labelled = (human, judge, human * judge, judge**2, np.ones(len(judge)))
    of_others = (judge, judge**2, np.ones(len(judge)))
    return np.column_stack([*(column * both for column in of_labelled), *(column * rest for column in of_others)])


def _mean_at(sums: Floats, weight: Floats) -> Floats:
    n, others = sums[..., _N], sums[..., _M]
    known = (n > 0) & (others > 0)
    of_labelled = np.divide(sums[..., _Y] - weight * sums[..., _F], n, out=np.full(np.shape(n), np.nan), where=known)
    return of_labelled + weight * np.divide(sums[..., _G], others, out=np.zeros(np.shape(n)), where=known)


def _plain(sums: Floats) -> Floats:
    n, others = sums[..., _N], sums[..., _M]
    return _mean_at(sums, np.divide(others, n + others, out=np.zeros(np.shape(n)), where=n + others > 0))


def _tuned(sums: Floats) -> Floats:
    return _mean_at(sums, _tuned_weight(sums))


def _tuned_weight(sums: Floats) -> Floats:
    """lambda (1 - n / N) that makes the variance least: what a judge's score weighs against a label."""
    n, others = sums[..., _N], sums[..., _M]
    every, total, squares = n + others, sums[..., _F] + sums[..., _G], sums[..., _FF] + sums[..., _GG]
    spread = (squares - _over(total**2, every)) * _over(1.0, every - 1)
    together = (sums[..., _YF] - _over(sums[..., _Y] * sums[..., _F], n)) * _over(1.0, n - 1)
    scale = spread * (1 + _over(n, others))
    best = np.divide(together, scale, out=np.zeros(np.shape(n)), where=scale > _ROUNDING * np.maximum(squares, 1.0))
    return np.clip(best, 0, 1)


def _over(part: Any, whole: Floats) -> Floats:
    whole = np.asarray(whole, dtype=float)
    return np.divide(part, whole, out=np.zeros(np.shape(whole)), where=whole > 0)


def _saved(
    human: Floats, prompt: NDArray[Any], without: Floats, value: float, n: int, detail: dict[str, Any]
) -> Figure:
    """n var(classical mean) / var(prediction-powered mean) - n, both by leaving out prompts."""
    labels = units_of(mean_columns(human), prompt)
    total = labels.sum(axis=0)
    if len(labels) < 2 or np.isnan(without).any():
        return Figure.without_value(TOO_FEW, n, **detail)
    [without_labels] = values_at(labels, [ratio_of_sums], total)
    variance, classical = spread(value, without).variance, spread(float(total[0] / total[1]), without_labels).variance
    if variance <= _ROUNDING or np.isnan(classical):
        return Figure.without_value(NO_VARIATION, n, **detail)
    effective = n * classical / variance
    return Figure(effective - n, n, detail={**detail, "effective": effective})


def _reason(n: int, others: int) -> str | None:
    if n < 2:
        return TOO_FEW if n else NO_ITEMS
    return None if others else NO_UNLABELLED
