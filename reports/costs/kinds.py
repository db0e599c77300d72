"""What all calls of a project have cost, by what they were made for.

A call is counted in one kind, and the total is the sum of the kinds. Money is added up in whole billionths of a US
dollar, and what has no price stands beside it as a number of calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Count, Q, QuerySet, Sum
from django.utils.translation import gettext_lazy

from agreement.figures import NO_ITEMS, Figure
from benchmark.models import Probe, SpeedSpending
from judging.models import CollectionCall, Reward
from projects.models import Project
from reports.costs.calls import NANO, NO_PRICE, NO_USAGE, NOT_ASKED, Calls, was_sent

#: In this order in every row of figures.
MEASURES = ("calls", "reused", "tokens", "money", "unpriced", "bounds")


@dataclass(frozen=True, slots=True)
class Spent:
    """Sums over calls: `money` in billionths of a US dollar over those that have a price, `tokens` read and written.
    Of the `calls` that were sent, `unpriced` have no known price, and of `bounds` the cost is the most it can be;
    `reused` took an earlier reply over instead."""

    calls: int = 0
    reused: int = 0
    tokens: int = 0
    money: int = 0
    unpriced: int = 0
    bounds: int = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(*(getattr(self, name) + getattr(other, name) for name in MEASURES))

    def figures(self) -> tuple[Figure, ...]:
        """In the order of MEASURES."""
        every = self.calls + self.reused
        return (
            Figure(float(self.calls), self.calls),
            Figure(float(self.reused), every),
            self._tokens(),
            self._money(),
            Figure(float(self.unpriced), self.calls),
            Figure(float(self.bounds), self.calls),
        )

    def _tokens(self) -> Figure:
        if not self.calls:
            return Figure.without_value(NO_ITEMS)
        return Figure(float(self.tokens), self.calls) if self.tokens else Figure.without_value(NO_USAGE)

    def _money(self) -> Figure:
        if not self.calls:
            return Figure.without_value(NO_ITEMS)
        if self.unpriced == self.calls and not self.money:
            return Figure.without_value(NO_PRICE)
        return Figure(self.money / NANO, self.calls - self.unpriced, detail={"upper bounds": self.bounds})


@dataclass(frozen=True)
class Kind:
    """Calls of one purpose. `spent` sums them up under the filters of the page; a kind that is asked over several
    varieties at once has no part in one of them."""

    name: str
    label: Any
    spent: Callable[[Project, Mapping[str, Any]], Spent]
    has_varieties: bool = False


def of_judges(calls: Calls) -> Spent:
    """Of calls that are loaded already."""
    sent = was_sent(calls)
    rows = calls.taken(sent)
    return Spent(
        calls=len(rows.judge),
        reused=int((~sent).sum()),
        tokens=int(np.nansum(rows.prompt_tokens) + np.nansum(rows.completion_tokens)),
        money=sum(int(cost) for cost in rows.cost[~np.isnan(rows.cost)]),
        unpriced=int(np.isnan(rows.cost).sum()),
        bounds=int(np.nansum(rows.cost_is_bound)),
    )


def collected(project: Project, filters: Mapping[str, Any]) -> QuerySet[CollectionCall]:
    """Calls to target models that were asked; what a person pasted was never sent."""
    calls = CollectionCall.objects.filter(endpoint__project=project, run__isnull=False)
    calls = calls.exclude(state__in=NOT_ASKED, attempts=0)
    return calls.filter(prompt__variety__tag=filters["variety"]) if filters.get("variety") else calls


def of_target_models(project: Project, filters: Mapping[str, Any]) -> Spent:
    sent = Q(reused=None) | Q(cost__gt=0)
    sums = collected(project, filters).aggregate(
        calls=Count("pk", filter=sent),
        every=Count("pk"),
        read=Sum("prompt_tokens", filter=sent),
        written=Sum("completion_tokens", filter=sent),
        money=Sum("cost", filter=sent),
        unpriced=Count("pk", filter=sent & Q(cost=None)),
        bounds=Count("pk", filter=sent & Q(cost_is_bound=True)),
    )
    return Spent(
        sums["calls"],
        sums["every"] - sums["calls"],
        (sums["read"] or 0) + (sums["written"] or 0),
        sums["money"] or 0,
        sums["unpriced"],
        sums["bounds"],
    )


def of_passes(rows: QuerySet[Any]) -> Spent:
    """Of passes that keep the sum of their calls (`benchmark.models.spending.Spending`)."""
    sums = rows.order_by().aggregate(
        calls=Sum("calls"),
        tokens=Sum("tokens"),
        money=Sum("cost"),
        unpriced=Sum("unpriced_calls"),
        bounds=Sum("bound_calls"),
    )
    return Spent(**{name: number or 0 for name, number in sums.items()})


def of_probes(project: Project, filters: Mapping[str, Any]) -> Spent:
    return of_passes(Probe.objects.filter(configuration__project=project))


def of_speed(project: Project, filters: Mapping[str, Any]) -> Spent:
    return of_passes(SpeedSpending.objects.filter(configuration__project=project))


def of_rewards(project: Project, filters: Mapping[str, Any]) -> Spent:
    return of_passes(Reward.objects.filter(project=project))


KINDS = (
    Kind("answers", gettext_lazy("Answers of target models"), of_target_models, has_varieties=True),
    Kind("probes", gettext_lazy("Probes of contamination"), of_probes),
    Kind("speed", gettext_lazy("Measurements of speed"), of_speed),
    Kind("rewards", gettext_lazy("Rewards of models in training"), of_rewards),
)


def by_kind(project: Project, filters: Mapping[str, Any], judged: Calls) -> dict[str, Spent]:
    """By label, in the order of the page; of a kind without calls nothing is said. Four statements at most."""
    found = {str(gettext_lazy("Judging")): of_judges(judged)}
    for kind in KINDS:
        if kind.has_varieties or not filters.get("variety"):
            found[str(kind.label)] = kind.spent(project, filters)
    return {label: spent for label, spent in found.items() if spent.calls or spent.reused}


def total(kinds: Iterable[Spent]) -> Spent:
    return sum(kinds, Spent())
