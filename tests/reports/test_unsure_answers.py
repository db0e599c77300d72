"""Do answers that people were unsure of agree less with others? Nour reads it, with its interval and recipe."""

from collections import defaultdict
from itertools import combinations
from statistics import fmean

import pytest
from django.db.models import F
from django.utils import timezone

from annotation.models import Marking, Rating
from projects.models import Rater
from reports.dashboard.tables import by_id
from reports.ratings.dashboard import RATINGS
from reports.rubrics.dashboard import RUBRICS
from reports.spans.dashboard import SPANS
from rubrics.models import Grade
from tests.annotation.marked import mark
from tests.annotation.rated import make_ratings_project, question_type
from tests.people import add_response
from tests.reports.perle import study
from workflow.models import Assignment, Stage, Status, WorkItem

pytestmark = pytest.mark.django_db

N = 12


@pytest.fixture
def rated(project):
    """Mona and Karim grade twelve texts here, and Hana's grades came in a file. Mona says 3 and Hana 3; Karim says 3
    too, but 1 on the four texts that he is unsure of, but for the first of these, where he says 3."""
    question = question_type(make_ratings_project(project))
    stage = Stage.objects.create(project=project, kind="ratings", name="Rating")
    mona, karim, hana = (Rater.objects.create(project=project, kind="human", name=name) for name in "MKH")
    for number in range(N):
        response = add_response(project, f"r{number:02}", f"رقم {number}", "ar-EG")
        item = WorkItem.objects.create(
            stage=stage, response=response, variety=response.variety, position=number, slots=2, open_slots=0
        )
        for rater in (mona, karim):
            is_unsure = rater == karim and number < 4
            turn = Assignment.objects.create(
                item=item,
                stage=stage,
                rater=rater,
                status=Status.SUBMITTED,
                submitted_at=timezone.now(),
                is_unsure=is_unsure,
            )
            grade = 1 if is_unsure and number else 3
            Rating.objects.create(question=question, rater=rater, response=response, first_grade=grade, assignment=turn)
        Rating.objects.create(question=question, rater=hana, response=response, first_grade=3)
    return project


def test_unsure_answers_beside_sure_ones(rated):
    found = by_id(RATINGS.tables(rated, filters={}), "unsure-answers")
    unsure, sure, difference = (row.figures[0] for row in found.rows)
    # Karim's four: one agrees with both others, three with neither.
    assert (unsure.value, unsure.n) == (1 / 4, 4)
    # Karim's other eight agree with both; of Mona's twelve nine do, and three with Hana alone. Hana's are not counted.
    assert sure.value == pytest.approx((8 + 9 + 3 * 0.5) / 20)
    assert sure.n == 20
    assert difference.value == pytest.approx(1 / 4 - 18.5 / 20)
    assert difference.low < difference.value < difference.high < 0
    assert found.recipe.metric == "agreement_of_unsure_answers"
    assert found.recipe.settings["difference"].startswith("unsure less sure")


def test_where_nobody_was_unsure_there_is_no_table(rated):
    Assignment.objects.update(is_unsure=False)
    Rating.objects.update(comment="x")
    assert "unsure-answers" not in {table.id for table in RATINGS.tables(rated, filters={})}


def test_one_answer_that_nobody_else_gave_has_no_figure(rated):
    Rating.objects.exclude(assignment__is_unsure=True).delete()
    assert "unsure-answers" not in {table.id for table in RATINGS.tables(rated, filters={})}


# --- Responses that somebody was unsure of ---


def turn_of(response, stage: Stage, rater: Rater, is_unsure: bool) -> Assignment:
    item, _is_new = WorkItem.objects.get_or_create(
        stage=stage,
        response=response,
        defaults={"variety": response.variety, "position": 1, "slots": 2, "open_slots": 0},
    )
    return Assignment.objects.create(
        item=item, stage=stage, rater=rater, status=Status.SUBMITTED, submitted_at=timezone.now(), is_unsure=is_unsure
    )


