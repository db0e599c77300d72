"""Tables of what people say: scores of targets, and people against each other."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reports.rubrics.groups import ALL
from reports.rubrics.results import Results, ascending
from reports.tables import NO_HEADLINE, Row, Table
from reports.wording import said, said_of

GROUP = "scores"


def tables(results: Results) -> list[Table]:
    return [human_scores(results), human_ceiling(results)]


def human_scores(results: Results) -> Table:
    rows = []
    for label, drill, pool in results.pools(GROUP):
        for (model, domain), figure in pool["scores"].items():
            target, by_target = results.target(model)
            of_domain, by_domain = results.domain(domain)
            labels = (target, label, of_domain)
            rows.append(Row(labels, (figure,), {**drill, **by_target, **by_domain}, results.marks()))
    every = results.total(GROUP)["scores"]
    means = [
        said_of(results.target(model)[0], every[model, ALL], "percent") for model, domain in every if domain == ALL
    ]
    return Table(
        id="human-scores",
        title=_("Scores that people gave"),
        summary=_("Mean score in percent of what the rubric has to give. %(means)s.") % {"means": ", ".join(means)}
        if rows
        else _("Nobody has graded a response yet."),
        dimensions=(_("target model"), _("community"), _("domain")),
        measures=(_("mean score"),),
        rows=tuple(rows),
        recipe=results.recipe(GROUP, "mean_percentage_score", clipped="no", unit="percent of the positive weights"),
        unit="percent",
        x=_("community"),
        series=_("target model"),
        note=" ".join(filter(None, (outdated(results), no_score(results)))),
    )


def outdated(results: Results) -> str:
    count = results.total(GROUP)["outdated"]
    if not count:
        return ""
    return ngettext(
        "%(n)d grade under an older version of its rubric is left out.",
        "%(n)d grades under an older version of their rubric are left out.",
        count,
    ) % {"n": count}


def no_score(results: Results) -> str:
    total = results.total(GROUP)
    count = total["responses"] - total["graded"]
    if not count:
        return ""
    return ngettext(
        "%(n)d response waits for its first grading.", "%(n)d responses wait for their first grading.", count
    ) % {"n": count}


def human_ceiling(results: Results) -> Table:
    total = results.total(GROUP)
    rows = [
        Row(
            (results.rater(one),),
            figures,
            {"rater": results.names.raters[one].pseudonym},
            results.marks(),
        )
        for one, figures in total["people"].items()
    ]
    ceiling = results.ceiling
    return Table(
        id="human-ceiling",
        headline=NO_HEADLINE,
        title=_("People against each other"),
        summary=_("On responses that two people or more graded, a person is %(mad)s percentage points from the others.")
        % {"mad": said(ceiling, "pp")}
        if ceiling
        else _("There is no human ceiling: no response was graded by two people."),
        dimensions=(_("rater"),),
        measures=(_("MAD"), _("signed error")),
        rows=ascending(rows),
        recipe=results.recipe(
            GROUP, "leave_one_out_deviation", reference="mean of the other people's scores of the response"
        ),
        unit="pp",
        x=_("rater"),
        ceilings={_("MAD"): ceiling} if ceiling and rows else {},
        note=_("A signed error above 0 is lenient. The line is the MAD of all these grades together."),
    )
