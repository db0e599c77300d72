"""Each person beside the others of a variety: agreement, leniency, and severity of the many-facet Rasch model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement import facets
from agreement.figures import NO_ITEMS, Figure
from agreement.raters import against_others, against_some
from reports.ratings.groups import Context, Flags, Floats, Integers, of_setting
from reports.ratings.loading import Loaded

#: In this order in every row of figures.
MEASURES = ("grades", "within", "signed_error", "with_experts", "severity")


@dataclass(frozen=True, eq=False)
class Statistics:
    """People's grades in one setting: item, rater, grade, whether an expert's; shape (G,)."""

    item: Integers
    rater: Integers
    grade: Floats
    by_expert: Flags


def statistics(loaded: Loaded, context: Context) -> dict[int, Statistics]:
    """Per variety."""
    grades = loaded.grades
    people = np.flatnonzero(grades.by_human)
    found = {}
    for variety, here in of_setting(loaded):
        mine = people[here[grades.item[people]]]
        found[variety] = Statistics(grades.item[mine], grades.rater[mine], grades.grade[mine], grades.by_expert[mine])
    return found


def figures(parts: Sequence[Statistics], is_total: bool) -> dict[str, Any]:
    """Of one setting: "raters" by id, the number of the linked group and figures in the order of MEASURES; "linked"
    how many groups there are. Of all together no more than "size": items and people, whom no response links."""
    rated = [part for part in parts if len(part.item)]
    if is_total:
        people = {one for part in rated for one in part.rater.tolist()}
        return {"size": (sum(len(np.unique(part.item)) for part in rated), len(people))}
    if not rated:
        return {"raters": {}, "linked": 0}
    [part] = rated
    others = against_others(part.item, part.rater, part.grade)
    experts = against_some(part.item, part.rater, part.grade, part.by_expert)
    _, category = np.unique(part.grade, return_inverse=True)
    fit = facets.severities(part.item, part.rater, category)
    rows = zip(
        others.raters.tolist(), others.n.tolist(), others.within, others.signed_error, experts.within, strict=True
    )
    group, severity = dict(zip(fit.raters.tolist(), fit.group.tolist(), strict=True)), fit.by_rater()
    known = bool(part.by_expert.any())
    return {
        "raters": {
            one: (group[one], (Figure(float(n), n), near, error, expert if known else no_expert(), severity[one]))
            for one, n, near, error, expert in rows
        },
        "linked": int(fit.group.max(initial=-1)) + 1,
    }


def no_expert() -> Figure:
    return Figure.without_value(NO_ITEMS)
