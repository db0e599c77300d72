"""Failure types: what goes wrong, by community and target, and how two communities differ in recording it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from agreement import bootstrap
from agreement.failures import failures, rate, rate_ratio, rate_ratio_figure
from reports.dashboard.draws import SEED, Block, with_intervals
from reports.rubrics.groups import ALL, Context, Floats, Integers, joined, of_setting
from reports.rubrics.loading import FAILURE_TYPES, Loaded


@dataclass(frozen=True, eq=False)
class Statistics:
    """Of one setting, responses with a first grading: prompt, target, and its errors by failure type (R, F)."""

    variety: int
    prompt: Integers
    model: Integers
    errors: Integers


def statistics(loaded: Loaded, context: Context) -> dict[int, Statistics]:
    """Per variety. Errors are those the first grading recorded."""
    responses, criteria = loaded.responses, loaded.criteria
    counts = np.zeros((len(responses), len(FAILURE_TYPES)), dtype=np.int64)
    negative = np.flatnonzero(criteria.grade >= 0)
    negative = negative[loaded.grades.is_reference[criteria.grade[negative]]]
    np.add.at(counts, (loaded.grades.response[criteria.grade[negative]], criteria.failure[negative]), 1)
    graded = loaded.reference >= 0
    return {
        variety: Statistics(variety, responses.prompt[chosen], responses.model[chosen], counts[chosen])
        for variety, here in of_setting(loaded)
        for chosen in [here & graded]
    }


def figures(parts: Sequence[Statistics], is_total: bool) -> dict[str, Any]:
    """Of one setting, or of several. "profile": rate, count and share of each type by target; in total "anchors":
    the rates of two settings and their ratio, of each type and of all errors, by pair of settings."""
    prompt, model, errors = (joined(parts, name) for name in ("prompt", "model", "errors"))
    profile = {
        one: _profile(prompt, errors, (model == one) | (one == ALL)) for one in [*np.unique(model).tolist(), ALL]
    }
    found: dict[str, Any] = {"profile": {one: rows for one, rows in profile.items() if rows}, "anchors": {}}
    if is_total:
        graded = [part for part in parts if len(part.prompt)]
        found["anchors"] = {
            (one.variety, other.variety): _anchors(one, other) for one, other in combinations(graded, 2)
        }
    return found


def _profile(prompt: Integers, errors: Integers, chosen: Any) -> list[tuple]:
    """(rate with its interval, count, share) of each failure type and then of all, over the chosen responses."""
    of_chosen = errors[chosen]
    pairs = len(of_chosen)
    if not pairs:
        return []
    # All together as one type among itself: its share is 1.
    every = of_chosen.sum(axis=1, keepdims=True)
    shown = [*failures(of_chosen.sum(axis=0), pairs), *failures(every.sum(axis=0), pairs)]
    columns = np.hstack((of_chosen, every))
    blocks = [Block([one.rate], _with_pairs(columns[:, at]), [rate]) for at, one in enumerate(shown)]
    rates = [drawn[0] for drawn in with_intervals(blocks, prompt[chosen])]
    found = [replace(one, rate=drawn) for one, drawn in zip(shown, rates, strict=True)]
    return [(one.rate, one.count, one.share) for one in found]


def _with_pairs(errors: Integers) -> Floats:
    return np.column_stack((errors, np.ones(len(errors))))


def _anchors(one: Statistics, other: Statistics) -> list[tuple]:
    """(rate of the first, rate of the second, ratio) of each failure type and of all together last."""
    sides = [np.hstack((side.errors, side.errors.sum(axis=1, keepdims=True))) for side in (one, other)]
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
            lambda sums, of=first: rate(sums[..., of]),
            lambda sums, of=second: rate(sums[..., of]),
            lambda sums, of=first + second: rate_ratio(sums[..., of]),
        ]
    prompt = np.concatenate((one.prompt, other.prompt))
    drawn = bootstrap.with_intervals(shown, wide, statistics, seed=SEED, cluster=prompt)
    return [tuple(drawn[at : at + 3]) for at in range(0, len(drawn), 3)]


def _pair(totals: Integers, at: list[int]) -> tuple[int, int]:
    return int(totals[at[0]]), int(totals[at[1]])


def _rates(totals: Integers, *sides: list[int]) -> list:
    return [failures([totals[errors]], int(totals[pairs]))[0].rate for errors, pairs in sides]


def _of_side(errors: Integers) -> Floats:
    return np.hstack((errors, np.ones((len(errors), 1))))
