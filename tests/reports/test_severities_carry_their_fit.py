"""Severities say how well the model fits each person, and whether people are told apart by them at all."""

import numpy as np
import pytest

from projects.models import Rater
from reports.dashboard.tables import by_id
from reports.ratings.dashboard import RATERS
from reports.rubrics.dashboard import RUBRICS
from tests.annotation.rated import make_ratings_project, question_type, rate
from tests.people import add_response
from tests.reports.perle import study
from tests.reports.reading import figure

pytestmark = pytest.mark.django_db


@pytest.fixture
def rated(project):
    """Six people grade forty responses from 1 to 5. Five read the quality, each by a severity of their own; the sixth
    throws dice."""
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    people = [Rater.objects.create(project=feasts, kind="human", name=f"Person {number}") for number in range(6)]
    generator = np.random.default_rng(4)
    for number in range(40):
        response = add_response(feasts, f"r{number}", f"Response {number}", "ar-EG")
        quality = generator.normal(3, 1.2)
        for place, person in enumerate(people):
            read = quality - (place - 2) / 3 + generator.normal(0, 0.8)
            grade = generator.integers(1, 6) if place == 5 else np.clip(round(read), 1, 5)
            rate(response, person, question, int(grade))
    return feasts, people


def test_who_throws_dice_does_not_fit_and_the_others_do(rated):
    feasts, people = rated
    found = by_id(RATERS.tables(feasts), "raters")
    infits = [figure(found, person.pseudonym, measure="infit") for person in people]
    outfits = [figure(found, person.pseudonym, measure="outfit") for person in people]
    assert infits[5].number > 1.5
    assert outfits[5].number > 1.5
    assert infits[5].low > max(one.number for one in infits[:5])
    assert max(one.number for one in infits[:5]) < 1.5
    assert {one.n for one in infits} == {40}
    assert "do not fit the model (infit below 0.5 or above 1.5)" in found.summary
    assert found.recipe.settings["limits"] == [0.5, 1.5]
    assert "From 0.5 to 1.5 is usual" in found.note


def told_apart(severities) -> tuple[float, float, float, float]:
    """Separation, reliability, levels and true spread from severities and standard errors, by the textbook."""
    values, errors = (np.array(column) for column in zip(*severities, strict=True))
    error = np.mean(errors**2)
    true = max(0.0, np.var(values, ddof=1) - error)
    separation = np.sqrt(true / error)
    return separation, separation**2 / (1 + separation**2), (4 * separation + 1) / 3, np.sqrt(true)


def test_separation_is_the_spread_of_severities_over_their_error(rated):
    feasts, _people = rated
    tables = RATERS.tables(feasts)
    severities = [row.figures[4] for row in by_id(tables, "raters").rows]
    [row] = by_id(tables, "severity-separation").rows
    expected = told_apart([(one.number, one.detail["se"]) for one in severities])
    assert [one.number for one in row.figures] == pytest.approx(list(expected))
    assert {one.n for one in row.figures} == {6}
    assert row.figures[0].number > 1, "the five differ by more than their errors"


def test_of_rubrics_severities_fit_in_verdicts_and_in_scores():
    drawn = study(prompts=24, seed=5, calibrated=14, regraded=20, errors=0, judges=())
    tables = RUBRICS.tables(drawn.project)
    people = by_id(tables, "rater-severity")
    assert [people.unit_of(measure) for measure in people.measures] == ["logits"] * 2 + ["score"] * 4
    for row in people.rows:
        for fit in row.figures[2:]:
            assert 0.4 < fit.number < 1.6, "they grade as the model says"
            assert fit.low < fit.number < fit.high
    apart = {row.labels[0]: row for row in by_id(tables, "severity-separation").rows}
    for name, place in (("verdicts", 0), ("scores", 1)):
        found = [row.figures[place] for row in people.rows]
        expected = told_apart([(one.number, one.detail["se"]) for one in found])
        assert [one.number for one in apart[name].figures] == pytest.approx(list(expected))


def test_people_who_share_nothing_have_no_fit_and_stand_in_no_group(project):
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    for number in range(2):
        person = Rater.objects.create(project=feasts, kind="human", name=f"Person {number}")
        rate(add_response(feasts, f"r{number}", "Response", "ar-EG"), person, question, 3)
    tables = RATERS.tables(feasts)
    assert {row.figures[5].undefined for row in by_id(tables, "raters").rows} == {"no items"}
    assert by_id(tables, "severity-separation").rows == ()
