"""A judge that is asked again: how far its figures move by that alone, and from prompt to prompt."""

import statistics

import numpy as np
import pytest

from agreement import judges
from agreement.statistics import share_of_sums
from annotation.gold import derive
from projects.models import Rater
from reports.dashboard.rounds import Answered, moves_of
from reports.dashboard.tables import by_id
from reports.ratings.dashboard import RATINGS
from reports.rubrics.dashboard import RUBRICS
from tests.annotation.marked import mark, review
from tests.annotation.rated import make_ratings_project, question_type, rate
from tests.people import add_response
from tests.reports.reading import figure, table
from tests.reports.test_judges_that_built_the_gold import NIGHTLY
from tests.rubrics.rubrics import frozen_rubric, graded, make_rubrics_project

pytestmark = pytest.mark.django_db

MEAN, SD, OF_PROMPTS, SD_OF_PROMPTS = (
    "mean over rounds",
    "standard deviation over rounds",
    "mean over prompts",
    "standard deviation over prompts",
)


def test_rounds_are_compared_over_the_prompts_that_each_has():
    """Three prompts in round 1, two of them in round 2: round 1 is right in 1 and 0 of them, round 2 in both."""
    answered = Answered(
        np.array([1, 1, 1, 2, 2]),
        np.array([7, 8, 9, 7, 8]),
        np.column_stack((np.array([1.0, 0, 1, 1, 1]), np.ones(5))),
    )
    (mean, deviation, over, spread) = (figures[0] for figures in moves_of(answered, [share_of_sums]))
    assert (mean.number, mean.n) == (0.75, 2)
    assert deviation.number == pytest.approx(statistics.stdev([0.5, 1.0]))
    # Prompts by themselves, all rounds together: 1, 1/2, 1.
    assert (over.number, over.n) == (pytest.approx(2.5 / 3), 3)
    assert spread.number == pytest.approx(statistics.stdev([1, 0.5, 1]))


def test_rounds_without_a_prompt_in_common_cannot_be_compared():
    answered = Answered(np.array([1, 2]), np.array([7, 8]), judges.error_columns(np.array([1.0, -3])))
    mean, deviation, over, _spread = (figures[0] for figures in moves_of(answered, [judges.mad]))
    assert mean.undefined == deviation.undefined == "no prompts in every round"
    assert over.number == 2


@pytest.fixture
def rated(project):
    """Mona gives 3 to four responses; the judge 3 3 3 3, then 3 3 4 4, then 4 4 4 4."""
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    mona = Rater.objects.create(project=feasts, kind="human", name="Mona")
    simba = Rater.objects.create(project=feasts, kind="judge", name="Simba")
    for number in range(4):
        response = add_response(feasts, f"r{number}", "Response", "ar-EG")
        rate(response, mona, question, 3)
        for turn, grades in enumerate(((3, 3, 3, 3), (3, 3, 4, 4), (4, 4, 4, 4)), 1):
            rate(response, simba, question, grades[number], round=turn)
    return feasts


def test_of_ratings_each_round_has_its_accuracy(rated):
    tables = RATINGS.tables(rated)
    found = by_id(tables, "rounds-of-judges")

    def value(row: str, measure: str):
        return figure(found, "Simba", row, measure=measure)

    assert (value(MEAN, "accuracy").number, value(MEAN, "accuracy").n) == (0.5, 3)
    assert value(SD, "accuracy").number == pytest.approx(0.5)
    assert value(MEAN, "signed error").number == pytest.approx(0.5)
    # Of three rounds the first two prompts are right in two, the others in one.
    assert (value(OF_PROMPTS, "accuracy").number, value(OF_PROMPTS, "accuracy").n) == (pytest.approx(0.5), 4)
    assert value(SD_OF_PROMPTS, "accuracy").number == pytest.approx(statistics.stdev([2 / 3, 2 / 3, 1 / 3, 1 / 3]))
    assert value(MEAN, "preference accuracy").undefined == "no items"
    assert found.summary == "1 judge was asked in several rounds."
    assert found.unit_of("MAD") == "grade"
    # Elsewhere the latest round counts.
    assert figure(by_id(tables, "judges-against-gold"), "Simba", measure="accuracy").number == 0


def test_a_judge_asked_once_has_prompts_and_no_spread_of_rounds(rated):
    rated.question_types.get().ratings.filter(rater__name="Simba", round__gt=1).delete()
    found = by_id(RATINGS.tables(rated), "rounds-of-judges")
    assert figure(found, "Simba", MEAN, measure="accuracy").number == 1
    assert figure(found, "Simba", SD, measure="accuracy").undefined == "n < 2"
    assert found.summary.startswith("No judge was asked in two rounds")


def test_of_rubrics_each_round_has_its_distance_from_the_person(project, salma):
    """Salma gives 100 percent; the judge 50 and then 100: 50 and 0 points away."""
    make_rubrics_project(project)
    salma = Rater.objects.get(project=project, user=salma)
    simba = Rater.objects.create(project=project, kind="judge", name="Simba")
    response = add_response(project, "meal", "كشري", "ar-EG")
    rubric = frozen_rubric(response.prompt, salma, (5, 5))
    graded(response, salma, rubric, ["c1", "c2"])
    for turn, passed in enumerate((["c1"], ["c1", "c2"]), 1):
        graded(response, simba, rubric, passed, role="judge", round=turn)
    found = by_id(RUBRICS.tables(project), "rounds-of-judges")
    assert figure(found, "Simba", MEAN, measure="MAD").number == 25
    assert figure(found, "Simba", SD, measure="MAD").number == pytest.approx(50 / 2**0.5)
    assert figure(found, "Simba", MEAN, measure="signed error").number == -25
    assert figure(by_id(RUBRICS.tables(project), "judges-against-people"), "Simba", measure="MAD").number == 0


def test_of_error_spans_each_round_has_its_precision(project, answered, koshari, mona, karim):
    """Nala marks the error of the gold alone in round 1, and that and another in round 2: precision 1 and 1/2."""
    nala = Rater.objects.create(project=project, kind="judge", name="Nala", model="nala-1")
    for turn, words in enumerate(((NIGHTLY,), (NIGHTLY, "الرز")), 1):
        for span in mark(koshari, nala, *words, round=turn):
            for person in (mona, karim):
                review(span, person, "reject")
    derive([koshari.id])
    found = table(project, "rounds-of-judges")
    assert figure(found, "Nala", MEAN, measure="precision").number == pytest.approx(0.75)
    assert figure(found, "Nala", SD, measure="precision").number == pytest.approx(statistics.stdev([1, 0.5]))
    assert figure(found, "Nala", MEAN, measure="precision").n == 2
    assert figure(table(project, "judge-scores"), "Nala", measure="precision").number == 0.5
