"""Gold of items and of contests, made when figures are, from people's answers and the project's rule."""

from dataclasses import dataclass

import numpy as np

from agreement import consensus
from annotation.models import GoldRule
from reports.ratings.groups import Context, Flags, Floats, Integers
from reports.ratings.loading import Loaded

LOSS, WIN = -1, 1


@dataclass(frozen=True, eq=False)
class Gold:
    """Gold of the loaded items and contests, NaN where no person answered.

    grade   of each item, shape (I,). by_experts  of each item whether it is experts', shape (I,).
    says    of each contest: 1, 0, -1 as `loading.Verdicts.says`, shape (C,).
    difference  first less second gold grade of each contest, NaN without grades, shape (C,).
    """

    grade: Floats
    by_experts: Flags
    says: Floats
    difference: Floats


def gold_of(loaded: Loaded, context: Context) -> Gold:
    """Under the project's rule; experts' answers come before it."""
    grades, verdicts, contests = loaded.grades, loaded.verdicts, loaded.contests
    people = np.flatnonzero(grades.by_human)
    found = consensus.gold(
        grades.item[people], grades.grade[people], grades.by_expert[people], _rule(grades.grade[people], context)
    )
    every = np.arange(len(loaded.items))
    grade, by_experts = found.of(every), np.zeros(len(every), dtype=bool)
    by_experts[found.items] = found.by_experts
    difference = _at(grade, contests.first) - _at(grade, contests.second)
    # Where nobody graded, what people said outright decides; by majority, for a preference has no mean.
    said = np.flatnonzero(verdicts.by_human & np.isnan(difference)[verdicts.contest])
    stated = consensus.gold(
        verdicts.contest[said], verdicts.says[said], verdicts.by_expert[said], scale=(LOSS, WIN)
    )
    says = np.where(np.isnan(difference), stated.of(np.arange(len(contests))), np.sign(difference))
    return Gold(grade, by_experts, says, difference)


def _rule(grades: Floats, context: Context) -> str:
    """The project's rule; grades that are fractions have no majority."""
    whole = bool((grades == np.round(grades)).all())
    return context.gold_rule if whole else GoldRule.MEAN.value


def _at(values: Floats, places: Integers) -> Floats:
    """Values at these places, NaN at place -1."""
    if not len(values):
        return np.full(len(places), np.nan)
    return np.where(places >= 0, values[places], np.nan)


def without_own(item: Integers, grade: Floats, is_expert: Flags, context: Context) -> Floats:
    """For every grade, the gold of its item made from all others; NaN where it is the only one. All of shape (G,).

    Two people with the same grade of an item, both experts or neither, have the same rest: it is made once.
    """
    if not len(item):
        return np.zeros(0)
    values, code = np.unique(grade, return_inverse=True)
    alike = (item * len(values) + code) * 2 + is_expert
    _, one_of, of_grade = np.unique(alike, return_index=True, return_inverse=True)
    order = np.argsort(item, kind="stable")
    begin = np.searchsorted(item[order], item[one_of], side="left")
    sizes = np.searchsorted(item[order], item[one_of], side="right") - begin
    rest = np.repeat(np.arange(len(one_of)), sizes)
    other = order[np.repeat(begin, sizes) + np.arange(len(rest)) - np.repeat(np.cumsum(sizes) - sizes, sizes)]
    kept = other != one_of[rest]
    found = consensus.gold(rest[kept], grade[other[kept]], is_expert[other[kept]], _rule(grade, context))
    return found.of(np.arange(len(one_of)))[of_grade]
