"""Projects with questions of all kinds of scales: each figure is over the scales of the questions that are in it."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from django.db import IntegrityError, transaction

from annotation.models import Rating
from projects.models import Rater
from reports.areas import areas
from reports.dashboard.findings import headline
from reports.dashboard.tables import Table, by_id
from reports.ratings.dashboard import RATERS, RATINGS
from reports.ratings.measures.judged import Judged
from reports.ratings.measures.predictions import COLUMNS, Predictions, PredictionsByRater
from reports.verifying import verified
from tests.annotation.marked import mark
from tests.annotation.rated import make_ratings_project, question_type, rate
from tests.people import add_response
from tests.reports.reading import figure

pytestmark = pytest.mark.django_db

#: Lowest and highest grade of the questions, and grades that nobody gives.
SCALES = {"polite": (0, 1, ()), "formal": (1, 5, (3,)), "percent": (0, 100, tuple(range(20, 90)))}
SEVERAL = "questions on different scales"
OVER_CLASSES = ("accuracy", "macro-F1", "quadratic kappa", "alpha", "Spearman")


def table(project, table_id: str, dashboard=RATINGS, **filters) -> Table:
    found = by_id(dashboard.tables(project, filters=filters), table_id)
    assert found is not None, table_id
    return found


@pytest.fixture
def odd(project):
    return make_ratings_project(project)


def studied(project, seed: int, asked: tuple[str, ...], people: int = 3, responses: int = 12) -> None:
    """People and the judge Simba grade every response on the questions that are asked; the others stand unused."""
    generator = np.random.default_rng(seed)
    questions = {name: question_type(project, name, *ends[:2]) for name, ends in SCALES.items()}
    unused = question_type(project, "unused", 1, 7, dimension="other")
    assert not unused.ratings.exists()
    raters = [Rater.objects.create(project=project, kind="human", name=f"Person {n}") for n in range(people)]
    raters.append(Rater.objects.create(project=project, kind="judge", name="Simba"))
    for number in range(responses):
        response = add_response(project, f"r{number}", f"Response number {number}", "ar-EG")
        for name in asked:
            low, high, never = SCALES[name]
            given = [grade for grade in range(low, high + 1) if grade not in never]
            centre = generator.integers(len(given))
            for rater in raters:
                place = int(np.clip(centre + generator.integers(-1, 2), 0, len(given) - 1))
                rate(response, rater, questions[name], given[place])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("asked", [("polite",), ("formal",), ("percent",)])
def test_a_project_of_one_used_question_has_the_figures_of_that_question(odd, asked, seed):
    studied(odd, seed, asked)
    whole, narrowed = table(odd, "judges-against-gold"), table(odd, "judges-against-gold", question=asked[0])
    for name in (*OVER_CLASSES, "MAD", "signed error"):
        one, other = (figure(found, "Simba", measure=name) for found in (whole, narrowed))
        assert (one.value, one.low, one.high, one.n) == (other.value, other.low, other.high, other.n), name
    people = table(odd, "ratings-by-dimension").rows[-1].figures
    assert people[0] == table(odd, "ratings-by-question").rows[0].figures[0]


def test_two_classes_are_two_whatever_stands_beside_them(odd):
    """Nine right of ten, on a question from 0 to 1 beside unused longer ones: macro-F1 is of two classes."""
    studied(odd, 1, ())
    polite = odd.question_types.get(slug="polite")
    people = list(odd.raters.filter(kind="human"))
    simba = odd.raters.get(name="Simba")
    for number, response in enumerate(odd.responses.order_by("pk")[:10]):
        for person in people:
            rate(response, person, polite, number % 2)
        rate(response, simba, polite, 1 if number == 0 else number % 2)
    found = table(odd, "judges-against-gold")
    # Zeros: 4 of 5 found, none too many. Ones: 5 of 5 found, one too many.
    assert figure(found, "Simba", measure="macro-F1").value == pytest.approx((8 / 9 + 10 / 11) / 2, abs=1e-12)


@pytest.mark.parametrize("people", [1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_of_several_scales_a_figure_is_the_mean_of_the_questions(odd, seed, people):
    studied(odd, seed, tuple(SCALES), people=people)
    whole = table(odd, "judges-against-gold")
    by_question = [table(odd, "judges-against-gold", question=name) for name in SCALES]
    for name in OVER_CLASSES:
        of_all = figure(whole, "Simba", measure=name)
        values = [figure(found, "Simba", measure=name).value for found in by_question]
        known = [value for value in values if value is not None]
        assert of_all.value == pytest.approx(np.mean(known), abs=1e-12), name
        assert (of_all.detail["questions"], of_all.detail["of_questions"]) == (len(known), 3)
        assert of_all.low < of_all.value < of_all.high
    for name in ("MAD", "signed error"):
        assert figure(whole, "Simba", measure=name).undefined == SEVERAL
        assert all(figure(found, "Simba", measure=name).value is not None for found in by_question)
    assert "mean of the figures" in whole.recipe.as_json()["settings"]["scales"]


def test_people_on_several_scales_agree_as_they_do_on_each(odd):
    studied(odd, 4, tuple(SCALES))
    of_questions = [row.figures[0].number for row in table(odd, "ratings-by-question").rows]
    acs = [row.figures[1].number for row in table(odd, "ratings-by-question").rows]
    [tone, everything] = table(odd, "ratings-by-dimension").rows
    for row in (tone, everything):
        alpha, ac, near, mean, spread, *_counts = row.figures
        assert alpha.value == pytest.approx(np.mean(of_questions), abs=1e-12)
        assert ac.value == pytest.approx(np.mean(acs), abs=1e-12)
        assert {near.undefined, mean.undefined, spread.undefined} == {SEVERAL}
    severities = table(odd, "raters", RATERS).rows
    assert {each.undefined for row in severities for each in row.figures[1:]} == {SEVERAL}


def test_nothing_is_added_up_over_several_scales(odd):
    studied(odd, 5, tuple(SCALES))
    Rater.objects.create(project=odd, kind="judge", name="Nala")
    for rating in Rating.objects.filter(rater__name="Simba"):
        rate(rating.response, odd.raters.get(name="Nala"), rating.question, rating.first_grade)
    found = {one.id: one for one in RATINGS.tables(odd)}
    assert {each.undefined for row in found["calibrated-grades"].rows for each in row.figures} >= {SEVERAL}
    assert {each.undefined for row in found["prediction-powered"].rows for each in row.figures} == {SEVERAL}
    compared = {row.labels[0]: row.figures for row in found["judges-compared"].rows}
    assert {each.undefined for each in compared["MAD"]} == {SEVERAL}
    alone = figure(found["judges-against-gold"], "Simba", measure="macro-F1")
    assert compared["macro-F1"][0].value == pytest.approx(alone.value, abs=1e-12)
    assert compared["macro-F1"][2].value == 0
    habits = {row.labels[1]: row.figures[0] for row in found["habits-in-rating"].rows}
    assert habits["leniency, in grades"].undefined == SEVERAL


def test_every_alpha_of_several_scales_is_computed_a_second_time(odd):
    studied(odd, 6, tuple(SCALES))
    compared = verified(RATINGS, odd, {})
    assert {one.table for one in compared} >= {"ratings-by-dimension", "judges-against-gold"}
    assert [one for one in compared if not one.agrees] == []


def predictions(n: int, wide: int) -> PredictionsByRater:
    """n predictions on a question from 0 to 1, and so many on one from 0 to 100."""
    generator = np.random.default_rng(3)
    is_wide = np.arange(n + wide) >= n
    truth = np.where(is_wide, generator.integers(0, 101, n + wide), generator.integers(0, 2, n + wide))
    columns: dict[str, Any] = {name: np.zeros(0) for name in COLUMNS}
    whole = np.arange(n + wide)
    columns |= {"item": whole, "prompt": whole, "truth": truth, "predicted": truth, "error": np.zeros(n + wide)}
    columns |= {"gold": truth.astype(float), "length": whole + 1, "question": is_wide + 1}
    columns |= {"lowest": 0 * whole, "highest": np.where(is_wide, 100, 1), "nominal": whole < 0}
    one = Predictions(**columns, planned=n + wide, scored=n + wide)
    return PredictionsByRater({1: one}, "excluded", "excluded")


def peak_of(n: int, wide: int) -> int:
    part = predictions(n, wide)
    tracemalloc.start()
    try:
        judged = Judged.of_each({1: [part.predictions[1]]}, part)[1]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert judged.by_name()["accuracy"].value == 1.0
    return peak


def test_a_scale_from_0_to_100_costs_what_is_rated_on_it():
    """Dense, a table of 101 classes for each of 20,000 predictions would be 20,000 x 101 x 102 x 8 bytes: 1.6 GB."""
    peak_of(10, 10)  # loads what it needs
    without, beside = peak_of(20_000, 0), peak_of(20_000, 100)
    assert without < 30_000_000
    assert beside < without + 20_000_000


# --- Grades without an order --------------------------------------------------------------------------

#: Which dialect each of three people names in each of eight responses, and what the judge Simba says.
DIALECTS = ((1, 1, 1), (2, 2, 2), (3, 3, 3), (1, 1, 3), (2, 2, 1), (3, 3, 3), (1, 2, 3), (1, 1, 1))
SIMBA = (1, 2, 3, 3, 2, 3, 1, 1)


@pytest.fixture
def dialects(odd):
    question = question_type(odd, "dialect", 1, 3)
    odd.question_types.filter(pk=question.pk).update(is_nominal=True)
    question.refresh_from_db()
    people = [Rater.objects.create(project=odd, kind="human", name=f"Person {n}") for n in range(3)]
    simba = Rater.objects.create(project=odd, kind="judge", name="Simba")
    for number, (named, said) in enumerate(zip(DIALECTS, SIMBA, strict=True)):
        response = add_response(odd, f"r{number}", f"Response number {number}", "ar-EG")
        for person, grade in zip(people, named, strict=True):
            rate(response, person, question, grade)
        rate(response, simba, question, said)
    return odd


def test_names_of_classes_have_an_alpha_and_no_distance(dialects):
    alpha, ac, *added_up = table(dialects, "ratings-by-dimension").rows[-1].figures[:5]
    # Of 8 x 6 ordered pairs in items 4 + 4 + 6 of three items differ: D_o = 14 / 2 / 24. Classes: 10, 6, 8 of 24.
    expected = 1 - (14 / 2 / 24) / ((24**2 - 10**2 - 6**2 - 8**2) / (24 * 23))
    assert alpha.value == pytest.approx(expected, abs=1e-12)
    # AC1: five items agree, two in one of three pairs; by chance half of what the three classes leave.
    observed, by_chance = (5 + 2 / 3) / 8, (1 - (10**2 + 6**2 + 8**2) / 24**2) / 2
    assert ac.value == pytest.approx((observed - by_chance) / (1 - by_chance), abs=1e-12)
    assert {figure.undefined for figure in added_up} == {"grades without an order"}
    found = table(dialects, "judges-against-gold")
    # The seventh response, of which all three differ, has no gold: six of seven are right.
    accuracy = figure(found, "Simba", measure="accuracy")
    assert (accuracy.value, accuracy.n) == (pytest.approx(6 / 7), 7)
    for name in ("quadratic kappa", "Spearman", "MAD", "signed error"):
        assert figure(found, "Simba", measure=name).undefined == "grades without an order", name
    assert figure(found, "Simba", measure="preference accuracy").undefined == "no items"


def test_every_alpha_of_names_is_computed_a_second_time(dialects):
    assert [one for one in verified(RATINGS, dialects, {}) if not one.agrees] == []


def test_the_database_keeps_the_order_of_what_was_rated(dialects):
    with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
        dialects.question_types.filter(slug="dialect").update(is_nominal=False)
    question_type(dialects, "better", None, None)
    with pytest.raises(IntegrityError, match="has_classes"), transaction.atomic():
        dialects.question_types.filter(slug="better").update(is_nominal=True)


# --- Headlines ----------------------------------------------------------------------------------------


def check_headlines(dashboard, project) -> None:
    for one in dashboard.tables(project):
        main = headline(one)
        if main is not None and main.figure.value is None:
            assert all(each.value is None for row in one.rows for each in row.figures), one.id
        assert "most often: undefined" not in one.summary, one.id
        assert "accuracy undefined" not in one.summary, one.id


@pytest.mark.parametrize("people", [0, 1, 2])
@pytest.mark.parametrize("asked", [(), ("polite",), tuple(SCALES)])
def test_no_headline_is_a_figure_without_value(odd, asked, people):
    """Also where nobody compared two responses, one person graded, or nobody did."""
    studied(odd, 7, asked, people=people, responses=4)
    check_headlines(RATINGS, odd)
    check_headlines(RATERS, odd)


def test_the_best_judge_is_named_by_what_is_known(odd):
    studied(odd, 8, ("formal",))
    found = table(odd, "judges-against-gold")
    assert found.summary.startswith("Simba grades as people do most often: macro-F1 0.")
    main = headline(found)
    assert main is not None
    assert found.measures[main.place] == "macro-F1"


@pytest.mark.parametrize("area", ["spans", "rubrics", "ratings"])
def test_no_headline_of_a_project_without_figures_is_one(project, area):
    """One marked response, or one judge that nobody can be compared with."""
    project.areas = [area]
    project.save(update_fields=["areas"])
    response = add_response(project, "r1", "Some words and a mistake", "ar-EG")
    mark(response, Rater.objects.create(project=project, kind="judge", name="Simba"), "mistake")
    for dashboard in areas()[area].dashboards:
        check_headlines(dashboard, project)


# --- Odder ones ---------------------------------------------------------------------------------------

#: Of each odd question its lowest and highest grade, what everybody gives (None: drawn), and whether it has no order.
ODD: dict[str, tuple[int, int, int | None, bool]] = {
    "below-zero": (-2, 2, None, False),
    "all-alike": (1, 5, 4, False),
    "0-100": (0, 100, None, False),
    "dialect": (1, 4, None, True),
}


def oddly_studied(project, asked: tuple[str, ...], responses: int, people: int = 3) -> None:
    """People and the judge Simba answer the odd questions that are asked; the question of judges alone only Simba."""
    generator = np.random.default_rng(11)
    raters = [Rater.objects.create(project=project, kind="human", name=f"Person {n}") for n in range(people)]
    simba = Rater.objects.create(project=project, kind="judge", name="Simba")
    of_judges = question_type(project, "of-judges", 1, 5)
    questions = {name: question_type(project, name, *ODD[name][:2]) for name in asked}
    project.question_types.filter(slug="dialect").update(is_nominal=True)
    for number in range(responses):
        response = add_response(project, f"réponse.{number}", f"استجابة {number}", "ar-EG")
        rate(response, simba, of_judges, 1 + number % 5)
        for name, question in questions.items():
            question.refresh_from_db()
            low, high, alike, _nominal = ODD[name]
            centre = int(generator.integers(low, high + 1))
            for rater in (*raters, simba):
                near = int(np.clip(centre + generator.integers(-1, 2), low, high))
                rate(response, rater, question, near if alike is None else alike)


ODD_PROJECTS = [*[(name,) for name in ODD], ("below-zero", "dialect"), tuple(ODD)]


@pytest.mark.parametrize("responses", [2, 12])
@pytest.mark.parametrize("asked", ODD_PROJECTS, ids=" and ".join)
def test_an_odd_project_has_the_figures_of_its_questions(odd, asked, responses):
    """Whatever else is asked, a question has the figures that it has where the page is narrowed to it; every interval
    holds its figure; and what only judges answered is in no comparison with people."""
    oddly_studied(odd, asked, responses)
    for dashboard in (RATINGS, RATERS):
        check_headlines(dashboard, odd)
        for one in dashboard.tables(odd):
            for each in (each for row in one.rows for each in row.figures):
                assert each.value is None or np.isfinite(each.value), one.id
                assert each.low is None or each.low <= each.number <= each.high, one.id
    whole, by_question = table(odd, "judges-against-gold"), table(odd, "ratings-by-question")
    of_questions = {row.labels[0].lower(): row.figures for row in by_question.rows}
    for name in asked:
        narrowed = table(odd, "judges-against-gold", question=name)
        alone = table(odd, "ratings-by-dimension", question=name).rows[-1].figures
        assert of_questions[name] == alone, name
        if len(asked) == 1:
            for measure in (*OVER_CLASSES, "MAD", "signed error"):
                one, other = (figure(found, "Simba", measure=measure) for found in (whole, narrowed))
                assert (one.value, one.low, one.high, one.n) == (other.value, other.low, other.high, other.n), measure
    assert "of-judges" not in of_questions
    of_judges = table(odd, "judges-against-gold", question="of-judges")
    assert {each.undefined for row in of_judges.rows for each in row.figures[:8]} <= {"no items"}
