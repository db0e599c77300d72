"""Target models: who wins against whom, by people and by judges; what a judge's many scores add to few labels."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from agreement import scales
from agreement.figures import NO_ITEMS, Figure
from agreement.prediction_powered import prediction_powered_mean
from agreement.statistics import mean_columns, of_columns, ratio_of_sums, share_of_sums
from reports.dashboard.columns import Floats, Integers, joined, means_at
from reports.dashboard.findings import first_of, highest
from reports.dashboard.intervals import Block, with_intervals
from reports.dashboard.names import PEOPLE
from reports.dashboard.results import most
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import count_text, figure_text, no_figure_yet
from reports.ratings.consensus import gold_of
from reports.ratings.context import Context
from reports.ratings.measures.lengths import length_figures, length_of_targets
from reports.ratings.reader import Loaded
from reports.ratings.results import RatingResults as Results

GROUP = "models"

WIN, TIE, LOSS = 1, 0, -1


@dataclass(frozen=True, eq=False)
class Side:
    """What one judge says in one variety: of contests, the mean over its orders of what it prefers and of the
    difference, and the share of its answers that are wins, ties and losses of the first; of items its mean grade.
    NaN where it says nothing; shape (C,), (C, 3) and (I,)."""

    says: Floats
    difference: Floats
    shares: Floats
    grade: Floats


@dataclass(frozen=True, eq=False)
class ModelContests:
    """Of one variety. Contests: prompt, the two models, gold's preference and difference, shape (C,). Items: model,
    length in characters, gold grade and prompt, shape (I,). By judge what it says of them.

    apart  why these grades make no mean; "" where they do. ends  of their scale then, else ().
    """

    prompt: Integers
    first_model: Integers
    second_model: Integers
    says: Floats
    difference: Floats
    model: Integers
    length: Integers
    grade: Floats
    item_prompt: Integers
    sides: dict[int, Side]
    apart: str
    ends: tuple[float, ...] = ()


def statistics(loaded: Loaded, context: Context) -> dict[int, ModelContests]:
    """Per variety."""
    gold, contests, items = gold_of(loaded, context), loaded.contests, loaded.items
    asked = loaded.questions.taken(np.unique(items.question))
    apart = scales.is_one_measure(asked.lowest, asked.highest, asked.nominal)
    ends = () if apart or not len(asked) else (float(asked.lowest[0]), float(asked.highest[0]))
    whole = {judge: _said_by(loaded, judge) for judge in loaded.judges}
    parts = {}
    for variety in loaded.varieties:
        of_contests, of_items = np.flatnonzero(contests.variety == variety), np.flatnonzero(items.variety == variety)
        sides = {}
        for judge, of_all in whole.items():
            side = Side(
                of_all.says[of_contests],
                of_all.difference[of_contests],
                of_all.shares[of_contests],
                of_all.grade[of_items],
            )
            if not (np.isnan(side.says).all() and np.isnan(side.grade).all()):
                sides[judge] = side
        parts[variety] = ModelContests(
            contests.prompt[of_contests],
            contests.first_model[of_contests],
            contests.second_model[of_contests],
            gold.says[of_contests],
            gold.difference[of_contests],
            items.model[of_items],
            items.length[of_items],
            gold.grade[of_items],
            items.prompt[of_items],
            sides,
            apart,
            ends,
        )
    return parts


def _said_by(loaded: Loaded, judge: int) -> Side:
    """What a judge says of all contests and items."""
    grades, verdicts = loaded.grades, loaded.verdicts
    said, graded = verdicts.rater == judge, grades.rater == judge
    of_contests = (verdicts.contest[said], verdicts.says[said], verdicts.difference[said])
    grade = means_at(grades.item[graded], grades.grade[graded], len(loaded.items))
    return Side(*_of_contests(*of_contests, len(loaded.contests)), grade)


def _of_contests(contest: Integers, says: Floats, difference: Floats, n: int) -> tuple[Floats, Floats, Floats]:
    shares = np.column_stack(
        [means_at(contest, np.where(np.isnan(says), np.nan, says == one), n) for one in (WIN, TIE, LOSS)]
    )
    return means_at(contest, says, n), means_at(contest, difference, n), shares


def figures(parts: Sequence[ModelContests], is_total: bool, models: tuple[int, int] | None = None) -> dict[str, Any]:
    """Of all varieties together; of one among several nothing is shown.

    "models"  the two compared: those asked for, else the two with most pairs. "wins"  by PEOPLE and judge: win, tie
    and loss rate of the first, mean difference, and how far a judge overstates the difference of grades, and of wins
    less losses; None for people. "lengths"  by (model, rater): how grades go with length.
    "powered"  by (judge, model): prediction-powered mean, mean by people, labels saved.
    """
    if not is_total:
        return {}
    judges = sorted({judge for part in parts for judge in part.sides})
    first, second = joined(parts, "first_model"), joined(parts, "second_model")
    pair = models or most_met(first, second)
    results: dict[str, Any] = {"models": pair, "wins": {}, "powered": _powered(parts, judges)}
    results["lengths"] = _lengths(parts, judges)
    if pair is None:
        return results
    turned = np.where((first == pair[0]) & (second == pair[1]), 1.0, 0.0)
    turned[(first == pair[1]) & (second == pair[0])] = -1.0
    met = np.flatnonzero(turned)
    sign, prompt = turned[met], joined(parts, "prompt")[met]
    says, difference = joined(parts, "says")[met] * sign, joined(parts, "difference")[met] * sign
    shares = np.column_stack([np.where(np.isnan(says), np.nan, says == one) for one in (WIN, TIE, LOSS)])
    apart = parts[0].apart
    blocks = {PEOPLE: [_rates(shares, prompt), _mean(difference, prompt, apart)]}
    for judge in judges:
        by_judge = _side(parts, judge, "says")[met] * sign, _side(parts, judge, "difference")[met] * sign
        of_answers = _side(parts, judge, "shares")[met]
        of_answers[sign < 0] = of_answers[sign < 0][:, ::-1]
        blocks[judge] = [
            _rates(of_answers, prompt),
            _mean(by_judge[1], prompt, apart),
            _mean(by_judge[1] - difference, prompt, apart),
            _mean(by_judge[0] - says, prompt),
        ]
    drawn = iter(with_intervals([block for of_one in blocks.values() for block in of_one]))
    for one, of_one in blocks.items():
        flat = [figure for _block in of_one for figure in next(drawn)]
        results["wins"][one] = (*flat, *[None] * (6 - len(flat)))
    return results


def most_met(first: Integers, second: Integers) -> tuple[int, int] | None:
    """The two models with most pairs, the lower id first among equals; None without pairs of two models."""
    pairs = np.column_stack((np.minimum(first, second), np.maximum(first, second)))
    counts = Counter(tuple(pair) for pair in pairs[first != second].tolist())
    if not counts:
        return None
    one, other = min(counts, key=lambda pair: (-counts[pair], pair))
    return int(one), int(other)


def _side(parts: Sequence[ModelContests], judge: int, name: str) -> Floats:
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
    return Block(points, columns, [of_columns(share_of_sums, [place, -1]) for place in range(3)], prompt)


def _mean(values: Floats, prompt: Integers, apart: str = "") -> Block:
    if apart:
        values = np.full(len(values), np.nan)
    known = values[~np.isnan(values)]
    point = Figure(float(known.mean()), len(known)) if len(known) else Figure.without_value(apart or NO_ITEMS)
    return Block([point], mean_columns(values), [ratio_of_sums], prompt)


def _powered(parts: Sequence[ModelContests], judges: Sequence[int]) -> dict[tuple[int, int], tuple[Figure, ...]]:
    model, grade, prompt = (joined(parts, name) for name in ("model", "grade", "item_prompt"))
    figures: dict[tuple[int, int], tuple[Figure, ...]] = {}
    apart = parts[0].apart if parts else ""
    known = [part.ends for part in parts if part.ends]
    ends = (min(low for low, _high in known), max(high for _low, high in known)) if known else None
    for judge in judges:
        judged = _side(parts, judge, "grade")
        for target in np.unique(model).tolist():
            of_model = model == target
            if not (~np.isnan(judged[of_model])).any():
                continue
            if apart:
                figures[judge, target] = (Figure.without_value(apart, int(of_model.sum())),) * 3
                continue
            made = prediction_powered_mean(
                judged[of_model], grade[of_model], cluster=prompt[of_model], power_tuned=True, ends=ends
            )
            figures[judge, target] = (made.mean, made.classical, made.saved)
    return figures


def _lengths(parts: Sequence[ModelContests], judges: Sequence[int]) -> dict[tuple[int, int], tuple[Figure, ...]]:
    grades = {PEOPLE: joined(parts, "grade")} | {judge: _side(parts, judge, "grade") for judge in judges}
    model, length, prompt = (joined(parts, name) for name in ("model", "length", "item_prompt"))
    return length_figures(model, length, prompt, grades, parts[0].apart)


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    return [wins(results), powered(results), length_of_targets(results)]


def wins(results: Results) -> Table:
    total = results.total()
    pair = total["models"]
    names = [results.names.models[one] for one in pair] if pair else []
    title = (
        _("%(first)s against %(second)s") % {"first": names[0], "second": names[1]} if pair else _("Wins and losses")
    )
    rows = [
        Row(
            (results.rater(one),),
            tuple(figure or alone() for figure in figures),
            {**results.by_rater(one), "model": names[0]},
            results.marks(one),
        )
        for one, figures in total["wins"].items()
    ]
    return Table(
        id="wins",
        headline=first_of(rows),
        title=title,
        summary=wins_in_words(results, total["wins"], names)
        if pair
        else _("There are no pairs of two target models yet."),
        dimensions=(_("rater"),),
        measures=(
            _("wins of the first"),
            _("ties"),
            _("losses"),
            _("difference in grades"),
            _("overstated difference"),
            _("overstated wins"),
        ),
        units=dict.fromkeys((_("difference in grades"), _("overstated difference")), "grade"),
        rows=tuple(rows),
        recipe=results.recipe(
            "win_tie_loss",
            first=names[0] if pair else None,
            second=names[1] if pair else None,
            people="gold of each pair",
            judges="the mean of a judge's answers to a pair counts, in one order or in both",
            overstated="judge less people, on pairs that both know",
        ),
        note=_(
            "Overstated wins are wins less losses by the judge, less the same by people: above 0 a judge favours the "
            "first model more than people do. Choose two target models above."
        ),
    )


def alone() -> Figure:
    """What a judge is compared with has nothing to overstate."""
    return Figure.without_value("people are the measure")


def wins_in_words(results: Results, figures_by_rater: dict[int, Any], names: list[str]) -> str:
    people = figures_by_rater[PEOPLE]
    parts = []
    if None not in (people[0].value, people[2].value):
        parts.append(
            _("People prefer %(first)s in %(wins)s and %(second)s in %(losses)s of pairs.")
            % {"first": names[0], "second": names[1], "wins": figure_text(people[0]), "losses": figure_text(people[2])}
        )
    known = [
        (rater, figures[4] if figures[4].value is not None else figures[5])
        for rater, figures in figures_by_rater.items()
        if rater != PEOPLE
    ]
    known = [(rater, figure) for rater, figure in known if figure.value is not None]
    if known:
        rater, most = max(known, key=lambda pair: abs(pair[1].number))
        parts.append(
            _("%(judge)s is furthest from people: its difference is off by %(much)s.")
            % {"judge": results.rater(rater), "much": figure_text(most, "grade")}
        )
    return " ".join(parts) or no_figure_yet()


def powered(results: Results) -> Table:
    figures_by_judge = results.total()["powered"]
    rows = [
        Row(
            (results.rater(judge), results.names.models[model]),
            figures,
            {**results.by_rater(judge), "model": results.names.models[model]},
            results.marks(judge),
        )
        for (judge, model), figures in figures_by_judge.items()
    ]
    best = most(rows, 2)
    return Table(
        id="prediction-powered",
        headline=highest(rows, 2),
        title=_("Mean grade of a target model, with a judge's help"),
        summary=_("%(judge)s saves most: with its scores %(labels)s labels of %(model)s are worth %(more)s more.")
        % {
            "judge": best.labels[0],
            "model": best.labels[1],
            "labels": count_text(best.figures[2].n),
            "more": figure_text(best.figures[2], "count"),
        }
        if best
        else _("A judge's scores add nothing yet: it must have scored responses that no person graded."),
        dimensions=(_("judge"), _("target model")),
        measures=(_("prediction-powered mean"), _("mean by people"), _("labels saved")),
        unit="grade",
        units={_("labels saved"): "count"},
        rows=tuple(rows),
        recipe=results.recipe(
            "prediction_powered_mean",
            drawn=False,
            power_tuned=True,
            labels="gold of the items that people graded, taken for a random draw of all that the judge scored",
            judge="the mean of its grades of an item",
            interval="normal, 95 %",
        ),
        chart="bars" if best else "none",
        x=_("target model"),
        series=_("judge"),
        marked=_("judge"),
        note=_(
            "Labels saved are those that people would have to add for a mean as sharp. Below 0 the judge does more "
            "harm than good."
        ),
    )
