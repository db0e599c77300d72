"""What the groups of figures have in common.

A group is a module with `statistics` (what its figures of one setting are made of: plain arrays that are put
together with those of other settings), `figures` (of one setting, or of all), and beside it in tables/ the words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agreement import bootstrap
from agreement.figures import Figure
from annotation.models import Depth
from projects.models import Project
from reports.spans.scope import Scope

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: Whoever finds errors is a detector: each judge by the id of its rater, all people together as this.
PEOPLE = 0

#: Of every bootstrap, so that the same answers give the same intervals.
SEED = 2026

DEPTHS = tuple(Depth.values)


@dataclass(frozen=True)
class Category:
    id: int
    slug: str
    name: str
    depth: str


@dataclass(frozen=True)
class Context:
    """What figures depend on beside the answers: the reader's scope, the project's categories and its points."""

    scope: Scope
    categories: tuple[Category, ...]
    points: Mapping[str, float]

    @classmethod
    def of(cls, project: Project, scope: Scope) -> "Context":
        rows = project.error_categories.order_by("position", "id").values_list("id", "slug", "name", "depth")
        return cls(scope, tuple(Category(*row) for row in rows), project.penalties)


def numbers_of(categories: tuple[Category, ...], ids: Integers, missing: int) -> Integers:
    """Index among the project's categories of each id; `missing` for any other."""
    numbers = np.full(len(ids), missing)
    for number, category in enumerate(categories):
        numbers[ids == category.id] = number
    return numbers


def people_in(parts: Any) -> int:
    """How many different people stand behind the parts, each of which names its own."""
    return len(frozenset().union(*(part.people for part in parts)))


def with_detail(figure: Figure, **detail: Any) -> Figure:
    """The figure with further numbers that belong to it."""
    return Figure(figure.value, figure.n, figure.low, figure.high, figure.undefined, {**figure.detail, **detail})


@dataclass(frozen=True, eq=False)
class Block:
    """Figures that are statistics of sums of the same columns, shape (N, k)."""

    figures: Sequence[Figure]
    columns: Integers
    statistics: Sequence[bootstrap.Statistic]


def with_intervals(blocks: Sequence[Block], cluster: Integers) -> list[list[Figure]]:
    """The figures of each block with their intervals, all from one set of draws of the same N rows."""
    figures = [figure for block in blocks for figure in block.figures]
    ends = np.cumsum([block.columns.shape[1] for block in blocks])
    statistics = [
        lambda sums, of=statistic, begin=end - block.columns.shape[1], end=end: of(sums[..., begin:end])
        for block, end in zip(blocks, ends.tolist(), strict=True)
        for statistic in block.statistics
    ]
    columns = np.hstack([block.columns for block in blocks])
    found = iter(bootstrap.with_intervals(figures, columns, statistics, seed=SEED, cluster=cluster))
    return [[next(found) for _ in block.figures] for block in blocks]
