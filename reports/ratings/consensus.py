"""Gold of items and of contests, made when figures are, from people's answers and the project's rule."""

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from agreement import consensus
from annotation.models import GoldRule
from reports.dashboard.columns import Flags, Floats, Integers, at_or_nan
from reports.ratings.context import Context
from reports.ratings.reader import Loaded

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


#: Several groups of figures ask for the gold of one loading.
_kept: WeakKeyDictionary[Loaded, tuple[Context, Gold]] = WeakKeyDictionary()


def gold_of(loaded: Loaded, context: Context) -> Gold:
    """Under the project's rule; experts' answers come before it."""
    kept = _kept.get(loaded)
    if kept is None or kept[0] != context:
        kept = _kept[loaded] = (context, _made(loaded, context))
    return kept[1]


def _made(loaded: Loaded, context: Context) -> Gold:
    grades, verdicts, contests = loaded.grades, loaded.verdicts, loaded.contests
    people = np.flatnonzero(grades.by_human)
    grade = np.full(len(loaded.items), np.nan)
    by_experts = np.zeros(len(loaded.items), dtype=bool)
    for scale, on_scale in of_scales(loaded, grades.item[people]):
        mine = people[on_scale]
        given = grades.grade[mine]
        found = consensus.gold(grades.item[mine], given, grades.by_expert[mine], _rule(given, context), scale)
        grade[found.items], by_experts[found.items] = found.values, found.by_experts
    difference = at_or_nan(grade, contests.first) - at_or_nan(grade, contests.second)
    # Where nobody graded, what people said outright decides; by majority, for a preference has no mean.
    said = np.flatnonzero(verdicts.by_human & np.isnan(difference)[verdicts.contest])
    stated = consensus.gold(verdicts.contest[said], verdicts.says[said], verdicts.by_expert[said], scale=(LOSS, WIN))
    says = np.where(np.isnan(difference), stated.of(np.arange(len(contests))), np.sign(difference))
    return Gold(grade, by_experts, says, difference)


def of_scales(loaded: Loaded, item: Integers) -> Iterator[tuple[tuple[int, int], Flags]]:
    """Each scale of grades, lowest and highest, and which of these items are rated on it."""
    questions = loaded.questions
    asked = loaded.items.question[item]
    lowest, highest = questions.lowest[asked], questions.highest[asked]
    for low, high in sorted(set(zip(lowest.tolist(), highest.tolist(), strict=True))):
        yield (low, high), (lowest == low) & (highest == high)


def _rule(grades: Floats, context: Context) -> str:
    """The project's rule; grades that are fractions have no majority."""
    whole = bool((grades == np.round(grades)).all())
    return context.gold_rule if whole else GoldRule.MEAN.value


def without_own(item: Integers, grade: Floats, is_expert: Flags, context: Context, scale: tuple[int, int]) -> Floats:
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
    found = consensus.gold(rest[kept], grade[other[kept]], is_expert[other[kept]], _rule(grade, context), scale)
    return found.of(np.arange(len(one_of)))[of_grade]
