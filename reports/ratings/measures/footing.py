"""Judges and people on the same footing: grades and preferences of both against what the other people said."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import scipy

from agreement import judges as deviations
from agreement import preferences, scales
from agreement.figures import NO_ITEMS, Figure
from agreement.statistics import share_of_sums
from reports.dashboard import footing
from reports.dashboard.columns import Flags, Floats, Integers, joined
from reports.dashboard.footing import Compared, Footing, Sides, pairs_of
from reports.dashboard.tables import Table
from reports.ratings.context import Context
from reports.ratings.measures.judged import SCALE, titles
from reports.ratings.measures.predictions import Reading
from reports.ratings.reader import Loaded
from reports.ratings.results import RatingResults as Results

GROUP = "footing"
#: Of grades, by classes; then by distance; then of preferences. Whether more is better is said beside each.
CLASSES = ("accuracy", "macro_f1", "quadratic_kappa")
DISTANCES = {"mad": deviations.mad, "signed_error": deviations.signed_error}
IS_BETTER_ABOVE: Mapping[str, bool | None] = {"mad": False, "signed_error": None}


@dataclass(frozen=True, eq=False)
class BothOfGrades:
    """Of one judge: every answer of a person to an item with every answer of the judge to it. Prompt; person; class of
    the reference, of the person's grade and of the judge's, -1 unread; errors of both against the reference; gold's
    class of the item, and the judge's error against it; what the row weighs, 1 / answers of the judge; question and its
    scale; shape (N,)."""

    prompt: Integers
    rater: Integers
    truth: Integers
    person: Integers
    judge: Integers
    person_error: Floats
    judge_error: Floats
    full: Integers
    full_error: Floats
    weight: Floats
    question: Integers
    lowest: Integers
    highest: Integers
    nominal: Flags


@dataclass(frozen=True, eq=False)
class BothOfPreferences:
    """The same of contests: prompt; person; preference of the others, of the person, of the judge, of gold, NaN unread;
    shape (M,)."""

    prompt: Integers
    rater: Integers
    truth: Floats
    person: Floats
    judge: Floats
    full: Floats
    weight: Floats


@dataclass(frozen=True, eq=False)
class BothByJudge:
    grades: dict[int, BothOfGrades]
    preferences: dict[int, BothOfPreferences]
    policy: str
    grade_policy: str


def statistics(loaded: Loaded, context: Context) -> dict[int, BothByJudge]:
    """Per variety."""
    reading = Reading(loaded, context)
    parts = {}
    for variety in loaded.varieties:
        grades, verdicts = reading.within(variety)
        parts[variety] = BothByJudge(
            {judge: _grades(reading, judge, grades) for judge in loaded.judges},
            {judge: _preferences(reading, judge, verdicts) for judge in loaded.judges},
            context.unparseable,
            context.unparseable_grade,
        )
    return parts


def _grades(reading: Reading, judge: int, rows: Integers) -> BothOfGrades:
    made, items, questions = reading.loaded.grades, reading.loaded.items, reading.loaded.questions
    people = rows[made.by_human[rows] & ~np.isnan(reading.rest_of_grades[rows])]
    judged = rows[made.rater[rows] == judge]
    person, other = pairs_of(made.item[people], made.item[judged])
    person, other = people[person], judged[other]
    known = ~np.isnan(reading.gold.grade[made.item[person]])
    person, other = person[known], other[known]
    item = made.item[person]
    reference, said = reading.rest_of_grades[person], made.grade[other]
    _, first, times = np.unique(person, return_inverse=True, return_counts=True)
    return BothOfGrades(
        items.prompt[item],
        made.rater[person],
        reading.rest_class[person],
        reading.grade_class[person],
        reading.grade_class[other],
        made.grade[person] - reference,
        said - reference,
        reading.gold_class[item],
        said - reading.gold.grade[item],
        1 / times[first],
        questions.id[items.question[item]],
        reading.lowest[item],
        reading.highest[item],
        questions.nominal[items.question[item]],
    )


def _preferences(reading: Reading, judge: int, rows: Integers) -> BothOfPreferences:
    made, contests = reading.loaded.verdicts, reading.loaded.contests
    people = rows[made.by_human[rows] & ~np.isnan(reading.rest_of_verdicts[rows]) & ~np.isnan(made.says[rows])]
    judged = rows[made.rater[rows] == judge]
    person, other = pairs_of(made.contest[people], made.contest[judged])
    person, other = people[person], judged[other]
    contest = made.contest[person]
    _, first, times = np.unique(person, return_inverse=True, return_counts=True)
    return BothOfPreferences(
        contests.prompt[contest],
        made.rater[person],
        reading.rest_of_verdicts[person],
        made.says[person],
        made.says[other],
        reading.gold.says[contest],
        1 / times[first],
    )


def figures(parts: Sequence[BothByJudge], is_total: bool) -> dict[int, dict[str, tuple[Footing, Figure]]]:
    """Of all varieties together, by judge and name of a measure: both sides, and the judge against the full gold. Of
    one variety among several nothing is shown."""
    if not is_total:
        return {}
    made: dict[int, dict[str, tuple[Footing, Figure]]] = {}
    for judge in sorted({one for part in parts for one in part.grades}):
        options = parts[0]
        graded = _pooled(BothOfGrades, [part.grades[judge] for part in parts if judge in part.grades])
        preferred = _pooled(BothOfPreferences, [part.preferences[judge] for part in parts if judge in part.preferences])
        made[judge] = {**_of_grades(graded, options.grade_policy), **_of_preferences(preferred, options.policy)}
    return made


def _pooled(kind: type, parts: Sequence[Any]) -> Any:
    return kind(**{field.name: joined(parts, field.name) for field in fields(kind)})


def _of_grades(rows: BothOfGrades, policy: str) -> dict[str, tuple[Footing, Figure]]:
    tables = scales.tables_of(*(getattr(rows, name) for name in SCALE))
    both, person, full = (
        _weighed(scales.confusion_columns(truth, given, tables, policy), rows.weight)
        for truth, given in ((rows.truth, rows.judge), (rows.truth, rows.person), (rows.full, rows.judge))
    )
    kept = np.flatnonzero(np.diff(both.indptr) > 0)
    n = round(float(rows.weight[kept].sum()))
    sides = Sides(both[kept], person[kept], rows.prompt[kept], rows.rater[kept], rows.weight[kept], n)
    of_names = [scales.statistic(name, tables) for name in CLASSES]
    compared = footing.compared(sides, of_names)
    against_gold = [_value(statistic, full[kept], sides.n) for statistic in of_names]
    made = dict(zip(CLASSES, zip(compared, against_gold, strict=True), strict=True))
    apart = scales.is_one_measure(*(getattr(rows, name) for name in SCALE[1:]))
    for name, pair in zip(DISTANCES, _distances(rows, apart), strict=True):
        made[name] = pair
    return made


def _distances(rows: BothOfGrades, apart: str) -> Iterator[tuple[Footing, Figure]]:
    kept = np.flatnonzero(~np.isnan(rows.judge_error))
    if apart:
        nothing = Figure.without_value(apart, len(kept))
        yield from ((Footing(nothing, nothing, nothing), nothing) for _name in DISTANCES)
        return
    judge, person, full = (
        deviations.error_columns(errors[kept]) * rows.weight[kept, None]
        for errors in (rows.judge_error, rows.person_error, rows.full_error)
    )
    n = round(float(rows.weight[kept].sum()))
    sides = Sides(judge, person, rows.prompt[kept], rows.rater[kept], rows.weight[kept], n)
    of_names = list(DISTANCES.values())
    against_gold = [_value(statistic, full, n) for statistic in of_names]
    yield from zip(footing.compared(sides, of_names), against_gold, strict=True)


def _of_preferences(rows: BothOfPreferences, policy: str) -> dict[str, tuple[Footing, Figure]]:
    judge, person, full = (
        preferences.accuracy_columns(truth, given, unparseable=policy) * rows.weight[:, None]
        for truth, given in ((rows.truth, rows.judge), (rows.truth, rows.person), (rows.full, rows.judge))
    )
    kept = np.flatnonzero(judge[:, 1])
    n = round(float(rows.weight[kept].sum()))
    sides = Sides(judge[kept], person[kept], rows.prompt[kept], rows.rater[kept], rows.weight[kept], n)
    [both] = footing.compared(sides, [share_of_sums])
    return {"preference": (both, _value(share_of_sums, full[kept], sides.n))}


def _weighed(columns: Any, weight: Floats) -> Any:
    return scipy.sparse.csr_array(scipy.sparse.diags_array(weight) @ columns)


def _value(statistic: Any, columns: Any, n: int) -> Figure:
    value = float(statistic(np.asarray(columns.sum(axis=0), dtype=float).reshape(-1))) if n else np.nan
    return Figure.without_value(NO_ITEMS) if np.isnan(value) else Figure(value, n)


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    names = titles()
    rows = [
        Compared(judge, names[name], both, full, IS_BETTER_ABOVE.get(name, True))
        for judge, measures in results.total().items()
        for name, (both, full) in measures.items()
    ]
    recipe = {"judge": "of several answers to one item each weighs its share"}
    return [footing.table(results, rows, recipe)]
