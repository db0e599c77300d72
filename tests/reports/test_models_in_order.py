"""Target models in order: by people and by judges, worked out by hand."""

import math

import pytest
from scipy.stats import norm

from agreement.figures import Figure
from projects.models import Project, QuestionType, Rater, Response
from reports.dashboard.tables import Table, by_id
from reports.dashboard.wording import REASONS
from reports.ratings.dashboard import RATINGS
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.people import add_response
from tests.reports.reading import figure

pytestmark = pytest.mark.django_db

NILE, DELTA, OASIS = "Nile-7B", "Delta-9B", "Oasis-1B"


@pytest.fixture
def feasts(project):
    return make_ratings_project(project)


@pytest.fixture
def formality(feasts):
    return question_type(feasts)


@pytest.fixture
def mona(feasts):
    return Rater.objects.create(project=feasts, kind="human", name="Mona")


@pytest.fixture
def simba(feasts):
    return Rater.objects.create(project=feasts, kind="judge", name="Simba")


@pytest.fixture
def judged(feasts, formality, mona, simba):
    """Three pairs of Nile-7B and Delta-9B: grades by Mona, and by Simba in both orders."""
    by_simba = (((5, 3), (4, 4)), ((2, 4), (2, 3)), ((3, 4), (5, 3)))
    for number, (by_mona, (straight, swapped)) in enumerate(zip(((5, 3), (2, 4), (4, 3)), by_simba, strict=True)):
        pair = pair_of(feasts, f"p{number}", question=formality)
        rate(pair, mona, formality, *by_mona)
        rate(pair, simba, formality, *straight, is_of_both_orders=True)
        rate(pair, simba, formality, *swapped, is_of_both_orders=True, is_swapped=True)
    return feasts


def table(project: Project, table_id: str, **filters) -> Table:
    found = by_id(RATINGS.tables(project, filters=filters), table_id)
    assert found is not None, table_id
    return found


def of(found: Table, model: str, rater: str, measure: str) -> Figure:
    return figure(found, model, rater, measure=measure)


def responses(project: Project, question: QuestionType, key: str, *models: str, tag: str = "ar-EG") -> list[Response]:
    """Of several models to one prompt, which nobody put side by side."""
    made = [add_response(project, f"{key}-{model}", "اتفضل", tag, model) for model in models]
    made[0].prompt.question = question
    made[0].prompt.save(update_fields=["question"])
    Response.objects.filter(pk__in=[one.pk for one in made]).update(prompt=made[0].prompt_id)
    return [Response.objects.get(pk=one.pk) for one in made]


def test_each_model_by_people_and_by_a_judge(judged):
    found = table(judged, "models-by-rater")
    assert [row.labels for row in found.rows] == [
        (DELTA, "People"),
        (DELTA, "Simba"),
        (NILE, "People"),
        (NILE, "Simba"),
    ]
    # 5, 2, 4 and 3, 4, 3.
    assert of(found, NILE, "People", "mean grade").number == pytest.approx(11 / 3)
    assert of(found, DELTA, "People", "mean grade").number == pytest.approx(10 / 3)
    # 4.5, 2, 4 and 3.5 each time.
    assert of(found, NILE, "Simba", "mean grade").number == pytest.approx(3.5)
    assert of(found, DELTA, "Simba", "mean grade").number == pytest.approx(3.5)
    assert of(found, NILE, "People", "win rate").number == pytest.approx(2 / 3)
    assert of(found, DELTA, "People", "win rate").number == pytest.approx(1 / 3)
    # A win, a loss, and a win in one order that is a loss in the other.
    assert of(found, NILE, "Simba", "win rate").number == pytest.approx(1 / 2)
    # Both have as many responses, so the first of them is the baseline.
    assert of(found, DELTA, "People", "improvement").number == pytest.approx(100 * (10 / 11 - 1))
    assert of(found, NILE, "People", "improvement").number == 0
    assert of(found, NILE, "People", "significance group").undefined == "too few prompts"
    assert of(found, NILE, "Simba", "significance group").undefined == "told by people's grades alone"
    assert found.recipe.settings["baseline"] == NILE
    assert found.summary == "People give Nile-7B the highest mean grade, 3.67."


def test_the_baseline_may_be_chosen(judged):
    found = table(judged, "models-by-rater", model=DELTA)
    assert of(found, NILE, "People", "improvement").number == pytest.approx(10)
    assert of(found, NILE, "Simba", "improvement").number == pytest.approx(0)
    assert found.recipe.settings["baseline"] == DELTA


def test_a_judge_that_ties_what_people_order(judged):
    found = table(judged, "system-agreement")
    assert figure(found, "Simba", measure="pairwise accuracy").number == 0
    assert figure(found, "Simba", measure="tau-b").undefined == "no variation"
    # People's differences 2, -2, 1: T = 1 / 3. The judge's 1, -1.5, 0.5 add up to 0: p = 1/2.
    expected = 1 - abs(norm.cdf(-1 / 3) - 0.5)
    assert figure(found, "Simba", measure="soft pairwise accuracy").number == pytest.approx(expected)
    assert figure(found, "Simba", measure="target models").number == 2


def test_strengths(judged):
    found = table(judged, "strengths")
    # Two wins and a loss: odds of 2.
    assert of(found, NILE, "People", "strength").number == pytest.approx(math.log(2) / 2)
    assert of(found, DELTA, "People", "strength").number == pytest.approx(-math.log(2) / 2)
    # A win, a loss and a tie; as many ties as a win and a loss over two: v = 1.
    assert of(found, NILE, "Simba", "strength").number == pytest.approx(0, abs=1e-9)
    assert of(found, NILE, "Simba", "strength").detail["ties"] == pytest.approx(1)


