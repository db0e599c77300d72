"""May a judge stand in for a person: the alternative-annotator test of every judge."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agreement.alternative import AlternativeTest, alternative_test
from reports.ratings.groups import Context, Flags, Floats, Integers
from reports.ratings.loading import Loaded
from reports.ratings.models import means_of
from reports.ratings.predictions import KEYS


@dataclass(frozen=True, eq=False)
class Statistics:
    """Answers of people in one setting: item, rater, grade, shape (N,), and by judge its grade of the item of each.
    Where nothing is graded, items are contests and grades preferences; `score` says which."""

    item: Integers
    rater: Integers
    grade: Floats
    judged: dict[int, Floats]
    has_grades: bool


def statistics(loaded: Loaded, context: Context) -> dict[int, Statistics]:
    """Per variety. Experts are not stood in for: they are left out."""
    has_grades = len(loaded.grades.item) > 0
    made = loaded.grades if has_grades else loaded.verdicts
    item = loaded.grades.item if has_grades else loaded.verdicts.contest
    value = loaded.grades.grade if has_grades else loaded.verdicts.says
    place = loaded.items if has_grades else loaded.contests
    # The same in every loading: a response or a pair on a question type.
    subject = loaded.items.response if has_grades else loaded.contests.pair
    key = subject * KEYS + loaded.questions.id[place.question]
    judged = {
        judge: _judged(made.rater == judge, item, value, made.is_swapped, len(place), has_grades)
        for judge in loaded.judges
    }
    people = np.flatnonzero(made.by_human & ~made.by_expert & ~np.isnan(value))
    found = {}
    for variety in loaded.varieties:
        mine = people[place.variety[item[people]] == variety]
        of_judges = {judge: grades[item[mine]] for judge, grades in judged.items()}
        found[variety] = Statistics(
            key[item[mine]],
            made.rater[mine],
            value[mine],
            {judge: grades for judge, grades in of_judges.items() if not np.isnan(grades).all()},
            has_grades,
        )
    return found


def _judged(mine: Flags, item: Integers, value: Floats, swapped: Flags, n: int, has_grades: bool) -> Floats:
    """A judge's grade of each item, the mean over its orders; its preference of a pair as it stands."""
    chosen = np.flatnonzero(mine if has_grades else mine & ~swapped)
    return means_of(item[chosen], value[chosen], n)


def figures(parts: Sequence[Statistics], is_total: bool) -> dict[int, AlternativeTest]:
    """Of all settings together, by judge; of one among several nothing is shown."""
    if not is_total:
        return {}
    item, rater, grade = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("item", "rater", "grade")
    )
    score = "negative_rmse" if any(part.has_grades for part in parts) else "accuracy"
    found = {}
    for judge in sorted({judge for part in parts for judge in part.judged}):
        columns = [part.judged.get(judge, np.full(len(part.item), np.nan)) for part in parts]
        judged = np.concatenate(columns)
        # People who never met an item of the judge are no part of its test.
        met = np.isin(rater, rater[~np.isnan(judged)])
        found[judge] = alternative_test(item[met], rater[met], grade[met], judged[met], score=score)
    return found
