"""Tables of failure types."""

from typing import Any

from django.utils.translation import gettext as _

from agreement.figures import Figure, Recipe
from reports.dashboard.findings import first_of, highest
from reports.rubrics.groups import ALL
from reports.rubrics.loading import FAILURE_TYPES
from reports.rubrics.results import Results
from reports.tables import Row, Table
from reports.wording import said, said_of
from rubrics.models import FailureType

GROUP = "failures"
ANCHOR = FailureType.HALLUCINATION.value


def tables(results: Results) -> list[Table]:
    return [failure_types(results), failures_by_target(results), failure_anchor(results)]


def type_name(failure: str) -> str:
    return str(FailureType(failure).label) if failure else _("All types")


def measures() -> dict[str, Any]:
    return {
        "measures": (_("rate per 100 pairs"), _("errors"), _("share")),
        "unit": "rate",
        "units": {_("errors"): "count", _("share"): "share"},
    }


def failure_types(results: Results) -> Table:
    rows = [
        Row((type_name(failure), label), figures, drilled(drill, failure), results.marks())
        for label, drill, pool in results.pools(GROUP)
        for failure, figures in zip((*FAILURE_TYPES, ""), pool["profile"].get(ALL, ()), strict=False)
    ]
    every = results.total(GROUP)["profile"].get(ALL)
    return Table(
        id="failure-types",
        title=_("What goes wrong"),
        summary=_("Errors per 100 pairs of prompt and target model, by failure type. %(types)s.")
        % {
            "types": ", ".join(
                said_of(type_name(failure), figures[0], "rate")
                for failure, figures in zip(FAILURE_TYPES, every, strict=False)
            )
        }
        if every
        else _("Nobody has graded a response yet."),
        dimensions=(_("failure type"), _("community")),
        rows=tuple(rows),
        recipe=rates(results),
        x=_("failure type"),
        series=_("community"),
        note=_(
            "A pair is one prompt and one target model. A strict grader records more errors than a lenient one, so "
            "rates of communities whose graders never met are not comparable by themselves."
        ),
        **measures(),
    )


def failures_by_target(results: Results) -> Table:
    settings = {setting.label for setting in results.names.settings}
    rows = [
        Row(
            (type_name(failure), results.target(model)[0], label),
            figures,
            drilled({**drill, **results.target(model)[1]}, failure),
            results.marks(),
        )
        for label, drill, pool in results.pools(GROUP)
        if label in settings
        for model, found in pool["profile"].items()
        if model != ALL
        for failure, figures in zip(FAILURE_TYPES, found, strict=False)
    ]
    most = max(rows, key=lambda row: row.figures[0].number, default=None)
    return Table(
        id="failure-types-by-target",
        headline=highest(rows),
        title=_("What goes wrong with which target"),
        summary=_("Most often: %(type)s of %(target)s in %(community)s, %(rate)s per 100 pairs.")
        % {
            "type": most.labels[0],
            "target": most.labels[1],
            "community": most.labels[2],
            "rate": said(most.figures[0], "rate"),
        }
        if most
        else _("Nobody has graded a response yet."),
        dimensions=(_("failure type"), _("target model"), _("community")),
        rows=tuple(rows),
        recipe=rates(results),
        x=_("failure type"),
        series=_("target model"),
        **measures(),
    )


def drilled(drill: dict[str, str], failure: str) -> dict[str, str]:
    return {**drill, "failure": failure} if failure else drill


def rates(results: Results) -> Recipe:
    pairs = "responses with a first grading"
    return results.recipe(GROUP, "failure_rates", human=False, pairs=pairs, errors="its negative criteria")


def failure_anchor(results: Results) -> Table:
    rows = []
    anchors: list[tuple[str, Figure]] = []
    for pair, found in results.total(GROUP)["anchors"].items():
        settings = [results.setting(one) for one in pair]
        names = tuple(setting.label if setting else "" for setting in settings)
        for failure, figures in zip((*FAILURE_TYPES, ""), found, strict=True):
            drill = {"failure": failure} if failure else {}
            rows.append(Row((type_name(failure), *names), (figures[2], *figures[:2]), drill, results.marks()))
            if failure == ANCHOR:
                anchors.append((" / ".join(names), figures[2]))
    return Table(
        id="failure-anchor",
        headline=first_of(rows),
        title=_("Rates of communities beside each other"),
        summary=_("Hallucinations anchor the comparison, for they are wrong however strict the grader. %(ratios)s.")
        % {"ratios": ", ".join(said_of(names, figure) for names, figure in anchors)}
        if rows
        else _("There are not two communities to compare yet."),
        dimensions=(_("failure type"), _("first community"), _("second community")),
        measures=(_("ratio"), _("rate of the first"), _("rate of the second")),
        rows=tuple(rows),
        recipe=results.recipe(GROUP, "failure_rate_ratio", human=False, anchor=ANCHOR),
        unit="rate",
        units={_("ratio"): "share"},
        x=_("failure type"),
        note=_(
            "Where the ratio of hallucinations is near 1 and those of types that need judgement are far from it, the "
            "graders' strictness may make the difference rather than the models."
        ),
    )