def test_each_variety_has_its_order(feasts, formality, mona, simba):
    for tag, of_judge in (("ar-EG", (4, 2)), ("ar-IQ", (2, 4))):
        for number in range(2):
            pair = pair_of(feasts, f"{tag}{number}", tag=tag, question=formality)
            rate(pair, mona, formality, 5 - number, 3 - number)
            rate(pair, simba, formality, *of_judge)
    found = table(feasts, "system-agreement")
    said = {row.drill.get("variety", "all"): row.figures[:2] for row in found.rows}
    assert [figure.number for figure in said["ar-EG"]] == [1, 1]
    assert [figure.number for figure in said["ar-IQ"]] == [-1, 0]
    # Of both together the judge ties the two models.
    assert said["all"][1].number == 0


def test_groups_that_people_tell_apart(feasts, formality, mona):
    """Twelve prompts: the first two win in turn, by a grade; the third always has 1. Nobody put them side by side."""
    for number in range(12):
        texts = responses(feasts, formality, f"t{number}", NILE, DELTA, OASIS)
        for text, grade in zip(texts, ((5, 4, 1), (4, 5, 1))[number % 2], strict=True):
            rate(text, mona, formality, grade)
    found = table(feasts, "models-by-rater", model=OASIS)
    groups = {model: of(found, model, "People", "significance group").number for model in (NILE, DELTA, OASIS)}
    assert groups == {NILE: 1, DELTA: 1, OASIS: 2}
    # Six of twelve against the one, all of twelve against the other.
    assert of(found, NILE, "People", "win rate").number == pytest.approx(18 / 24)
    assert of(found, OASIS, "People", "win rate").number == 0
    assert of(found, NILE, "People", "improvement").number == pytest.approx(350)
    assert "stand above Oasis-1B and all below" in found.summary
    strengths = table(feasts, "strengths")
    assert {row.figures[0].undefined for row in strengths.rows} == {"some never lost to others"}


def test_models_that_never_met_have_no_strengths(feasts, formality, mona):
    for number, models in enumerate(((NILE, DELTA), (OASIS, "Dune-3B")) * 2):
        pair = pair_of(feasts, f"c{number}", question=formality, models=models)
        rate(pair, mona, formality, *((4, 3), (4, 3), (3, 4), (3, 4))[number])
    reasons = {row.figures[0].undefined for row in table(feasts, "strengths").rows}
    assert reasons == {"not connected"}


def test_wins_stand_where_grades_of_several_scales_make_no_mean(feasts, formality, mona, simba):
    polite = question_type(feasts, "polite", 0, 1)
    for number, (question, grades) in enumerate(((formality, (5, 3)), (polite, (1, 0)), (polite, (0, 1)))):
        pair = pair_of(feasts, f"s{number}", question=question)
        for rater in (mona, simba):
            rate(pair, rater, question, *grades)
    found = table(feasts, "models-by-rater")
    assert of(found, NILE, "People", "mean grade").undefined == "questions on different scales"
    assert of(found, NILE, "People", "win rate").number == pytest.approx(2 / 3)
    assert figure(table(feasts, "system-agreement"), "Simba", measure="tau-b").undefined == (
        "questions on different scales"
    )
    assert table(feasts, "models-by-rater", question="polite").rows[0].figures[0].number == 0.5


def test_stated_preferences_have_wins_and_no_means(feasts, mona):
    better = question_type(feasts, "better", None, None)
    for number, says in enumerate(("first", "first", "tie", "second")):
        rate(pair_of(feasts, f"b{number}", question=better), mona, better, None, preference=says)
    found = table(feasts, "models-by-rater")
    assert of(found, NILE, "People", "win rate").number == pytest.approx((1 + 1 + 0.5) / 4)
    assert of(found, NILE, "People", "mean grade").undefined == "no items"
    assert table(feasts, "strengths").rows[0].figures[0].value is not None


def test_every_reason_has_words(feasts, formality, mona, simba, judged):
    for table_id in ("models-by-rater", "system-agreement", "strengths"):
        for row in table(judged, table_id).rows:
            assert {one.undefined for one in row.figures} <= {None, *REASONS}


def test_one_model_alone_is_in_no_order(feasts, formality, mona, simba):
    for number in range(3):
        [text] = responses(feasts, formality, f"o{number}", NILE)
        rate(text, mona, formality, 3 + number % 2)
        rate(text, simba, formality, 4)
    found = table(feasts, "models-by-rater")
    assert of(found, NILE, "People", "mean grade").number == pytest.approx(10 / 3)
    assert of(found, NILE, "People", "win rate").undefined == "no items"
    assert figure(table(feasts, "system-agreement"), "Simba", measure="tau-b").undefined == "fewer than two systems"
    assert {row.figures[0].undefined for row in table(feasts, "strengths").rows} == {"no items"}


def test_names_of_grades_make_no_order(feasts, mona, simba):
    dialect = question_type(feasts, "dialect", 0, 2)
    QuestionType.objects.filter(pk=dialect.pk).update(is_nominal=True)
    for number in range(3):
        pair = pair_of(feasts, f"n{number}", question=dialect)
        for rater in (mona, simba):
            rate(pair, rater, dialect, number % 3, 1)
    for table_id in ("models-by-rater", "strengths"):
        found = table(feasts, table_id)
        assert found.rows == ()
        assert found.summary == "There are no grades with an order and no comparisons of target models yet."
    assert table(feasts, "system-agreement").rows == ()
