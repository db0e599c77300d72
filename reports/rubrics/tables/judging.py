"""Tables of judges against people."""

from typing import Any

from django.utils.translation import gettext as _

from agreement.figures import Figure
from agreement.quartiles import RULE
from reports.dashboard.findings import first_of, lowest
from reports.rubrics.groups import ALL, PEOPLE
from reports.rubrics.results import Results, ascending
from reports.rubrics.tables.habits import habits, judges_calibrated
from reports.tables import HEADING, NO_HEADLINE, Row, Table
from reports.wording import said, said_of

GROUP = "judges"


def tables(results: Results) -> list[Table]:
    return [
        judges(results),
        habits(results),
        judges_calibrated(results),
        judges_split(results),
        score_spread(results),
        domain_gap(results),
        targets(results),
        widest_misses(results),
    ]


def units() -> dict[str, Any]:
    return {"unit": "pp", "units": {_("answered"): "share"}}


def ceilings(results: Results) -> dict[str, Figure]:
    return {_("MAD"): results.ceiling} if results.ceiling else {}


def ceiling_note(results: Results) -> str:
    if results.ceiling is None:
        return _("There is no human ceiling: no response was graded by two people.")
    return _(
        "The line is the human ceiling: how far people are from each other's mean on the responses that two or more "
        "of them graded."
    )


def nobody() -> str:
    return _("No judge has graded a response yet.")


def judges(results: Results) -> Table:
    found = results.total(GROUP)["judges"]
    rows = ascending(
        [
            Row((results.rater(one),), figures, results.by_judge(one), results.marks(one))
            for (one, domain), figures in found.items()
            if domain == ALL
        ]
    )
    of_judges = [said_of(row.labels[0], row.figures[0], "pp") for row in rows]
    return Table(
        id="judges-against-people",
        headline=lowest(rows),
        title=_("Judges against people"),
        summary=_("Mean distance of a judge's score from the person's, in percentage points. %(judges)s.")
        % {"judges": ", ".join(of_judges)}
        if rows
        else nobody(),
        dimensions=(_("judge"),),
        measures=(_("MAD"), _("signed error"), _("answered")),
        rows=rows,
        recipe=results.recipe(GROUP, "judge_axis_mad_and_signed_error", declined="left out of the means, counted"),
        x=_("judge"),
        ceilings=ceilings(results),
        note=_("A signed error above 0 is lenient, below 0 conservative.") + " " + ceiling_note(results),
        **units(),
    )


def judges_split(results: Results) -> Table:
    rows = []
    for label, drill, pool in results.pools(GROUP):
        for (one, domain), figures in pool["judges"].items():
            of_domain, by_domain = results.domain(domain)
            filters = {**drill, **by_domain, **results.by_judge(one)}
            rows.append(Row((results.rater(one), label, of_domain), figures, filters, results.marks(one)))
    return Table(
        id="judges-by-setting",
        headline=lowest(rows),
        title=_("Judges by community and domain"),
        summary=_("The same figures for every community and domain.") if rows else nobody(),
        dimensions=(_("judge"), _("community"), _("domain")),
        measures=(_("MAD"), _("signed error"), _("answered")),
        rows=tuple(rows),
        recipe=results.recipe(GROUP, "judge_axis_mad_and_signed_error", split="community and domain of the rubric"),
        x=_("community"),
        series=_("judge"),
        ceilings=ceilings(results),
        note=ceiling_note(results),
        **units(),
    )


def score_spread(results: Results) -> Table:
    boxes = results.total(GROUP)["boxes"]
    mean = results.total("scores")["scores"].get((ALL, ALL))
    people = boxes.get(PEOPLE)
    rows = [
        Row((results.rater(one),), figures, results.by_judge(one), results.marks(one)) for one, figures in boxes.items()
    ]
    return Table(
        id="score-spread",
        headline=first_of(rows, 2),
        title=_("How scores are spread"),
        summary=_("Half of people's scores lie between %(low)s and %(high)s percent; the line is their mean, %(mean)s.")
        % {
            "low": said(people[1], "percent"),
            "high": said(people[3], "percent"),
            "mean": said(mean, "percent"),
        }
        if people and mean and people[1].value is not None
        else nobody(),
        dimensions=(_("rater"),),
        measures=(
            _("lower whisker"),
            _("lower quartile"),
            _("median"),
            _("upper quartile"),
            _("upper whisker"),
            _("mean"),
        ),
        rows=tuple(rows) if people and people[1].value is not None else (),
        recipe=results.recipe(GROUP, "five_numbers_and_mean", drawn=False, rule=RULE),
        unit="percent",
        chart="boxes",
        x=_("rater"),
        ceilings={_("mean"): mean} if mean and rows else {},
        line_name=_("Mean of people's scores"),
        note=_("A judge has no box of its own laboratory's responses, so boxes may be of different responses."),
    )


