"""How far a board's order hangs on choices that could have been made otherwise."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from agreement.figures import NO_ITEMS, NO_VARIATION, Figure
from agreement.ranks import METHOD, MIN_UNITS, TOO_FEW_UNITS, units_of
from agreement.spread import CONFIDENCE

NO_REMOVAL = "no removal changes the leader"
NO_LEADER = "no single leader"
ONE_CONFIGURATION = "one configuration"
ONE_QUESTION_SKILL = "a skill with one question"

Floats = NDArray[np.float64]


def skill_weights(skill: Sequence[Hashable]) -> Floats:
    """Weights of Q questions under which each of K skills counts alike: Q / (K questions of it); their mean is 1.

    With them `ranks.rank_sets` ranks by skill mean, without by question mean. Missing scores change no weight.
    """
    counts: dict[Hashable, int] = {}
    for name in skill:
        counts[name] = counts.get(name, 0) + 1
    return np.array([len(skill) / (len(counts) * counts[name]) for name in skill], dtype=float)


def skill_mean(
    scores: ArrayLike, skill: Sequence[Hashable], cluster: ArrayLike | None = None, confidence: float = CONFIDENCE
) -> Figure:
    """Mean over skills of the mean score of each skill's questions, with its interval over units.

    scores   of one configuration, shape (Q,), NaN where unscored; skill  of each question; cluster  too, or None.

    The influence of a question of skill k, of n_k scored, is (score - skill's mean) / (K n_k) root(n_k / (n_k - 1));
    standard error^2 = sum over units of (sum of influences)^2, Student's t with units - K degrees of freedom.
    What varies is the drawing of questions within skills, not the skills.
    n = scored questions; detail: `skills`, `units`, `unit`, `unscored`, `standard_error`.
    Undefined: "no items". Without an interval: "a skill with one question", "too few units", "no variation".
    Raises ValueError for lengths that differ or infinite scores.
    """
    values = np.asarray(scores, dtype=float)
    if values.ndim != 1 or len(skill) != len(values) or np.isinf(values).any():
        raise ValueError("every question has a skill and a score, finite or NaN")
    units = units_of(len(values), cluster)
    scored = np.flatnonzero(~np.isnan(values))
    names = {name: place for place, name in enumerate(dict.fromkeys(skill[row] for row in scored.tolist()))}
    place = np.array([names[skill[row]] for row in scored.tolist()], dtype=np.int64)
    values, index = values[scored], units.index[scored]
    count, used = np.bincount(place), len(np.unique(index))
    detail: dict[str, Any] = {
        "skills": len(names),
        "unit": units.name,
        "units": used,
        "unscored": len(skill) - len(scored),
    }
    if not len(values):
        return Figure.without_value(NO_ITEMS, **detail)
    means = np.bincount(place, values) / count
    value, n, freedom = float(means.mean()), len(values), used - len(names)
    reason = ONE_QUESTION_SKILL if count.min() < 2 else TOO_FEW_UNITS if used < MIN_UNITS or freedom < 1 else None
    if reason is not None:
        return Figure(value, n, detail={**detail, "interval": reason})
    factor = np.sqrt(count / (count - 1)) / (len(names) * count)
    influence = (values - means[place]) * factor[place]
    error = float(np.sqrt((np.bincount(index, influence) ** 2).sum()))
    if error == 0:
        return Figure(value, n, detail={**detail, "standard_error": error, "interval": NO_VARIATION})
    half = float(scipy.special.stdtrit(freedom, (1 + confidence) / 2)) * error
    interval = {"standard_error": error, "interval": METHOD, "confidence": confidence}
    return Figure(value, n, value - half, value + half, detail={**detail, **interval})


def places(scores: ArrayLike) -> list[int | None]:
    """Plain places of n configurations by score, 1 for the highest; equal scores share the better place; None for NaN.

    For showing how an order moves under other weights or another judge: two lists of places beside each other.
    """
    values = np.asarray(scores, dtype=float)
    return [None if np.isnan(value) else 1 + int((values > value + 1e-9).sum()) for value in values]


@dataclass(frozen=True)
class LeaderChange:
    """The fewest questions without which another leads.

    figure      how many; n = questions that leader and challenger share; detail: `leader`, `challenger` (columns) and
                `share` of those questions.
    questions   rows that go.
    """

    figure: Figure
    questions: tuple[int, ...]


def fewest_removals(scores: ArrayLike) -> LeaderChange:
    """The fewest questions whose removal puts another configuration ahead of the leader.

    scores  shape (Q, n), NaN where unscored. Two configurations are compared, as in ranks, by their mean difference on
            the questions that both have; the leader is ahead of every other.

    For a challenger, let d_1 >= d_2 >= ... >= d_m be leader less challenger on the m questions that both have, and S
    their sum. The greedy choice, the k largest first, is exact:
    - Once a set R is removed the challenger is ahead where S - sum over R of d < 0: the mean has the sign of the sum,
      and questions that only one of them has are in neither.
    - Among all R of size k the sum over R is greatest for the k largest (exchange: to replace any member of R by a
      larger d outside of it never lowers the sum). So some R of size k puts the challenger ahead exactly where the k
      largest do.
    - The smallest such k is therefore the first k at which S - d_1 - ... - d_k < 0. There is one exactly where some
      d < 0: take all but those.
    - The leader stops leading where at least one challenger is ahead, so the fewest over all challengers is the answer.
    The argument asks for sums: it does not hold for skill means, whose weights change with what is removed.

    Undefined: "no items"; "one configuration"; "no single leader" where nobody is ahead of all others; "no removal
    changes the leader" where no challenger is better on any question. Raises ValueError for infinite scores.
    """
    table = np.asarray(scores, dtype=float)
    if table.ndim != 2 or np.isinf(table).any():
        raise ValueError("scores have one row per question and one column per configuration, finite or NaN")
    n = table.shape[1]
    if not (~np.isnan(table)).any():
        return LeaderChange(Figure.without_value(NO_ITEMS), ())
    if n < 2:
        return LeaderChange(Figure.without_value(ONE_CONFIGURATION, len(table)), ())
    tolerance = 1e-9 * max(1.0, float(np.nanmax(np.abs(table))))
    leader = _leader(table, tolerance)
    if leader is None:
        return LeaderChange(Figure.without_value(NO_LEADER, len(table)), ())
    best: tuple[int, int, NDArray[np.int64], int] | None = None
    for challenger in (column for column in range(n) if column != leader):
        differences = table[:, leader] - table[:, challenger]
        rows = np.flatnonzero(~np.isnan(differences))
        rows = rows[np.argsort(-differences[rows], kind="stable")]
        left = differences[rows].sum() - np.cumsum(differences[rows])
        ahead = np.flatnonzero(left[:-1] < -tolerance)
        if len(ahead) and (best is None or ahead[0] + 1 < best[0]):
            best = int(ahead[0]) + 1, challenger, rows[: ahead[0] + 1], len(rows)
    if best is None:
        return LeaderChange(Figure.without_value(NO_REMOVAL, len(table), leader=leader), ())
    removed, challenger, gone, shared = best
    detail = {"leader": leader, "challenger": challenger, "share": removed / shared}
    return LeaderChange(Figure(float(removed), shared, detail=detail), tuple(sorted(gone.tolist())))


def _leader(table: Floats, tolerance: float) -> int | None:
    """Who is ahead of every other on the questions that both have; of those without common questions nobody is."""
    for column in np.argsort(-np.nan_to_num(np.nansum(table, axis=0)), kind="stable").tolist():
        differences = table[:, [column]] - np.delete(table, column, axis=1)
        if (np.nansum(differences, axis=0) > tolerance).all():
            return int(column)
    return None
