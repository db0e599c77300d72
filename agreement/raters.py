"""Each rater against the others of the same items, or against the experts; and answers that say nothing of the item.

All raters at once: cost grows with ratings, not with raters times ratings.
"""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, NO_VARIATION, TOO_FEW, TOO_FEW_SHARED, Figure
from agreement.spread import CONFIDENCE

NO_AGREEMENT = "raters do not agree with each other"

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class RaterFigures:
    """What is said of J raters, each figure with its t-interval over the rater's ratings.

    raters        their ids, ascending, shape (J,). n  ratings each gave, shared or not, shape (J,).
    mad           mean |grade - mean of the others|, in grades. signed_error  the same with its sign, > 0 lenient.
    within        share of the others who are within the distance, averaged over ratings.
    Their n = ratings on items that another graded. Undefined: "no items" without any.
    """

    raters: Integers
    n: Integers
    mad: tuple[Figure, ...]
    signed_error: tuple[Figure, ...]
    within: tuple[Figure, ...]


def against_others(items: ArrayLike, raters: ArrayLike, grades: ArrayLike, distance: float = 1) -> RaterFigures:
    """Each rater against the other raters of the same items.

    items, raters  ids, one entry per rating, shape (N,); nobody rates an item twice. grades  finite numbers.
    distance       what counts as near.
    Raises ValueError for lengths that differ or grades that are not finite.
    """
    return against_some(items, raters, grades, np.ones(np.shape(items), dtype=bool), distance)


def against_some(
    items: ArrayLike, raters: ArrayLike, grades: ArrayLike, is_reference: ArrayLike, distance: float = 1
) -> RaterFigures:
    """Each rater against the ratings that are a reference (say, the experts'), never against their own.

    is_reference  of each rating, shape (N,). Others and errors as for `against_others`.
    """
    items, raters, grades = _columns(items, raters, grades)
    reference = np.asarray(is_reference, dtype=bool)
    if reference.shape != items.shape:
        raise ValueError("every rating is a reference or not")
    distinct, at = np.unique(raters, return_inverse=True)
    mean, others = _mean_of_references(items, grades, reference)
    shared = others > 0
    error = (grades - mean)[shared]
    near = (_near_references(items, grades, reference, distance)[shared]) / others[shared]
    of = at[shared]
    return RaterFigures(
        distinct,
        np.bincount(at, minlength=len(distinct)),
        _means(of, np.abs(error), len(distinct)),
        _means(of, error, len(distinct)),
        _means(of, near, len(distinct), within=(0.0, 1.0)),
    )


def near_other_groups(items: ArrayLike, groups: ArrayLike, grades: ArrayLike, distance: float = 1) -> Floats:
    """Of each grade the share of the grades that raters of other groups gave the same item within the distance, shape
    (N,); NaN where none of another group graded it.

    items, groups  ids, one entry per grade, shape (N,); several raters of a group may grade an item. grades  finite.
    Raises ValueError as `against_others`.
    """
    items, groups, grades = _columns(items, groups, grades)
    everybody = np.ones(len(items), dtype=bool)
    item = np.unique(items, return_inverse=True)[1]
    own = np.unique(np.column_stack((items, groups)), axis=0, return_inverse=True)[1].reshape(-1)
    others = np.bincount(item)[item] - np.bincount(own)[own]
    near = _near_references(item, grades, everybody, distance) - _near_references(own, grades, everybody, distance)
    return np.divide(near, others, out=np.full(len(items), np.nan), where=others > 0)


def careless_shares(
    items: ArrayLike, raters: ArrayLike, grades: ArrayLike, *, min_items: int = 20, confidence: float = CONFIDENCE
) -> tuple[Integers, tuple[Figure, ...]]:
    """The share of each rater's grades that say nothing of the item, against a typical rater: ids and figures.

    A rater who answers at random in a share e of cases follows the others' mean by 1 - e as much as before, however
    severe or lenient: with b_j the slope of rater j's grades on the mean of the others' (least squares, over j's own
    items) and b the median slope,
        share_j = 1 - b_j / b.
    It is an estimate and may lie below 0 or above 1. A rater who uses less of the scale than others has one above 0
    too: it is a signal to look, not a verdict.

    items, raters, grades  as for `against_others`. min_items  shared items below which nothing is said; the median
    is over raters who have as many.
    n = shared items. The interval is that of b_j, heteroscedasticity-consistent (HC1, J. G. MacKinnon and H. White,
    Journal of Econometrics 29 (1985), 305-325), with b taken for known, which it nearly is among many raters. detail:
    slope, typical_slope.
    Undefined: "too few shared items" below min_items; "no variation" where the others' mean never changes; "raters do
    not agree with each other" where the median slope is not above 0, for then nobody can be told from chance.
    Raises ValueError as `against_others`, or for min_items < 3.
    """
    if min_items < 3:
        raise ValueError("a slope and its error need at least three items")
    items, raters, grades = _columns(items, raters, grades)
    distinct, at = np.unique(raters, return_inverse=True)
    mean, others = _mean_of_references(items, grades, np.ones(len(items), dtype=bool))
    shared = others > 0
    n, slope, error = _slopes(at[shared], mean[shared], grades[shared], len(distinct))
    usable = (n >= min_items) & ~np.isnan(slope)
    typical = float(np.median(slope[usable])) if usable.any() else 0.0
    half = scipy.stats.t.ppf((1 + confidence) / 2, np.maximum(n - 2, 1)) * error
    figures = []
    for one in range(len(distinct)):
        if n[one] < min_items:
            figures.append(Figure.without_value(TOO_FEW_SHARED, int(n[one]), min_items=min_items))
        elif not usable[one]:
            figures.append(Figure.without_value(NO_VARIATION, int(n[one])))
        elif typical <= 0:
            figures.append(Figure.without_value(NO_AGREEMENT, int(n[one]), slope=float(slope[one])))
        else:
            value, low, high = 1 - np.array([slope[one], slope[one] + half[one], slope[one] - half[one]]) / typical
            detail = {"slope": float(slope[one]), "typical_slope": typical, "interval": "HC1", "confidence": confidence}
            figures.append(Figure(float(value), int(n[one]), float(low), float(high), detail=detail))
    return distinct, tuple(figures)


