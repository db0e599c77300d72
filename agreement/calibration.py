"""A judge's scores mapped onto people's: least squares or isotonic, cross-fitted so that no score sees its own answer.

A calibrated judge is another rater than the raw one: it has been told how people score. So its figures stand beside
the raw judge's and never in their place. What calibration takes away is what a map of one number to another can take
away, such as leniency or a shrunken scale; what is left is disorder, which no map mends.

Sources: T. Robertson, F. T. Wright and R. L. Dykstra, Order Restricted Statistical Inference (1988), chapter 1;
R. E. Barlow et al., Statistical Inference under Order Restrictions (1972), for the pooling of adjacent violators;
B. Zadrozny and C. Elkan, KDD 2002, 694-699, for isotonic calibration; M. Stone, Journal of the Royal Statistical
Society B 36 (1974), 111-147, for predictions made without the case itself.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, NO_VARIATION

FOLDS = 5
#: Two in every fold: a map fitted on fewer says more of the draw of folds than of the judge.
PROMPTS_AT_LEAST = 2 * FOLDS
TOO_FEW_PROMPTS = "too few prompts"
LINEAR, ISOTONIC = "linear", "isotonic"
METHODS = (LINEAR, ISOTONIC)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Map(Protocol):
    """From scores of the judge to scores of people, any shape to the same shape."""

    def __call__(self, scores: ArrayLike) -> Floats: ...

    def as_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class LinearMap:
    """intercept + slope * score, in the units of the scores."""

    intercept: float
    slope: float

    def __call__(self, scores: ArrayLike) -> Floats:
        return self.intercept + self.slope * np.asarray(scores, dtype=float)

    def as_json(self) -> dict[str, Any]:
        return {"intercept": round(self.intercept, 4), "slope": round(self.slope, 4)}


@dataclass(frozen=True, eq=False)
class IsotonicMap:
    """Fitted values at the judge's distinct scores, both ascending, shape (K,); straight lines between them, and
    beyond either end the value at that end."""

    scores: Floats
    values: Floats

    def __call__(self, scores: ArrayLike) -> Floats:
        return np.interp(np.asarray(scores, dtype=float), self.scores, self.values)

    def as_json(self) -> dict[str, Any]:
        """The steps alone: where the value changes, each with the lowest and the highest score that has it."""
        values, first, count = np.unique(self.values, return_index=True, return_counts=True)
        ends = self.scores[first], self.scores[first + count - 1]
        return {
            "steps": [
                [round(low, 4), round(high, 4), round(value, 4)]
                for low, high, value in zip(*(end.tolist() for end in ends), values.tolist(), strict=True)
            ]
        }


@dataclass(frozen=True, eq=False)
class CrossFitted:
    """values  the calibrated score of every item, shape (N,); all NaN where there is none, and `undefined` says why.
    fold    of every item, shape (N,): its value comes from the map that was fitted without that fold.
    maps    the map that was fitted without each fold."""

    method: str
    values: Floats
    fold: Integers
    maps: tuple[Map, ...] = ()
    undefined: str | None = None


def linear(scores: ArrayLike, references: ArrayLike, weights: ArrayLike | None = None) -> LinearMap:
    """Weighted least squares of the references on the scores: slope = cov(x, y) / var(x), through the means.

    scores, references, weights  shape (N,); weights 1 where none are given.
    Raises ValueError without items, for other shapes, for weights that are not above 0, or where all scores are alike.
    """
    x, y, w = _checked(scores, references, weights)
    mean_x, mean_y = np.average(x, weights=w), np.average(y, weights=w)
    spread = float((w * (x - mean_x) ** 2).sum())
    if np.ptp(x) == 0 or spread == 0:
        raise ValueError("scores that are all alike have no slope")
    slope = float((w * (x - mean_x) * (y - mean_y)).sum()) / spread
    return LinearMap(float(mean_y - slope * mean_x), slope)


def isotonic(scores: ArrayLike, references: ArrayLike, weights: ArrayLike | None = None) -> IsotonicMap:
    """Weighted least squares among maps that never fall, by pooling adjacent violators.

    Arguments and errors as `linear`, but scores may be all alike. Items with the same score are put together first, as
    one with their weighted mean and the sum of their weights ("secondary" treatment of ties: alike before, alike
    after). The fitted values have the references' weighted mean, and fitting them again changes nothing.
    """
    x, y, w = _checked(scores, references, weights)
    distinct, at = np.unique(x, return_inverse=True)
    weight = np.bincount(at, w)
    fitted = scipy.optimize.isotonic_regression(np.bincount(at, w * y) / weight, weights=weight).x
    return IsotonicMap(distinct, np.asarray(fitted, dtype=float))


def folds_of(prompts: ArrayLike, folds: int = FOLDS, seed: int = 0) -> Integers:
    """The fold of each item, integers from 0, shape (N,): prompts are shuffled by the seed and dealt out in turn.

    All items of a prompt are in one fold, and folds differ by at most one prompt. Which fold a prompt is in depends
    on the set of prompts and the seed alone, not on the order or number of its items.
    """
    distinct, at = np.unique(np.asarray(prompts), return_inverse=True)
    place = np.empty(len(distinct), dtype=np.int64)
    place[np.random.default_rng(seed).permutation(len(distinct))] = np.arange(len(distinct)) % folds
    return place[at.reshape(-1)]


def cross_fitted(
    scores: ArrayLike,
    references: ArrayLike,
    prompts: ArrayLike,
    method: str = ISOTONIC,
    folds: int = FOLDS,
    seed: int = 0,
) -> CrossFitted:
    """Every score calibrated by a map that was fitted on other prompts alone.

    scores, references  of a judge and of people, finite, shape (N,). prompts  which each item is of, shape (N,).
    method   "linear" or "isotonic".

    Undefined: "no items"; "too few prompts" for fewer than two in every fold; "no variation" where the judge's scores
    are all alike in what any of the maps would be fitted on: there is nothing to map.
    Raises ValueError for an unknown method, fewer than two folds, other shapes or numbers that are not finite.
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {METHODS}, not {method!r}")
    if folds < 2:
        raise ValueError("what is calibrated and what is fitted on are two folds at least")
    x, y = np.asarray(scores, dtype=float), np.asarray(references, dtype=float)
    group = np.asarray(prompts)
    if not (x.shape == y.shape == group.shape and x.ndim == 1):
        raise ValueError("every score has its reference and its prompt")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("a score is a finite number; leave out what is missing")
    fold = folds_of(group, folds, seed)
    nothing = np.full(len(x), np.nan)
    if not len(x):
        return CrossFitted(method, nothing, fold, undefined=NO_ITEMS)
    if len(np.unique(group)) < 2 * folds:
        return CrossFitted(method, nothing, fold, undefined=TOO_FEW_PROMPTS)
    if any(np.ptp(x[fold != left_out]) == 0 for left_out in range(folds)):
        return CrossFitted(method, nothing, fold, undefined=NO_VARIATION)
    fit = linear if method == LINEAR else isotonic
    maps = tuple(fit(x[fold != left_out], y[fold != left_out]) for left_out in range(folds))
    values = nothing
    for left_out, mapped in enumerate(maps):
        values[fold == left_out] = mapped(x[fold == left_out])
    return CrossFitted(method, values, fold, maps)


def _checked(scores: ArrayLike, references: ArrayLike, weights: ArrayLike | None) -> tuple[Floats, Floats, Floats]:
    x, y = np.asarray(scores, dtype=float), np.asarray(references, dtype=float)
    w = np.ones_like(x) if weights is None else np.asarray(weights, dtype=float)
    if not (x.shape == y.shape == w.shape and x.ndim == 1 and len(x)):
        raise ValueError("every score has its reference, and its weight where weights are given")
    if not (w > 0).all():
        raise ValueError("a weight is above 0")
    if not (np.isfinite(x).all() and np.isfinite(y).all() and np.isfinite(w).all()):
        raise ValueError("a score is a finite number; leave out what is missing")
    return x, y, w
