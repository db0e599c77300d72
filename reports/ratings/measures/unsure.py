"""Whether answers that people were unsure of agree less with others than those they were sure of."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from agreement.statistics import mean_columns, share_of_sums
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.parts import pooled, split
from reports.dashboard.sureness import Found, beside_each_other, table_of_sureness
from reports.dashboard.tables import Table
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
    """Per variety, of first answers. What came from a file says nothing of who was sure, and is compared with all the
    same."""
    loaded = loaded.at_first or loaded
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


def figures(parts: Sequence[Shared], is_total: bool) -> Found:
    """Of all together, as `beside_each_other`; n counts answers."""
    if not parts or not is_total:
        return {}
    pool = pooled(list(parts))
    return beside_each_other(mean_columns(pool.same), share_of_sums, pool.sure == 0, pool.prompt)


def tables(results: Results) -> list[Table]:
    """None where nobody was unsure."""
    return table_of_sureness(
        results,
        results.total(),
        id="unsure-answers",
        title=_("Answers that people were unsure of"),
        dimensions=(_("answers"),),
        measures=(_("agreement with others"), _("n")),
        units={_("n"): "count"},
        recipe=results.recipe(
            "agreement_of_unsure_answers",
            gold=False,
            agreement="share of the other people of the item who gave the very same grade, mean over answers",
            difference="unsure less sure; negative where unsure answers agree less",
            answers=f"of people, given here, on items that others graded too; {FIRST_ANSWERS}",
        ),
    )