def _columns(items: ArrayLike, raters: ArrayLike, grades: ArrayLike) -> tuple[Integers, Integers, Floats]:
    items, raters = np.asarray(items, dtype=np.int64), np.asarray(raters, dtype=np.int64)
    grades = np.asarray(grades, dtype=float)
    if not items.shape == raters.shape == grades.shape or items.ndim != 1:
        raise ValueError("every grade has its item and its rater")
    if not np.isfinite(grades).all():
        raise ValueError("a grade is a finite number; leave out what is missing")
    return items, raters, grades


def _mean_of_references(items: Integers, grades: Floats, reference: NDArray[np.bool_]) -> tuple[Floats, Integers]:
    """Mean of the item's reference grades but the rating's own, and how many they are; NaN where none."""
    _, index = np.unique(items, return_inverse=True)
    n_items = int(index.max(initial=-1)) + 1
    others = np.bincount(index[reference], minlength=n_items)[index] - reference
    rest = np.bincount(index, grades * reference, minlength=n_items)[index] - grades * reference
    return np.divide(rest, others, out=np.full(len(items), np.nan), where=others > 0), others


def _near_references(items: Integers, grades: Floats, reference: NDArray[np.bool_], distance: float) -> Floats:
    """How many of the item's reference grades but the rating's own are within the distance, shape (N,)."""
    _, index = np.unique(items, return_inverse=True)
    values, code = np.unique(grades, return_inverse=True)
    shape = int(index.max(initial=-1)) + 1, len(values)
    counts = np.bincount(index * len(values) + code, reference, minlength=shape[0] * shape[1]).reshape(shape)
    near = (np.abs(values[:, None] - values[None, :]) <= distance).astype(float)
    return (counts @ near)[index, code] - reference


def _means(
    of: Integers, values: Floats, n_raters: int, within: tuple[float, float] = (-np.inf, np.inf)
) -> tuple[Figure, ...]:
    """Mean of each rater's values with its t-interval, which stays within the bounds that a mean has."""
    n = np.bincount(of, minlength=n_raters)
    mean = np.bincount(of, values, minlength=n_raters) / np.maximum(n, 1)
    squares = np.bincount(of, (values - mean[of]) ** 2, minlength=n_raters)
    spread = np.sqrt(squares / np.maximum(n - 1, 1) / np.maximum(n, 1))
    half = scipy.stats.t.ppf((1 + CONFIDENCE) / 2, np.maximum(n - 1, 1)) * spread
    low, high = (np.clip(bound, *within) for bound in (mean - half, mean + half))
    figures = []
    for one in range(n_raters):
        if n[one] == 0:
            figures.append(Figure.without_value(NO_ITEMS))
        elif n[one] == 1:
            figures.append(Figure(float(mean[one]), 1, detail={"interval": TOO_FEW}))
        else:
            detail = {"interval": "t", "confidence": CONFIDENCE}
            figures.append(Figure(float(mean[one]), int(n[one]), float(low[one]), float(high[one]), detail=detail))
    return tuple(figures)


def _slopes(of: Integers, x: Floats, y: Floats, n_raters: int) -> tuple[Integers, Floats, Floats]:
    """How many points each rater has, the slope of y on x, and its HC1 standard error; NaN where x is constant."""

    def total(values: Floats) -> Floats:
        return np.bincount(of, values, minlength=n_raters).astype(np.float64, copy=False)

    n = np.bincount(of, minlength=n_raters)
    each = np.maximum(n, 1)
    x, y = x - (total(x) / each)[of], y - (total(y) / each)[of]
    across = total(x**2)
    varies = across > 1e-9
    slope = np.divide(total(x * y), across, out=np.full(n_raters, np.nan), where=varies)
    rest = y - np.nan_to_num(slope)[of] * x
    meat = np.sqrt(total((x * rest) ** 2) * n / np.maximum(n - 2, 1))
    return n, slope, np.divide(meat, across, out=np.full(n_raters, np.nan), where=varies)
