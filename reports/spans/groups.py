"""What the groups of figures have in common.

A group is a module with `statistics` (what its figures of one setting are made of: plain arrays that are put
together with those of other settings), `figures` (of one setting, or of all), and beside it in tables/ the words.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.models import Depth
from projects.models import Project
from reports.spans.scope import Scope

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: Whoever finds errors is a detector: each judge by the id of its rater, all people together as this.
PEOPLE = 0

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
