"""What each judge is drawn by, all at once, where it was put in; and who would win at equal length."""

import numpy as np
import pytest
from django.core.cache import cache

from agreement.length_control import features
from annotation.models import Rating
from projects.laboratories import settle
from projects.models import Laboratory, Rater, Response
from reports.dashboard.drawn_by import markup_of
from reports.dashboard.tables import by_id
from reports.ratings.dashboard import RATINGS
from reports.rubrics.dashboard import RUBRICS
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.people import add_response
from tests.reports.perle import Judge, study
from tests.reports.reading import figure
from tests.statements import statements

pytestmark = pytest.mark.django_db

OWN, LONG, FIRST, MARKS = (
    "of the judge's own laboratory",
    "twice the length",
    "shown first, not second",
    "one mark of markup more in 1,000 characters",
)


@pytest.fixture
def graded(project):
    """Of sixty responses every third is of the judge's own laboratory, which writes four times as long; it grades those
    a grade higher and looks at no length. People grade 2, 3 and 4 by turns."""
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    delta = Laboratory.objects.get_or_create(slug="delta-lab", defaults={"name": "Delta Lab"})[0]
    other = Laboratory.objects.create(slug="reef", name="Reef")
    mona = Rater.objects.create(project=feasts, kind="human", name="Mona")
    simba = Rater.objects.create(project=feasts, kind="judge", name="Simba", model="simba-1", laboratory=delta)
    generator = np.random.default_rng(2)
    for number in range(60):
        own = number % 3 == 0
        text = "a" * int(generator.integers(30, 200) * (4 if own else 1)) + "\n- one\n**two**" * int(number % 4 == 0)
        response = add_response(feasts, f"r{number}", text, "ar-EG", model="Delta-1" if own else "Reef-1")
        said = 2 + number % 3 if number % 2 else 3
        rate(response, mona, question, said)
        rate(response, simba, question, min(5, said + own + int(generator.random() < 0.1)))
    reef = Response.objects.filter(project=feasts, target_model__name="Reef-1").first().target_model
    settle(feasts, reef, other, None)
    return feasts


def test_a_judge_that_favours_its_own_laboratory_is_not_taken_for_one_that_favours_length(graded):
    found = by_id(RATINGS.tables(graded), "errors-drawn-by")
    own = figure(found, "Simba", OWN, measure="effect")
    assert 0.7 < own.number < 1.3
    assert own.low > 0
    assert figure(found, "Simba", OWN, measure="p, corrected").number < 0.001
    long = figure(found, "Simba", LONG, measure="effect")
    assert long.low < 0 < long.high
    assert figure(found, "Simba", FIRST, measure="effect").undefined == "does not vary"
    assert found.summary == "Drawn by more than the answer: Simba."
    assert len(found.findings) == 1
    assert OWN in found.findings[0]
    assert found.recipe.settings["correction"] == "Holm, over all rows"


def test_effects_are_those_of_least_squares_on_the_same_rows(graded):
    """Written out from the database: error on length, own laboratory and marks, with a constant."""
    rows, errors = [], []
    for response in Response.objects.filter(project=graded).order_by("pk"):
        given = Rating.objects.filter(response=response).values_list("rater__kind", "first_grade")
        by, text = dict(given), response.text
        rows.append([1, np.log2(1 + len(text)), response.target_model.name == "Delta-1", sum(features(text)[1:])])
        errors.append(by["judge"] - by["human"])
    expected = np.linalg.lstsq(np.array(rows, dtype=float), np.array(errors, dtype=float), rcond=None)[0]
    found = by_id(RATINGS.tables(graded), "errors-drawn-by")
    for name, value in zip((LONG, OWN, MARKS), expected[1:], strict=True):
        assert figure(found, "Simba", name, measure="effect").number == pytest.approx(value)