@pytest.fixture
def marked(project):
    """Mona and Karim mark thirty texts here; Karim is unsure of the first fifteen. Of these they mark the same word in
    five and two that do not meet in ten; of the others the same word in all but three. Hana's markings came in a file,
    with another word of each; and two people's of one more text did, of whom nobody knows."""
    stage = Stage.objects.create(project=project, kind="spans", name="Marking")
    mona, karim, hana = (Rater.objects.create(project=project, kind="human", name=name) for name in "MKH")
    for number in range(30):
        response = add_response(project, f"s{number:02}", "الكشري أكلة مصرية شعبية", "ar-EG")
        is_unsure, meets = number < 15, number % 3 == 0 if number < 15 else number >= 18
        for rater, quote in ((mona, "الكشري"), (karim, "الكشري" if meets else "شعبية")):
            [span] = mark(response, rater, quote)
            turn = turn_of(response, stage, rater, is_unsure and rater == karim)
            Marking.objects.filter(pk=span.marking_id).update(assignment=turn)
    elsewhere = add_response(project, "file", "الكشري أكلة مصرية شعبية", "ar-EG")
    for rater in (mona, hana):
        mark(elsewhere, rater, "الكشري")
    return project


def test_people_agree_less_on_responses_that_somebody_was_unsure_of(marked):
    found = by_id(SPANS.tables(marked, filters={}), "unsure-responses")
    unsure, sure, difference = (row.figures[0] for row in found.rows)
    assert (unsure.value, unsure.n) == (pytest.approx(5 / 15), 15)
    assert (sure.value, sure.n) == (pytest.approx(12 / 15), 15)
    assert difference.value == pytest.approx(5 / 15 - 12 / 15)
    assert difference.low < difference.value < difference.high < 0
    assert found.recipe.metric == "human_human_f1_of_unsure_responses"
    assert [row.figures[1].value for row in found.rows] == [15, 15, 30]


def test_where_nobody_was_unsure_of_a_response_there_is_no_table(marked):
    Assignment.objects.update(is_unsure=False)
    Marking.objects.update(metadata={"x": 1})
    assert "unsure-responses" not in {table.id for table in SPANS.tables(marked, filters={})}


def test_one_side_without_pairs_has_no_figure_and_says_so(marked):
    Assignment.objects.update(is_unsure=True)
    Marking.objects.update(metadata={"x": 1})
    found = by_id(SPANS.tables(marked, filters={}), "unsure-responses")
    _unsure, sure, difference = (row.figures[0] for row in found.rows)
    assert (sure.value, sure.undefined) == (None, "no items")
    assert difference.value is None


def test_scores_lie_further_apart_where_somebody_was_unsure():
    project = study(prompts=12, calibrated=12, judges=()).project
    stage = Stage.objects.create(project=project, kind="scoring", name="Scoring")
    # Of every response that several people of one community graded: the first of them was unsure of every other one.
    grades = defaultdict(list)
    for grade in Grade.objects.filter(rater__kind="human", is_complete=True).order_by("response", "rater", "round"):
        grades[grade.response_id].append(grade)
    several = {pk: given for pk, given in grades.items() if len({grade.rater_id for grade in given}) > 1}
    doubted, expected = set(list(several)[::2]), {True: [], False: []}
    for pk, given in several.items():
        for at, grade in enumerate(given):
            grade.assignment = turn_of(grade.response, stage, grade.rater, pk in doubted and at == 0)
        Grade.objects.bulk_update(given, ["assignment"])
        latest = {grade.rater_id: 100 * grade.raw / grade.maximum for grade in given}
        expected[pk in doubted] += [abs(one - other) for one, other in combinations(latest.values(), 2)]
    found = by_id(RUBRICS.tables(project, filters={}), "unsure-grades")
    unsure, sure, difference = (row.figures[0] for row in found.rows)
    assert (unsure.value, unsure.n) == (pytest.approx(fmean(expected[True])), len(expected[True]))
    assert (sure.value, sure.n) == (pytest.approx(fmean(expected[False])), len(expected[False]))
    assert difference.value == pytest.approx(unsure.value - sure.value)
    assert difference.low < difference.value < difference.high
    assert found.recipe.metric == "distance_of_people_on_unsure_responses"
    Assignment.objects.update(is_unsure=False)
    Grade.objects.update(raw=F("raw") - 1)
    assert "unsure-grades" not in {table.id for table in RUBRICS.tables(project, filters={})}
