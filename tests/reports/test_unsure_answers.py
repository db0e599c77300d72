"""Do answers that people were unsure of agree less with others? Nour reads it, with its interval and recipe."""

import pytest
from django.utils import timezone

from annotation.models import Rating
from projects.models import Rater
from reports.dashboard.tables import by_id
from reports.ratings.dashboard import RATINGS
from tests.annotation.rated import make_ratings_project, question_type
from tests.people import add_response
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