def test_the_effect_of_a_laboratory_that_the_project_settles_anew_is_computed_anew(graded):
    before = by_id(RATINGS.tables(graded), "errors-drawn-by")
    delta = Laboratory.objects.get(slug="delta-lab")
    reef = Response.objects.filter(project=graded, target_model__name="Reef-1").first().target_model
    settle(graded, reef, delta, None)
    after = by_id(RATINGS.tables(graded), "errors-drawn-by")
    assert before.recipe.data_snapshot != after.recipe.data_snapshot
    assert figure(after, "Simba", OWN, measure="effect").undefined == "does not vary", "all are its own by now"


def test_the_marks_of_a_text_are_counted_once(graded):
    cache.clear()
    ids = np.array(Response.objects.filter(project=graded).order_by("-pk").values_list("pk", flat=True))
    first = markup_of(graded.pk, ids)
    assert set(first.tolist()) == {0.0, 2.0}
    with statements() as sent:
        assert markup_of(graded.pk, ids[::2]).tolist() == first[::2].tolist()
    assert "projects_response" not in sent.tables()
    late = add_response(graded, "late", "# Head\n- one\n- two", "ar-EG")
    assert markup_of(graded.pk, np.append(ids, late.pk))[-1] == 3


@pytest.fixture
def compared(project):
    """Twenty-four pairs in both orders: the judge takes the response shown first on two of three pairs, and people the
    first one and the second by turns."""
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    mona = Rater.objects.create(project=feasts, kind="human", name="Mona")
    simba = Rater.objects.create(project=feasts, kind="judge", name="Simba")
    for number in range(24):
        pair = pair_of(feasts, f"p{number}", question=question)
        people = (4, 2) if number % 2 else (2, 4)
        rate(pair, mona, question, *people)
        for is_swapped in (False, True):
            drawn = (2, 4) if is_swapped else (4, 2)
            said = drawn if number % 3 else people
            rate(pair, simba, question, *said, is_of_both_orders=True, is_swapped=is_swapped)
    return feasts


def test_of_preferences_what_the_order_moves_is_told_in_shares_of_wins(compared):
    """On two of three pairs the verdict turns with the order, by a whole win: 2/3. The others are as people say."""
    found = by_id(RATINGS.tables(compared), "preferences-drawn-by")
    first = figure(found, "Simba", FIRST, measure="effect")
    assert first.number == pytest.approx(2 / 3)
    assert (first.n, first.detail["prompts"]) == (48, 24)
    assert first.low > 0
    of_grades = by_id(RATINGS.tables(compared), "errors-drawn-by")
    # Grades of the side shown first are 1 above people's on average of both kinds of pairs, of the other 1 below: 4/3.
    assert figure(of_grades, "Simba", FIRST, measure="effect").number == pytest.approx(4 / 3)


def test_of_rubrics_judges_of_the_community_are_told_apart_from_judges_of_length():
    drawn = study(prompts=24, seed=3, errors=2, judges=(Judge("lenient", 0.3, 0.02, "tower"),))
    found = by_id(RUBRICS.tables(drawn.project), "errors-drawn-by")
    labels = [row.labels[1] for row in found.rows]
    assert labels[-1].count("not") == 1, "one community beside the other"
    assert found.unit == "pp"
    assert figure(found, "lenient", OWN, measure="effect").undefined == "does not vary", "it never judged its own"
    community = found.rows[-1].figures[0]
    assert community.low < community.number < community.high


def test_who_wins_by_length_alone_wins_half_at_equal_length(project):
    """Nile's answers win where they are longer, and lose where they are shorter, which they seldom are."""
    feasts = make_ratings_project(project)
    question = question_type(feasts)
    mona = Rater.objects.create(project=feasts, kind="human", name="Mona")
    for number in range(40):
        is_longer = number % 4 != 0
        texts = ("a" * 200, "a" * 100) if is_longer else ("a" * 100, "a" * 200)
        pair = pair_of(feasts, f"p{number}", *texts, question=question)
        rate(pair, mona, question, *((4, 2) if is_longer else (2, 4)))
    found = by_id(RATINGS.tables(feasts), "models-by-rater")
    for row in found.rows:
        wins, alike = row.figures[1], row.figures[2]
        assert wins.number in (0.25, 0.75)
        assert alike.number == pytest.approx(0.5)
        assert alike.detail["raw"] == pytest.approx(wins.number)
