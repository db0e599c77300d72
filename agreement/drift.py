"""Has a judge moved? Fixed anchor answers, judged again in every run, against its first judgement of them.

The comparison is always with the first run: one with the run before would let a slow drift pass.

Source of the decision by where an interval lies: D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15
(1987), 657-680 (equivalence of means). The limit: K. Ouda, ABBL (2025), section 3.4.2, repeats within one per cent.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from agreement.figures import NO_VARIATION, Figure
from agreement.ranks import MIN_UNITS, mean_score
from agreement.spread import CONFIDENCE

#: Points of 10: one per cent of the scale.
LIMIT = 0.1
STEADY, DRIFTED, UNCERTAIN, UNKNOWN = "steady", "drifted", "uncertain", "unknown"


@dataclass(frozen=True)
class Drift:
    """shift    mean of now less first, in points, with its interval over anchors (or clusters); > 0: more lenient.
    moved    mean of |now less first|: judgements that move both ways and cancel in the shift.
    state    "steady": the whole interval within the limit; "drifted": the whole interval beyond it, new ranks pause;
             "uncertain": neither, more anchors would tell; "unknown": no interval.
    """

    shift: Figure
    moved: Figure
    state: str


def drift(
    first: ArrayLike,
    now: ArrayLike,
    cluster: ArrayLike | None = None,
    *,
    limit: float = LIMIT,
    confidence: float = CONFIDENCE,
) -> Drift:
    """The drift of one judge on A anchor answers.

    first, now  its scores of each anchor in the first run and in this one, shape (A,), or (A, repeats): repeats are
                averaged; NaN where a judgement failed. Anchors that lack either are left out and counted as unscored.
    cluster     of each anchor (the question it answers), or None.
    limit       in points; what lies beyond it is drift.

    A judge that gives each anchor exactly what it gave at first has shift 0 without an interval, and is steady; one
    that gives each exactly so much more has none either, and has drifted where that is beyond the limit; both ask for
    as many anchors as an interval (6 units).
    Raises ValueError for anchors that differ, infinite scores, or a limit that is not positive.
    """
    before, after = _mean_of_repeats(first), _mean_of_repeats(now)
    if before.shape != after.shape:
        raise ValueError("both runs judge the same anchors")
    if not limit > 0:
        raise ValueError("a limit is positive")
    differences = after - before
    shift, moved = (mean_score(values, cluster, confidence) for values in (differences, np.abs(differences)))
    return Drift(shift.with_detail(limit=limit), moved.with_detail(limit=limit), _state(shift, limit))


def _mean_of_repeats(scores: ArrayLike) -> np.ndarray:
    table = np.asarray(scores, dtype=float)
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2 or np.isinf(table).any():
        raise ValueError("scores have one row per anchor, finite or NaN")
    known = ~np.isnan(table)
    sums, counts = np.where(known, table, 0.0).sum(axis=1), known.sum(axis=1)
    return np.divide(sums, counts, out=np.full(len(table), np.nan), where=counts > 0)


def _state(shift: Figure, limit: float) -> str:
    if shift.value is None:
        return UNKNOWN
    low, high = shift.low, shift.high
    if low is None or high is None:
        if shift.detail["interval"] != NO_VARIATION or shift.detail["units"] < MIN_UNITS:
            return UNKNOWN
        low = high = shift.value
    if low > limit or high < -limit:
        return DRIFTED
    return STEADY if -limit <= low and high <= limit else UNCERTAIN
