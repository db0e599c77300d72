"""What was read of error spans, cut down to errors of one weight."""

from typing import Any, TypeVar

import numpy as np

from reports.dashboard.columns import Integers, positions

G = TypeVar("G", bound=Any)
M = TypeVar("M", bound=Any)
R = TypeVar("R", bound=Any)


def of_criticality(level: int, gold: G, marks: M, reviews: R, found: Integers) -> tuple[G, M, R, Integers]:
    """Errors of this weight alone, on both sides: rows of reports.spans.reader, and `Loaded.found`. Answers stay,
    though they may have become empty."""
    chosen_gold, chosen = np.flatnonzero(gold.criticality == level), np.flatnonzero(marks.criticality == level)
    fewer_gold = gold.taken(chosen_gold, settled=gold.settled)
    unit = np.unique(marks.unit[chosen], return_inverse=True)[1].reshape(-1)
    fewer = marks.taken(chosen, gold=positions(chosen_gold, marks.gold[chosen]), unit=unit)
    about = positions(chosen, reviews.span)
    error = positions(chosen_gold, found[:, 0])
    left = np.column_stack((error, found[:, 1]))[error >= 0]
    return fewer_gold, fewer, reviews.taken(about >= 0, span=about[about >= 0]), left
