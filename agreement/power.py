"""The smallest difference that a skill, or a whole set of questions, can show.

Source: power of the t test by the noncentral t distribution: J. Cohen, Statistical Power Analysis for the Behavioral
Sciences, 2nd edition (1988), chapter 2.
"""

from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, NO_VARIATION, Figure
from agreement.ranks import MIN_UNITS, TOO_FEW_UNITS, Ranks, units_of

POWER = 0.8
NOTHING_COMPARED = "no two configurations to compare"
BEYOND_SCALE = "no difference within the scale could be shown"

Floats = NDArray[np.float64]


def smallest_difference(units: int, spread: float, critical: float, power: float = POWER) -> float | None:
    """The mean difference per unit that two configurations need for a given chance of being told apart; None where no
    difference, however large, could be.

    units     U of them.
    spread    standard deviation of the paired differences of units, in the units of the scores.
    critical  what |T| of `ranks.rank_sets` must exceed.

    T = sum D / root of sum D^2 is a function of Student's t of the same differences, t = T root((U - 1) / (U - T^2)),
    so T exceeds its critical value where t exceeds that of the same formula, and t follows the noncentral
    distribution with U - 1 degrees of freedom. The difference is spread / root U times the noncentrality that leaves
    1 - power below. |T| never exceeds root U (Cauchy and Schwarz): with a critical value as great, nothing is shown.
    Raises ValueError for a power outside (0, 1) or a negative number.
    """
    if not 0 < power < 1 or spread < 0 or critical < 0 or units < 0:
        raise ValueError("power lies between 0 and 1, and nothing is negative")
    if units < MIN_UNITS or critical**2 >= units * (1 - 1e-9):
        return None
    least = critical * np.sqrt((units - 1) / (units - critical**2))
    away = float(scipy.special.nctdtrinc(units - 1, 1 - power, least))
    return float(spread / np.sqrt(units) * away) if np.isfinite(away) else None


def paired_spreads(scores: ArrayLike, cluster: ArrayLike | None = None) -> Floats:
    """Standard deviation of the paired differences, per question: root U times the standard error of the mean
    difference of each pair, as a matrix (n, n); NaN where two configurations share fewer than two units.

    scores  shape (Q, n), NaN where unscored; cluster  of each question, or None.

    With e_u the unit's sum of (difference - mean difference) over the N questions that both have, in U units, the
    square is U^2 / ((U - 1) N^2) sum e_u^2; without clusters it is the variance of the differences.
    """
    table = np.asarray(scores, dtype=float)
    units = units_of(len(table), cluster)
    order = np.argsort(units.index, kind="stable")
    table = table[order]
    starts = np.flatnonzero(np.diff(units.index[order], prepend=-1))
    n = table.shape[1]
    spreads = np.full((n, n), np.nan)
    if len(starts) < 2:
        return spreads
    present = ~np.isnan(table)
    values = np.where(present, table, 0.0)
    for first in range(n - 1):
        rest = slice(first + 1, n)
        both = present[:, first, None] & present[:, rest]
        shared = both.sum(axis=0)
        differences = np.where(both, values[:, first, None] - values[:, rest], 0.0)
        means = differences.sum(axis=0) / np.maximum(shared, 1)
        rests = np.add.reduceat(np.where(both, differences - means, 0.0), starts, axis=0)
        count = (np.add.reduceat(both, starts, axis=0, dtype=np.int64) > 0).sum(axis=0)
        known = count >= 2
        squares = count**2 / np.maximum(count - 1, 1) * (rests**2).sum(axis=0) / np.maximum(shared, 1) ** 2
        spreads[first, rest] = np.where(known, np.sqrt(squares), np.nan)
        spreads[rest, first] = spreads[first, rest]
    return spreads


def detectable_difference(
    scores: ArrayLike,
    ranks: Ranks,
    cluster: ArrayLike | None = None,
    *,
    power: float = POWER,
    scale: float = 10.0,
) -> Figure:
    """The smallest difference between two of the board's configurations that is shown with the given power, while all
    pairs are compared at once: for the pair of median spread.

    scores   of the skill's questions, shape (Q, n), as `rank_sets` had them; cluster  the same too.
    ranks    of them: its critical value is the simultaneous level.
    scale    the largest difference that scores can have.

    value in the units of the scores; n = units. detail: `unit`, `critical`, `power`, `spread` (median of the compared
    pairs' spreads) and, for the pair of the largest spread, `largest_spread` and `largest` (None where it could not be
    shown). Where it is undefined, scores stand without ranks: "no items"; "too few units" (fewer than 6, or so few
    that no difference could exceed the critical value); "no two configurations to compare"; "no variation" where
    all compared pairs differ by a constant; "no difference within the scale could be shown" where it is beyond `scale`.
    It is approximate where units weigh unequally, and supposes that a difference does not change the spread.
    """
    detail: dict[str, Any] = {"unit": ranks.unit, "power": power}
    if ranks.units == 0:
        return Figure.without_value(NO_ITEMS, **detail)
    if ranks.units < MIN_UNITS:
        return Figure.without_value(TOO_FEW_UNITS, ranks.units, **detail)
    compared = np.triu(~np.isnan(ranks.statistic), 1)
    if ranks.critical is None or not compared.any():
        return Figure.without_value(NOTHING_COMPARED, ranks.units, **detail)
    spreads = paired_spreads(scores, cluster)[compared]
    spreads = spreads[~np.isnan(spreads)]
    detail["critical"] = ranks.critical
    if not len(spreads) or spreads.max() == 0:
        return Figure.without_value(NO_VARIATION, ranks.units, **detail)
    middle, largest = float(np.median(spreads)), float(spreads.max())
    detail |= {"spread": middle, "largest_spread": largest}
    value, hardest = (smallest_difference(ranks.units, one, ranks.critical, power) for one in (middle, largest))
    if value is None:
        return Figure.without_value(TOO_FEW_UNITS, ranks.units, **detail)
    detail["largest"] = hardest
    if value > scale:
        return Figure.without_value(BEYOND_SCALE, ranks.units, **detail, needed=value)
    return Figure(value, ranks.units, detail=detail)
