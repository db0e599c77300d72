"""Whether a target's longer responses earn more of their rubric: fixed points to earn, ever more room for errors."""

from typing import Any

from django.utils.translation import gettext as _

from agreement.figures import Figure
from agreement.lengths import against_length, places
from reports.dashboard.columns import Floats, Integers
from reports.dashboard.findings import first_of
from reports.dashboard.tables import Table
from reports.dashboard.wording import known_figures, no_figure_yet
from reports.rubrics.context import ALL, cells
from reports.rubrics.results import RubricResults as Results


def length_figures(
    model: Integers, domain: Integers, length: Integers, percent: Floats, prompt: Integers
) -> dict[int, tuple[Figure, ...]]:
    """By target, or ALL: correlation of people's score and length, change of the score for twice the length, mean
    length and mean score."""
    return {
        target: (
            *against_length(length[chosen], percent[chosen], prompt[chosen]),
            *places(length[chosen], percent[chosen], prompt[chosen]),
        )
        for (target, of_domain), chosen in cells(model, domain)
        if of_domain == ALL
    }


def score_against_length(results: Results) -> Table:
    rows: list[Any] = []
    for label, drill, pool in results.pools():
        for target, figures in pool["lengths"].items():
            name, by_target = results.target(target)
            rows.append(results.people_row((name, label), figures, {**drill, **by_target}))
    of_targets = results.total()["lengths"].items()
    said = known_figures((results.target(target)[0], figures[0]) for target, figures in of_targets)
    return Table(
        id="score-against-length",
        headline=first_of(rows),
        title=_("Scores against the length of responses"),
        summary=_("Correlation of people's score and the response's length. %(targets)s.") % {"targets": said}
        if said
        else no_figure_yet()
        if rows
        else _("Nobody has graded a response yet."),
        dimensions=(_("target model"), _("community")),
        measures=(_("correlation"), _("change for twice the length"), _("mean characters"), _("mean score")),
        units={_("change for twice the length"): "pp", _("mean characters"): "length", _("mean score"): "percent"},
        chart="scatter",
        x=_("target model"),
        series=_("community"),
        rows=tuple(rows),
        recipe=results.recipe("score_against_length", gold=False, length="characters of the response, in doublings"),
        note=_(
            "A correlation says what goes together, not what makes what. The points to earn are fixed before any "
            "response is seen, and each error costs: a longer response has more room for errors."
        ),
    )
