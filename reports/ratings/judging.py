"""Judges against gold: each answer of a judge is a prediction, and every person is one against the gold of the rest.

A judge that was asked in both orders predicts an item twice, and each prediction counts: the average of the two would
be another judge, who never ties by chance and gives grades that are on no scale. That the two are not independent
the intervals know, which draw whole prompts. Positional agreement is where both orders are looked at together.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from agreement import bootstrap, classes, consensus, preferences
from agreement import judges as deviations
from agreement.deviation import deviation
from agreement.figures import NO_ITEMS, Figure, share
from agreement.order import NOTHING_DECIDED
from annotation.models import GoldRule
from reports.columns import positions
from reports.draws import SEED
from reports.ratings.draws import Block, with_intervals
from reports.ratings.gold import LOSS, WIN, Gold, gold_of, of_scales, without_own
from reports.ratings.groups import PEOPLE, Context, Flags, Floats, Integers
from reports.ratings.loading import Loaded

NOT_ASKED = "no responses planned"
#: More than there are question types in an installation.
KEYS = 1_000_000
ONE_ORDER = "asked in one order"
#: In this order in every row of figures.
CLASSES = ("macro_f1", "accuracy")
CHANCE = ("alpha", "quadratic_kappa", "spearman")
MEASURES = (*CLASSES, "preference", *CHANCE, "mad", "signed_error", "positional", "first_position", "scored")


@dataclass(frozen=True, eq=False)
class Predictions:
    """Of one judge, or of all people, in one setting.

    item, prompt  of each prediction of a grade, ids; truth, said  its class in gold and as predicted, -1 unread; error  grade
    less gold, NaN unread; shape (N,). Gold's classes are whole, errors are against gold as it is.
    contest, contest_prompt, preference, verdict  of each prediction of a preference, NaN unread, shape (M,); `first_wins` 1
    where it is for the response shown first, 0 for the other, NaN for ties and where nothing was side by side.
    both_prompt, same  per contest judged in both orders, whether the verdicts are the same, NaN unread, shape (B,).
    planned, scored  answers asked for and answers that could be read.
    """

    item: Integers
    prompt: Integers
    truth: Integers
    said: Integers
    error: Floats
    contest: Integers
    contest_prompt: Integers
    preference: Floats
    verdict: Floats
    first_wins: Floats
    both_prompt: Integers
    same: Floats
    planned: int
    scored: int


@dataclass(frozen=True, eq=False)
class Statistics:
    """By judge, and PEOPLE; `n_classes` of the longest scale."""

    predictions: dict[int, Predictions]
    n_classes: int
    policy: str
    grade_policy: str


def statistics(loaded: Loaded, context: Context) -> dict[int, Statistics]:
    """Per variety. People are there on what at least one judge was asked about."""
    reading = _Reading(loaded, gold_of(loaded, context), context)
    n_classes = int((loaded.questions.highest - loaded.questions.lowest).max(initial=0)) + 1
    found = {}
    for variety in loaded.varieties:
        here = reading.within(variety)
        judged = {judge: reading.of_judge(judge, *here) for judge in loaded.judges}
        judged = {judge: one for judge, one in judged.items() if one.planned}
        if judged:
            judged[PEOPLE] = reading.of_people(*here)
        found[variety] = Statistics(judged, n_classes, context.unparseable, context.unparseable_grade)
    return found


class _Reading:
    """Predictions taken from what was loaded, compared with gold."""

    def __init__(self, loaded: Loaded, gold: Gold, context: Context):
        self.loaded, self.gold, self.context = loaded, gold, context
        items, questions = loaded.items, loaded.questions
        self.lowest, self.highest = questions.lowest[items.question], questions.highest[items.question]
        # The same in every loading: a response or a pair on a question type.
        self.item_key = items.response * KEYS + questions.id[items.question]
        self.contest_key = loaded.contests.pair * KEYS + questions.id[loaded.contests.question]
        by_judge = ~loaded.grades.by_human
        self.judged_items = np.zeros(len(items), dtype=bool)
        self.judged_items[loaded.grades.item[by_judge]] = True
        self.judged_contests = np.zeros(len(loaded.contests), dtype=bool)
        self.judged_contests[loaded.verdicts.contest[~loaded.verdicts.by_human]] = True
        self.rest_of_grades, self.rest_of_verdicts = self._rest_of_people()

    def within(self, variety: int) -> tuple[Integers, Integers]:
        """Which grades and which verdicts are of this setting."""
        loaded = self.loaded
        items, contests = loaded.items.variety == variety, loaded.contests.variety == variety
        return np.flatnonzero(items[loaded.grades.item]), np.flatnonzero(contests[loaded.verdicts.contest])

    def of_judge(self, judge: int, grades: Integers, verdicts: Integers) -> Predictions:
        grades = grades[self.loaded.grades.rater[grades] == judge]
        verdicts = verdicts[self.loaded.verdicts.rater[verdicts] == judge]
        gold = self.gold.grade[self.loaded.grades.item[grades]]
        preference = self.gold.says[self.loaded.verdicts.contest[verdicts]]
        # Grades were asked for where there are any; a judge of preferences alone is counted by those.
        said = self.loaded.grades.grade[grades] if len(grades) else self.loaded.verdicts.says[verdicts]
        return self._compared(grades, gold, verdicts, preference, len(said), int((~np.isnan(said)).sum()))

    def of_people(self, grades: Integers, verdicts: Integers) -> Predictions:
        loaded = self.loaded
        grades = grades[loaded.grades.by_human[grades] & self.judged_items[loaded.grades.item[grades]]]
        asked = loaded.verdicts.by_human[verdicts] & self.judged_contests[loaded.verdicts.contest[verdicts]]
        verdicts = verdicts[asked]
        n = len(grades) or len(verdicts)
        return self._compared(grades, self.rest_of_grades[grades], verdicts, self.rest_of_verdicts[verdicts], n, n)

    def _compared(
        self, grades: Integers, gold: Floats, verdicts: Integers, preference: Floats, planned: int, scored: int
    ) -> Predictions:
        known = ~np.isnan(gold)
        grades, gold = grades[known], gold[known]
        item, said = self.loaded.grades.item[grades], self.loaded.grades.grade[grades]
        lowest, highest = self.lowest[item], self.highest[item]
        known = ~np.isnan(preference)
        verdicts, preference = verdicts[known], preference[known]
        made = self.loaded.verdicts
        contest, says = made.contest[verdicts], made.says[verdicts]
        first = np.where(made.is_swapped[verdicts], -says, says)
        decides = made.is_ordered[verdicts] & ~np.isnan(says) & (says != 0)
        both, same = np.zeros(0, dtype=np.int64), np.zeros(0)
        if not made.by_human[verdicts].any():
            both, same = _in_both_orders(contest, says, made.is_swapped[verdicts], self.context.unparseable)
        return Predictions(
            self.item_key[item],
            self.loaded.items.prompt[item],
            _class(gold, lowest, highest),
            np.where(np.isnan(said), classes.UNPARSEABLE, _class(np.nan_to_num(said), lowest, highest)),
            said - gold,
            self.contest_key[contest],
            self.loaded.contests.prompt[contest],
            preference,
            says,
            np.where(decides, (first > 0).astype(float), np.nan),
            self.loaded.contests.prompt[both],
            same,
            planned,
            scored,
        )

    def _rest_of_people(self) -> tuple[Floats, Floats]:
        """Gold without it, of each person's grade and of each verdict where a judge was asked too; elsewhere NaN."""
        grades, verdicts, context = self.loaded.grades, self.loaded.verdicts, self.context
        of_grades = np.full(len(grades.item), np.nan)
        mine = np.flatnonzero(grades.by_human & self.judged_items[grades.item])
        for scale, on_scale in of_scales(self.loaded, grades.item[mine]):
            those = mine[on_scale]
            columns = (grades.item[those], grades.grade[those], grades.by_expert[those])
            of_grades[those] = without_own(*columns, context, scale)
        of_verdicts = np.full(len(verdicts.contest), np.nan)
        mine = np.flatnonzero(verdicts.by_human & self.judged_contests[verdicts.contest])
        graded = ~np.isnan(verdicts.difference[mine])
        of_verdicts[mine[graded]] = self._inferred_from_rest(mine[graded], of_grades)
        stated = mine[~graded]
        columns = (verdicts.contest[stated], verdicts.says[stated], verdicts.by_expert[stated])
        majority = replace(context, gold_rule=GoldRule.MAJORITY.value)
        of_verdicts[stated] = without_own(*columns, majority, (LOSS, WIN))
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


