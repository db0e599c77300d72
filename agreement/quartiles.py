"""The five numbers of a box plot, and the mean beside them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from agreement.figures import NO_ITEMS, Figure

#: As a recipe names it.
RULE = "quartiles by linear interpolation; whiskers reach the outermost values within 1.5 interquartile ranges"
REACH = 1.5


@dataclass(frozen=True)
class Box:
    """low and high end the whiskers; `outliers` lie beyond them. All in the units of the values, all with n values."""

    low: Figure
    lower_quartile: Figure
    median: Figure
    upper_quartile: Figure
    high: Figure
    mean: Figure
    outliers: tuple[float, ...]


def box(values: ArrayLike) -> Box:
    """The box of values, shape (N,). Undefined: "no items". Raises ValueError for numbers that are not finite.

    Quartiles by linear interpolation between order statistics (R. J. Hyndman and Y. Fan, The American Statistician
    50 (1996), 361-365, type 7); whiskers end at the outermost values no further than 1.5 interquartile ranges from
    the box (J. W. Tukey, Exploratory Data Analysis (1977), section 2C).
    """
    numbers = np.sort(np.asarray(values, dtype=float))
    if not np.isfinite(numbers).all():
        raise ValueError("a value is a finite number; leave out what is missing")
    if not len(numbers):
        nothing = Figure.without_value(NO_ITEMS)
        return Box(nothing, nothing, nothing, nothing, nothing, nothing, ())
    lower, middle, upper = np.quantile(numbers, (0.25, 0.5, 0.75))
    reach = REACH * (upper - lower)
    near = (numbers >= lower - reach) & (numbers <= upper + reach)
    # An interpolated quartile may lie beyond the outermost of these; a whisker never ends inside the box.
    ends = min(numbers[near][0], lower), max(numbers[near][-1], upper)
    n = len(numbers)
    low, high, centre = (Figure(float(one), n) for one in (*ends, numbers.mean()))
    first, second, third = (Figure(float(one), n) for one in (lower, middle, upper))
    return Box(low, first, second, third, high, centre, tuple(numbers[~near].tolist()))
