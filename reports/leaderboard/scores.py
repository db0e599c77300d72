"""By whose judgement configurations are ranked, and the score of each question.

Two configurations are ranked against each other only on judges common to both. The judges are those of the board, or
all from laboratories that are not on it; where no such judge has scored anything, those that most configurations have
in common. A judge never counts for models of its own laboratory.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from agreement.answers.question_scores import question_scores, rule_values
from agreement.figures import Figure
from agreement.ranks import mean_score
from reports.dashboard.columns import Flags, Floats, Integers
from reports.leaderboard.reader import Loaded

#: A judge has judged a configuration, and a configuration is scored, from this share of what there is to score.
ENOUGH = 0.99
#: Points of a question go from 0 to TOP.
TOP = 10.0
#: What recipes say of the interval of a mean of points.
INTERVAL = "t over units, 95 %, cut to the scale of 0 to 10"
_ROUNDING = 1e-9


def on_scale(figure: Figure) -> Figure:
    """A mean of points, with an interval that does not leave their scale: over few questions t's would."""
    return figure.within(0.0, TOP)


def mean_points(scores: Floats, cluster: ArrayLike | None = None) -> Figure:
    """`mean_score` of points, on their scale. Ranks go by the scores themselves and not by these intervals."""
    return on_scale(mean_score(scores, cluster))


@dataclass(frozen=True, eq=False)
class Panel:
    """The judges of a board.

    judges    ids of those that all ranked configurations have in common; empty where nothing is left to judges.
    common    which configurations they have begun to judge, all of them and not of their own laboratory; shape (n,).
    others    by column of a configuration without them, those that have judged it: it has scores and no rank.
    is_outside   none of them is from a laboratory on the board.
    """

    judges: tuple[int, ...]
    common: Flags
    others: dict[int, tuple[int, ...]]
    is_outside: bool


def open_uses(loaded: Loaded) -> Flags:
    """Which scores only a judge can give: there is an answer, no fixed rule decides and nothing was read; (U, n)."""
    left = loaded.answered & np.isnan(loaded.decided)
    return left[loaded.use] & np.isnan(loaded.read) & loaded.is_judged[:, None]


@dataclass(frozen=True, eq=False)
class Coverage:
    """What one judge has judged: how many of the open uses of each configuration, whether it has begun, and whether
    it has judged it whole; never of models of its own laboratory. Shape (n,) each."""

    count: Integers
    is_begun: Flags
    is_whole: Flags

    @classmethod
    def of(cls, loaded: Loaded, judge: int, needed: Flags) -> "Coverage":
        laboratory = loaded.judges[judge].laboratory
        own = [laboratory is not None and entry.laboratory == laboratory for entry in loaded.entries]
        open_ones = needed.sum(axis=0)
        may = ~(np.array(own, dtype=bool) & (open_ones > 0))
        count = (needed & ~np.isnan(loaded.judged[judge])).sum(axis=0)
        whole = count >= ENOUGH * open_ones - _ROUNDING
        return cls(np.where(may, count, 0), may & ((count > 0) | (open_ones == 0)), may & whole)


def panel_of(loaded: Loaded, chosen: Sequence[int] = ()) -> Panel:
    """The judges of the board; `chosen` are those that its lead named, whom all ranked configurations must have."""
    needed = open_uses(loaded)
    needs: Flags = np.any(needed, axis=0)
    covered = {judge: Coverage.of(loaded, judge, needed) for judge in loaded.judges}
    on_board = {entry.laboratory for entry in loaded.entries} - {None}
    outside = [one.id for one in loaded.judges.values() if one.laboratory and one.laboratory not in on_board]
    outside = [judge for judge in outside if covered[judge].count.any()]
    judges = tuple(chosen) or largest(outside or list(loaded.judges), covered, needs)
    begun = [covered[judge].is_begun if judge in covered else ~needs for judge in judges]
    common: Flags = np.all(begun, axis=0) if begun else ~needs
    others = {column: its_own(covered, column) for column in np.flatnonzero(~common).tolist()}
    return Panel(judges, common, others, all(judge in outside for judge in judges))


def its_own(covered: Mapping[int, Coverage], column: int) -> tuple[int, ...]:
    """The judges that have judged a configuration whole, or else the one that has judged most of it."""
    whole = tuple(judge for judge, of in covered.items() if of.is_whole[column])
    begun = [judge for judge, of in covered.items() if of.count[column]]
    return whole or tuple(sorted(begun, key=lambda judge: -int(covered[judge].count[column]))[:1])


def largest(judges: Sequence[int], covered: Mapping[int, Coverage], needs: Flags) -> tuple[int, ...]:
    """The judges that most configurations have in common: the one that has judged most of them whole, with all others
    that have judged the same; ties by the number of scores, then by id."""
    judges = sorted(judge for judge in judges if covered[judge].count.any())
    if not judges:
        return ()
    best = max(judges, key=lambda judge: (covered[judge].is_whole.sum(), covered[judge].count.sum(), -judge))
    whole = covered[best].is_whole & needs
    if not whole.any():
        return (best,)
    return tuple(judge for judge in judges if (covered[judge].is_whole >= whole).all())


def values_by(loaded: Loaded, judges: Sequence[int], *, as_published: bool = False) -> Floats:
    """The score of each use, (U, n): what was read or computed, else the mean of these judges, NaN where one is
    missing."""
    read = loaded.read
    if as_published:
        read = np.where(np.isnan(loaded.published), read, loaded.published)
    nothing = np.full(read.shape, np.nan)
    return rule_values(read, [loaded.judged.get(judge, nothing) for judge in judges])


def scores_by(loaded: Loaded, judges: Sequence[int], *, as_published: bool = False) -> Floats:
    """The score of each question, (Q, n). What was published stands as published, whatever the fixed rules make of the
    answer."""
    values = values_by(loaded, judges, as_published=as_published)
    decided, limit = loaded.decided, loaded.limit
    if as_published:
        judged = judged_whole(loaded, judges)
        decided, limit = np.where(judged, np.nan, decided), np.where(judged, np.inf, limit)
    return question_scores(loaded.use, values, decided, limit, loaded.ruled & loaded.answered)


def judged_whole(loaded: Loaded, judges: Sequence[int]) -> Flags:
    """Questions of which these judges have scored every rule that is left to judges, and at least one, though a fixed
    rule decides; (Q, n).

    Judges here are not asked where a fixed rule decides, so such scores were published with the answers.
    """
    shape = loaded.decided.shape
    missing, given = np.zeros(shape, dtype=int), np.zeros(shape, dtype=int)
    if judges:
        nothing = np.full(loaded.read.shape, np.nan)
        scored = ~np.isnan(np.mean([loaded.judged.get(judge, nothing) for judge in judges], axis=0))
        np.add.at(missing, loaded.use, ~scored)
        np.add.at(given, loaded.use, scored)
    return (missing == 0) & (given > 0) & ~np.isnan(loaded.decided)


def panel_scores(loaded: Loaded, panel: Panel) -> Floats:
    """Scores by the panel; of a configuration without a common judge by those that it has."""
    scores = scores_by(loaded, panel.judges)
    for judges in set(panel.others.values()):
        columns = [column for column, own in panel.others.items() if own == judges]
        scores[:, columns] = scores_by(loaded, judges)[:, columns]
    return scores
