"""The cells that figures of rubrics are made of."""

from collections.abc import Iterable

import numpy as np

from reports.dashboard.columns import Flags, Integers

#: In place of an index: all targets, all domains.
ALL = -1


def cells(model: Integers, domain: Integers) -> Iterable[tuple[tuple[int, int], Flags]]:
    """(target, domain) and which responses are of both, those with any; each may be ALL. Flags of shape (R,)."""
    for target in [*np.unique(model).tolist(), ALL]:
        for domain_id in [*np.unique(domain).tolist(), ALL]:
            chosen = ((model == target) | (target == ALL)) & ((domain == domain_id) | (domain_id == ALL))
            if chosen.any():
                yield (target, domain_id), chosen
