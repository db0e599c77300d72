"""Tables of penalties, in projects whose errors cost points."""

from django.utils.translation import gettext as _

from reports.spans.results import Results
from reports.tables import NO_HEADLINE, Row, Table
from reports.wording import said, said_of

GROUP = "penalties"
SUM = "sum of the points of a rater's errors on a response, in the order they were given, unrounded"


def tables(results: Results) -> list[Table]:
    total = results.total(GROUP)
    if not total:
        return []
    return [overall(results), agreement(results), by_model(results), by_rater(results)]


def overall(results: Results) -> Table:
    rows = [
        Row((label,), pool["overall"][:1], {**drill, "detector": "human"}, results.marks())
        for label, drill, pool in results.pools(GROUP)
        if pool
    ]
    return Table(
        id="penalties",
        title=_("Penalties"),
        summary=_("People give %(mean)s points per response.")
        % {"mean": said(results.total(GROUP)["overall"][0], "points")},
        dimensions=(_("setting"),),
        measures=(_("mean penalty"),),
        rows=tuple(rows),
        recipe=results.recipe(GROUP, "mean_penalty", drawn=True, penalty=SUM),
        unit="points",
        x=_("setting"),
    )


def agreement(results: Results) -> Table:
    rows = [
        Row((label,), pool["overall"][1:], {**drill, "detector": "human"}, results.marks())
        for label, drill, pool in results.pools(GROUP)
        if pool
    ]
    _mean, interval, ordinal = results.total(GROUP)["overall"]
    return Table(
        id="penalty-alpha",
        title=_("Agreement of people on penalties"),
        summary=_("Krippendorff's alpha of people's penalties is %(interval)s (interval), %(ordinal)s (ordinal).")
        % {"interval": said(interval), "ordinal": said(ordinal)},
        dimensions=(_("setting"),),
        measures=(_("alpha, interval"), _("alpha, ordinal")),
        rows=tuple(rows),
        recipe=results.recipe(GROUP, "krippendorff_alpha", penalty=SUM, levels=["interval", "ordinal"]),
        x=_("setting"),
    )


def by_model(results: Results) -> Table:
    models = results.total(GROUP)["models"]
    rows = [
        Row((results.names.models[pk],), (figure,), {"model": results.names.models[pk]}, results.marks())
        for pk, figure in models.items()
    ]
    return Table(
        id="penalties-by-model",
        title=_("Penalty per target model"),
        summary=_("Mean points people give per response. %(means)s.")
        % {"means": ", ".join(said_of(row.labels[0], row.figures[0], "points") for row in rows)},
        dimensions=(_("model"),),
        measures=(_("mean penalty"),),
        rows=tuple(rows),
        recipe=results.recipe(GROUP, "mean_penalty", drawn=True, penalty=SUM),
        unit="points",
        x=_("model"),
    )


def by_rater(results: Results) -> Table:
    raters = results.total(GROUP)["raters"]
    rows = []
    for pk, figures in raters.items():
        name = results.names.raters[pk]
        rows.append(Row((name.label,), figures, {"rater": name.pseudonym}, results.marks(pk)))
    return Table(
        id="penalties-by-rater",
        headline=NO_HEADLINE,
        title=_("Raters against the others"),
        summary=_("Each rater against the mean of the people who marked the same response; above 0 is lenient."),
        dimensions=(_("rater"),),
        measures=(_("mean penalty"), _("mean absolute deviation"), _("signed error"), _("root mean square error")),
        rows=tuple(rows),
        recipe=results.recipe(
            GROUP,
            "leave_one_out_deviation",
            drawn=True,
            penalty=SUM,
            score="minus the penalty",
            reference="mean of the other people on the response; of all people for a judge",
        ),
        unit="points",
        chart="none",
    )
