"""The page of what calls to models have cost, and how fast judges are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from agreement import quantiles
from agreement.figures import Figure, Recipe
from judging.kinds import judge_kind
from judging.models import Judge
from projects.models import LanguageVariety, Project
from reports.costs.calls import Calls, ended, figures, load, state_of
from reports.costs.kinds import Spent, by_kind, collected, total
from reports.dashboard import cache
from reports.dashboard.dashboards import Dashboard
from reports.dashboard.figures import Look, OnPart, Reading, look_at
from reports.dashboard.findings import highest
from reports.dashboard.freshness.revisions import digest
from reports.dashboard.scope import Scope, by_variety
from reports.dashboard.tables import NO_HEADLINE, Headline, Row, Table
from reports.dashboard.wording import labelled_figure

READ = ("variety", "prompt_tokens")
UNITS = ("count", "count", "count", "count", "usd", "usd", "seconds", "seconds", "per second")


@dataclass(frozen=True)
class CostScope(Scope):
    variety: str = by_variety()


def look(project: Project, filters: Mapping[str, Any]) -> Look:
    """All tables, kept until a call ends, is asked again or read again."""
    snapshot = digest(state_of(project))
    judges = list(Judge.objects.filter(project=project).select_related("rater").order_by("rater__name"))
    names = [(judge.pk, judge.rater.name, judge.kind, judge.rater.is_simulated) for judge in judges]
    state = cache.key_of(
        "costs", project.pk, sorted(filters.items()), get_language(), snapshot, names, project.short_names
    )

    def computed(on_part: OnPart) -> Reading:
        on_part(0, 2)
        calls = load(ended(project, filters))
        on_part(1, 2)
        everything = all_calls(by_kind(project, filters, calls), filters, snapshot)
        return Reading((*everything, *tables(project, calls, judges, filters, snapshot)), state)

    return look_at(state, computed)


def read(project: Project, filters: Mapping[str, Any]) -> Reading:
    return look(project, filters).read()


def all_calls(kinds: Mapping[str, Spent], filters: Mapping[str, Any], snapshot: str) -> tuple[Table, ...]:
    """The table of every call by what it was made for, with the sum of them all in its last row; none before the first
    call."""
    if not kinds:
        return ()
    everything = total(kinds.values())
    measures = (
        _("calls sent"),
        _("earlier replies used"),
        _("tokens"),
        _("cost in US dollars"),
        _("calls without a known price"),
        _("calls whose cost is an upper bound"),
    )
    together = Row((_("Total"),), everything.figures())
    recipe = Recipe(
        "costs_of_all_calls",
        n_items=everything.calls + everything.reused,
        n_raters=0,
        settings={
            "money": "US dollars: tokens by the prices of the model when it was asked, over the calls that have one",
            "tokens": "read and written; of probes and measurements of speed at most so many",
        },
        filters=filters,
        code_version=cache.code_version(),
        data_snapshot=snapshot,
    )
    table = Table(
        id="all-calls",
        headline=Headline(together.labels, 3),
        title=_("Cost of all calls"),
        summary=known_cost(everything),
        dimensions=(_("what it was asked for"),),
        measures=measures,
        rows=(*(Row((label,), spent.figures()) for label, spent in kinds.items()), together),
        recipe=recipe,
        unit="count",
        units={measures[3]: "usd"},
        chart="none",
        note=note(filters),
    )
    return (table,)


def known_cost(everything: Spent) -> str:
    """Never a sum alone where it leaves calls out."""
    if not everything.unpriced:
        return ""
    return _("No price is known of %(n)d of %(calls)d calls: the cost leaves them out.") % {
        "n": everything.unpriced,
        "calls": everything.calls,
    }


def note(filters: Mapping[str, Any]) -> str:
    said = _("Trying a model or the difficulty of a prompt on its page is not counted.")
    if filters.get("variety"):
        left_out = _("Probes and measurements of speed are of all varieties together: they count without a filter.")
        said = f"{said} {left_out}"
    return said


def tables(
    project: Project, calls: Calls, judges: Sequence[Judge], filters: Mapping[str, Any], snapshot: str
) -> tuple[Table, ...]:
    if not len(calls.judge):
        return ()
    recipe = Recipe(
        "judge_costs",
        n_items=len(calls.judge),
        n_raters=len(np.unique(calls.judge)),
        settings={
            "money": "US dollars: tokens as the provider counted them, by the prices of its model when it was asked",
            "upper bounds": "worst case of a call whose tokens the provider did not count or that broke off",
            "latency": "of the attempt that answered, from request to the whole reply",
            "quantiles": quantiles.RULE,
            "words": "between spaces, of the reply as it came",
        },
        filters=filters,
        code_version=cache.code_version(),
        data_snapshot=snapshot,
    )
    by_judge = {judge: calls.taken(calls.judge == judge.pk) for judge in judges}
    asked = {judge: calls_of_judge for judge, calls_of_judge in by_judge.items() if len(calls_of_judge.judge)}
    return (costs_of_judges(asked, recipe), costs_by_variety(project, asked, recipe))


def measures() -> tuple[str, ...]:
    return (
        _("calls sent"),
        _("earlier replies used"),
        _("tokens in"),
        _("tokens out"),
        _("cost in US dollars"),
        _("cost of 1,000 calls"),
        _("median latency (s)"),
        _("95th percentile of latency (s)"),
        _("words per second"),
    )


def costs_of_judges(asked: Mapping[Judge, Calls], recipe: Recipe) -> Table:
    rows = tuple(
        Row((judge.rater.name, str(judge_kind(judge.kind).name)), figures(calls_of_judge), marks=marks(judge))
        for judge, calls_of_judge in asked.items()
    )
    return Table(
        id="judge-costs",
        headline=highest(rows, 5),
        title=_("Cost and speed of each judge"),
        summary=summary(rows),
        dimensions=(_("judge"), _("what it is asked for")),
        measures=measures(),
        rows=rows,
        recipe=recipe,
        unit="count",
        units=dict(zip(measures(), UNITS, strict=True)),
        x=_("judge"),
        series=_("what it is asked for"),
        marked=_("judge"),
        note=_(
            "Money is an upper bound where a provider did not count its tokens. A model without a price has no cost "
            "here; an administrator sets prices on the provider's page."
        ),
    )


def costs_by_variety(project: Project, asked: Mapping[Judge, Calls], recipe: Recipe) -> Table:
    named = {variety.pk: variety for variety in LanguageVariety.objects.order_by("tag")}
    rows = tuple(
        Row(
            (judge.rater.name, project.calls(variety)),
            figures(calls_in_variety),
            {"variety": variety.tag},
            marks(judge),
        )
        for judge, calls_of_judge in asked.items()
        for variety in named.values()
        if len((calls_in_variety := calls_of_judge.taken(calls_of_judge.variety == variety.pk)).judge)
    )
    return Table(
        id="judge-costs-by-variety",
        headline=NO_HEADLINE,
        title=_("Cost and speed by variety"),
        summary=longest(asked, named),
        dimensions=(_("judge"), _("variety")),
        measures=measures(),
        rows=rows,
        recipe=recipe,
        unit="count",
        units=dict(zip(measures(), UNITS, strict=True)),
    )


def longest(asked: Mapping[Judge, Calls], named: Mapping[int, LanguageVariety]) -> str:
    """The variety whose calls hold most tokens: the same words take more of them in some scripts than in others."""
    variety, tokens = (np.concatenate([getattr(calls, name) for calls in asked.values()]) for name in READ)
    counted = ~np.isnan(tokens)
    means = {
        int(one): Figure(float(tokens_in_variety.mean()), len(tokens_in_variety))
        for one in np.unique(variety[counted])
        if len(tokens_in_variety := tokens[counted & (variety == one)])
    }
    if len(means) < 2:
        return ""
    most = max(means, key=lambda one: means[one].number)
    most_tokens = labelled_figure(named[most].label, means[most], "count")
    return _("Most tokens read for a call, on average: %(variety)s.") % {"variety": most_tokens}


def marks(judge: Judge) -> tuple[str, ...]:
    return ("simulated",) if judge.rater.is_simulated else ()


def summary(rows: Sequence[Row]) -> str:
    """The dearest judge and the slowest, where there are several."""
    priced = [row for row in rows if row.figures[5].value is not None]
    timed = [row for row in rows if row.figures[6].value is not None]
    sentences = []
    if priced:
        dearest = max(priced, key=lambda row: row.figures[5].number)
        sentences.append(
            _("Dearest for 1,000 calls: %(judge)s US dollars.")
            % {"judge": labelled_figure(dearest.labels[0], dearest.figures[5], "usd")}
        )
    if timed:
        slowest = max(timed, key=lambda row: row.figures[6].number)
        sentences.append(
            _("Slowest at the median: %(judge)s seconds.")
            % {"judge": labelled_figure(slowest.labels[0], slowest.figures[6], "seconds")}
        )
    return " ".join(sentences)


COSTS = Dashboard(
    area="",
    page="judge-costs",
    route="judges/costs/",
    title=gettext_lazy("Cost and speed"),
    lead=gettext_lazy(
        "What all calls to models have cost, and how fast each judge answers. Brackets hold the 95 % interval."
    ),
    empty=gettext_lazy("Figures appear here once a model has been asked."),
    scope=CostScope,
    own_look=look,
    answers=lambda project: [ended(project, {}), collected(project, {})],
    responses="judges",
    listed=None,
    responses_name=gettext_lazy("Judges"),
)
