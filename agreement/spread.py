"""From a variance to an interval, on the scale of the figure.

Sources: F. E. Satterthwaite, Biometrics Bulletin 2 (1946), 110-114 (degrees of freedom of a sum of variances); N. Dean
and M. Pagano, Survey Statistics and Methodology 3 (2015), 484-503 (Wilson's interval of clustered shares).
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import NDArray

from agreement.statistics import Scale

CONFIDENCE = 0.95

Floats = NDArray[np.float64]
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Spread:
    """A variance and the degrees of freedom it was estimated with."""

    variance: float
    freedom: float

    def __add__(self, other: "Spread") -> "Spread":
        """Of two factors crossed: variances add, degrees of freedom by Satterthwaite."""
        variance = self.variance + other.variance
        parts = self.variance**2 / self.freedom + other.variance**2 / other.freedom
        return Spread(variance, variance**2 / parts if parts else min(self.freedom, other.freedom))

    def less(self, counted_twice: float, at_least: float) -> "Spread":
        """Without a variance that both factors held; never below that of one of them."""
        return Spread(max(self.variance - counted_twice, at_least), self.freedom)


def spread(value: float, without: Floats, units: int | None = None) -> Spread:
    """(C - 1) / C sum (value without one - value)^2 with C - 1 degrees of freedom; shape (C,), C of 2 or more.

    units  how many of them have a value of their own, where these are fewer.
    """
    count = len(without)
    variance = (count - 1) / count * ((without - value) ** 2).sum()
    return Spread(float(variance), (count if units is None else units) - 1)


def p_of_zero(value: float, of: Spread) -> float:
    """Two-sided p-value of the value being 0, never below 2^-freedom: the least that flipping the signs of so many
    could give."""
    least = 2.0**-of.freedom
    error = math.sqrt(of.variance)
    if abs(value) <= _ROUNDING:
        return 1.0
    if error <= _ROUNDING * abs(value):
        return least
    return float(min(1.0, max(2 * scipy.special.stdtr(of.freedom, -abs(value) / error), least)))


def bounds(value: float, of: Spread, scale: Scale, units: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Bounds of the interval; both NaN where the value does not vary.

    With e the standard error and t Student's quantile:
        PLAIN        value -+ t e
        POSITIVE     value exp(-+ t e / value)
        COEFFICIENT  1 - (1 - value) exp(+- t e / (1 - value))
        CORRELATION  the same, cut at -1: no correlation lies beyond, so the cut interval covers as often
        SHARE        Wilson's interval with t for z and value (1 - value) / e^2 for the number of trials. A share of 0
                     or 1 in which no prompt differs is taken for as many trials as there are prompts (`units`).
    """
    t = t_quantile(of.freedom, confidence)
    error = math.sqrt(of.variance)
    is_certain = error <= _ROUNDING * max(1.0, abs(value))
    if scale is Scale.SHARE and not _ROUNDING < value < 1 - _ROUNDING:
        return wilson(min(max(value, 0.0), 1.0), t, units)
    if is_certain:
        return math.nan, math.nan
    if scale is Scale.SHARE:
        return wilson(value, t, value * (1 - value) / error**2)
    if scale is Scale.POSITIVE and value > 0:
        low, high = value * _exp(-t * error / value), value * _exp(t * error / value)
    elif scale in (Scale.COEFFICIENT, Scale.CORRELATION) and value < 1:
        apart = 1 - value
        low, high = 1 - apart * _exp(t * error / apart), 1 - apart * _exp(-t * error / apart)
        low = max(low, -1.0) if scale is Scale.CORRELATION else low
    else:
        low, high = value - t * error, value + t * error
        if scale is Scale.CORRELATION:
            low, high = max(low, -1.0), min(high, 1.0)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else (math.nan, math.nan)


@lru_cache(maxsize=4096)
def t_quantile(freedom: float, confidence: float = CONFIDENCE) -> float:
    """Student's quantile of a two-sided interval; the same few are asked for again and again."""
    return float(scipy.special.stdtrit(freedom, (1 + confidence) / 2))


def _exp(exponent: float) -> float:
    """Infinite where it is beyond any number."""
    try:
        return math.exp(exponent)
    except OverflowError:
        return math.inf


def wilson(share: float, t: float, trials: float) -> tuple[float, float]:
    """Wilson's score interval of a share of so many trials, t the quantile that stands for their number:

    (p + t^2 / 2n -+ t sqrt(p (1 - p) / n + t^2 / 4n^2)) / (1 + t^2 / n)
    """
    part = t**2 / trials
    middle = (share + part / 2) / (1 + part)
    half = math.sqrt(part * share * (1 - share) + part**2 / 4) / (1 + part)
    return max(0.0, middle - half), min(1.0, middle + half)
