"""Whether answers that people were unsure of agree less with others than those they were sure of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement.figures import NO_ITEMS, Figure
from agreement.inference import with_interval
from agreement.statistics import of_columns, ratio_of_sums, share_of_sums
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.parts import pooled, split
from reports.dashboard.tables import NO_HEADLINE, Table
from reports.ratings.context import Context
from reports.ratings.reader import Loaded
from reports.ratings.results import RatingResults as Results

GROUP = "unsure"


@dataclass(frozen=True, eq=False)
class Shared:
    """People's grades, given here, of items that other people graded too: the share of these others who gave the very
    same grade, 1 where the person was sure and 0 where not, and the prompt; shape (N,)."""

    same: Floats
    sure: Floats
    prompt: Integers


def statistics(loaded: Loaded, context: Context) -> dict[int, Shared]:
    """Per variety. What came from a file says nothing of who was sure, and is compared with all the same."""
    grades = loaded.grades
    people = np.flatnonzero(grades.by_human & ~np.isnan(grades.grade))
    item, grade = grades.item[people], grades.grade[people]
    others = np.bincount(item, minlength=len(loaded.items))[item] - 1
    _alike, at, count = np.unique(np.stack((item, grade)), axis=1, return_inverse=True, return_counts=True)
    sure = np.full(len(people), np.nan) if loaded.sure is None else loaded.sure[people]
    kept = (others > 0) & ~np.isnan(sure)
    same = (count[at.ravel()] - 1)[kept] / others[kept]
    variety, prompt = loaded.items.variety[item[kept]], loaded.items.prompt[item[kept]]
    return split(Shared, loaded.varieties, variety, same=same, sure=sure[kept], prompt=prompt)


def figures(parts: Sequence[Shared], is_total: bool) -> dict[str, tuple[Figure, Figure]]:
    """Of all together: "unsure", "sure" and their "difference", each with its interval over prompts and the number of
    answers; nothing where nobody was unsure. Undefined: "no items" where no answer of the kind has another beside."""
    pool = pooled(list(parts)) if parts and is_total else None
    if pool is None or not (pool.sure == 0).any():
        return {}
    unsure = 1 - pool.sure
    columns = np.column_stack((pool.same * unsure, unsure, pool.same * pool.sure, pool.sure))
    made = {}
    for name, statistic, counted in (
        ("unsure", of_columns(share_of_sums, slice(0, 2)), unsure),
        ("sure", of_columns(share_of_sums, slice(2, 4)), pool.sure),
        ("difference", difference, np.ones(len(pool.sure))),
    ):
        n = int(counted.sum())
        value = float(statistic(columns.sum(axis=0)))
        figure = Figure.without_value(NO_ITEMS, n) if np.isnan(value) else Figure(value, n)
        made[name] = (with_interval(figure, columns, statistic, cluster=pool.prompt), Figure(float(n), n))
    return made


def difference(sums: Floats) -> Floats:
    """Unsure less sure, of sums as in `figures`; shape (...)."""
    sums = np.asarray(sums, dtype=float)
    return ratio_of_sums(sums[..., :2]) - ratio_of_sums(sums[..., 2:])


def tables(results: Results) -> list[Table]:
    """None where nobody was unsure."""
    found: dict[str, Any] = results.total()
    if not found:
        return []
    names = {"unsure": _("unsure"), "sure": _("sure"), "difference": _("unsure less sure")}
    return [
        Table(
            id="unsure-answers",
            title=_("Answers that people were unsure of"),
            dimensions=(_("answers"),),
            measures=(_("agreement with others"), _("n")),
            units={_("n"): "count"},
            rows=tuple(results.people_row((label,), found[name], {}) for name, label in names.items()),
            headline=NO_HEADLINE,
            recipe=results.recipe(
                "agreement_of_unsure_answers",
                gold=False,
                agreement="share of the other people of the item who gave the very same grade, mean over answers",
                difference="unsure less sure; negative where unsure answers agree less",
                answers="of people, given here, on items that others graded too",
            ),
        )
    ]
