"""Calls of judges as columns, and what their sums and quantiles are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from django.db.models import QuerySet

from agreement.figures import NO_ITEMS, Figure
from agreement.quantiles import quantile
from judging.models import Call, CallState
from projects.models import Project
from reports.dashboard.columns import Rows
from reports.dashboard.freshness.revisions import revisions

NOT_ASKED = (CallState.PLANNED, CallState.CANCELLED)
NO_PRICE = "no price is known"
NO_USAGE = "the provider counted no tokens"
NANO = 1e9
COLUMNS = (
    "judge_id",
    "response__variety_id",
    "prompt_tokens",
    "completion_tokens",
    "cost",
    "cost_is_bound",
    "latency_ms",
    "words",
    "reused_id",
)
#: In this order in every row of figures.
MEASURES = (
    "calls",
    "reused",
    "prompt_tokens",
    "completion_tokens",
    "money",
    "money_per_thousand",
    "latency_median",
    "latency_p95",
    "words_per_second",
)

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Calls(Rows):
    """Ended calls, a column each of shape (C,); what is not known is NaN. Latency in milliseconds, cost in billionths
    of a US dollar."""

    judge: Floats
    variety: Floats
    prompt_tokens: Floats
    completion_tokens: Floats
    cost: Floats
    cost_is_bound: Floats
    latency: Floats
    words: Floats
    reused: Floats


def ended(project: Project, filters: Mapping[str, Any]) -> QuerySet[Call]:
    """Calls that were asked; also one that is to be asked again, for it has cost what it cost."""
    calls = Call.objects.filter(judge__project=project).exclude(state__in=NOT_ASKED, attempts=0)
    if filters.get("variety"):
        calls = calls.filter(response__variety__tag=filters["variety"])
    return calls


def state_of(project: Project) -> tuple[Any, ...]:
    """Changes with every call, of whatever kind, that ends, is asked again or is read again. One statement."""
    return revisions(project).of("costs")


def load(calls: QuerySet[Call]) -> Calls:
    rows = list(calls.order_by().values_list(*COLUMNS))
    table = np.array(rows, dtype=np.float64) if rows else np.empty((0, len(COLUMNS)))
    return Calls(*table.T)


def figures(calls: Calls) -> tuple[Figure, ...]:
    """In the order of MEASURES. What was taken from an earlier reply cost nothing and took no time: it is counted
    apart."""
    sent = calls.taken(was_sent(calls))
    n = len(sent.judge)
    seconds = sent.latency / 1000
    timed = seconds[~np.isnan(seconds)]
    money = money_of(sent)
    return (
        Figure(float(n), n),
        Figure(float(len(calls.judge) - n), len(calls.judge)),
        tokens_of(sent.prompt_tokens),
        tokens_of(sent.completion_tokens),
        money,
        money if money.value is None else Figure(1000 * money.value / money.n, money.n),
        quantile(timed, 0.5),
        quantile(timed, 0.95),
        speed_of(sent.words, seconds),
    )


def was_sent(calls: Calls) -> npt.NDArray[np.bool_]:
    """Shape (C,). Also what took an earlier reply over in the end, but had cost something before."""
    return np.isnan(calls.reused) | (calls.cost > 0)


def tokens_of(counted: Floats) -> Figure:
    """The sum over the calls whose provider counted; n says how many these are."""
    known = counted[~np.isnan(counted)]
    if not len(counted):
        return Figure.without_value(NO_ITEMS)
    return Figure(float(known.sum()), len(known)) if len(known) else Figure.without_value(NO_USAGE)


def money_of(calls: Calls) -> Figure:
    """US dollars over the calls that have a price; how many of these are upper bounds stands in the detail."""
    if not len(calls.cost):
        return Figure.without_value(NO_ITEMS)
    known = ~np.isnan(calls.cost)
    if not known.any():
        return Figure.without_value(NO_PRICE)
    bounds = int(np.nansum(calls.cost_is_bound))
    return Figure(float(calls.cost[known].sum()) / NANO, int(known.sum()), detail={"upper bounds": bounds})


def speed_of(words: Floats, seconds: Floats) -> Figure:
    """Words of all replies by the seconds that they took together."""
    known = ~np.isnan(words) & (seconds > 0)
    if not known.any():
        return Figure.without_value(NO_ITEMS)
    return Figure(float(words[known].sum() / seconds[known].sum()), int(known.sum()))