def _class(grade: Floats, lowest: Integers, highest: Integers) -> Integers:
    """Place of the nearest grade on the scale of its own question, from 0; all of shape (N,)."""
    found = np.zeros(len(grade), dtype=np.int64)
    for low, high in set(zip(lowest.tolist(), highest.tolist(), strict=True)):
        mine = (lowest == low) & (highest == high)
        found[mine] = consensus.nearest_grade(grade[mine], low, high) - low
    return found


def _in_both_orders(contest: Integers, says: Floats, swapped: Flags, policy: str) -> tuple[Integers, Floats]:
    """Contests that a judge judged in both orders, ascending, and whether alike: 1, 0, NaN where that cannot count."""
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
    return both, same


def figures(parts: Sequence[Statistics], is_total: bool, setups: tuple[int, int] | None = None) -> dict[str, Any]:
    """Of one setting, or of several put together, with intervals in total.

    "judges": by judge or PEOPLE, by name of MEASURES. In total "compared": the two judges, and by name of COMPARED the
    figure of the first, of the second, and their difference. setups  rater ids of the two; without them the two with
    the highest preference accuracy.
    """
    known = sorted({one for part in parts for one in part.predictions})
    made = {
        one: _Judged([part.predictions[one] for part in parts if one in part.predictions], parts[0]) for one in known
    }
    if is_total:
        blocks = [block for one in made.values() for block in one.blocks]
        drawn = iter(with_intervals(blocks))
        for one in made.values():
            one.take([next(drawn) for _ in one.blocks])
    found: dict[str, Any] = {"judges": {one: judged.by_name() for one, judged in made.items()}}
    if is_total:
        pair = setups or best_two(found["judges"])
        found["compared"] = (pair, compared(*(made[one] for one in pair))) if pair and set(pair) <= set(made) else None
    return found


