"""Judges that give probabilities: whether they mean them, and what is right if they keep silent when unsure."""

import numpy as np
import pytest

from projects.models import Rater
from reports.dashboard.tables import by_id
from reports.ratings.dashboard import RATINGS
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.people import add_response
from tests.reports.reading import figure

pytestmark = pytest.mark.django_db


def chances(grade: int, sure: float, n: int = 5) -> list[float]:
    """So sure of this grade; what is left lies evenly on the others."""
    return [sure if one == grade - 1 else (1 - sure) / (n - 1) for one in range(n)]


@pytest.fixture
def graded(project):
    """Mona gives each of twelve responses a 3. The judge is right where it is sure to 0.9 (six times of six), right
    three times of six where it is sure to 0.6."""
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    mona = Rater.objects.create(project=feasts, kind="human", name="Mona")
    simba = Rater.objects.create(project=feasts, kind="judge", name="Simba")
    for number in range(12):
        response = add_response(feasts, f"r{number}", "Response", "ar-EG")
        rate(response, mona, question, 3)
        said, sure = (3, 0.9) if number < 6 else (3 if number % 2 else 4, 0.6)
        rate(response, simba, question, said, probabilities=chances(said, sure))
    return feasts


def test_calibration_error_and_the_curve_are_worked_out_by_hand(graded):
    tables = RATINGS.tables(graded)
    found = by_id(tables, "stated-probabilities")
    [row] = found.rows
    assert row.labels == ("Simba", "grades")
    error, by_chance, brier, surely, area, at_random, best = row.figures
    # Two bins of six: |0.6 - 1/2| and |0.9 - 1|, by a half each.
    assert error.number == pytest.approx((0.1 + 0.1) / 2)
    assert (error.n, error.detail["bins"]) == (12, 2)
    assert by_chance.number == pytest.approx(np.sqrt(2 / np.pi) * (np.sqrt(6 * 0.24) + np.sqrt(6 * 0.09)) / 12)
    assert brier.number == pytest.approx((6 * 0.01 + 3 * 0.16 + 3 * 0.36) / 12)
    # Six right are surer than every wrong one; three are as sure: (6 + 3 / 2) / 9.
    assert surely.number == pytest.approx(7.5 / 9)
    assert at_random.number == pytest.approx(0.25)
    assert area.number == pytest.approx(sum((rank - 6) / 2 / rank for rank in range(7, 13)) / 12)
    assert best.number == pytest.approx(sum((rank - 9) / rank for rank in range(10, 13)) / 12)
    curve = {row.labels[2]: row.figures[0] for row in by_id(tables, "silent-when-unsure").rows}
    assert (curve["0.5"].number, curve["0.5"].n, curve["0.5"].detail["threshold"]) == (1.0, 6, 0.9)
    assert (curve["0.6"].number, curve["0.6"].n) == (0.75, 12), "answers that are as sure go together"
    assert curve["1"].number == 0.75


def test_of_pairs_what_is_most_probable_is_compared_with_peoples_preference(project):
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    mona = Rater.objects.create(project=feasts, kind="human", name="Mona")
    simba = Rater.objects.create(project=feasts, kind="judge", name="Simba")
    said = ([0.8, 0.1, 0.1], [0.1, 0.2, 0.7], [0.1, 0.6, 0.3])
    for number, (grades, sure) in enumerate(zip(((4, 2), (2, 4), (4, 2)), said, strict=True)):
        pair = pair_of(feasts, f"p{number}", question=question)
        rate(pair, mona, question, *grades)
        rate(pair, simba, question, *grades, probabilities=sure)
    found = by_id(RATINGS.tables(feasts), "stated-probabilities")
    assert figure(found, "Simba", "preferences", measure="wrong, if silent at random").number == pytest.approx(1 / 3)
    # One bin of three: mean confidence 0.7, two right.
    assert figure(found, "Simba", "preferences", measure="calibration error").number == pytest.approx(0.7 - 2 / 3)


def test_of_rounds_the_latest_counts_and_a_new_probability_is_seen(graded):
    simba = graded.raters.get(name="Simba")
    question = graded.question_types.get()
    response = graded.responses.get(key="r0")
    before = by_id(RATINGS.tables(graded), "stated-probabilities").rows[0].figures[0]
    again = rate(response, simba, question, 4, probabilities=chances(4, 0.9), round=2)
    after = by_id(RATINGS.tables(graded), "stated-probabilities").rows[0].figures[0]
    assert (before.n, after.n) == (12, 12)
    assert after.number == pytest.approx((0.1 + abs(0.9 - 5 / 6)) / 2)
    again.probabilities = chances(3, 0.9)
    again.save(update_fields=["probabilities"])
    assert by_id(RATINGS.tables(graded), "stated-probabilities").rows[0].figures[0].number == before.number


def test_without_probabilities_there_is_no_such_table(project):
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    people = [Rater.objects.create(project=feasts, kind=kind, name=kind) for kind in ("human", "judge")]
    for person in people:
        rate(add_response(feasts, f"r-{person.kind}", "Response", "ar-EG"), person, question, 3)
    assert by_id(RATINGS.tables(feasts), "stated-probabilities") is None
