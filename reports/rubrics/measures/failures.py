"""Failure types: what goes wrong, by variety and target, and how two varieties differ in recording it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import inference
from agreement.failures import failures, rate, rate_ratio, rate_ratio_figure
from agreement.figures import Figure, Recipe
from agreement.statistics import of_columns
from reports.dashboard.columns import Floats, Integers, each_variety, joined
from reports.dashboard.findings import first_of, highest
from reports.dashboard.intervals import Block, with_intervals
from reports.dashboard.results import most
from reports.dashboard.scope import BaseContext
from reports.dashboard.tables import Table
from reports.dashboard.wording import figure_text, known_figures, no_figure_yet
from reports.rubrics.context import ALL
from reports.rubrics.reader import Loaded
from reports.rubrics.results import RubricResults as Results

GROUP = "failures"


@dataclass(frozen=True, eq=False)
class RecordedErrors:
    """Of one variety, responses with a first grading: prompt, target, and its errors by failure type, those without one
    last (R, F + 1)."""

    variety: int
    prompt: Integers
    model: Integers
    errors: Integers


def statistics(loaded: Loaded, context: BaseContext) -> dict[int, RecordedErrors]:
    """Per variety. Errors are those the first grading recorded."""
    responses, criteria = loaded.responses, loaded.criteria
    counts = np.zeros((len(responses), len(loaded.failure_types) + 1), dtype=np.int64)
    negative = np.flatnonzero(criteria.grade >= 0)
    negative = negative[loaded.grades.is_reference[criteria.grade[negative]]]
    np.add.at(counts, (loaded.grades.response[criteria.grade[negative]], criteria.failure[negative]), 1)
    graded = loaded.reference >= 0
    return {
        variety: RecordedErrors(variety, responses.prompt[chosen], responses.model[chosen], counts[chosen])
        for variety, in_variety in each_variety(loaded.varieties, loaded.responses.variety)
        for chosen in [in_variety & graded]
    }


def figures(parts: Sequence[RecordedErrors], is_total: bool, baseline: int = 0) -> dict[str, Any]:
    """Of one variety, or of several. "profile": rate, count and share of each type by target; in total "anchors":
    the rates of two varieties and their ratio, of each type and of all errors, by pair of varieties.

    baseline  id of the variety that others are divided by; of a pair without it the one with fewer errors is.
    """
    prompt, model, errors = (joined(parts, name) for name in ("prompt", "model", "errors"))
    profile = {
        one: _profile(prompt, errors, (model == one) | (one == ALL)) for one in [*np.unique(model).tolist(), ALL]
    }
    results: dict[str, Any] = {"profile": {one: rows for one, rows in profile.items() if rows}, "anchors": {}}
    if is_total:
        graded = [part for part in parts if len(part.prompt)]
        turned = [_turned(one, other, baseline) for one, other in combinations(graded, 2)]
        results["anchors"] = {(one.variety, other.variety): _anchors(one, other) for one, other in turned}
    return results


def _turned(one: RecordedErrors, other: RecordedErrors, baseline: int) -> tuple[RecordedErrors, RecordedErrors]:
    """The two, the one that is divided by last."""
    if baseline in (one.variety, other.variety):
        return (other, one) if one.variety == baseline else (one, other)
    return (other, one) if other.errors.sum() / len(other.prompt) > one.errors.sum() / len(one.prompt) else (one, other)


def _profile(prompt: Integers, errors: Integers, chosen: Any) -> list[tuple]:
    """(rate with its interval, count, share) of each failure type and then of all, over the chosen responses."""
    of_chosen = errors[chosen]
    pairs = len(of_chosen)
    if not pairs:
        return []
    # All together as one type among itself: its share is 1.
    of_all_types = of_chosen.sum(axis=1, keepdims=True)
    typed = of_chosen[:, :-1]
    shown = [*failures(typed.sum(axis=0), pairs), *failures(of_all_types.sum(axis=0), pairs)]
    columns = np.hstack((typed, of_all_types))
    blocks = [Block([one.rate], _with_pairs(columns[:, at]), [rate]) for at, one in enumerate(shown)]
    rates = [drawn[0] for drawn in with_intervals(blocks, prompt[chosen])]
    counts = [replace(one, rate=drawn) for one, drawn in zip(shown, rates, strict=True)]
    return [(one.rate, one.count, one.share) for one in counts]


def _with_pairs(errors: Integers) -> Floats:
    return np.column_stack((errors, np.ones(len(errors))))


def _anchors(one: RecordedErrors, other: RecordedErrors) -> list[tuple]:
    """(rate of the first, rate of the second, ratio) of each failure type and of all together last."""
    sides = [np.hstack((side.errors[:, :-1], side.errors.sum(axis=1, keepdims=True))) for side in (one, other)]
    # A response adds to its own side's columns alone: errors by type, then all, then pairs.
    wide = np.vstack(
        [
            np.hstack((_of_side(sides[0]), np.zeros((len(sides[0]), sides[1].shape[1] + 1)))),
            np.hstack((np.zeros((len(sides[1]), sides[0].shape[1] + 1)), _of_side(sides[1]))),
        ]
    )
    width = sides[0].shape[1] + 1
    shown, statistics = [], []
    for at in range(width - 1):
        first, second = [at, width - 1], [width + at, 2 * width - 1]
        totals = wide.sum(axis=0).astype(int)
        ratio = rate_ratio_figure(_pair(totals, first), _pair(totals, second))
        shown += [*_rates(totals, first, second), ratio]
        statistics += [
            of_columns(rate, first),
            of_columns(rate, second),
            of_columns(rate_ratio, first + second),
        ]
    prompt = np.concatenate((one.prompt, other.prompt))
    drawn = inference.with_intervals(shown, wide, statistics, cluster=prompt)
    return [tuple(drawn[at : at + 3]) for at in range(0, len(drawn), 3)]


def _pair(totals: Integers, at: list[int]) -> tuple[int, int]:
    return int(totals[at[0]]), int(totals[at[1]])


def _rates(totals: Integers, *sides: list[int]) -> list:
    return [failures([totals[errors]], int(totals[pairs]))[0].rate for errors, pairs in sides]


def _of_side(errors: Integers) -> Floats:
    return np.hstack((errors, np.ones((len(errors), 1))))


# --- Tables ----------------------------------------------------------------------------------------


#: What is wrong however strict the grader, where the project knows it by this word.
ANCHOR = "hallucination"


def tables(results: Results) -> list[Table]:
    return [failure_types(results), failures_by_target(results), failure_anchor(results)]


def measures() -> dict[str, Any]:
    return {
        "measures": (_("rate per 100 pairs"), _("errors"), _("share")),
        "unit": "rate",
        "units": {_("errors"): "count", _("share"): "share"},
    }


def failure_types(results: Results) -> Table:
    slugs = [word.slug for word in results.context.failure_types]
    rows = [
        results.people_row((results.context.failure_name(failure), label), figures, drilled(drill, failure))
        for label, drill, pool in results.pools()
        for failure, figures in zip((*slugs, ""), pool["profile"].get(ALL, ()), strict=False)
    ]
    of_all_targets = results.total()["profile"].get(ALL)
    by_type = zip(slugs, of_all_targets or (), strict=False)
    types = known_figures(((results.context.failure_name(failure), figures[0]) for failure, figures in by_type), "rate")
    return Table(
        id="failure-types",
        title=_("What goes wrong"),
        summary=_("Errors per 100 pairs of prompt and target model, by failure type. %(types)s.") % {"types": types}
        if types
        else no_figure_yet()
        if of_all_targets
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
    slugs = [word.slug for word in results.context.failure_types]
    varieties = {variety.label for variety in results.names.varieties}
    rows = [
        results.people_row(
            (results.context.failure_name(failure), results.target(model)[0], label),
            figures,
            drilled({**drill, **results.target(model)[1]}, failure),
        )
        for label, drill, pool in results.pools()
        if label in varieties
        for model, figures_by_type in pool["profile"].items()
        if model != ALL
        for failure, figures in zip(slugs, figures_by_type, strict=False)
    ]
    commonest = most(rows)
    return Table(
        id="failure-types-by-target",
        headline=highest(rows),
        title=_("What goes wrong with which target"),
        summary=_("Most often: %(type)s of %(target)s in %(community)s, %(rate)s per 100 pairs.")
        % {
            "type": commonest.labels[0],
            "target": commonest.labels[1],
            "community": commonest.labels[2],
            "rate": figure_text(commonest.figures[0], "rate"),
        }
        if commonest
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
    return results.recipe("failure_rates", gold=False, pairs=pairs, errors="its negative criteria")


def failure_anchor(results: Results) -> Table:
    slugs = [word.slug for word in results.context.failure_types]
    rows = []
    anchors: list[tuple[str, Figure]] = []
    for pair, figures_by_type in results.total()["anchors"].items():
        varieties = [results.variety(one) for one in pair]
        names = tuple(variety.label if variety else "" for variety in varieties)
        for failure, figures in zip((*slugs, ""), figures_by_type, strict=True):
            drill = {"failure": failure} if failure else {}
            name = results.context.failure_name(failure)
            rows.append(results.people_row((name, *names), (figures[2], *figures[:2]), drill))
            if failure == ANCHOR:
                anchors.append((" / ".join(names), figures[2]))
    return Table(
        id="failure-anchor",
        headline=first_of(rows),
        title=_("Rates of communities beside each other"),
        summary=_("Hallucinations anchor the comparison, for they are wrong however strict the grader. %(ratios)s.")
        % {"ratios": known_figures(anchors, "ratio")}
        if known_figures(anchors, "ratio")
        else no_figure_yet()
        if rows
        else _("There are not two communities to compare yet."),
        dimensions=(_("failure type"), _("first community"), _("second community")),
        measures=(_("ratio"), _("rate of the first"), _("rate of the second")),
        rows=tuple(rows),
        recipe=results.recipe(
            "failure_rate_ratio",
            gold=False,
            anchor=ANCHOR,
            divided_by=results.context.scope.baseline or "of two communities the one with fewer errors of all types",
        ),
        unit="rate",
        units={_("ratio"): "ratio"},
        x=_("failure type"),
        note=_(
            "Where the ratio of hallucinations is near 1 and those of types that need judgement are far from it, the "
            "graders' strictness may make the difference rather than the models."
        )
        + " "
        + _("The first is divided by the second; choose above which community that is."),
    )
