"""May a judge stand in for a person: the alternative-annotator test of every judge."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _

from agreement.alternative import EPSILON, FALSE_DISCOVERIES, MIN_ITEMS, AlternativeTest, alternative_test
from agreement.consensus import gold
from projects.enumeration import enumerated
from reports.dashboard.columns import Flags, Floats, Integers, means_at
from reports.dashboard.findings import highest
from reports.dashboard.tables import Row, Table
from reports.dashboard.wording import number
from reports.ratings.consensus import by_question
from reports.ratings.context import Context
from reports.ratings.measures.predictions import KEYS
from reports.ratings.reader import Loaded
from reports.ratings.results import RatingResults as Results

GROUP = "alternative"


@dataclass(frozen=True, eq=False)
class AnswersOfPeople:
    """Answers of people in one variety: item, rater, grade, whether grades of the item have no order, prompt, shape
    (N,), and by judge its grade of the item of each. Where nothing is graded, items are contests, less than 0, and
    grades are preferences, of which a tie is a class like the others."""

    item: Integers
    rater: Integers
    grade: Floats
    nominal: Flags
    prompt: Integers
    judged: dict[int, Floats]


def statistics(loaded: Loaded, context: Context) -> dict[int, AnswersOfPeople]:
    """Per variety. Experts are not stood in for: they are left out."""
    has_grades = len(loaded.grades.item) > 0
    made = loaded.grades if has_grades else loaded.verdicts
    item = loaded.grades.item if has_grades else loaded.verdicts.contest
    value = loaded.grades.grade if has_grades else loaded.verdicts.says
    place = loaded.items if has_grades else loaded.contests
    # The same in every loading: a response or a pair on a question type.
    subject = loaded.items.response if has_grades else -loaded.contests.pair
    key = subject * KEYS + loaded.questions.number[place.question]
    nominal = loaded.questions.nominal[place.question] | (not has_grades)
    judged = {}
    for judge in loaded.judges:
        if has_grades:
            judged[judge] = _graded(loaded, made.rater == judge)
        else:
            asked = np.flatnonzero((made.rater == judge) & ~made.is_swapped)
            judged[judge] = means_at(item[asked], value[asked], len(place))
    people = np.flatnonzero(made.by_human & ~made.by_expert & ~np.isnan(value))
    parts = {}
    for variety in loaded.varieties:
        in_variety = people[place.variety[item[people]] == variety]
        of_judges = {judge: grades[item[in_variety]] for judge, grades in judged.items()}
        parts[variety] = AnswersOfPeople(
            key[item[in_variety]],
            made.rater[in_variety],
            value[in_variety],
            nominal[item[in_variety]],
            place.prompt[item[in_variety]],
            {judge: grades for judge, grades in of_judges.items() if not np.isnan(grades).all()},
        )
    return parts


def _graded(loaded: Loaded, by_judge: Flags) -> Floats:
    """A judge's grade of each item: the mean over its orders; of grades without an order the one it gives most often,
    none where two are as often given."""
    item, grade = loaded.grades.item, loaded.grades.grade
    nominal = loaded.questions.nominal[loaded.items.question[item]]
    ordered = np.flatnonzero(by_judge & ~nominal)
    grades = means_at(item[ordered], grade[ordered], len(loaded.items))
    read = np.flatnonzero(by_judge & nominal & ~np.isnan(grade))
    for scale, of_question in by_question(loaded, item[read]):
        rows = read[of_question]
        most = gold(item[rows], grade[rows], scale=scale)
        grades[most.items] = most.values
    return grades


def figures(parts: Sequence[AnswersOfPeople], is_total: bool) -> dict[int, AlternativeTest]:
    """Of all varieties together, by judge; of one among several nothing is shown."""
    if not is_total:
        return {}
    names = ("item", "rater", "grade", "nominal", "prompt")
    item, rater, grade, nominal, prompt = (np.concatenate([getattr(part, name) for part in parts]) for name in names)
    tests = {}
    for judge in sorted({judge for part in parts for judge in part.judged}):
        columns = [part.judged.get(judge, np.full(len(part.item), np.nan)) for part in parts]
        judged = np.concatenate(columns)
        # People who never met an item of the judge are no part of its test.
        met = np.isin(rater, rater[~np.isnan(judged)])
        columns = [item[met], rater[met], grade[met], judged[met]]
        tests[judge] = alternative_test(*columns, is_nominal=nominal[met], cluster=prompt[met], score="negative_rmse")
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
                score="negative RMSE to the others; of preferences alone, and of grades without an order, the share "
                "who say the same",
                scales="who is closer is asked within each item, so questions of several scales count alike",
                judge="the mean of its grades of an item, the most frequent of grades without an order; of "
                "preferences its answer to the pair as it stands",
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
