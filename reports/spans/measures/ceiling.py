"""People under the same comparison as the judges: the human ceiling that stands beside their figures."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.figures import Figure
from reports.dashboard.findings import highest
from reports.dashboard.names import PEOPLE
from reports.dashboard.tables import Table
from reports.dashboard.wording import figure_text
from reports.spans.results import SpanResults as Results

CEILING = gettext_lazy(
    "The line is the human ceiling: each person's errors against the same gold, where two people or more marked the "
    "response. It is optimistic in the way the judges' own figures are: errors a rater found and the others kept "
    "are in the gold. Without the errors nobody else found, people's F1 is %(f1)s."
)
BUILDERS = gettext_lazy(
    "Judges marked “helped to build the gold” found errors that are in it, so in part they are compared with "
    "themselves. Without own errors: the errors that nobody else found are taken out of the gold."
)


def judges_in(results: Results) -> list[int]:
    return [one for one in results.total()["scores"] if one != PEOPLE]


def ceilings(results: Results, key: str, measures: tuple[str, ...]) -> dict[str, Figure]:
    people = results.total()[key].get(PEOPLE)
    if not people or not people[0].n:
        return {}
    return dict(zip(measures, people[: len(measures)], strict=True))


def note(results: Results) -> str:
    """What the line is; and, where judges have a part in the gold, what their mark says."""
    return " ".join(filter(None, (ceiling_note(results), builders_note(results))))


def builders_note(results: Results) -> str:
    """Empty where no judge has a part in the gold."""
    return str(BUILDERS) if any(rater.is_gold_builder for rater in results.names.raters.values()) else ""


def ceiling_note(results: Results) -> str:
    people = results.total()["scores"].get(PEOPLE)
    if not people or not people[0].n:
        return _("There is no human ceiling: no response with settled errors was marked by two people.")
    without_own = people[2].detail.get("f1_without_own")
    figure = Figure.without_value("no gold spans") if without_own is None else Figure(without_own, people[2].n)
    return str(CEILING) % {"f1": figure_text(figure)}


def matching(results: Results) -> dict[str, Any]:
    scope = results.context.scope
    return {"threshold": scope.threshold, "matching": scope.matching, "omissions": "not matched, counted beside"}


def by_judge_and_variety(
    results: Results, key: str, measures: tuple[str, ...], headline: int = 0, **words: Any
) -> Table:
    """A table of every judge in every variety, with people's ceiling for all measures before that of answers.

    headline  the place of the measure whose highest figure the table is about.
    """
    compared = measures[: measures.index(_("answered"))] if _("answered") in measures else measures
    rows = tuple(results.pool_rows(lambda pool: pool[key], raters_first=True))
    return Table(
        headline=highest(rows, headline),
        dimensions=(_("judge"), _("variety")),
        measures=measures,
        rows=rows,
        ceilings=ceilings(results, key, compared),
        note=note(results),
        **words,
    )
