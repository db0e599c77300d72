"""Target models: who wins against whom, by people and by judges; what a judge's many scores add to few labels."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement import bootstrap
from agreement.figures import NO_ITEMS, Figure
from agreement.prediction_powered import prediction_powered_mean
from reports.ratings.consensus import gold_of
from reports.ratings.draws import Block, with_intervals
from reports.ratings.groups import PEOPLE, Context, Floats, Integers, joined
from reports.ratings.loading import Loaded

WIN, TIE, LOSS = 1, 0, -1


@dataclass(frozen=True, eq=False)
class Side:
    """What one judge says in one setting: of contests, the mean over its orders of what it prefers and of the
    difference, and the share of its answers that are wins, ties and losses of the first; of items its mean grade.
    NaN where it says nothing; shape (C,), (C, 3) and (I,)."""

    says: Floats
    difference: Floats
    shares: Floats
    grade: Floats


@dataclass(frozen=True, eq=False)
class Statistics:
    """Of one setting. Contests: prompt, the two models, gold's preference and difference, shape (C,). Items: model
    and gold grade, shape (I,). By judge what it says of them."""

    prompt: Integers
    first_model: Integers
    second_model: Integers
    says: Floats
    difference: Floats
    model: Integers
    grade: Floats
    sides: dict[int, Side]


def statistics(loaded: Loaded, context: Context) -> dict[int, Statistics]:
    """Per variety."""
    gold, contests, items, grades, verdicts = (
        gold_of(loaded, context),
        loaded.contests,
        loaded.items,
        loaded.grades,
        loaded.verdicts,
    )
    found = {}
    for variety in loaded.varieties:
        here, of_items = np.flatnonzero(contests.variety == variety), np.flatnonzero(items.variety == variety)
        sides = {}
        for judge in loaded.judges:
            said = verdicts.rater == judge
            says, difference, shares = _of_contests(
                verdicts.contest[said], verdicts.says[said], verdicts.difference[said], len(contests)
            )
            mine = grades.rater == judge
            side = Side(
                says[here],
                difference[here],
                shares[here],
                means_of(grades.item[mine], grades.grade[mine], len(items))[of_items],
            )
            if not (np.isnan(side.says).all() and np.isnan(side.grade).all()):
                sides[judge] = side
        found[variety] = Statistics(
            contests.prompt[here],
            contests.first_model[here],
            contests.second_model[here],
            gold.says[here],
            gold.difference[here],
            items.model[of_items],
            gold.grade[of_items],
            sides,
        )
    return found


def _of_contests(contest: Integers, says: Floats, difference: Floats, n: int) -> tuple[Floats, Floats, Floats]:
    shares = np.column_stack(
        [means_of(contest, np.where(np.isnan(says), np.nan, says == one), n) for one in (WIN, TIE, LOSS)]
    )
    return means_of(contest, says, n), means_of(contest, difference, n), shares


def means_of(place: Integers, values: Floats, n: int) -> Floats:
    """Mean of the known values at each place, NaN where there is none."""
    known = ~np.isnan(values)
    counts = np.bincount(place[known], minlength=n)
    return np.divide(
        np.bincount(place[known], values[known], minlength=n), counts, out=np.full(n, np.nan), where=counts > 0
    )


def figures(parts: Sequence[Statistics], is_total: bool, models: tuple[int, int] | None = None) -> dict[str, Any]:
    """Of all settings together; of one among several nothing is shown.

    "models"  the two compared: those asked for, else the two with most pairs. "wins"  by PEOPLE and judge: win, tie
    and loss rate of the first, mean difference, and how far a judge overstates the difference of grades, and of wins
    less losses; None for people. "powered"  by (judge, model): prediction-powered mean, mean by people, labels saved.
    """
    if not is_total:
        return {}
    judges = sorted({judge for part in parts for judge in part.sides})
    first, second = joined(parts, "first_model"), joined(parts, "second_model")
    pair = models or most_met(first, second)
    found: dict[str, Any] = {"models": pair, "wins": {}, "powered": _powered(parts, judges)}
    if pair is None:
        return found
    turned = np.where((first == pair[0]) & (second == pair[1]), 1.0, 0.0)
    turned[(first == pair[1]) & (second == pair[0])] = -1.0
    met = np.flatnonzero(turned)
    sign, prompt = turned[met], joined(parts, "prompt")[met]
    says, difference = joined(parts, "says")[met] * sign, joined(parts, "difference")[met] * sign
    shares = np.column_stack([np.where(np.isnan(says), np.nan, says == one) for one in (WIN, TIE, LOSS)])
    blocks = {PEOPLE: [_rates(shares, prompt), _mean(difference, prompt)]}
    for judge in judges:
        by_judge = _side(parts, judge, "says")[met] * sign, _side(parts, judge, "difference")[met] * sign
        of_answers = _side(parts, judge, "shares")[met]
        of_answers[sign < 0] = of_answers[sign < 0][:, ::-1]
        blocks[judge] = [
            _rates(of_answers, prompt),
            _mean(by_judge[1], prompt),
            _mean(by_judge[1] - difference, prompt),
            _mean(by_judge[0] - says, prompt),
        ]
    drawn = iter(with_intervals([block for of_one in blocks.values() for block in of_one]))
    for one, of_one in blocks.items():
        flat = [figure for _block in of_one for figure in next(drawn)]
        found["wins"][one] = (*flat, *[None] * (6 - len(flat)))
    return found


def most_met(first: Integers, second: Integers) -> tuple[int, int] | None:
    """The two models with most pairs, the lower id first among equals; None without pairs of two models."""
    pairs = np.column_stack((np.minimum(first, second), np.maximum(first, second)))
    counts = Counter(tuple(pair) for pair in pairs[first != second].tolist())
    if not counts:
        return None
    one, other = min(counts, key=lambda pair: (-counts[pair], pair))
    return int(one), int(other)


def _side(parts: Sequence[Statistics], judge: int, name: str) -> Floats:
    """A judge's column over all parts; NaN in a part where it says nothing."""
    of_items = name == "grade"
    columns = []
    for part in parts:
        n = len(part.model if of_items else part.prompt)
        empty = np.full((n, 3) if name == "shares" else n, np.nan)
        columns.append(getattr(part.sides[judge], name) if judge in part.sides else empty)
    return np.concatenate(columns)


