"""Significance clusters of systems: groups in order; every member of one surely beats every member of the next.

Source: the clusters of the WMT findings (C. Federmann et al. and later, "systems within a cluster are considered
tied"); here from the simultaneous comparisons of `ranks`, so that all boundaries hold together.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from agreement.ranks import Ranks


@dataclass(frozen=True)
class Clusters:
    """Systems in groups, the best first; whoever has no rank is in none.

    groups      columns of the systems, in each group by descending mean.
    transitive  whether nobody within a group is surely better than another of it. Where it is False a group is one
                only because its boundaries cannot be drawn: A shares with B and B with C, but A surely beats C. Then
                "tied" must not be said of its members, and `beaten_within` names the pairs.
    """

    groups: tuple[tuple[int, ...], ...]
    transitive: bool
    beaten_within: tuple[tuple[int, int], ...]

    def place(self, system: int) -> int | None:
        """Number of the system's group from 1; None where it has no rank."""
        return next((number for number, group in enumerate(self.groups, 1) if system in group), None)


def clusters(ranks: Ranks, means: ArrayLike) -> Clusters:
    """The finest division in order of the means in which all above a boundary surely beat all below it.

    ranks  of `ranks.rank_sets`. means  of the same systems, shape (n,).
    Every statement across a boundary is one of the simultaneous ones, so it holds with their confidence. Raises
    ValueError for another number of means, or NaN of a system that has a rank.
    """
    values = np.asarray(means, dtype=float)
    if values.shape != ranks.eligible.shape or np.isnan(values[ranks.eligible]).any():
        raise ValueError("every ranked system has its mean")
    ranked = np.flatnonzero(ranks.eligible)
    order = ranked[np.argsort(-values[ranked], kind="stable")]
    better = ranks.better[np.ix_(order, order)]
    ends = [at for at in range(1, len(order)) if better[:at, at:].all()]
    groups = [order[begin:end] for begin, end in zip([0, *ends], [*ends, len(order)], strict=True)]
    within = [
        (int(winner), int(loser))
        for group in groups
        for winner in group
        for loser in group
        if ranks.better[winner, loser]
    ]
    return Clusters(tuple(tuple(group.tolist()) for group in groups if len(group)), not within, tuple(within))