def domain_gap(results: Results) -> Table:
    rows = []
    for label, drill, pool in results.pools(GROUP):
        for one, figures in pool["gaps"].items():
            filters = {**drill, **results.by_judge(one)}
            rows.append(Row((results.rater(one), label), figures, filters, results.marks(one)))
    gaps = results.total(GROUP)["gaps"]
    of_gaps = ", ".join(said_of(results.rater(one), figures[2], "pp") for one, figures in gaps.items())
    return Table(
        id="domain-gap",
        headline=lowest(rows, 2),
        title=_("Cultural and linguistic rubrics"),
        summary=_("MAD on linguistic less MAD on cultural rubrics; below 0 culture is harder to grade. %(gaps)s.")
        % {"gaps": of_gaps}
        if rows
        else nobody(),
        dimensions=(_("judge"), _("community")),
        measures=(_("MAD on cultural"), _("MAD on linguistics"), _("domain gap")),
        rows=tuple(rows),
        marked=_("judge"),
        recipe=results.recipe(GROUP, "domain_gap", formula="MAD(linguistics) - MAD(cultural)"),
        unit="pp",
        x=_("judge"),
    )


def targets(results: Results) -> Table:
    rows = []
    for label, drill, pool in results.pools(GROUP):
        for model, figures in pool["targets"].items():
            target, by_target = results.target(model)
            marks = results.marks(*results.total(GROUP)["single"])
            rows.append(Row((target, label), figures, {**drill, **by_target}, marks))
    every = results.total(GROUP)["targets"]
    of_targets = [
        said_of(results.target(model)[0], figures[0], "pp") for model, figures in every.items() if model != ALL
    ]
    return Table(
        id="targets",
        title=_("Whose responses are hard to grade"),
        summary=_("Mean distance over all responses of a target and all judges that graded them. %(targets)s.")
        % {"targets": ", ".join(of_targets)}
        if rows
        else nobody(),
        dimensions=(_("target model"), _("community")),
        measures=(_("MAD"), _("signed error"), _("mean score by people")),
        rows=tuple(rows),
        marked=HEADING,
        recipe=results.recipe(GROUP, "target_axis_mad", pairs="every response and every judge that graded it"),
        unit="pp",
        units={_("mean score by people"): "percent"},
        x=_("target model"),
        series=_("community"),
        note=_("n counts pairs of a response and a judge; of the mean score, responses."),
    )


def widest_misses(results: Results) -> Table:
    misses = results.total(GROUP)["misses"]
    rows = [
        Row(
            (results.rater(one), key),
            tuple(Figure(number, 1) for number in (judge - human, judge, human)),
            {"response": uuid, **results.by_judge(one)},
            results.marks(one),
        )
        for one, found in misses.items()
        for uuid, key, judge, human in found
    ]
    widest = max((row for row in rows), key=lambda row: abs(row.figures[0].number), default=None)
    return Table(
        id="widest-misses",
        headline=NO_HEADLINE,
        title=_("Where judges miss most"),
        summary=_("The widest miss: %(judge)s on %(response)s, %(error)s percentage points.")
        % {"judge": widest.labels[0], "response": widest.labels[1], "error": said(widest.figures[0], "pp")}
        if widest
        else _("No judge has missed a person's score yet."),
        dimensions=(_("judge"), _("response")),
        measures=(_("error"), _("judge's score"), _("person's score")),
        rows=tuple(rows),
        marked=_("judge"),
        recipe=results.recipe(GROUP, "widest_misses", drawn=False, per_judge=10, order="absolute error"),
        unit="percent",
        units={_("error"): "pp"},
        chart="none",
        note=_("Each leads to its response, with the verdicts and reasons side by side."),
    )
