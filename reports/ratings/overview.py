"""Every pair and single response that was rated, with what gold and judges say of it: what lists are made from."""

from dataclasses import dataclass

import numpy as np

from projects.models import LanguageVariety, Project
from reports.dashboard import cache
from reports.dashboard.columns import Flags, Floats, Integers, at_or_nan
from reports.dashboard.figures import Look, OnPart, look_at
from reports.dashboard.freshness.revisions import digest
from reports.ratings.consensus import Gold, gold_of
from reports.ratings.context import Context
from reports.ratings.reader import Loaded, fingerprints, load
from reports.ratings.scope import Narrowed

#: People differ by more than this many grades: worth a look.
APART = 1


@dataclass(frozen=True, eq=False)
class Overview:
    """S subjects: contests first, then items in no contest. Ids; `pair` 0 for a single response, and the reverse.

    first, second  gold grades, NaN without; the second always of a single response. width  highest less lowest grade
    of the question, NaN without an ordered scale. says  preferred in gold: 1 the
    first, -1 the second, 0 neither, NaN not known. people  how many answered. spread  largest grade less smallest,
    NaN of grades without an order.
    missed, swayed, unread  some judge prefers otherwise, or names another class; changes its mind with the order; could
    not be read.
    distance  the largest of the judges' errors, in grades: in the difference of a pair's grades, or in the grade of a
    response; -1 without one.
    subject, judge, verdict, grade_error, names_gold  of each answer of a judge, shape (A,): index, rater id, what it
    prefers as `says`, its error as in `distance`, and, of grades without an order, whether it is gold's: 1, 0, NaN.
    """

    pair: Integers
    response: Integers
    question: Integers
    models: Integers
    first: Floats
    second: Floats
    width: Floats
    says: Floats
    people: Integers
    spread: Floats
    missed: Flags
    swayed: Flags
    unread: Flags
    distance: Floats
    subject: Integers
    judge: Integers
    verdict: Floats
    grade_error: Floats
    names_gold: Floats

    def missed_by(self) -> Floats:
        """The largest error of a judge as a share of its question's scale, -1 without one: grades of a long scale lie
        no further apart for their larger numbers."""
        return np.where(self.distance < 0, -1.0, self.distance / self.width)

    def differed_by(self) -> Floats:
        """How far people are apart, likewise; 0 without a spread."""
        return np.nan_to_num(self.spread / self.width)


def overview(project: Project, scope: Narrowed) -> Overview:
    """As the state of the answers has it: kept until one changes."""
    return look(project, scope).read()


def look(project: Project, scope: Narrowed) -> Look:
    """The overview before it is computed."""
    of_answers = fingerprints(project)
    varieties = LanguageVariety.objects.filter(pk__in=of_answers)
    if scope.variety:
        varieties = varieties.filter(tag=scope.variety)
    context = Context.of(project, scope)
    key = cache.key_of("rated", project.pk, scope, context, digest(of_answers))

    def made(on_part: OnPart) -> Overview:
        on_part(0, 2)
        loaded = load(project, list(varieties.order_by("id").values_list("id", flat=True)), scope)
        on_part(1, 2)
        return _seen(loaded, context)

    return look_at(key, made)


