"""How well the severity model fits each rater, and how far severities are told apart."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement import facet_fit, facets
from agreement.figures import Figure
from reports.dashboard.columns import Integers
from reports.dashboard.intervals import INTERVAL
from reports.dashboard.results import Results
from reports.dashboard.tables import HEADING, NO_HEADLINE, Row, Table
from reports.dashboard.wording import count_text, figure_text

#: Mean squares that Wright and Linacre (Rasch Measurement Transactions 8 (1994), 370) call productive for measurement.
LEAST, MOST = 0.5, 1.5
#: As a recipe names it.
FIT: dict[str, Any] = {
    "infit": "sum of squared residuals over the sum of their expected variances, residuals from the grade expected "
    "from the response's other grades",
    "outfit": "mean of squared residuals over their expected variances",
    "limits": [LEAST, MOST],
    "interval_of_fit": INTERVAL,
}


def fit_of(
    fitted: facets.Severities,
    response: Integers,
    rater: Integers,
    grade: Integers,
    prompt: Integers,
    population: Integers | None = None,
) -> dict[int, tuple[Figure, Figure]]:
    """Infit and outfit by rater; arguments are those that the severities were made from, and the prompt of each."""
    expected = facet_fit.expected_grades(fitted, response, rater, grade, population)
    made = facet_fit.fits(fitted, expected, rater, cluster=prompt)
    return {one: (fit.infit, fit.outfit) for one, fit in zip(fitted.raters.tolist(), made, strict=True)}


def separations(fitted: facets.Severities) -> dict[int, Figure]:
    """`facet_fit.separation` of every linked group of two raters or more, by its number."""
    groups, sizes = np.unique(fitted.group, return_counts=True)
    return {group: facet_fit.separation(fitted, group) for group in groups[sizes > 1].tolist()}


# --- Words and the table of separation ----------------------------------------------------------------------


def fit_note() -> str:
    return _(
        "Infit and outfit are mean squares of what the model does not expect: 1 is as expected. From 0.5 to 1.5 is "
        "usual; above, a person grades erratically or by another yardstick than the others, below, more evenly than "
        "people do, say always the middle. Infit weighs grades that were open, outfit single surprises."
    )


def fit_in_words(infits: Sequence[Figure]) -> str:
    """How many grade outside the usual limits; "" where nobody's fit is known."""
    known = [figure.number for figure in infits if figure.value is not None]
    outside = sum(not LEAST <= value <= MOST for value in known)
    if not known:
        return ""
    if not outside:
        return _("The grades of all fit the model (infit from 0.5 to 1.5).")
    return ngettext(
        "The grades of %(n)s person do not fit the model (infit below 0.5 or above 1.5).",
        "The grades of %(n)s people do not fit the model (infit below 0.5 or above 1.5).",
        outside,
    ) % {"n": count_text(outside)}


def parts_of(separation: Figure) -> tuple[Figure, ...]:
    """Separation, reliability, levels and true spread."""
    if separation.value is None:
        return (separation,) * 4
    rest = (Figure(separation.detail[name], separation.n) for name in ("reliability", "strata", "spread"))
    return (separation, *rest)


def separation_table(results: Results, dimensions: tuple[str, ...], rows: Sequence[Row], recipe: Any) -> Table:
    """`rows` have the figures of `parts_of`. recipe  called with the metric's name and settings."""
    known = [row for row in rows if row.figures[0].value is not None]
    widest = max(known, key=lambda row: row.figures[0].n, default=None)
    return Table(
        id="severity-separation",
        headline=NO_HEADLINE,
        title=_("Are people told apart by their severity"),
        summary=_(
            "Among %(people)s linked people the true spread of severities is %(separation)s times their error; "
            "%(reliability)s of what varies between them is no error."
        )
        % {
            "people": count_text(widest.figures[0].n),
            "separation": figure_text(widest.figures[0], "score"),
            "reliability": figure_text(widest.figures[1], "share"),
        }
        if widest
        else _("No two people share a graded response, so nobody is told apart by severity."),
        dimensions=dimensions,
        measures=(_("separation"), _("reliability"), _("levels"), _("spread of severities")),
        units={_("separation"): "score", _("levels"): "score", _("spread of severities"): "logits"},
        rows=tuple(rows),
        recipe=recipe(
            "severity_separation",
            separation="true standard deviation of severities over their root mean squared standard error",
            reliability="share of the observed variance that is no error",
            levels="(4 separation + 1) / 3",
        ),
        marked=HEADING,
        chart="none",
        note=_(
            "A high reliability says that people surely differ in severity, which nobody wishes: near 0 what lies "
            "between them is no larger than their errors. Levels: so many degrees of severity are distinct. n counts "
            "people. None has an interval: they are of the very people who graded."
        ),
    )
