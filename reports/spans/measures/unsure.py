"""Whether people agree less on responses that somebody was unsure of: their pairs, as `marking` made them."""

from typing import Protocol

import numpy as np
from django.utils.translation import gettext as _

from agreement.spans import symmetric_f1
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.first_answers import FIRST_ANSWERS
from reports.dashboard.sureness import Found, beside_each_other, table_of_sureness
from reports.dashboard.tables import Table
from reports.spans.results import SpanResults as Results


class Pairs(Protocol):
    """Match counts of each pair of people's answers, shape (P, 4); whether anybody was unsure of the response, 1 or 0,
    NaN where nobody marked it here; and its prompt."""

    @property
    def matches(self) -> Integers: ...

    @property
    def unsure(self) -> Floats: ...

    @property
    def prompt(self) -> Integers: ...


def figures(pairs: Pairs) -> Found:
    """Pooled F1 of people with each other as `beside_each_other`; n counts pairs."""
    known = ~np.isnan(pairs.unsure)
    return beside_each_other(pairs.matches[known], symmetric_f1, pairs.unsure[known] == 1, pairs.prompt[known])


def tables(results: Results) -> list[Table]:
    """None where nobody was unsure."""
    return table_of_sureness(
        results,
        results.total()["unsure"],
        id="unsure-responses",
        title=_("Responses that somebody was unsure of"),
        dimensions=(_("responses"),),
        measures=(_("F1, pooled"), _("n")),
        units={_("n"): "count"},
        recipe=results.recipe(
            "human_human_f1_of_unsure_responses",
            answers=FIRST_ANSWERS,
            threshold=results.context.scope.threshold,
            matching=results.context.scope.matching,
            f1="matched spans of both sides / spans of both sides; unordered pairs of people",
            unsure="responses of which somebody who marked them here was unsure; sure: nobody was",
            difference="unsure less sure; negative where people agree less on them",
        ),
    )