def _seen(loaded: Loaded, context: Context) -> Overview:
    gold, items, contests, verdicts = gold_of(loaded, context), loaded.items, loaded.contests, loaded.verdicts
    in_contest = np.zeros(len(items), dtype=bool)
    for side in (contests.first, contests.second):
        in_contest[side[side >= 0]] = True
    alone = np.flatnonzero(~in_contest)
    place = np.full(len(items), -1, dtype=np.int64)
    place[alone] = len(contests) + np.arange(len(alone))
    n = len(contests) + len(alone)
    spread, people = _spread(loaded)
    single = np.flatnonzero(~loaded.grades.by_human & (place[loaded.grades.item] >= 0))
    judged = np.flatnonzero(~verdicts.by_human)
    item = loaded.grades.item[single]
    subject = np.concatenate((verdicts.contest[judged], place[item]))
    judge = np.concatenate((verdicts.rater[judged], loaded.grades.rater[single]))
    verdict = np.concatenate((verdicts.says[judged], np.full(len(single), np.nan)))
    error = np.concatenate(
        (
            verdicts.difference[judged] - gold.difference[verdicts.contest[judged]],
            np.where(_nominal(loaded)[item], np.nan, loaded.grades.grade[single] - gold.grade[item]),
        )
    )
    names_gold = np.concatenate((np.full(len(judged), np.nan), _names_gold(loaded, gold, single)))
    unread = np.concatenate((np.isnan(verdicts.says[judged]), np.isnan(loaded.grades.grade[single])))
    says = np.concatenate((gold.says, np.full(len(alone), np.nan)))
    distance = np.full(n, -1.0)
    np.maximum.at(distance, subject, np.nan_to_num(np.abs(error), nan=-1.0))
    missed = ~np.isnan(verdict) & ~np.isnan(says[subject]) & (verdict != says[subject]) | (names_gold == 0)
    question = np.concatenate((contests.question, items.question[alone]))
    return Overview(
        np.concatenate((contests.pair, np.zeros(len(alone), dtype=np.int64))),
        np.concatenate((np.zeros(len(contests), dtype=np.int64), items.response[alone])),
        loaded.questions.id[question],
        np.concatenate(
            (
                np.column_stack((contests.first_model, contests.second_model)),
                np.column_stack((items.model[alone], items.model[alone])),
            )
        ),
        _joined(at_or_nan(gold.grade, contests.first), gold.grade[alone]),
        _joined(at_or_nan(gold.grade, contests.second), np.full(len(alone), np.nan)),
        _width(loaded)[question],
        says,
        _joined(np.bincount(verdicts.contest[verdicts.by_human], minlength=len(contests)), people[alone]).astype(int),
        _joined(np.fmax(at_or_nan(spread, contests.first), at_or_nan(spread, contests.second)), spread[alone]),
        _any(n, subject[missed]),
        _any(n, _swayed(subject, judge, verdict, verdicts.is_swapped[judged])),
        _any(n, subject[unread]),
        distance,
        subject,
        judge,
        verdict,
        error,
        names_gold,
    )


def _nominal(loaded: Loaded) -> Flags:
    """Of each item, whether its grades have no order."""
    return loaded.questions.nominal[loaded.items.question]


def _width(loaded: Loaded) -> Floats:
    """Of each question, its highest less its lowest grade; NaN without an ordered scale."""
    questions = loaded.questions
    width = (questions.highest - questions.lowest).astype(float)
    return np.where(questions.nominal | (width <= 0), np.nan, width)


def _names_gold(loaded: Loaded, gold: Gold, grades: Integers) -> Floats:
    """Of these grades, whether they are gold's where grades have no order: 1 or 0, NaN where not known or ordered."""
    item, grade = loaded.grades.item[grades], loaded.grades.grade[grades]
    known = _nominal(loaded)[item] & ~np.isnan(grade) & ~np.isnan(gold.grade[item])
    return np.where(known, (grade == gold.grade[item]).astype(float), np.nan)


def _spread(loaded: Loaded) -> tuple[Floats, Integers]:
    """Of each item, people's largest grade less their smallest, NaN of grades without an order; and how many graded
    it."""
    by_people = loaded.grades.by_human
    item, grade = loaded.grades.item[by_people], loaded.grades.grade[by_people]
    highest, lowest = np.full(len(loaded.items), -np.inf), np.full(len(loaded.items), np.inf)
    np.maximum.at(highest, item, grade)
    np.minimum.at(lowest, item, grade)
    known = np.isfinite(highest) & ~_nominal(loaded)
    spread = np.full(len(loaded.items), np.nan)
    spread[known] = highest[known] - lowest[known]
    return spread, np.bincount(item, minlength=len(loaded.items))


def _swayed(subject: Integers, judge: Integers, verdict: Floats, swapped: Flags) -> Integers:
    """Contests of which some judge says one thing in one order and another in the other."""
    n = len(swapped)
    subject, judge, verdict = subject[:n], judge[:n], verdict[:n]
    key = judge * (int(subject.max(initial=0)) + 1) + subject
    read = ~np.isnan(verdict)
    one, other = np.flatnonzero(read & ~swapped), np.flatnonzero(read & swapped)
    _, first, second = np.intersect1d(key[one], key[other], return_indices=True)
    differ = verdict[one[first]] != verdict[other[second]]
    return subject[one[first][differ]]


def _joined(one: Floats | Integers, other: Floats | Integers) -> Floats:
    return np.concatenate((one, other))


def _any(n: int, places: Integers) -> Flags:
    flags = np.zeros(n, dtype=bool)
    flags[places] = True
    return flags
