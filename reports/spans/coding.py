"""Categories given by two coders to the same spans: how far they agree beyond chance."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from agreement import alpha, kappa
from agreement.figures import NO_ITEMS, Figure
from reports.spans.groups import Context, Integers
from reports.spans.loading import Loaded


@dataclass(frozen=True, eq=False)
class Statistics:
    """Every category given to a span that two coders or more have coded, in order of id; ids, shape (K,)."""

    span: Integers
    rater: Integers
    category: Integers


def statistics(loaded: Loaded, context: Context) -> dict[int, Statistics]:
    codings = loaded.codings
    _, index, times = np.unique(codings.span, return_inverse=True, return_counts=True)
    doubly = times[index] >= 2 if len(index) else np.zeros(0, dtype=bool)
    found = {}
    for variety in loaded.varieties:
        rows = doubly & (loaded.responses.variety[codings.response] == variety)
        found[variety] = Statistics(codings.span[rows], codings.rater[rows], codings.category[rows])
    return found


def figures(parts: Sequence[Statistics], is_total: bool) -> dict[str, Any]:
    """Cohen's kappa of each pair of coders on the spans both coded, and alpha over all coders."""
    span, rater, category = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("span", "rater", "category")
    )
    categories, code = np.unique(category, return_inverse=True)
    raters = np.unique(rater).tolist()
    pairs = {
        (one, other): _kappa(span, rater, code, (one, other), len(categories)) for one, other in combinations(raters, 2)
    }
    overall = alpha.alpha(span, category, "nominal") if len(span) else Figure.without_value(NO_ITEMS)
    return {
        "pairs": {pair: figure for pair, figure in pairs.items() if figure.n},
        "alpha": overall,
        "people": len(raters),
        "responses": len(np.unique(span)),
    }


def _kappa(span: Integers, rater: Integers, code: Integers, pair: tuple[int, int], n: int) -> Figure:
    first, second = (np.flatnonzero(rater == one) for one in pair)
    _, one, other = np.intersect1d(span[first], span[second], return_indices=True)
    if not len(one):
        return Figure.without_value(NO_ITEMS)
    return kappa.cohen_kappa(kappa.confusion(code[first][one], code[second][other], n))