def _rates(shares: Floats, prompt: Integers) -> Block:
    known = ~np.isnan(shares[:, 0])
    n = int(known.sum())
    columns = np.column_stack((np.nan_to_num(shares), known))
    points = [
        Figure(float(part / n), n) if n else Figure.without_value(NO_ITEMS) for part in columns[:, :3].sum(axis=0)
    ]
    return Block(points, columns, [_share_of(place) for place in range(3)], prompt)


def _share_of(place: int) -> bootstrap.Statistic:
    return lambda sums: bootstrap.ratio_of_sums(sums[..., [place, -1]])


def _mean(values: Floats, prompt: Integers) -> Block:
    known = values[~np.isnan(values)]
    point = Figure(float(known.mean()), len(known)) if len(known) else Figure.without_value(NO_ITEMS)
    return Block([point], bootstrap.mean_columns(values), [bootstrap.ratio_of_sums], prompt)


def _powered(parts: Sequence[Statistics], judges: Sequence[int]) -> dict[tuple[int, int], tuple[Figure, ...]]:
    model, grade = joined(parts, "model"), joined(parts, "grade")
    found: dict[tuple[int, int], tuple[Figure, ...]] = {}
    for judge in judges:
        said = _side(parts, judge, "grade")
        for one in np.unique(model).tolist():
            mine = model == one
            if not (~np.isnan(said[mine])).any():
                continue
            made = prediction_powered_mean(said[mine], grade[mine], power_tuned=True)
            found[judge, one] = (made.mean, made.classical, made.saved)
    return found
