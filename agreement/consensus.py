"""One grade of an item from several: the experts' where there are any, else the rule of the project."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

RULES = ("majority", "median", "mean")

#: What decided an item's gold, by its code in `Gold.decided_by`.
DECIDED_BY = ("mode", "mean", "median", "middle", "model")

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Nominal(NamedTuple):
    """A scale whose grades are names without an order: lowest and highest of them."""

    lowest: int
    highest: int


@dataclass(frozen=True, eq=False)
class Gold:
    """Gold of I items.

    items       their codes, ascending, shape (I,).
    values      gold of each in the units of the grades, shape (I,); whole under the rule "majority".
    n           ratings each rests on, shape (I,).
    by_experts  whether those are experts', shape (I,).
    decided_by  index into `DECIDED_BY`, shape (I,): 0 where no tie was to be broken; always 1 under the rule "mean"
                and 2 under "median", 4 where a model of the raters did (`weighed_gold`).
    """

    items: Integers
    values: Floats
    n: Integers
    by_experts: NDArray[np.bool_]
    decided_by: Integers

    def of(self, items: ArrayLike) -> Floats:
        """Gold of each of these items, shape as given; NaN where an item has none."""
        wanted = np.asarray(items, dtype=np.int64)
        if not len(self.items):
            return np.full(wanted.shape, np.nan)
        at = np.minimum(np.searchsorted(self.items, wanted), len(self.items) - 1)
        return np.where(self.items[at] == wanted, self.values[at], np.nan)


def gold(
    items: ArrayLike,
    grades: ArrayLike,
    is_expert: ArrayLike | None = None,
    rule: str = "majority",
    scale: tuple[int, int] | None = None,
) -> Gold:
    """Gold of every item that has a grade; of a `Nominal` scale, of every item on which one grade leads.

    items      which item each grade is of, integers, shape (N,), in any order.
    grades     shape (N,); whole numbers under the rule "majority".
    is_expert  whether an expert gave it, shape (N,); nobody is one by default. On an item that an expert graded,
               the experts' grades alone count, by the same rule.
    rule       "mean": their mean. "median": their median, of an even number of grades halfway between the two in the
               middle, also where nobody gave it. "majority": the grade given most often. Where several are, the one
               nearest the item's mean; where two are equally near, the one nearest its median; where that does not part
               them either, the grade halfway between the two, for it takes the side of neither (1, 1, 5, 5 gives 3,
               and a win against a loss gives a tie) though perhaps nobody gave it. Where halfway falls between two
               grades: the one nearer the middle of the scale, so that doubt leads to neither end; at the very
               middle of an even scale, the lower.
    scale      lowest and highest grade; by default those that occur. Only the last of these steps looks at it. Of a
               `Nominal` scale there is no mean, no median and no middle: under either rule the gold is the grade given
               most often, and an item on which two are given as often has none.

    Raises ValueError for an unknown rule, lengths that differ, a grade that is not finite or off the scale, or, for
    the majority, not whole.
    """
    if rule not in RULES:
        raise ValueError(f"rule must be one of {RULES}, not {rule!r}")
    items, grades = np.asarray(items, dtype=np.int64), np.asarray(grades, dtype=float)
    experts = np.zeros(items.shape, dtype=bool) if is_expert is None else np.asarray(is_expert, dtype=bool)
    if items.ndim != 1 or not items.shape == grades.shape == experts.shape:
        raise ValueError("every grade has its item, and is an expert's or not")
    if not np.isfinite(grades).all():
        raise ValueError("a grade is a finite number; leave out what is missing")
    distinct, index = np.unique(items, return_inverse=True)
    by_experts = np.bincount(index, experts, minlength=len(distinct)) > 0
    counted = experts | ~by_experts[index]
    index, grades = index[counted], grades[counted]
    n = np.bincount(index, minlength=len(distinct))
    if isinstance(scale, Nominal):
        return _most_given(distinct, index, grades, n, by_experts, scale)
    if rule == "median":
        medians = _medians(index, grades, n)
        return Gold(distinct, medians, n, by_experts, np.full(len(distinct), DECIDED_BY.index("median")))
    if rule == "mean":
        means = np.bincount(index, grades, minlength=len(distinct)) / n
        return Gold(distinct, means, n, by_experts, np.full(len(distinct), DECIDED_BY.index("mean")))
    values, decided_by = _majority(index, grades, n, scale)
    return Gold(distinct, values, n, by_experts, decided_by)


def _medians(index: Integers, grades: Floats, n: Integers) -> Floats:
    """Of the grades of each item, shape (I,); every item has one."""
    sorted_grades = grades[np.lexsort((grades, index))]
    begin = np.cumsum(n) - n
    return (sorted_grades[begin + (n - 1) // 2] + sorted_grades[begin + n // 2]) / 2


def _most_given(
    distinct: Integers, index: Integers, grades: Floats, n: Integers, by_experts: NDArray[np.bool_], scale: Nominal
) -> Gold:
    if (grades != np.round(grades)).any():
        raise ValueError("a class is a whole number")
    if len(grades) and (grades.min() < scale.lowest or grades.max() > scale.highest):
        raise ValueError(f"a grade is off the scale from {scale.lowest} to {scale.highest}")
    counts = value_counts(index, grades.astype(np.int64) - scale.lowest, len(n), scale.highest - scale.lowest + 1)
    leads = (counts == counts.max(axis=1, keepdims=True)).sum(axis=1) == 1
    values = scale.lowest + counts.argmax(axis=1).astype(float)
    decided_by = np.zeros(int(leads.sum()), dtype=np.int64)
    return Gold(distinct[leads], values[leads], n[leads], by_experts[leads], decided_by)


def _majority(index: Integers, grades: Floats, n: Integers, scale: tuple[int, int] | None) -> tuple[Floats, Integers]:
    if (grades != np.round(grades)).any():
        raise ValueError("a majority is of whole grades")
    if not len(grades):
        return np.zeros(0), np.zeros(0, dtype=np.int64)
    lowest, highest = (int(grades.min()), int(grades.max())) if scale is None else scale
    if grades.min() < lowest or grades.max() > highest:
        raise ValueError(f"a grade is off the scale from {lowest} to {highest}")
    counts = value_counts(index, grades.astype(np.int64) - lowest, len(n), highest - lowest + 1)
    scored = np.arange(highest - lowest + 1)
    # Whole numbers throughout, so that equal distances are equal: m x distance to the mean, 2 x to the median.
    to_mean = np.abs(n[:, None] * scored - (counts @ scored)[:, None])
    to_median = np.abs(2 * scored - _twice_the_median(counts, n)[:, None])
    left = counts == counts.max(axis=1, keepdims=True)
    decided_by = np.zeros(len(n), dtype=np.int64)
    for step, distance in enumerate((to_mean, to_median), start=1):
        tied = left.sum(axis=1) > 1
        decided_by[tied] = step
        far = np.iinfo(np.int64).max
        distance = np.where(left, distance, far)
        left &= distance == distance.min(axis=1, keepdims=True)
    tied = left.sum(axis=1) > 1
    decided_by[tied] = DECIDED_BY.index("middle")
    return lowest + between(left).astype(float), decided_by


def between(candidates: NDArray[np.bool_]) -> Integers:
    """The place on the scale halfway between the first and the last candidate of each row, shape (I, V) to (I,):
    between two places the one nearer the middle of the scale, at the very middle the lower."""
    top = candidates.shape[1] - 1
    return _halfway(candidates.argmax(axis=1), top - candidates[:, ::-1].argmax(axis=1), top)


def _halfway(first: Integers, last: Integers, top: int) -> Integers:
    """The grade halfway; between two grades the one nearer the middle of 0..top, at the very middle the lower."""
    below = (first + last) // 2
    return below + (((first + last) % 2 == 1) & (first + last < top))


def _twice_the_median(counts: Integers, n: Integers) -> Integers:
    """Sum of the two middle values of each row, which for an odd number of them are the same one."""
    up_to = np.cumsum(counts, axis=1)
    lower, upper = (n - 1) // 2, n // 2
    return (up_to <= lower[:, None]).sum(axis=1) + (up_to <= upper[:, None]).sum(axis=1)


def value_counts(items: ArrayLike, codes: ArrayLike, n_items: int, n_values: int) -> Integers:
    """How often each item got each value, shape (n_items, n_values), for `alpha_from_counts` and `within`.

    items  indices in [0, n_items); codes  indices of the values in [0, n_values); both shape (N,).
    Raises ValueError for lengths that differ or an index out of range.
    """
    items, codes = np.asarray(items, dtype=np.int64), np.asarray(codes, dtype=np.int64)
    if items.shape != codes.shape or items.ndim != 1:
        raise ValueError("every value has its item")
    if items.size and (items.min() < 0 or items.max() >= n_items or codes.min() < 0 or codes.max() >= n_values):
        raise ValueError("an index is out of range")
    return np.bincount(items * n_values + codes, minlength=n_items * n_values).reshape(n_items, n_values)


def nearest_grade(values: ArrayLike, lowest: int, highest: int) -> Integers:
    """The grade of the scale nearest each value, shape as given: a mean as a class.

    Halfway between two grades, the one nearer the middle of the scale (at the very middle, the lower), so that
    rounding favours neither end. Values beyond the scale become its ends. Raises ValueError for NaN.
    """
    numbers = np.clip(np.asarray(values, dtype=float), lowest, highest)
    if np.isnan(numbers).any():
        raise ValueError("a value is a number; leave out what is missing")
    below = np.floor(numbers)
    rest = numbers - below
    up = (rest > 0.5) | ((rest == 0.5) & (numbers < (lowest + highest) / 2))
    return (below + up).astype(np.int64)