def best_two(judged: dict[int, dict[str, Figure]]) -> tuple[int, ...]:
    """The judges with the highest preference accuracy, or accuracy where no preference is known; () for fewer."""
    worth = {
        one: next((figures[name].number for name in ("preference", "accuracy") if figures[name].value is not None), -1.0)
        for one, figures in judged.items()
        if one != PEOPLE
    }
    ranked = sorted(worth, key=lambda one: (-worth[one], one))
    return tuple(ranked[:2]) if len(ranked) > 1 else ()


class _Judged:
    """The figures of one judge, and the blocks that their intervals are drawn from."""

    def __init__(self, parts: Sequence[Predictions], options: Statistics):
        pool = {name: np.concatenate([getattr(part, name) for part in parts]) for name in COLUMNS}
        columns = classes.confusion_columns(pool["truth"], pool["said"], options.n_classes, options.grade_policy)
        names = (*CLASSES, *CHANCE)
        of_classes = classes.figures(
            pool["truth"], pool["said"], options.n_classes, names, unparseable=options.grade_policy, interval=False
        )
        errors = pool["error"][~np.isnan(pool["error"])]
        away = deviation(errors, np.zeros(len(errors)))
        right = preferences.accuracy_columns(pool["preference"], pool["verdict"], unparseable=options.policy)
        found = preferences.accuracy(
            pool["preference"], pool["verdict"], unparseable=options.policy, interval=False
        )
        ratio = [bootstrap.ratio_of_sums]
        self.blocks = [
            Block(list(of_classes.values()), columns, [classes.STATISTICS[name] for name in names], pool["prompt"]),
            Block(
                [away.mad, away.signed_error],
                deviations.error_columns(pool["error"]),
                [deviations.mad, deviations.signed_error],
                pool["prompt"],
            ),
            Block([found], right, ratio, pool["contest_prompt"]),
            Block([_mean(pool["same"], ONE_ORDER)], bootstrap.mean_columns(pool["same"]), ratio, pool["both_prompt"]),
            Block(
                [_mean(pool["first_wins"], NOTHING_DECIDED if len(pool["verdict"]) else NO_ITEMS)],
                bootstrap.mean_columns(pool["first_wins"]),
                ratio,
                pool["contest_prompt"],
            ),
        ]
        self.pool, self.options = pool, options
        self.names = ((*names,), ("mad", "signed_error"), ("preference",), ("positional",), ("first_position",))
        self.planned, self.scored = sum(part.planned for part in parts), sum(part.scored for part in parts)
        self.take([list(block.figures) for block in self.blocks])

    def take(self, drawn: Sequence[Sequence[Figure]]) -> None:
        """These figures in place of those without intervals."""
        pairs = zip(self.names, drawn, strict=True)
        self.figures = {name: figure for names, of in pairs for name, figure in zip(names, of, strict=True)}

    def by_name(self) -> dict[str, Figure]:
        numbers = {"planned": self.planned, "scored": self.scored}
        found = {name: figure.with_detail(**numbers) for name, figure in self.figures.items()}
        found["scored"] = share(self.scored, self.planned, NOT_ASKED, **numbers)
        return {name: found[name] for name in MEASURES}


