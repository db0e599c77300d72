"""Whether people's scores lie further apart on responses that somebody was unsure of."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from agreement.rater_pairs import rater_pairs
from agreement.statistics import mean_columns, rate_of_sums
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.parts import pooled, split
from reports.dashboard.sureness import Found, beside_each_other, somebody_unsure, table_of_sureness
from reports.dashboard.tables import Table
from reports.rubrics.context import Context
from reports.rubrics.reader import Loaded
from reports.rubrics.results import RubricResults as Results

GROUP = "unsure"


@dataclass(frozen=True, eq=False)
class Apart:
    """Unordered pairs of people's latest scores of one response that somebody graded here: how far they lie apart in
    percentage points, whether anybody was unsure of the response (1 or 0), and the prompt; shape (P,)."""

    apart: Floats
    unsure: Floats
    prompt: Integers


def statistics(loaded: Loaded, context: Context) -> dict[int, Apart]:
    """Per variety, of first answers."""
    loaded = loaded.at_first or loaded
    grades = loaded.grades
    people = np.flatnonzero(grades.by_human & grades.is_latest & ~np.isnan(grades.percent))
    response, percent = grades.response[people], grades.percent[people]
    sure = np.full(len(people), np.nan) if loaded.sure is None else loaded.sure[people]
    unsure, pairs = somebody_unsure(response, sure), rater_pairs(response)
    known = ~np.isnan(unsure[pairs.first])
    first, second, item = pairs.first[known], pairs.second[known], pairs.item[known]
    apart = np.abs(percent[first] - percent[second])
    variety, prompt = loaded.responses.variety[item], loaded.responses.prompt[item]
    return split(Apart, loaded.varieties, variety, apart=apart, unsure=unsure[first], prompt=prompt)


def figures(parts: Sequence[Apart], is_total: bool) -> Found:
    """Of all together, as `beside_each_other`; n counts pairs."""
    if not parts or not is_total:
        return {}
    pool = pooled(list(parts))
    return beside_each_other(mean_columns(pool.apart), rate_of_sums, pool.unsure == 1, pool.prompt)


def tables(results: Results) -> list[Table]:
    """None where nobody was unsure."""
    return table_of_sureness(
        results,
        results.total(),
        id="unsure-grades",
        title=_("Responses that somebody was unsure of"),
        dimensions=(_("responses"),),
        measures=(_("MAD of people"), _("n")),
        unit="pp",
        units={_("n"): "count"},
        recipe=results.recipe(
            "distance_of_people_on_unsure_responses",
            answers=FIRST_ANSWERS,
            mad="mean absolute difference of the latest scores of two people, over unordered pairs",
            unsure="responses of which somebody who graded them here was unsure; sure: nobody was",
            difference="unsure less sure; positive where people lie further apart on them",
        ),
    )
