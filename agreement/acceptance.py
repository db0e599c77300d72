"""Accepting a lot unseen after a sample of it was looked at: how wrong the sample is, and what that says of the rest.

The sample is drawn by lot without putting back, so nothing is supposed about how errors lie: not that they are
independent, nor that they are spread evenly over prompts.

Sources: C. J. Clopper and E. S. Pearson, Biometrika 26 (1934), 404-413 (bounds of a share); W. G. Cochran, Sampling
Techniques, 3rd edition (1977), section 3.6, and J. P. Buonaccorsi, The American Statistician 41 (1987), 215-218 (bounds
of a number in a finite lot, from the hypergeometric distribution).
"""

import math
from bisect import bisect_left

import scipy

from agreement.figures import NO_ITEMS, Figure
from agreement.spread import CONFIDENCE

#: What a sample is drawn for where nobody says it: with no error in it, at most so large a share of all is wrong.
BOUND = 0.02
RATE = "Clopper-Pearson"
NUMBER = "hypergeometric, exact"


def sample_size(bound: float, confidence: float = CONFIDENCE) -> int:
    """The smallest n of which the Clopper-Pearson interval, with no error found, ends at `bound` or below.

    n = ceil(ln((1 - confidence) / 2) / ln(1 - bound)): 183 for 2 %. Raises ValueError unless 0 < bound < 1.
    """
    if not 0 < bound < 1:
        raise ValueError("the bound is a share between 0 and 1")
    return math.ceil(math.log((1 - confidence) / 2) / math.log1p(-bound))


def error_rate(wrong: int, n: int, confidence: float = CONFIDENCE) -> Figure:
    """Share of wrong ones in a sample of n, with the Clopper-Pearson interval. n counts what was looked at."""
    if not n:
        return Figure.without_value(NO_ITEMS)
    tail = (1 - confidence) / 2
    low = float(scipy.stats.beta.ppf(tail, wrong, n - wrong + 1)) if wrong else 0.0
    high = float(scipy.stats.beta.ppf(1 - tail, wrong + 1, n - wrong)) if wrong < n else 1.0
    return Figure(wrong / n, n, low, high, detail={"wrong": wrong, "interval": RATE, "confidence": confidence})


def wrong_unseen(wrong: int, n: int, rest: int, left: int | None = None, confidence: float = CONFIDENCE) -> Figure:
    """How many of those that nobody looked at are wrong: `wrong` of a sample of n were, `rest` were not drawn.

    The bounds are the smallest and the largest number of wrong ones in the whole lot of n + rest under which a sample
    with as many (as few) wrong ones is drawn with a chance above (1 - confidence) / 2, less those that were found.
    `left` is how many of the rest are still unseen, all where it is not said: of those that were decided one by one
    since nothing is supposed, so the bounds leave open how many of them were wrong. n counts what was looked at.
    """
    left = rest if left is None else left
    if not n:
        return Figure.without_value(NO_ITEMS)
    tail, lot = (1 - confidence) / 2, n + rest

    def enough(number: int) -> bool:
        return bool(scipy.stats.hypergeom.sf(wrong - 1, lot, number, n) > tail)

    def too_many(number: int) -> bool:
        return bool(scipy.stats.hypergeom.cdf(wrong, lot, number, n) <= tail)

    possible = range(wrong, wrong + rest + 1)
    low = bisect_left(possible, True, key=enough)
    high = bisect_left(possible, True, key=too_many) - 1
    low, high = max(0, low - (rest - left)), min(high, left)
    value = wrong / n * left
    detail = {"wrong": wrong, "unseen": left, "interval": NUMBER, "confidence": confidence}
    # Where one by one decided much of the rest, the bounds are tighter than the share of the sample.
    return Figure(min(max(value, float(low)), float(high)), n, float(low), float(high), detail=detail)
