"""What figures of rubrics depend on beside the grades, and the cells that they are made of."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from django.utils.translation import gettext as _

from projects.models import Project, Vocabulary
from projects.vocabularies import words
from reports.dashboard.columns import Flags, Integers
from reports.dashboard.scope import BaseContext
from reports.dashboard.words import Word, in_order

#: In place of an index: all targets, all domains.
ALL = -1


@dataclass(frozen=True)
class Context(BaseContext):
    """The reader's scope, and the project's types of failure."""

    failure_types: tuple[Word, ...]

    @classmethod
    def of(cls, project: Project, scope: Any) -> Self:
        return cls(scope, in_order(words(project, Vocabulary.FAILURE_TYPE)))

    def failure_name(self, slug: str) -> str:
        """Of one type; of all together without a slug."""
        return next((word.label for word in self.failure_types if word.slug == slug), slug or _("All types"))


def cells(model: Integers, domain: Integers) -> Iterable[tuple[tuple[int, int], Flags]]:
    """(target, domain) and which responses are of both, those with any; each may be ALL. Flags of shape (R,)."""
    for target in [*np.unique(model).tolist(), ALL]:
        for domain_id in [*np.unique(domain).tolist(), ALL]:
            chosen = ((model == target) | (target == ALL)) & ((domain == domain_id) | (domain_id == ALL))
            if chosen.any():
                yield (target, domain_id), chosen
