"""Gold of items and of contests, made when figures are, from people's answers and the project's rule."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np

from agreement.consensus import Gold as ArrayGold
from agreement.consensus import Nominal
from agreement.weighed_gold import MODELS, RaterWeights, weights_of
from annotation.consensus import applied_rule, consensus_of_grades, consensus_of_signs
from reports.dashboard.columns import Flags, Floats, Integers, at_or_nan
from reports.ratings.context import Context
from reports.ratings.reader import Loaded

Weights = Mapping[tuple[int, int], RaterWeights | None]


@dataclass(frozen=True, eq=False)
class Gold:
    """Gold of the loaded items and contests, NaN where no person answered.

    grade   of each item, shape (I,). by_experts  of each item whether it is experts', shape (I,).
    says    of each contest: 1, 0, -1 as `loading.Verdicts.says`, shape (C,).
    difference  first less second gold grade of each contest, NaN without grades, shape (C,).
    weights  of raters, by question type and variety (ids), under a rule that weighs them; without one the majority.
    """

    grade: Floats
    by_experts: Flags
    says: Floats
    difference: Floats
    weights: Weights


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
    weights = _weights(loaded.whole or loaded, context.gold_rule) if context.gold_rule in MODELS else {}
    for scale, of_place, of_raters in by_place(loaded, grades.item[people], weights):
        rows = people[of_place]
        gold = consensus_of_grades(
            *(grades.item[rows], grades.grade[rows], grades.by_expert[rows], context.gold_rule, scale),
            grades.rater[rows],
            of_raters,
        )
        grade[gold.items], by_experts[gold.items] = gold.values, gold.by_experts
    difference = at_or_nan(grade, contests.first) - at_or_nan(grade, contests.second)
    difference[loaded.questions.nominal[contests.question]] = np.nan
    # Where nobody graded, what people stated outright decides.
    rows = np.flatnonzero(verdicts.by_human & np.isnan(difference)[verdicts.contest])
    stated = consensus_of_signs(verdicts.contest[rows], verdicts.says[rows], verdicts.by_expert[rows])
    says = np.where(np.isnan(difference), stated.of(np.arange(len(contests))), np.sign(difference))
    return Gold(grade, by_experts, says, difference, weights)


def _weights(loaded: Loaded, rule: str) -> Weights:
    """What the rule says of the people who graded each question type in each variety."""
    grades, items = loaded.grades, loaded.items
    people = np.flatnonzero(grades.by_human)
    weights: dict[tuple[int, int], RaterWeights | None] = {}
    for scale, of_question in by_question(loaded, grades.item[people]):
        rows = people[of_question]
        question = int(loaded.questions.id[items.question[grades.item[rows[0]]]])
        variety = items.variety[grades.item[rows]]
        for one in np.unique(variety).tolist():
            here = rows[variety == one]
            columns = (grades.item[here], grades.rater[here], grades.grade[here])
            weights[question, one] = weights_of(rule, *columns, scale)
    return weights


def by_place(
    loaded: Loaded, item: Integers, weights: Weights
) -> Iterator[tuple[tuple[int, int], Flags, RaterWeights | None]]:
    """As `by_question`, with the weights of raters; of a rule that weighs them, one variety after the other."""
    for scale, of_question in by_question(loaded, item):
        if not weights:
            yield scale, of_question, None
            continue
        question = int(loaded.questions.id[loaded.items.question[item[of_question][0]]])
        variety = loaded.items.variety[item]
        for one in np.unique(variety[of_question]).tolist():
            yield scale, of_question & (variety == one), weights.get((question, one))


def by_question(loaded: Loaded, item: Integers) -> Iterator[tuple[tuple[int, int], Flags]]:
    """Of each question type that these items are rated on: lowest and highest grade, and which items are of it."""
    questions = loaded.questions
    question = loaded.items.question[item]
    for index in np.flatnonzero(np.bincount(question, minlength=len(questions))).tolist():
        ends = int(questions.lowest[index]), int(questions.highest[index])
        yield Nominal(*ends) if questions.nominal[index] else ends, question == index


def grades_without_own(
    item: Integers,
    grade: Floats,
    is_expert: Flags,
    rule: str,
    scale: tuple[int, int],
    rater: Integers | None = None,
    weights: RaterWeights | None = None,
) -> Floats:
    """For every grade, the gold of its item made from all others; NaN where it is the only one. All of shape (G,).

    `rule` is the project's; `scale` the lowest and highest grade. Of a rule that weighs raters, the weights stay those
    that it learned from all.
    """
    applied = applied_rule(grade, rule, weights)
    if applied not in MODELS or rater is None:
        return _without_own(item, grade, is_expert, partial(consensus_of_grades, rule=applied, scale=scale))

    def weighed(rest_of: Integers, grades: Floats, experts: Flags, raters: Integers) -> ArrayGold:
        return consensus_of_grades(rest_of, grades, experts, applied, scale, raters, weights)

    return _without_own(item, grade, is_expert, weighed, rater)


def signs_without_own(item: Integers, sign: Floats, is_expert: Flags) -> Floats:
    """The same of stated preferences, 1, 0 or -1."""
    return _without_own(item, sign, is_expert, consensus_of_signs)


def _without_own(
    item: Integers,
    grade: Floats,
    is_expert: Flags,
    consensus: Callable[..., ArrayGold],
    rater: Integers | None = None,
) -> Floats:
    """Two people with the same grade of an item, both experts or neither, have the same rest: it is made once. Where it
    matters who said it, `rater` is given and handed on."""
    if not len(item):
        return np.zeros(0)
    values, code = np.unique(grade, return_inverse=True)
    alike = (item * len(values) + code) * 2 + is_expert if rater is None else np.arange(len(item))
    _, first_of, of_grade = np.unique(alike, return_index=True, return_inverse=True)
    order = np.argsort(item, kind="stable")
    begin = np.searchsorted(item[order], item[first_of], side="left")
    sizes = np.searchsorted(item[order], item[first_of], side="right") - begin
    rest = np.repeat(np.arange(len(first_of)), sizes)
    other = order[np.repeat(begin, sizes) + np.arange(len(rest)) - np.repeat(np.cumsum(sizes) - sizes, sizes)]
    is_other = other != first_of[rest]
    rest, other = rest[is_other], other[is_other]
    by_whom = () if rater is None else (rater[other],)
    gold = consensus(rest, grade[other], is_expert[other], *by_whom)
    return gold.of(np.arange(len(first_of)))[of_grade]
