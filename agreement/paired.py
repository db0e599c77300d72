"""The mean of paired differences with an interval that assumes no more than that they are symmetric about it.

Source: J. S. Maritz, Distribution-Free Statistical Methods (1981), section 2.5 (confidence limits by sign changes);
flips of whole clusters as in ranks.py.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, NO_VARIATION, Figure
from agreement.ranks import FLIPS, MIN_UNITS, TOO_FEW_UNITS, mean_score, units_of
from agreement.spread import CONFIDENCE

METHOD = "paired sign flips over units"
_STEPS = 40
Floats = NDArray[np.float64]


def paired_shift(
    before: ArrayLike,
    after: ArrayLike,
    cluster: ArrayLike | None = None,
    *,
    flips: int = FLIPS,
    seed: int = 0,
    confidence: float = CONFIDENCE,
) -> Figure:
    """Mean of after less before over the questions that have both, shape (Q,) each, NaN where there is none.

    With D_u the unit's sum of differences and m_u its number of them, a shift d has
        p(d) = (1 + flips for which |sum s_u (D_u - d m_u)| is at least |sum (D_u - d m_u)|) / (B + 1),
    and the interval holds all d with p(d) above 1 - confidence. detail: `p` of no shift, `unit`, `units`, `effective`,
    `unscored`, `flips`, `interval`.
    Undefined: "no items". Without an interval: "too few units" for fewer than 6, "no variation".
    Raises ValueError for shapes that differ, infinite numbers, or no flips.
    """
    first, second = np.asarray(before, dtype=float), np.asarray(after, dtype=float)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError("every question has both values")
    if flips < 1 or not 0 < confidence < 1:
        raise ValueError("at least one flip, and a confidence between 0 and 1")
    differences = second - first
    mean = mean_score(differences, cluster)
    if mean.value is None:
        return Figure.without_value(NO_ITEMS, **mean.detail)
    known = ~np.isnan(differences)
    units = units_of(len(first), cluster)
    index = np.unique(units.index[known], return_inverse=True)[1].reshape(-1)
    sums, count = np.bincount(index, differences[known]).astype(np.float64), np.bincount(index).astype(np.float64)
    if len(sums) < MIN_UNITS or np.ptp(differences[known]) == 0:
        reason = TOO_FEW_UNITS if len(sums) < MIN_UNITS else NO_VARIATION
        return Figure(mean.value, mean.n, detail={**mean.detail, "interval": reason})
    flipped = _Flipped.of(sums, count, flips, seed)
    half = max(1e-6, 2 * float(np.abs(differences[known] - mean.value).max()))
    low, high = (_edge(flipped, mean.value, side * half, 1 - confidence) for side in (-1, 1))
    detail = {**mean.detail, "interval": METHOD, "confidence": confidence, "flips": flips, "p": flipped.p(0.0)}
    return Figure(mean.value, mean.n, low, high, detail=detail)


class _Flipped:
    """Sums under every flip: they are linear in the shift, so each is drawn once."""

    def __init__(self, total: float, n: float, sums: Floats, counts: Floats) -> None:
        self.total, self.n, self.sums, self.counts = total, n, sums, counts

    @classmethod
    def of(cls, sums: Floats, count: Floats, flips: int, seed: int) -> "_Flipped":
        signs = 2.0 * np.random.default_rng(seed).integers(0, 2, (flips, len(sums)), dtype=np.int8) - 1
        return cls(float(sums.sum()), float(count.sum()), signs @ sums, signs @ count)

    def p(self, shift: float) -> float:
        observed = abs(self.total - shift * self.n)
        least = observed - 1e-9 * max(1.0, abs(self.total))
        return (1 + int((np.abs(self.sums - shift * self.counts) >= least).sum())) / (len(self.sums) + 1)


def _edge(flipped: _Flipped, mean: float, reach: float, alpha: float) -> float:
    """The shift on this side of the mean at which p falls to alpha."""
    inside, outside = mean, mean + reach
    for _step in range(_STEPS):
        middle = (inside + outside) / 2
        if flipped.p(middle) > alpha:
            inside = middle
        else:
            outside = middle
    return inside
