"""Quantiles of a sample, with intervals that suppose nothing about how the values are spread."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import scipy

from agreement.figures import NO_ITEMS, Figure

RULE = "linear interpolation; interval of order statistics"


def quantile(values: Sequence[float] | npt.NDArray[np.float64], share: float, confidence: float = 0.95) -> Figure:
    """The value below which `share` (between 0 and 1) of the sample lies.

    Linear interpolation between order statistics (Hyndman and Fan, American Statistician 50 (1996), 361-365, type 7).
    The interval lies between two order statistics whose ranks the binomial distribution gives (Conover, Practical
    Nonparametric Statistics, 3rd edition, section 3.2), so it holds for any continuous distribution; without bounds
    where the sample is too small for both. n counts values.

    Raises ValueError for a share or a confidence that does not lie between 0 and 1.
    """
    if not (0 < share < 1 and 0 < confidence < 1):
        raise ValueError("share and confidence lie between 0 and 1")
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    n = len(ordered)
    if not n:
        return Figure.without_value(NO_ITEMS)
    tail = (1 - confidence) / 2
    below = int(scipy.stats.binom.ppf(tail, n, share))
    above = int(scipy.stats.binom.ppf(1 - tail, n, share)) + 1
    # Ranks are counted from 1: P(X[below] < quantile < X[above]) is at least the confidence where both exist.
    bounds = (float(ordered[below - 1]), float(ordered[above - 1])) if below >= 1 and above <= n else (None, None)
    return Figure(float(np.quantile(ordered, share)), n, *bounds)
