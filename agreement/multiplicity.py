"""Several comparisons at once: p-values that hold for all of them together.

Sources: S. Holm, Scandinavian Journal of Statistics 6 (1979), 65-70; Y. Benjamini and D. Yekutieli, Annals of
Statistics 29 (2001), 1165-1188.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, Figure

Floats = NDArray[np.float64]
#: At which a comparison is named.
LEVEL = 0.05


def holm(values: ArrayLike) -> Floats:
    """p-values corrected for their number m, same order: max over j <= i of min(1, (m - j + 1) p_(j)), ascending.

    The chance of one false rejection or more is at most the level, however the tests depend on each other.
    Raises ValueError for a p-value that is none.
    """
    p = np.asarray(values, dtype=float)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise ValueError("a p-value lies between 0 and 1")
    order = np.argsort(p, kind="stable")
    scaled = np.minimum(1.0, p[order] * (len(p) - np.arange(len(p))))
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(scaled)
    return adjusted


def benjamini_yekutieli(p: ArrayLike) -> Floats:
    """Adjusted p-values, shape (m,): a hypothesis is rejected at level q where its own is at most q.

    p_(k) becomes min over l >= k of min(1, p_(l) m c(m) / l) with c(m) = 1 + 1/2 + ... + 1/m.
    """
    p = np.asarray(p, dtype=float)
    m = len(p)
    order = np.argsort(p)
    ranks = np.arange(1, m + 1)
    scaled = p[order] * m * (1 / ranks).sum() / ranks
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(1, np.minimum.accumulate(scaled[::-1])[::-1])
    return adjusted


def corrected(figures: Sequence[Figure], correct: Callable[[ArrayLike], Floats] = holm) -> list[Figure]:
    """The p-values of these comparisons, corrected for all of them together, in their order; n as theirs.

    figures  with detail["p"], as of `inference.paired_difference`; one without is left out of the correction and has
             the reason why it has none.
    """
    tested = [place for place, figure in enumerate(figures) if "p" in figure.detail]
    p = dict(zip(tested, correct([figures[place].detail["p"] for place in tested]).tolist(), strict=True))
    return [
        Figure(p[place], figure.n, detail={"uncorrected": figure.detail["p"]})
        if place in p
        else Figure.without_value(figure.undefined or str(figure.detail.get("interval", NO_ITEMS)), figure.n)
        for place, figure in enumerate(figures)
    ]