COLUMNS = tuple(
    name for name, kind in Predictions.__annotations__.items() if kind is not int
)


def _mean(values: Floats, otherwise: str) -> Figure:
    known = values[~np.isnan(values)]
    return Figure(float(known.mean()), len(known)) if len(known) else Figure.without_value(otherwise)


#: What two judges are compared by: statistics of a grade's columns, and of a preference's.
COMPARED = ("macro_f1", "accuracy", "quadratic_kappa", "mad", "preference")


def compared(first: _Judged, second: _Judged) -> dict[str, tuple[Figure, Figure, Figure]]:
    """By name of COMPARED: the figure of each on what both answered, and first less second with its p-value.

    Of a judge that answered an item in both orders, the two answers weigh a half each, so that an item weighs the
    same in both judges' figures.
    """
    policy, grade_policy = first.options.policy, first.options.grade_policy

    def of_grades(one: _Judged) -> Floats:
        table = classes.confusion_columns(one.pool["truth"], one.pool["said"], one.options.n_classes, grade_policy)
        return np.hstack((table, deviations.error_columns(one.pool["error"])))

    def of_preferences(one: _Judged) -> Floats:
        return preferences.accuracy_columns(one.pool["preference"], one.pool["verdict"], unparseable=policy)

    def of_table(statistic: bootstrap.Statistic) -> bootstrap.Statistic:
        return lambda sums: statistic(sums[..., :-3])

    graded = [
        *(of_table(classes.STATISTICS[name]) for name in COMPARED[:-2]),
        lambda sums: deviations.mad(sums[..., -3:]),
    ]
    found: list[tuple[Figure, Figure, Figure]] = []
    for make, item, prompt, statistics in (
        (of_grades, "item", "prompt", graded),
        (of_preferences, "contest", "contest_prompt", [bootstrap.ratio_of_sums]),
    ):
        sides, cluster = _alike([make(one) for one in (first, second)], [one.pool[item] for one in (first, second)],
                                [one.pool[prompt] for one in (first, second)])
        found += _differences(sides, cluster, statistics)
    return dict(zip(COMPARED, found, strict=True))


def _alike(columns: list[Floats], items: list[Integers], prompts: list[Integers]) -> tuple[list[Floats], Integers]:
    """The columns of each side by item, answers of an item averaged, on items that both answered; and their prompts."""
    means, known = [], []
    for column, item in zip(columns, items, strict=True):
        counted = column.any(axis=1)
        mine, at = np.unique(item[counted], return_inverse=True)
        n = np.bincount(at, minlength=len(mine))
        sums = np.column_stack([np.bincount(at, one, minlength=len(mine)) for one in column[counted].T])
        means.append(sums.reshape(len(mine), column.shape[1]) / n[:, None])
        known.append(mine)
    both, *places = np.intersect1d(known[0], known[1], assume_unique=True, return_indices=True)
    prompt_of, first = np.unique(items[0], return_index=True)
    cluster = prompts[0][first[np.searchsorted(prompt_of, both)]]
    return [mean[place] for mean, place in zip(means, places, strict=True)], cluster


def _differences(
    sides: list[Floats], cluster: Integers, statistics: Sequence[bootstrap.Statistic]
) -> list[tuple[Figure, Figure, Figure]]:
    n = len(cluster)
    between = bootstrap.paired_differences(sides[0], sides[1], statistics, seed=SEED, cluster=cluster)
    found = []
    for statistic, difference in zip(statistics, between, strict=True):
        values = [float(statistic(side.sum(axis=0))) if n else np.nan for side in sides]
        alone = [Figure.without_value(NO_ITEMS, n) if np.isnan(value) else Figure(value, n) for value in values]
        found.append((alone[0], alone[1], difference))
    return found
