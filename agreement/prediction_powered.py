"""Prediction-powered mean: many judge scores, corrected by the few that people gave as well.

Sources: A. N. Angelopoulos, S. Bates, C. Fannjiang, M. I. Jordan and T. Zrnic, Science 382 (2023), 669-674;
power tuning: A. N. Angelopoulos, J. C. Duchi and T. Zrnic, PPI++ (arXiv 2311.01453), section 6.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, TOO_FEW, Figure
from agreement.inference import CONFIDENCE

NO_UNLABELLED = "no item without a human label"

Floats = NDArray[np.float64]


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
    judge: ArrayLike, human: ArrayLike, *, power_tuned: bool = False, confidence: float = CONFIDENCE
) -> PredictionPowered:
    """The prediction-powered mean of the scores of N items, of which people labelled a random n.

    judge  the judge's score of each item, shape (N,); NaN where it has none.
    human  people's score (the gold of the item), shape (N,); NaN where nobody labelled it.

    With f the judge's scores and Y the labels, and lambda = 1,
        mean = lambda mean(f over all) + mean(Y - lambda f over labelled).
    Labelled items stand in both terms; counted once, with w = lambda (1 - n / N), the same is a sum of two independent
    means, whose variances add:
        mean     = w mean(f over unlabelled) + mean(Y - w f over labelled),
        variance = w^2 var(f) / (N - n) + var(Y - w f over labelled) / n.
    With power tuning w = cov(Y, f) / (var(f) (1 + n / (N - n))), clipped to [0, 1], which makes the variance least, so
    that a poor judge costs nothing. Intervals are normal, and take the labelled for a random draw of the items.

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
    labelled = ~np.isnan(human)
    classical = _normal_mean(human[labelled], confidence)
    scored = ~np.isnan(judge)
    both, rest = labelled & scored, ~labelled & scored
    detail: dict[str, Any] = {"power_tuned": power_tuned, "without_judge": int((labelled & ~scored).sum())}
    y, f, unlabelled = human[both], judge[both], judge[rest]
    reason = _reason(len(y), len(unlabelled))
    if reason is not None:
        none = Figure.without_value(reason, int(scored.sum()), **detail)
        return PredictionPowered(none, classical, none)
    share = _weight(y, f, unlabelled, power_tuned)
    n, others = len(y), len(unlabelled)
    value = float((y - share * f).mean() + share * unlabelled.mean())
    variance = (y - share * f).var(ddof=1) / n + share**2 * _spread(f, unlabelled) / others
    half = float(scipy.special.ndtri((1 + confidence) / 2) * np.sqrt(variance))
    detail |= {"lambda": float(share * (n + others) / others), "labelled": n}
    interval = {"interval": "normal", "confidence": confidence}
    mean = Figure(value, n + others, value - half, value + half, detail={**detail, **interval})
    if variance == 0:
        return PredictionPowered(mean, classical, Figure.without_value("no variation", n, **detail))
    effective = float(y.var(ddof=1) / variance)
    return PredictionPowered(mean, classical, Figure(effective - n, n, detail={**detail, "effective": effective}))


def _reason(n: int, others: int) -> str | None:
    if n < 2:
        return TOO_FEW if n else NO_ITEMS
    return None if others else NO_UNLABELLED


def _weight(y: Floats, f: Floats, unlabelled: Floats, power_tuned: bool) -> float:
    """lambda (1 - n / N): what a judge's score weighs against a label."""
    n, others = len(y), len(unlabelled)
    plain = others / (n + others)
    if not power_tuned:
        return plain
    spread = _spread(f, unlabelled)
    if spread == 0:
        return 0.0
    best = np.cov(y, f, ddof=1)[0, 1] / (spread * (1 + n / others))
    return float(np.clip(best, 0, 1))


def _spread(f: Floats, unlabelled: Floats) -> float:
    """Variance of the judge's scores, over labelled and unlabelled: both are draws of the same items."""
    return float(np.concatenate((f, unlabelled)).var(ddof=1))


def _normal_mean(values: Floats, confidence: float) -> Figure:
    n = len(values)
    if n == 0:
        return Figure.without_value(NO_ITEMS)
    mean = float(values.mean())
    if n < 2:
        return Figure(mean, n, detail={"interval": TOO_FEW})
    half = float(scipy.special.ndtri((1 + confidence) / 2) * values.std(ddof=1) / np.sqrt(n))
    detail = {"interval": "normal", "confidence": confidence}
    return Figure(mean, n, mean - half, mean + half, detail=detail)
