"""What the groups of figures have in common."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.models import RatingSettings, UnparseablePolicy
from projects.models import Project
from reports.ratings.loading import Loaded
from reports.ratings.scope import Scope

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: In place of an id: all dimensions, all question types.
ALL = 0
#: All people together, beside judges by the id of their rater.
PEOPLE = 0


@dataclass(frozen=True)
class Context:
    """What figures depend on beside the ratings: the reader's scope and the project's rules."""

    scope: Scope
    gold_rule: str
    unparseable: str

    @classmethod
    def of(cls, project: Project, scope: Scope) -> "Context":
        chosen = RatingSettings.objects.filter(project=project).first() or RatingSettings()
        return cls(scope, str(chosen.gold_rule), str(chosen.unparseable))

    @property
    def unparseable_grade(self) -> str:
        """The policy where a grade is asked for: a verdict that counts as a tie has no grade."""
        tie, excluded = UnparseablePolicy.TIE.value, UnparseablePolicy.EXCLUDED.value
        return excluded if self.unparseable == tie else self.unparseable


def joined(parts: Sequence[Any], name: str) -> NDArray:
    """A column of all parts, one after the other."""
    return np.concatenate([getattr(part, name) for part in parts])


def of_setting(loaded: Loaded) -> Iterable[tuple[int, Flags]]:
    """Each variety asked for and which items are in it."""
    for variety in loaded.varieties:
        yield variety, loaded.items.variety == variety
