"""What figures of error spans depend on beside the answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from annotation.error_scheme import error_scheme
from annotation.models import Depth
from annotation.taxonomy import version
from projects.models import Project
from projects.problems import Invalid, Problem
from projects.vocabularies import vocabularies
from reports.dashboard.columns import Integers
from reports.dashboard.scope import BaseContext
from reports.dashboard.words import Word, in_order
from reports.spans.scope import SpanScope

DEPTHS = tuple(Depth.values)


@dataclass(frozen=True)
class Category:
    id: int
    slug: str
    name: str
    depth: str


@dataclass(frozen=True)
class Context(BaseContext):
    """The reader's scope, the project's categories, its words for types and criticality, and its points."""

    scope: SpanScope
    categories: tuple[Category, ...]
    types: tuple[Word, ...]
    levels: tuple[Word, ...]
    points: Mapping[str, float]
    # What errors of the source cost; see annotation.error_scheme.
    source_errors: str
    # Number of the last change of the categories, 0 for none; see annotation.taxonomy.
    taxonomy: int = 0

    @classmethod
    def of(cls, project: Project, scope: SpanScope) -> Self:
        """Raises projects.problems.Invalid where the project has no such criticality."""
        rows = project.error_categories.offered().order_by("position", "id").values_list("id", "slug", "name", "depth")
        words = vocabularies(project)
        if scope.criticality and scope.criticality not in words.criticality:
            raise Invalid([Problem("unknown_value", words.criticality.refusal(), "criticality")])
        return cls(
            scope,
            tuple(Category(*row) for row in rows),
            in_order(words.error_types),
            in_order(words.criticality),
            words.criticality.points,
            str(error_scheme(project).source_errors),
            version(project),
        )


def numbers_of(categories: tuple[Category, ...], ids: Integers, missing: int) -> Integers:
    """Index among the project's categories of each id; `missing` for any other."""
    numbers = np.full(len(ids), missing)
    for number, category in enumerate(categories):
        numbers[ids == category.id] = number
    return numbers
