"""Predictions of gold: each answer of a judge, and of each person against the gold of all others.

A judge that was asked in both orders predicts an item twice, and each prediction counts: the average of the two would
be another judge, who never ties by chance and gives grades that are on no scale. That the two are not independent
the intervals know, which draw whole prompts. Positional agreement is where both orders are looked at together.
"""

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np

from agreement import classes, consensus
from reports.dashboard.columns import Flags, Floats, Integers, positions
from reports.dashboard.names import PEOPLE
from reports.dashboard.rounds import once_per_loading
from reports.ratings.consensus import by_place, gold_of, grades_without_own, signs_without_own
from reports.ratings.context import Context
from reports.ratings.reader import Loaded

#: More than a project has question types. Their places in the project are part of a key and never their ids, which
#: may be of any size: each large import on SQLite leaves a gap of a million.
KEYS = 1_000_000


@dataclass(frozen=True, eq=False)
class Predictions:
    """Of one judge, or of all people, in one variety.

    item, prompt  of each prediction of a grade, ids; truth, predicted  its class in gold and in the answer, -1 unread;
    error  grade less gold, NaN unread; gold  as it is, which errors are against, while its classes are whole; length
    of the response in characters; question  its id; lowest, highest, nominal  of its scale; shape (N,).
    contest, contest_prompt, contest_question, preference, verdict  of each prediction of a preference, NaN unread,
    shape (M,);
    first_wins  1 where it is for the response shown first, 0 for the other, NaN for ties and where nothing was side
    by side.
    longer  as of `loading.Contests`, shape (M,).
    both_prompt, same  per contest judged in both orders, whether the verdicts are the same, NaN unread; shift  the
    verdict on the first response as it was shown first less that as it was shown second; shape (B,).
    planned, scored  answers asked for and answers that could be read.
    """

    item: Integers
    prompt: Integers
    truth: Integers
    predicted: Integers
    error: Floats
    gold: Floats
    length: Integers
    question: Integers
    lowest: Integers
    highest: Integers
    nominal: Flags
    contest: Integers
    contest_prompt: Integers
    contest_question: Integers
    preference: Floats
    verdict: Floats
    first_wins: Floats
    longer: Integers
    both_prompt: Integers
    same: Floats
    shift: Floats
    planned: int
    scored: int


@dataclass(frozen=True, eq=False)
class PredictionsByRater:
    """By judge, and PEOPLE; id of the dimension by that of each question type."""

    predictions: dict[int, Predictions]
    policy: str
    grade_policy: str
    dimension_of: dict[int, int] = field(default_factory=dict)


@once_per_loading
def statistics(loaded: Loaded, context: Context) -> dict[int, PredictionsByRater]:
    """Per variety. People are there on what at least one judge was asked about, with their first answers against the
    gold that the others' first answers make: how far people agree."""
    reading = Reading(loaded, context)
    of_people = Reading(loaded.at_first, context) if loaded.at_first else reading
    dimension_of = dict(zip(loaded.questions.id.tolist(), loaded.questions.dimension.tolist(), strict=True))
    parts = {}
    for variety in loaded.varieties:
        in_variety = reading.within(variety)
        judged = {judge: reading.of_judge(judge, variety, *in_variety) for judge in loaded.judges}
        judged = {judge: one for judge, one in judged.items() if one.planned}
        if judged:
            judged[PEOPLE] = of_people.of_people(*of_people.within(variety))
        parts[variety] = PredictionsByRater(judged, context.unparseable, context.unparseable_grade, dimension_of)
    return parts


#: Gold of grades and of verdicts without each person's own; classes as of `Reading`.
_References = tuple[Floats, Floats, Integers, Integers, Integers]
#: Several groups of figures read the predictions of one loading.
_kept: WeakKeyDictionary[Loaded, tuple[Context, _References]] = WeakKeyDictionary()


