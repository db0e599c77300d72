"""Table of stage 2: the share of errors that the others retained."""

from django.utils.translation import gettext as _

from reports.dashboard.findings import first_of
from reports.spans.results import Results
from reports.tables import NO_HEADLINE, Row, Table
from reports.wording import said_of

GROUP = "validation"


def tables(results: Results) -> list[Table]:
    return [retained(results), verdicts(results)]


def retained(results: Results) -> Table:
    rows = [
        Row((label, results.detector(one)), figures[:1], {**drill, **results.drill(one)}, results.marks(one))
        for label, drill, pool in results.pools(GROUP)
        for one, figures in pool["retained"].items()
    ]
    every = results.total(GROUP)["retained"]
    shares = ", ".join(said_of(results.detector(one), figures[0]) for one, figures in every.items())
    return Table(
        id="retained",
        headline=first_of(rows),
        title=_("Errors retained in validation"),
        summary=_("Share of settled errors that the others kept, by who found them. %(shares)s.") % {"shares": shares}
        if every
        else _("There is nothing to validate yet."),
        dimensions=(_("setting"), _("detector")),
        measures=(_("retained"),),
        rows=tuple(rows),
        recipe=results.recipe(
            GROUP,
            "retained_share",
            policy=results.policy,
            unit="annotation: spans of one rater grouped together count once, kept where any of them is",
            verdicts="people's, each with the latest round; an expert's decision is the last word",
            interval="Wilson, 95 %",
        ),
        x=_("setting"),
        series=_("detector"),
        note=_("Errors that are open or still wait for verdicts are counted beside the share, not in it."),
    )


def verdicts(results: Results) -> Table:
    rows = [
        Row((label, results.detector(one)), figures[1:], {**drill, **results.drill(one)}, results.marks(one))
        for label, drill, pool in results.pools(GROUP)
        for one, figures in pool["retained"].items()
    ]
    measures = (_("keep"), _("correct"), _("differs by region"), _("reject"))
    outcomes = (_("kept"), _("rejected"), _("open"), _("pending"))
    every = results.total(GROUP)["retained"].values()
    said_so = sum(figures[1].n for figures in every)
    waiting = int(sum(figures[7].number + figures[8].number for figures in every))
    return Table(
        id="verdicts",
        headline=NO_HEADLINE,
        title=_("Verdicts and outcomes"),
        summary=_("%(verdicts)d verdicts; %(waiting)d errors are open or wait for more.")
        % {"verdicts": said_so, "waiting": waiting},
        dimensions=(_("setting"), _("detector")),
        measures=(*measures, *outcomes),
        rows=tuple(rows),
        recipe=results.recipe(
            GROUP,
            "verdict_counts",
            policy=results.policy,
            unit="annotation: spans of one rater grouped together count once, with the verdict on the first of them",
        ),
        unit="count",
        chart="none",
    )
