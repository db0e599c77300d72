"""The dashboard of the generated study at the size of MENLO says what its paper says of ways of asking a judge."""

import pytest

from demo.studies.menlo_counts import JUDGED_WHOLLY
from reports.ratings.dashboard import RATINGS
from tests.demo.stories import Dashboard
from tests.standing import standing

pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.xdist_group("menlo at full size")]
POINTWISE, PAIRWISE = "one by one", "two by two"
PLAIN, SHOTS = "without examples", "with examples"
BARE, RUBRIC = "without rubric", "with rubric"
# Tables 3 and 4: macro-F1 and preference accuracy in percent, of GPT-4.1 and Qwen3-4B.
PUBLISHED = {
    "large-judge": {
        (POINTWISE, PLAIN, BARE): (22.26, 38.67),
        (POINTWISE, PLAIN, RUBRIC): (32.23, 41.73),
        (POINTWISE, SHOTS, RUBRIC): (33.84, 44.00),
        (PAIRWISE, PLAIN, BARE): (37.35, 56.96),
        (PAIRWISE, PLAIN, RUBRIC): (38.53, 59.23),
    },
    "small-judge": {
        (POINTWISE, PLAIN, BARE): (16.00, 33.52),
        (POINTWISE, PLAIN, RUBRIC): (23.06, 40.54),
        (POINTWISE, SHOTS, RUBRIC): (31.18, 39.35),
        (PAIRWISE, PLAIN, BARE): (32.74, 54.08),
        (PAIRWISE, PLAIN, RUBRIC): (35.46, 57.13),
    },
}


@pytest.fixture(scope="module")
def tables(menlo, django_db_blocker):
    with standing(django_db_blocker, lambda: RATINGS.tables(menlo)) as made:
        yield made


@pytest.fixture
def read(tables) -> Dashboard:
    return Dashboard(tables)


def of_setups(read: Dashboard, measure: str) -> dict[str, dict[tuple[str, ...], float]]:
    """In percent, by model and way of asking."""
    return {
        model: {way: 100 * read.values("judge-setups", measure, *way)[model] for way in ways}
        for model, ways in PUBLISHED.items()
    }


def test_every_way_of_asking_has_figures_near_the_published_ones(read):
    f1, preference = of_setups(read, "macro-F1"), of_setups(read, "preference accuracy")
    for model, ways in PUBLISHED.items():
        for way, published in ways.items():
            assert (f1[model][way], preference[model][way]) == pytest.approx(published, abs=7), (model, way)


def test_judges_gain_by_rubrics_by_examples_and_most_by_seeing_both_responses(read):
    f1, preference = of_setups(read, "macro-F1"), of_setups(read, "preference accuracy")
    for model, ways in PUBLISHED.items():
        in_published_order = sorted(ways, key=lambda way: ways[way][0])
        assert sorted(ways, key=f1[model].__getitem__) == in_published_order
        bare, plain, shots = ((POINTWISE, *how) for how in ((PLAIN, BARE), (PLAIN, RUBRIC), (SHOTS, RUBRIC)))
        side_by_side = (PAIRWISE, PLAIN, RUBRIC)
        assert preference[model][bare] < preference[model][plain]
        # Examples help grades, and preferences hardly; a second response helps both.
        assert preference[model][shots] - preference[model][plain] < 6
        assert preference[model][side_by_side] - preference[model][plain] > 10
        assert preference[model][side_by_side] - preference[model][shots] > 8
    assert all(f1["large-judge"][way] > f1["small-judge"][way] for way in PUBLISHED["large-judge"])


def test_what_is_shown_first_is_preferred_more_often(read):
    agreement, first = (
        read.values("judge-order", measure) for measure in ("positional agreement", "first-position rate")
    )
    assert len(agreement) == len(first) == 4
    assert all(0.5 < rate < 0.75 for rate in first.values())
    assert all(0.3 < share < 0.8 for share in agreement.values())
    for model in ("large", "small"):
        asked = f"Simulated {model} judge: pairwise, "
        assert agreement[asked + RUBRIC] > agreement[asked + BARE]


def test_judges_are_tested_in_place_of_people(read):
    """In the varieties that judges graded wholly, each rater shares fifty responses with others and a judge."""
    tests = read("alternative-annotator")
    assert len(tests.rows) == 10
    for row in tests.rows:
        rate, _advantage = row.figures
        assert rate.value is not None
        assert rate.n > 30 * len(JUDGED_WHOLLY)
    assert "No judge passes" in tests.summary


def test_the_tables_without_figures_are_those_that_the_study_has_no_data_for(read):
    """Judges were asked about what people graded: there is nothing that their grades could be carried over to."""
    assert read.empty == ["progress"]
    powered = read("prediction-powered")
    assert "no person graded" in powered.summary
    assert all(row.figures[0].value is None for row in powered.rows)