class Reading:
    """Predictions taken from what was loaded, compared with gold.

    grade_class, rest_class  classes of each grade and of the gold without it; gold_class  of each item's gold: places
    on the scale of the question, UNPARSEABLE where there is none.
    """

    def __init__(self, loaded: Loaded, context: Context):
        self.loaded, self.gold, self.context = loaded, gold_of(loaded, context), context
        items, questions = loaded.items, loaded.questions
        self.lowest, self.highest = questions.lowest[items.question], questions.highest[items.question]
        # The same in every loading: a response or a pair on a question type.
        self.item_key = items.response * KEYS + questions.number[items.question]
        self.contest_key = loaded.contests.pair * KEYS + questions.number[loaded.contests.question]
        by_judge = ~loaded.grades.by_human
        self.judged_items = np.zeros(len(items), dtype=bool)
        self.judged_items[loaded.grades.item[by_judge]] = True
        self.judged_contests = np.zeros(len(loaded.contests), dtype=bool)
        self.judged_contests[loaded.verdicts.contest[~loaded.verdicts.by_human]] = True
        kept = _kept.get(loaded)
        if kept is None or kept[0] != context:
            kept = _kept[loaded] = (context, self._references())
        self.rest_of_grades, self.rest_of_verdicts, self.grade_class, self.rest_class, self.gold_class = kept[1]

    def _references(self) -> _References:
        grades, rests = self.loaded.grades, self._rest_of_people()
        ends = self.lowest[grades.item], self.highest[grades.item]
        of_gold = class_of(self.gold.grade, self.lowest, self.highest)
        return *rests, class_of(grades.grade, *ends), class_of(rests[0], *ends), of_gold

    def within(self, variety: int) -> tuple[Integers, Integers]:
        """Which grades and which verdicts are of this variety."""
        loaded = self.loaded
        items, contests = loaded.items.variety == variety, loaded.contests.variety == variety
        return np.flatnonzero(items[loaded.grades.item]), np.flatnonzero(contests[loaded.verdicts.contest])

    def of_judge(self, judge: int, variety: int, grades: Integers, verdicts: Integers) -> Predictions:
        grades = grades[self.loaded.grades.rater[grades] == judge]
        verdicts = verdicts[self.loaded.verdicts.rater[verdicts] == judge]
        item = self.loaded.grades.item[grades]
        gold, truth = self.gold.grade[item], self.gold_class[item]
        preference = self.gold.says[self.loaded.verdicts.contest[verdicts]]
        # Grades were asked for where there are any; a judge of preferences alone is counted by those.
        predicted = self.loaded.grades.grade[grades] if len(grades) else self.loaded.verdicts.says[verdicts]
        answers = self.loaded.verdicts.is_ordered[verdicts].any()
        asked = self.loaded.asked.get((judge, variety), 0) * (2 if len(grades) and answers else 1)
        planned, scored = max(asked, len(predicted)), int((~np.isnan(predicted)).sum())
        return self._compared(grades, (gold, truth), verdicts, preference, (planned, scored))

    def of_people(self, grades: Integers, verdicts: Integers) -> Predictions:
        loaded = self.loaded
        grades = grades[loaded.grades.by_human[grades] & self.judged_items[loaded.grades.item[grades]]]
        asked = loaded.verdicts.by_human[verdicts] & self.judged_contests[loaded.verdicts.contest[verdicts]]
        verdicts = verdicts[asked]
        n = len(grades) or len(verdicts)
        rest = self.rest_of_grades[grades], self.rest_class[grades]
        return self._compared(grades, rest, verdicts, self.rest_of_verdicts[verdicts], (n, n))

    def _compared(
        self,
        grades: Integers,
        references: tuple[Floats, Integers],
        verdicts: Integers,
        preference: Floats,
        counts: tuple[int, int],
    ) -> Predictions:
        """references  gold of each grade, and its class. counts  planned and scored."""
        known = ~np.isnan(references[0])
        grades, gold, truth = grades[known], references[0][known], references[1][known]
        item, grade = self.loaded.grades.item[grades], self.loaded.grades.grade[grades]
        known = ~np.isnan(preference)
        verdicts, preference = verdicts[known], preference[known]
        made = self.loaded.verdicts
        contest, says = made.contest[verdicts], made.says[verdicts]
        first = np.where(made.is_swapped[verdicts], -says, says)
        decides = made.is_ordered[verdicts] & ~np.isnan(says) & (says != 0)
        both, same, shift = np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0)
        if not made.by_human[verdicts].any():
            both, same, shift = _in_both_orders(contest, says, made.is_swapped[verdicts], self.context.unparseable)
        return Predictions(
            self.item_key[item],
            self.loaded.items.prompt[item],
            truth,
            self.grade_class[grades],
            grade - gold,
            gold,
            self.loaded.items.length[item],
            self.loaded.questions.id[self.loaded.items.question[item]],
            self.lowest[item],
            self.highest[item],
            self.loaded.questions.nominal[self.loaded.items.question[item]],
            self.contest_key[contest],
            self.loaded.contests.prompt[contest],
            self.loaded.questions.id[self.loaded.contests.question[contest]],
            preference,
            says,
            np.where(decides, (first > 0).astype(float), np.nan),
            self.loaded.contests.longer[contest],
            self.loaded.contests.prompt[both],
            same,
            shift,
            *counts,
        )

    def _rest_of_people(self) -> tuple[Floats, Floats]:
        """Gold without it, of each person's grade and of each verdict where a judge was asked too; elsewhere NaN."""
        grades, verdicts, context = self.loaded.grades, self.loaded.verdicts, self.context
        of_grades = np.full(len(grades.item), np.nan)
        judged = np.flatnonzero(grades.by_human & self.judged_items[grades.item])
        for scale, of_place, weights in by_place(self.loaded, grades.item[judged], self.gold.weights):
            rows = judged[of_place]
            columns = (grades.item[rows], grades.grade[rows], grades.by_expert[rows])
            of_grades[rows] = grades_without_own(*columns, context.gold_rule, scale, grades.rater[rows], weights)
        of_verdicts = np.full(len(verdicts.contest), np.nan)
        judged = np.flatnonzero(verdicts.by_human & self.judged_contests[verdicts.contest])
        graded = ~np.isnan(verdicts.difference[judged])
        of_verdicts[judged[graded]] = self._inferred_from_rest(judged[graded], of_grades)
        stated = judged[~graded]
        columns = (verdicts.contest[stated], verdicts.says[stated], verdicts.by_expert[stated])
        of_verdicts[stated] = signs_without_own(*columns)
        return of_grades, of_verdicts

    def _inferred_from_rest(self, verdicts: Integers, of_grades: Floats) -> Floats:
        """Preference between the golds that the others make of the two responses, for each of these verdicts."""
        made, contests, grades = self.loaded.verdicts, self.loaded.contests, self.loaded.grades
        people = np.flatnonzero(grades.by_human)
        n = int(self.loaded.grades.rater.max(initial=0)) + 1
        key = grades.item[people] * n + grades.rater[people]
        order = np.argsort(key)
        sides = []
        for side in (contests.first, contests.second):
            at = positions(key[order], side[made.contest[verdicts]] * n + made.rater[verdicts])
            sides.append(np.where(at >= 0, of_grades[people[order[at]]], np.nan))
        return np.sign(sides[0] - sides[1])


