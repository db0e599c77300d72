"""Tables of what people say, by dimension and by question type."""

from typing import Any

from django.utils.translation import gettext as _

from agreement.figures import Figure
from reports.ratings.groups import ALL
from reports.ratings.people import DIMENSION, QUESTION
from reports.ratings.results import Results
from reports.tables import HEADING, NO_HEADLINE, Row, Table
from reports.wording import number, said

GROUP = "people"


def tables(results: Results) -> list[Table]:
    return [by_dimension(results), by_variety(results), by_question(results)]


def shape(results: Results, **more: Any) -> dict[str, Any]:
    return {
        "measures": (
            _("alpha"),
            _("agreement within 1"),
            _("mean grade"),
            _("standard deviation"),
            _("ratings"),
            _("items"),
            _("raters"),
        ),
        "units": {
            **dict.fromkeys((_("ratings"), _("items"), _("raters")), "count"),
            **dict.fromkeys((_("mean grade"), _("standard deviation")), "grade"),
        },
        "marked": HEADING,
        "recipe": results.recipe(
            GROUP,
            "people_agreement",
            gold=False,
            alpha="Krippendorff, ordinal",
            within=1,
            item="a response on a question type",
            raters="all people, experts too; answers to checks left out",
            **more,
        ),
        "note": _("An item is a response as rated on one question type. Ratings of judges are not here."),
    }


def summary(found: dict[tuple[str, int], tuple[Figure, ...]]) -> str:
    every = found.get((DIMENSION, ALL))
    if every is None:
        return _("Nobody has graded a response yet.")
    alpha, near, _mean, _spread, ratings, items, raters = every
    return _(
        "%(raters)s people gave %(ratings)s grades on %(items)s items: alpha %(alpha)s; two people differ by at most "
        "one grade in %(near)s of cases."
    ) % {
        "raters": number(raters.number, "count"),
        "ratings": number(ratings.number, "count"),
        "items": number(items.number, "count"),
        "alpha": said(alpha),
        "near": said(near),
    }


def by_dimension(results: Results) -> Table:
    found = results.total(GROUP)
    rows = []
    for (what, one), figures in found.items():
        if what == DIMENSION:
            label, drill = results.dimension(one)
            rows.append(Row((label,), figures, drill, results.marks()))
    return Table(
        id="ratings-by-dimension",
        title=_("Grades by dimension"),
        summary=summary(found),
        dimensions=(_("dimension"),),
        rows=ordered(results, rows),
        x=_("dimension"),
        **shape(results),
    )


def ordered(results: Results, rows: list[Row]) -> tuple[Row, ...]:
    """Dimensions as the project has them, all of them together last."""
    place = {label: at for at, (_slug, label) in enumerate(results.names.dimensions.values())}
    return tuple(sorted(rows, key=lambda row: place.get(row.labels[0], len(place))))


def by_variety(results: Results) -> Table:
    rows: list[Row] = []
    for setting, where, pool in results.pools(GROUP):
        of_setting = []
        for (what, one), figures in pool.items():
            if what == DIMENSION:
                label, drill = results.dimension(one)
                of_setting.append(Row((label, setting), figures, {**where, **drill}, results.marks()))
        rows += ordered(results, of_setting)
    alphas = [
        (row.figures[0].number, row.labels[1])
        for row in rows
        if row.figures[0].value is not None and "variety" in row.drill and "dimension" not in row.drill
    ]
    return Table(
        id="ratings-by-variety",
        title=_("Grades by variety and dimension"),
        summary=_("Alpha of all dimensions runs from %(lowest)s (%(worst)s) to %(highest)s (%(best)s).")
        % {
            "lowest": number(min(alphas)[0]),
            "worst": min(alphas)[1],
            "highest": number(max(alphas)[0]),
            "best": max(alphas)[1],
        }
        if alphas
        else summary(results.total(GROUP)),
        dimensions=(_("dimension"), _("variety")),
        rows=tuple(rows),
        chart="heat",
        x=_("dimension"),
        series=_("variety"),
        **shape(results, split="variety and dimension"),
    )


def by_question(results: Results) -> Table:
    found = results.total(GROUP)
    rows: list[Row] = []
    for pk in results.names.questions:
        if (QUESTION, pk) in found:
            dimension, label, drill = results.question(pk)
            rows.append(Row((label, dimension), found[QUESTION, pk], drill, results.marks()))
    return Table(
        id="ratings-by-question",
        headline=NO_HEADLINE,
        title=_("Grades by question type"),
        summary=summary(found),
        dimensions=(_("question type"), _("dimension")),
        rows=tuple(rows),
        x=_("question type"),
        **shape(results, split="question type"),
    )
