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
class Graded:
    """Items of one variety that people and judges graded: prompt; gold, and its class; question and its scale; shape
    (I,). Answers of people that the others can be held against: item, a place; person; class of the reference and of
    the grade; the reference, and the grade's error against it; shape (A,). `said`  by judge: items, grades and their
    classes, -1 unread; shape (J,) each.

    Every answer of a person meets every answer of the judge to the same item only when figures are made: kept as rows
    they would be twenty times as many numbers.
    """

    prompt: Integers
    gold: Floats
    full: Integers
    question: Integers
    lowest: Integers
    highest: Integers
    nominal: Flags
    item: Integers
    rater: Integers
    truth: Integers
    person: Integers
    reference: Floats
    error: Floats
    said: Mapping[int, tuple[Integers, Floats, Integers]]


@dataclass(frozen=True, eq=False)
class Preferred:
    """The same of contests: prompt; gold's preference; shape (C,). Answers of people: contest, a place; person;
    preference of the others and of the person; shape (A,). `said`  by judge: contests and preferences, NaN unread."""

    prompt: Integers
    full: Floats
    contest: Integers
    rater: Integers
    truth: Floats
    person: Floats
    said: Mapping[int, tuple[Integers, Floats]]


@dataclass(frozen=True, eq=False)
class PeopleAndJudges:
    grades: Graded
    preferences: Preferred
    policy: str
    grade_policy: str


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


def statistics(loaded: Loaded, context: Context) -> dict[int, PeopleAndJudges]:
    """Per variety."""
    reading = Reading(loaded, context)
    parts = {}
    for variety in loaded.varieties:
        grades, verdicts = reading.within(variety)
        parts[variety] = PeopleAndJudges(
            _graded(reading, grades),
            _preferred(reading, verdicts),
            context.unparseable,
            context.unparseable_grade,
        )
    return parts


def _graded(reading: Reading, rows: Integers) -> Graded:
    made, items, questions = reading.loaded.grades, reading.loaded.items, reading.loaded.questions
    gold, rest = reading.gold.grade, reading.rest_of_grades
    people = rows[made.by_human[rows] & ~np.isnan(rest[rows]) & ~np.isnan(gold[made.item[rows]])]
    asked = np.unique(made.item[people])
    place = np.full(len(items), -1, dtype=np.int64)
    place[asked] = np.arange(len(asked))
    judged = rows[~made.by_human[rows] & (place[made.item[rows]] >= 0)]
    question = items.question[asked]
    return Graded(
        items.prompt[asked],
        gold[asked],
        reading.gold_class[asked],
        questions.id[question],
        reading.lowest[asked],
        reading.highest[asked],
        questions.nominal[question],
        place[made.item[people]],
        made.rater[people],
        reading.rest_class[people],
        reading.grade_class[people],
        rest[people],
        made.grade[people] - rest[people],
        {
            judge: (place[made.item[mine]], made.grade[mine], reading.grade_class[mine])
            for judge, mine in _by_judge(reading.loaded.judges, made.rater, judged)
        },
    )


def _preferred(reading: Reading, rows: Integers) -> Preferred:
    made, contests = reading.loaded.verdicts, reading.loaded.contests
    people = rows[made.by_human[rows] & ~np.isnan(reading.rest_of_verdicts[rows]) & ~np.isnan(made.says[rows])]
    asked = np.unique(made.contest[people])
    place = np.full(len(contests), -1, dtype=np.int64)
    place[asked] = np.arange(len(asked))
    judged = rows[~made.by_human[rows] & (place[made.contest[rows]] >= 0)]
    return Preferred(
        contests.prompt[asked],
        reading.gold.says[asked],
        place[made.contest[people]],
        made.rater[people],
        reading.rest_of_verdicts[people],
        made.says[people],
        {
            judge: (place[made.contest[mine]], made.says[mine])
            for judge, mine in _by_judge(reading.loaded.judges, made.rater, judged)
        },
    )


def _by_judge(judges: Sequence[int], rater: Integers, rows: Integers) -> Iterator[tuple[int, Integers]]:
    """Each judge with its rows among these."""
    of_rows = rater[rows]
    for judge in judges:
        yield judge, rows[of_rows == judge]


def figures(parts: Sequence[PeopleAndJudges], is_total: bool) -> dict[int, dict[str, tuple[Footing, Figure]]]:
    """Of all varieties together, by judge and name of a measure: both sides, and the judge against the full gold. Of
    one variety among several nothing is shown."""
    if not is_total:
        return {}
    made: dict[int, dict[str, tuple[Footing, Figure]]] = {}
    options = parts[0]
    graded = _pooled([part.grades for part in parts], "prompt", "item")
    preferred = _pooled([part.preferences for part in parts], "prompt", "contest")
    for judge in sorted({one for part in parts for one in part.grades.said}):
        grades, preferences = _both_of_grades(graded, judge), _both_of_preferences(preferred, judge)
        made[judge] = {**_of_grades(grades, options.grade_policy), **_of_preferences(preferences, options.policy)}
    return made


def _pooled(parts: Sequence[Any], of_things: str, place: str) -> Any:
    """Of all parts, things numbered on. of_things  a column of them; place  that of answers which says where."""
    starts = np.cumsum([0, *(len(getattr(part, of_things)) for part in parts)]).tolist()
    names = [field.name for field in fields(parts[0]) if field.name not in (place, "said")]
    columns = {name: joined(parts, name) for name in names}
    columns[place] = np.concatenate([getattr(part, place) + at for part, at in zip(parts, starts, strict=False)])
    said = {}
    for judge in {one for part in parts for one in part.said}:
        of_judge = [(part.said[judge], at) for part, at in zip(parts, starts, strict=False) if judge in part.said]
        more = [np.concatenate(column) for column in zip(*(rest for (_at, *rest), _start in of_judge), strict=True)]
        said[judge] = (np.concatenate([where + at for (where, *_rest), at in of_judge]), *more)
    return type(parts[0])(**columns, said=said)


def _both_of_grades(pool: Graded, judge: int) -> BothOfGrades:
    judged, said, of_judge = pool.said[judge]
    person, other = pairs_of(pool.item, judged)
    item, reference = pool.item[person], pool.reference[person]
    return BothOfGrades(
        pool.prompt[item],
        pool.rater[person],
        pool.truth[person],
        pool.person[person],
        of_judge[other],
        pool.error[person],
        said[other] - reference,
        pool.full[item],
        said[other] - pool.gold[item],
        _weights(person, len(pool.item)),
        pool.question[item],
        pool.lowest[item],
        pool.highest[item],
        pool.nominal[item],
    )


def _both_of_preferences(pool: Preferred, judge: int) -> BothOfPreferences:
    judged, said = pool.said[judge]
    person, other = pairs_of(pool.contest, judged)
    contest = pool.contest[person]
    return BothOfPreferences(
        pool.prompt[contest],
        pool.rater[person],
        pool.truth[person],
        pool.person[person],
        said[other],
        pool.full[contest],
        _weights(person, len(pool.contest)),
    )


def _weights(person: Integers, n: int) -> Floats:
    """Of each row 1 / rows of the same answer; `person`  which of the n answers each is of."""
    return 1 / np.bincount(person, minlength=n)[person]


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
    times = np.repeat(weight, np.diff(columns.indptr))
    return scipy.sparse.csr_array((columns.data * times, columns.indices, columns.indptr), shape=columns.shape)


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
