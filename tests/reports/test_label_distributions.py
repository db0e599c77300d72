"""Three people and a judge on four responses: how near the judge comes to the share of people who gave each grade."""

from math import log, log2

import pytest

from projects.models import Rater
from reports.dashboard.tables import by_id
from reports.ratings.dashboard import RATINGS
from tests.annotation.rated import make_ratings_project, question_type, rate
from tests.people import add_response
from tests.reports.reading import figure

pytestmark = pytest.mark.django_db

#: Grades of three people, and the judge's. One person alone graded the last response, which counts for nothing.
GRADES = (((3, 3, 4), 3), ((4, 4, 4), 4), ((3, 4, 4), 3), ((3,), 4))


def test_a_judge_and_a_person_against_the_share_of_people(project):
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    people = [Rater.objects.create(project=feasts, kind="human", name=name) for name in ("Mona", "Karim", "Salma")]
    simba = Rater.objects.create(project=feasts, kind="judge", name="Simba")
    for number, (grades, said) in enumerate(GRADES):
        response = add_response(feasts, f"r{number}", f"Response number {number}", "ar-EG")
        for person, grade in zip(people, grades, strict=False):
            rate(response, person, question, grade)
        rate(response, simba, question, said)
    found = by_id(RATINGS.tables(feasts), "label-distributions")

    def value(measure: str) -> float:
        return figure(found, "Simba", measure=measure).number

    assert figure(found, "Simba", measure="Brier").n == 3
    # A share of 2/3, 1 and 1/3 of the people gave the judge's grade.
    assert value("Brier") == pytest.approx(2 * ((1 / 3) ** 2 + 0 + (2 / 3) ** 2) / 3)
    # Of a judge's 1 a twentieth is left for the four other grades of the scale from 1 to 5.
    assert value("cross-entropy") == pytest.approx(
        -((2 * log(0.95) + log(0.05 / 4)) / 3 + log(0.95) + (log(0.95) + 2 * log(0.05 / 4)) / 3) / 3
    )

    def apart(p: float) -> float:
        """Of the shares p and 1 - p from 1 and 0."""
        middle = (1 + p) / 2
        rest = (1 - p) * log2(2) if p < 1 else 0.0
        return (-log2(middle) + (p * log2(p / middle) if p else 0.0) + rest) / 2

    assert value("Jensen-Shannon") == pytest.approx((apart(2 / 3) + apart(1) + apart(1 / 3)) / 3)
    # Each person left out: the share of the other two who gave the judge's grade is 1/2, 1/2, 1; 1; then 0, 1/2, 1/2.
    squared = {0.0: 2.0, 0.5: 0.5, 1.0: 0.0}
    judge = ((0.5, 0.5, 1), (1, 1, 1), (0, 0.5, 0.5))
    person = ((0.5, 0.5, 0), (1, 1, 1), (0, 0.5, 0.5))
    for measure, shares in (("Brier to the others", judge), ("Brier of a person", person)):
        assert value(measure) == pytest.approx(sum(squared[one] for row in shares for one in row) / 9)
    for measure, shares in (("Jensen-Shannon to the others", judge), ("Jensen-Shannon of a person", person)):
        assert value(measure) == pytest.approx(sum(apart(one) for row in shares for one in row) / 9)


def test_a_distance_is_never_below_nothing(project):
    """A judge that says what both people say of eleven responses and is four grades off one: Brier 2 of one, 0 of the
    others. On a plain scale the interval of the mean, 1/6, would begin at 1/6 - 2.201 / 6."""
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    people = [Rater.objects.create(project=feasts, kind="human", name=name) for name in ("Mona", "Karim")]
    simba = Rater.objects.create(project=feasts, kind="judge", name="Simba")
    for number in range(12):
        response = add_response(feasts, f"r{number}", f"Response number {number}", "ar-EG")
        for person in people:
            rate(response, person, question, 1)
        rate(response, simba, question, 1 if number else 5)
    found = by_id(RATINGS.tables(feasts), "label-distributions")
    for measure, value in (("Brier", 1 / 6), ("Jensen-Shannon", 1 / 12)):
        mean = figure(found, "Simba", measure=measure)
        assert mean.number == pytest.approx(value)
        assert mean.low is not None
        assert mean.low > 0


def test_a_distance_is_never_above_what_there_can_be(project):
    """A judge that is four grades off both people on nine responses of ten: Brier 1.8, of 2 at most; the scale of what
    is never below 0 alone would put its bound at 1.8 exp(2.26 * 0.2 / 1.8), 2.31."""
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    people = [Rater.objects.create(project=feasts, kind="human", name=name) for name in ("Mona", "Karim")]
    simba = Rater.objects.create(project=feasts, kind="judge", name="Simba")
    for number in range(10):
        response = add_response(feasts, f"r{number}", f"Response number {number}", "ar-EG")
        for person in people:
            rate(response, person, question, 1)
        rate(response, simba, question, 5 if number else 1)
    found = by_id(RATINGS.tables(feasts), "label-distributions")
    for measure, value, most in (("Brier", 1.8, 2.0), ("Jensen-Shannon", 0.9, 1.0)):
        mean = figure(found, "Simba", measure=measure)
        assert (mean.number, mean.high) == (pytest.approx(value), most)
