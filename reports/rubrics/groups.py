"""What the groups of figures have in common."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agreement.bootstrap import mean_columns, ratio_of_sums
from agreement.figures import NO_ITEMS, Figure
from reports.dashboard.draws import Block
from reports.rubrics.loading import Loaded

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: In place of an index: all targets, all domains.
ALL = -1
#: All people together, beside judges by the id of their rater.
PEOPLE = 0


@dataclass(frozen=True)
class Context:
    """What figures depend on beside the grades; nothing, so far, but the scope they are loaded by."""

    scope: Any


def cells(model: Integers, domain: Integers) -> Iterable[tuple[tuple[int, int], Flags]]:
    """(target, domain) and which responses are of both, those with any; each may be ALL. Flags of shape (R,)."""
    for one in [*np.unique(model).tolist(), ALL]:
        for other in [*np.unique(domain).tolist(), ALL]:
            chosen = ((model == one) | (one == ALL)) & ((domain == other) | (other == ALL))
            if chosen.any():
                yield (one, other), chosen


def mean_block(values: Floats, chosen: Flags) -> Block:
    """The mean of the chosen values that are there, as a block of all rows. Undefined: "no items"."""
    columns = mean_columns(np.where(chosen, values, np.nan))
    total, n = columns.sum(axis=0)
    figure = Figure(float(total / n), int(n)) if n else Figure.without_value(NO_ITEMS)
    return Block([figure], columns, [ratio_of_sums])


def joined(parts: Sequence[Any], name: str) -> NDArray:
    """A column of all parts, one after the other."""
    return np.concatenate([getattr(part, name) for part in parts])


def of_setting(loaded: Loaded) -> Iterable[tuple[int, Flags]]:
    """Each variety asked for and which responses are in it."""
    for variety in loaded.varieties:
        yield variety, loaded.responses.variety == variety
