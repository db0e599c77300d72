"""Judges' grades of models of their own laboratory beside those of others, and how often they let these win."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement import scales
from reports.dashboard import self_preference
from reports.dashboard.columns import Flags, Integers
from reports.dashboard.drawn_by import Laboratories
from reports.dashboard.self_preference import GROUP, Said
from reports.dashboard.tables import Table
from reports.ratings.consensus import Gold, gold_of
from reports.ratings.context import Context
from reports.ratings.reader import Loaded
from reports.ratings.results import RatingResults as Results

__all__ = ["GROUP", "figures", "statistics", "tables"]


@dataclass(frozen=True, eq=False)
class SaidOfOwn:
    """Of one variety, by judge: grades, and shares of wins where one of two responses is its own laboratory's. Scales
    of the questions that were graded: lowest, highest, nominal; shape (K,)."""

    grades: dict[int, Said]
    wins: dict[int, Said]
    lowest: Integers
    highest: Integers
    nominal: Flags


NO_SCALE = np.zeros(0, dtype=np.int64)
NOTHING = SaidOfOwn({}, {}, NO_SCALE, NO_SCALE, np.zeros(0, dtype=bool))


def statistics(loaded: Loaded, context: Context) -> dict[int, SaidOfOwn]:
    """Per variety."""
    if loaded.with_own is None:  # no judge has answered about its own laboratory
        return dict.fromkeys(loaded.varieties, NOTHING)
    loaded = loaded.with_own
    items, contests, questions = loaded.items, loaded.contests, loaded.questions
    models = np.unique(np.concatenate((items.model, contests.first_model, contests.second_model)))
    laboratories = Laboratories(loaded.project, models)
    gold = gold_of(loaded, context)
    graded = {judge: _graded(loaded, gold, judge, laboratories) for judge in loaded.judges}
    won = {judge: _won(loaded, gold, judge, laboratories) for judge in loaded.judges}
    grades, wins = (self_preference.by_variety(loaded.varieties, said) for said in (graded, won))
    judged = np.zeros(len(items), dtype=bool)
    judged[loaded.grades.item[~loaded.grades.by_human]] = True
    parts = {}
    for variety in loaded.varieties:
        asked = questions.taken(np.unique(items.question[(items.variety == variety) & judged]))
        parts[variety] = SaidOfOwn(grades[variety], wins[variety], asked.lowest, asked.highest, asked.nominal)
    return parts


def _graded(loaded: Loaded, gold: Gold, judge: int, laboratories: Laboratories) -> Said:
    rows = np.flatnonzero((loaded.grades.rater == judge) & ~np.isnan(loaded.grades.grade))
    item, items = loaded.grades.item[rows], loaded.items
    own = laboratories.is_own(judge, items.model[item])
    return Said(loaded.grades.grade[rows], gold.grade[item], own, items.prompt[item], items.variety[item])


def _won(loaded: Loaded, gold: Gold, judge: int, laboratories: Laboratories) -> Said:
    """Of contests between a model of the own laboratory and one of another: 1 where the own wins, 1/2 a tie, 0."""
    verdicts, contests = loaded.verdicts, loaded.contests
    rows = np.flatnonzero((verdicts.rater == judge) & ~np.isnan(verdicts.says))
    at = verdicts.contest[rows]
    first, second = (laboratories.is_own(judge, model[at]) for model in (contests.first_model, contests.second_model))
    rows, at, first = rows[first != second], at[first != second], first[first != second]
    to_own = np.where(first, 1.0, -1.0)
    says, people = ((1 + to_own * side) / 2 for side in (verdicts.says[rows], gold.says[at]))
    return Said(says, people, np.ones(len(at), dtype=bool), contests.prompt[at], contests.variety[at])


def figures(parts: Sequence[SaidOfOwn], is_total: bool) -> dict[str, Any]:
    """Of all varieties together "graded" and "won" by judge; of one among several nothing is shown."""
    if not is_total:
        return {"graded": {}, "won": {}}
    scale = [np.concatenate([getattr(part, name) for part in parts]) for name in ("lowest", "highest", "nominal")]
    graded = self_preference.figures_of([part.grades for part in parts], scales.is_one_measure(*scale))
    return {"graded": graded, "won": self_preference.wins_of([part.wins for part in parts])}


def tables(results: Results) -> list[Table]:
    total = results.total()
    people = {"people": f"gold: {results.gold_rule()}"}
    graded = self_preference.tables(results, total["graded"], unit="grade", recipe={"says": "grade", **people})
    won = self_preference.tables_of_wins(results, total["won"], recipe=people)
    return [*graded, *won]
