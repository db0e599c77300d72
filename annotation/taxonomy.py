"""Which category an answer is read as, whatever it was given with.

Answers keep the category that they hold. A project that merged or split categories since has a mapping from those to
what stands for them now; gold, figures and screens read through it, and taking a change back changes the mapping alone.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from django.db.models import Q, QuerySet

from annotation.models import CategoryChange, ErrorCategory
from projects.models import Project

#: Category id to the one that it is read as; None where it was split and somebody has to choose again.
Replaced = Mapping[int, int | None]


def replaced(projects: Project | Iterable[int] | QuerySet[Any, Any]) -> dict[int, int | None]:
    """Of the categories that are no longer offered, by id. One statement; empty where nothing was merged or split."""
    rows = ErrorCategory.objects.filter(~Q(merged_into=None) | Q(is_split=True)).order_by()
    among = rows.filter(project=projects) if isinstance(projects, Project) else rows.filter(project__in=projects)
    return mapping_of(among.values_list("pk", "merged_into", "is_split"))


def mapping_of(rows: Iterable[tuple[int, int | None, bool]]) -> dict[int, int | None]:
    """Of rows of id, the id that a category is merged into, and whether it is split."""
    step = {pk: merged_into for pk, merged_into, is_split in rows if merged_into or is_split}
    return {pk: _followed(pk, step) for pk in step}


def asked_again(project: Project) -> list[int]:
    """Ids of the categories that answers may hold and are read as none. As many as the project has split."""
    return [pk for pk, now in replaced(project).items() if now is None]


def _followed(pk: int, step: Mapping[int, int | None]) -> int | None:
    """Where the steps from a category lead. They have no circle: one is merged into an offered one alone."""
    at = step[pk]
    while at is not None and at in step:
        at = step[at]
    return at


def standing_for(categories: Iterable[int], mapping: Replaced) -> set[int]:
    """Ids of the categories that answers may hold and that are read as one of these."""
    wanted = set(categories)
    return (wanted - mapping.keys()) | {before for before, now in mapping.items() if now in wanted}


def read_as(category: int | None, mapping: Replaced) -> int | None:
    return mapping.get(category, category) if category is not None else None


def read_all_as(categories: np.ndarray, mapping: Replaced) -> np.ndarray:
    """The same of an array of ids, 0 for none."""
    if not mapping:
        return categories
    read = categories.copy()
    for before, now in mapping.items():
        read[categories == before] = now or 0
    return read


def version(project: Project) -> int:
    """The number of the last change, 0 where the categories are as they were set up."""
    last = CategoryChange.objects.filter(project=project).order_by("-number").values_list("number", flat=True)
    return last.first() or 0
