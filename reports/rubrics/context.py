"""What figures of rubrics depend on beside the grades, and the cells they are made of."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from projects.models import Project
from reports.dashboard.columns import Flags, Integers
from reports.rubrics.scope import RubricScope

#: In place of an index: all targets, all domains.
ALL = -1


@dataclass(frozen=True)
class Context:
    """Nothing, so far, but the scope that the grades are loaded by."""

    scope: RubricScope

    @classmethod
    def of(cls, project: Project, scope: RubricScope) -> "Context":
        return cls(scope)


def cells(model: Integers, domain: Integers) -> Iterable[tuple[tuple[int, int], Flags]]:
    """(target, domain) and which responses are of both, those with any; each may be ALL. Flags of shape (R,)."""
    for one in [*np.unique(model).tolist(), ALL]:
        for other in [*np.unique(domain).tolist(), ALL]:
            chosen = ((model == one) | (one == ALL)) & ((domain == other) | (other == ALL))
            if chosen.any():
                yield (one, other), chosen
