"""Few grades, far apart: what an interval says is possible for the figure at all."""

import pytest

from projects.models import LanguageVariety, Rater
from reports.dashboard.tables import by_id
from reports.ratings.dashboard import RATINGS
from tests.annotation.rated import make_ratings_project, question_type, rate
from tests.people import add_response

pytestmark = pytest.mark.django_db


def test_no_mean_grade_lies_beyond_the_scale(project):
    """Five responses with the grades 1, 1, 1, 1, 5: mean 1.8, and by Student's t from -0.42 to 4.02."""
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    raters = [Rater.objects.create(project=feasts, kind=kind, name=kind) for kind in ("human", "judge")]
    for number, grade in enumerate((1, 1, 1, 1, 5)):
        response = add_response(feasts, f"r{number}", f"Response number {number}", "ar-EG")
        for rater in raters:
            rate(response, rater, question, grade)
    found = {one.id: one for one in RATINGS.tables(feasts)}
    means = [row.figures[3] for row in found["ratings-by-dimension"].rows]
    means += [row.figures[0] for row in found["models-by-rater"].rows]
    assert len(means) == 4  # of the dimension and of all, by the person and by the judge
    for mean in means:
        assert mean.value == pytest.approx(1.8)
        assert mean.low == 1
        assert mean.high == pytest.approx(1.8 + 2.7764451 * 0.8)


def test_no_two_groups_are_further_apart_than_the_scale(project):
    """On nine prompts the people of two communities give the ends of the scale, on three the same grade."""
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    people = []
    for name, tag in (("Mona", "ar-EG"), ("Karim", "ar-EG"), ("Zaid", "ar-IQ"), ("Noor", "ar-IQ")):
        people.append(Rater.objects.create(project=feasts, kind="human", name=name))
        people[-1].varieties.set(LanguageVariety.objects.filter(tag=tag))
    for number in range(12):
        response = add_response(feasts, f"r{number}", f"Response number {number}", "ar-EG")
        for at, person in enumerate(people):
            rate(response, person, question, 5 if at > 1 and number > 2 else 1)
    found = by_id(RATINGS.tables(feasts), "disagreement-by-group")
    [communities] = [row for row in found.rows if row.labels[0] == "community"]
    between = communities.figures[2]
    # Without one of nine 8/11, of three 9/11: by the logarithm the bound would be 0.75 exp(2.201 * 0.13 / 0.75), 1.10.
    assert between.value == pytest.approx(0.75)
    assert between.high == 1.0
