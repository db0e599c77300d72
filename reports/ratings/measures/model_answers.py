"""What people and judges say of target models, as tables of grades and as comparisons of two."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agreement import scales
from reports.dashboard.columns import Flags, Floats, Integers, joined, means_at
from reports.dashboard.drawn_by import doublings
from reports.dashboard.names import PEOPLE
from reports.ratings.consensus import gold_of
from reports.ratings.context import Context
from reports.ratings.measures.predictions import KEYS
from reports.ratings.reader import Loaded


@dataclass(frozen=True, eq=False)
class Side:
    """What people's gold or one judge says: grade of each item, shape (I,), and of each contest which response wins, 1,
    0 or -1, shape (C,); NaN where nothing. Of a judge's several answers the mean, and the sign of their mean."""

    grade: Floats
    says: Floats


@dataclass(frozen=True, eq=False)
class Systems:
    """Of one variety. Items: row (prompt by question type), model, doublings of length, shape (I,). Contests: row, the
    two models, doublings of length of the first less the second (`longer`), shape (C,). Questions with items: their
    scales, shape (K,). `sides`  by judge, and PEOPLE."""

    row: Integers
    model: Integers
    contest_row: Integers
    first: Integers
    second: Integers
    lowest: Integers
    highest: Integers
    nominal: Flags
    length: Floats
    longer: Floats
    sides: dict[int, Side]


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Two models side by side, places among the models; 1 where the first is preferred, 0, -1; prompt; doublings of
    length of the first less the second; shape (N,)."""

    first: Integers
    second: Integers
    says: Floats
    prompt: Integers
    longer: Floats


def statistics(loaded: Loaded, context: Context) -> dict[int, Systems]:
    """Per variety. Grades without an order make neither means nor comparisons."""
    gold, items, contests, questions = gold_of(loaded, context), loaded.items, loaded.contests, loaded.questions
    without_order = questions.nominal[items.question]
    sides = {PEOPLE: Side(np.where(without_order, np.nan, gold.grade), gold.says)}
    for judge in loaded.judges:
        graded, said = loaded.grades.rater == judge, loaded.verdicts.rater == judge
        grade = means_at(loaded.grades.item[graded], loaded.grades.grade[graded], len(items))
        says = means_at(loaded.verdicts.contest[said], loaded.verdicts.says[said], len(contests))
        sides[judge] = Side(np.where(without_order, np.nan, grade), np.sign(says))
    length = doublings(items.length)
    longer = doublings(contests.first_length) - doublings(contests.second_length)
    row = items.prompt * KEYS + questions.number[items.question]
    contest_row = contests.prompt * KEYS + questions.number[contests.question]
    parts = {}
    for variety in loaded.varieties:
        mine, met = np.flatnonzero(items.variety == variety), np.flatnonzero(contests.variety == variety)
        asked = questions.taken(np.unique(items.question[mine]))
        parts[variety] = Systems(
            row[mine],
            items.model[mine],
            contest_row[met],
            contests.first_model[met],
            contests.second_model[met],
            asked.lowest,
            asked.highest,
            asked.nominal,
            length[mine],
            longer[met],
            {
                one: Side(side.grade[mine], side.says[met])
                for one, side in sides.items()
                if one == PEOPLE or not (np.isnan(side.grade[mine]).all() and np.isnan(side.says[met]).all())
            },
        )
    return parts


class Pool:
    """Several varieties as one: models, and by rater their table of grades and their comparisons."""

    def __init__(self, parts: Sequence[Systems]):
        self.parts = parts
        self.judges = sorted({one for part in parts for one in part.sides} - {PEOPLE})
        names = ("row", "model", "contest_row", "first", "second", "lowest", "highest", "nominal")
        self.row, model, self.contest_row, first, second, *scale = (joined(parts, name) for name in names)
        self.apart = scales.is_one_measure(*scale)
        self.lowest, self.highest = scale[:2]
        self.models = np.unique(np.concatenate((model, first, second)))
        self.length, self.longer = joined(parts, "length"), joined(parts, "longer")
        self.model, self.first, self.second = (np.searchsorted(self.models, ids) for ids in (model, first, second))
        self.rows, place = np.unique(self.row, return_inverse=True)
        self._cell = place.reshape(-1) * len(self.models) + self.model

    def side(self, one: int) -> Side:
        """Of all items and contests; NaN in a part where this rater says nothing."""
        columns: tuple[list[Floats], list[Floats]] = ([], [])
        for part in self.parts:
            nothing = Side(np.full(len(part.row), np.nan), np.full(len(part.first), np.nan))
            found = part.sides.get(one, nothing)
            columns[0].append(found.grade)
            columns[1].append(found.says)
        return Side(np.concatenate(columns[0]), np.concatenate(columns[1]))

    def table(self, side: Side) -> tuple[Integers, Floats]:
        """Ids of the rows, and their mean grades by model, shape (R, n), a column for every model."""
        shape = len(self.rows), len(self.models)
        return self.rows, means_at(self._cell, side.grade, shape[0] * shape[1]).reshape(shape)

    def comparisons(self, side: Side) -> Comparisons:
        """Contests that the rater decided, and every two models with grades in one row that are no such contest."""
        n = len(self.models)
        rows, table = self.table(side)
        # A model's mean length on a row is of the same items as its mean grade.
        _rows, lengths = self.table(Side(np.where(np.isnan(side.grade), np.nan, self.length), side.says))
        decided = np.flatnonzero(~np.isnan(side.says) & (self.first != self.second))
        known, first, second = self.contest_row[decided], self.first[decided], self.second[decided]
        ids = np.unique(np.concatenate((rows, known)))

        def key(row: Integers, one: Integers, other: Integers) -> Integers:
            return (np.searchsorted(ids, row) * n + np.minimum(one, other)) * n + np.maximum(one, other)

        met = np.unique(key(known, first, second))
        made = [(first, second, side.says[decided], known, self.longer[decided])]
        for one in range(n):
            for other in range(one + 1, n):
                difference = table[:, one] - table[:, other]
                at = np.flatnonzero(~np.isnan(difference))
                ones, others = np.full(len(at), one), np.full(len(at), other)
                at = at[~np.isin(key(rows[at], ones, others), met)]
                says = np.sign(np.round(difference[at], 9))
                longer = lengths[at, one] - lengths[at, other]
                made.append((ones[: len(at)], others[: len(at)], says, rows[at], longer))
        one_side, other_side, says, row, longer = (np.concatenate(column) for column in zip(*made, strict=True))
        return Comparisons(one_side, other_side, says, row // KEYS, longer)
