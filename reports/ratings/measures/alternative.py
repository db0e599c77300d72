"""May a judge stand in for a person: the alternative-annotator test of every judge."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from agreement.alternative import EPSILON, FALSE_DISCOVERIES, MIN_ITEMS, AlternativeTest, alternative_test
from projects.enumeration import enumerated
from reports.dashboard.columns import Flags, Floats, Integers, means_at
from reports.dashboard.findings import highest
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import number
from reports.ratings.context import Context
from reports.ratings.measures.predictions import KEYS
from reports.ratings.reader import Loaded
from reports.ratings.results import RatingResults as Results

GROUP = "alternative"


@dataclass(frozen=True, eq=False)
class AnswersOfPeople:
    """Answers of people in one variety: item, rater, grade, shape (N,), and by judge its grade of the item of each.
    Where nothing is graded, items are contests and grades preferences; `score` says which."""

    item: Integers
    rater: Integers
    grade: Floats
    judged: dict[int, Floats]
    has_grades: bool


def statistics(loaded: Loaded, context: Context) -> dict[int, AnswersOfPeople]:
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
    parts = {}
    for variety in loaded.varieties:
        in_variety = people[place.variety[item[people]] == variety]
        of_judges = {judge: grades[item[in_variety]] for judge, grades in judged.items()}
        parts[variety] = AnswersOfPeople(
            key[item[in_variety]],
            made.rater[in_variety],
            value[in_variety],
            {judge: grades for judge, grades in of_judges.items() if not np.isnan(grades).all()},
            has_grades,
        )
    return parts


def _judged(by_judge: Flags, item: Integers, value: Floats, swapped: Flags, n: int, has_grades: bool) -> Floats:
    """A judge's grade of each item, the mean over its orders; its preference of a pair as it stands."""
    chosen = np.flatnonzero(by_judge if has_grades else by_judge & ~swapped)
    return means_at(item[chosen], value[chosen], n)


def figures(parts: Sequence[AnswersOfPeople], is_total: bool) -> dict[int, AlternativeTest]:
    """Of all varieties together, by judge; of one among several nothing is shown."""
    if not is_total:
        return {}
    item, rater, grade = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("item", "rater", "grade")
    )
    score = "negative_rmse" if any(part.has_grades for part in parts) else "accuracy"
    tests = {}
    for judge in sorted({judge for part in parts for judge in part.judged}):
        columns = [part.judged.get(judge, np.full(len(part.item), np.nan)) for part in parts]
        judged = np.concatenate(columns)
        # People who never met an item of the judge are no part of its test.
        met = np.isin(rater, rater[~np.isnan(judged)])
        tests[judge] = alternative_test(item[met], rater[met], grade[met], judged[met], score=score)
    return tests


# --- Tables ----------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    tests = results.total()
    rows = sorted(
        results.rater_rows({one: (test.winning_rate, test.advantage) for one, test in tests.items()}),
        key=lambda row: (row.figures[0].value is None, -(row.figures[0].value or 0.0), row.labels),
    )
    return [
        Table(
            id="alternative-annotator",
            headline=highest(rows),
            title=_("May a judge stand in for a person"),
            summary=in_words(rows),
            dimensions=(_("judge"),),
            measures=(_("winning rate"), _("advantage")),
            rows=tuple(rows),
            recipe=results.recipe(
                "alternative_annotator_test",
                gold=False,
                drawn=False,
                epsilon=EPSILON,
                min_items=MIN_ITEMS,
                false_discovery_rate=FALSE_DISCOVERIES,
                correction="Benjamini-Yekutieli",
                score="negative RMSE to the others; of preferences alone the share who say the same",
                judge="the mean of its grades of an item; of preferences its answer to the pair as it stands",
                people="experts left out",
            ),
            chart="bars" if any(row.figures[0].value is not None for row in rows) else "none",
            x=_("judge"),
            note=_(
                "Of the people who share enough items with others and the judge, the share that the judge comes out "
                "ahead of, when a person may be %(epsilon)s better: from 0.5 on it may stand in for one. The advantage "
                "is the share of items on which it is at least as close to the others as the person is. n counts "
                "people; a person must share %(items)d items."
            )
            % {"epsilon": number(EPSILON), "items": MIN_ITEMS},
        )
    ]


def in_words(rows: list[Row]) -> str:
    tested = [row for row in rows if row.figures[0].value is not None]
    if not rows:
        return _("No judge has answered yet.")
    if not tested:
        return _("Nobody shares enough items with others and with a judge to be tested.")
    passing = [row.labels[0] for row in tested if row.figures[0].number >= 0.5]
    if not passing:
        return _("No judge passes: a person is closer to the others than any of them.")
    return _("These pass: %(judges)s.") % {"judges": enumerated(passing)}