def class_of(grade: Floats, lowest: Integers, highest: Integers) -> Integers:
    """Place of the nearest grade on the scale of its own question, from 0, UNPARSEABLE of NaN; all of shape (N,)."""
    places = np.full(len(grade), classes.UNPARSEABLE, dtype=np.int64)
    left = np.flatnonzero(~np.isnan(grade))
    while len(left):  # one scale after the other; a project has few
        low, high = int(lowest[left[0]]), int(highest[left[0]])
        of_scale = (lowest[left] == low) & (highest[left] == high)
        places[left[of_scale]] = consensus.nearest_grade(grade[left[of_scale]], low, high) - low
        left = left[~of_scale]
    return places


def _in_both_orders(contest: Integers, says: Floats, swapped: Flags, policy: str) -> tuple[Integers, Floats, Floats]:
    """Contests that a judge judged in both orders, ascending; whether alike: 1, 0, NaN where that cannot count; and the
    verdict as stored less the swapped one."""
    both = np.intersect1d(contest[~swapped], contest[swapped])
    sides = []
    for side in (~swapped, swapped):
        order = np.argsort(contest[side])
        sides.append(says[side][order][np.searchsorted(contest[side][order], both)])
    if policy == "tie":
        sides = [np.nan_to_num(side) for side in sides]
    same = (sides[0] == sides[1]).astype(float)
    if policy == "excluded":
        same[np.isnan(sides[0]) | np.isnan(sides[1])] = np.nan
    return both, same, sides[0] - sides[1]


COLUMNS = tuple(name for name, kind in Predictions.__annotations__.items() if kind is not int)
#: Those with a row for each prediction of a preference, for each contest judged in both orders, and of a grade.
OF_CONTESTS = ("contest", "contest_prompt", "contest_question", "preference", "verdict", "first_wins", "longer")
OF_ORDERS = ("both_prompt", "same", "shift")
OF_ITEMS = tuple(name for name in COLUMNS if name not in (*OF_CONTESTS, *OF_ORDERS))
