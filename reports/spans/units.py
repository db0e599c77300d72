"""Spans of one rater that stand in one group are one annotation."""

import numpy as np

from agreement.numbering import numbered
from reports.dashboard.columns import Integers


def units_of(ids: Integers, rater: Integers, group: Integers) -> Integers:
    """Number of the annotation each span belongs to: its own, or that of its rater's spans in the same group."""
    grouped = np.flatnonzero(group > 0)
    unit = np.arange(len(ids))
    if len(grouped):
        (number, _), (whose, raters) = numbered(group[grouped]), numbered(rater[grouped])
        _, first, of = np.unique(number * raters + whose, return_index=True, return_inverse=True)
        unit[grouped] = grouped[first][of]
    return numbered(unit)[0]
