"""What people write in two communities, and how many errors the one records for each error of the other."""

import pytest

from projects.models import LanguageVariety, Rater
from reports.dashboard import wording
from reports.dashboard.tables import Table, by_id
from reports.rubrics.dashboard import RUBRICS
from tests.people import add_response
from tests.reports.reading import figure
from tests.rubrics.rubrics import frozen_rubric, graded, make_rubrics_project

pytestmark = pytest.mark.django_db

HALLUCINATION = "Hallucination"


@pytest.fixture
def communities(project):
    """Egypt: two rubrics by Farida, three errors in two responses. Iraq: one by Layth, with lighter criteria, and five
    errors in one response."""
    rubrics = make_rubrics_project(project)
    people = {}
    for name, tag in (("Farida", "ar-EG"), ("Layth", "ar-IQ")):
        people[name] = Rater.objects.create(project=project, kind="human", name=name)
        people[name].varieties.set(LanguageVariety.objects.filter(tag=tag))
    for key, tag, name, weights, errors in (
        ("bread", "ar-EG", "Farida", (10, 8), (-4, -2)),
        ("feast", "ar-EG", "Farida", (9, 7, 6), (-6,)),
        ("dates", "ar-IQ", "Layth", (3, 2, 2, 1), (-5, -5, -3, -2, -1)),
    ):
        response = add_response(rubrics, key, "It is eaten with broth.", tag)
        graded(response, people[name], frozen_rubric(response.prompt, people[name], weights), ["c1"], errors)
    return rubrics


def table(project, table_id: str, **filters) -> Table:
    found = by_id(RUBRICS.tables(project, filters=filters), table_id)
    assert found is not None, table_id
    return found


def test_criteria_are_counted_and_weighed_by_author_and_community(communities):
    found = table(communities, "criteria-authored")
    of = {row.labels: [one.number for one in row.figures] for row in found.rows}
    egypt, iraq = (LanguageVariety.objects.get(tag=tag).label for tag in ("ar-EG", "ar-IQ"))
    farida, layth = (Rater.objects.get(name=name).pseudonym for name in ("Farida", "Layth"))
    # Farida: 5 criteria in 2 rubrics, 40 points; 3 errors in 2 responses, which cost 12 points.
    assert of[egypt, farida] == pytest.approx([2, 2.5, 8, 2, 1.5, 4])
    # Layth: 4 criteria of 8 points; 5 errors of 16 points.
    assert of[iraq, layth] == pytest.approx([1, 4, 2, 1, 5, 3.2])
    assert of["All communities", "All authors"] == pytest.approx([3, 3, 48 / 9, 3, 8 / 3, 28 / 8])
    assert {row.drill.get("rater") for row in found.rows} == {farida, layth, None}


def test_a_ratio_of_rates_has_enough_digits_and_can_be_turned(communities):
    egypt, iraq = (LanguageVariety.objects.get(tag=tag).label for tag in ("ar-EG", "ar-IQ"))
    # 5 errors in one Iraqi response against 3 in two Egyptian ones: 500 / 150.
    found = table(communities, "failure-anchor")
    ratio, first, second = found.rows[0].figures
    assert found.rows[0].labels == (HALLUCINATION, iraq, egypt)
    assert (ratio.number, first.number, second.number) == pytest.approx((10 / 3, 500, 150))
    turned = table(communities, "failure-anchor", baseline="ar-IQ")
    assert turned.rows[0].labels == (HALLUCINATION, egypt, iraq)
    assert turned.rows[0].figures[0].number == pytest.approx(0.3)
    assert turned.recipe.settings["divided_by"] == "ar-IQ"
    assert turned.recipe.signature() != found.recipe.signature()
    assert "0.300" in turned.summary
    # The choice changes no other table, and the community that stands second anyway changes nothing.
    assert table(communities, "failure-types", baseline="ar-IQ").rows == table(communities, "failure-types").rows
    assert table(communities, "failure-anchor", baseline="ar-EG").rows == found.rows


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.7, "1.70"), (1 / 1.7, "0.588"), (12.345, "12.3"), (0, "0.00"), (250.4, "250"), (0.05, "0.0500")],
)
def test_a_ratio_is_written_with_three_digits_whichever_way_it_is_turned(value, text):
    assert wording.number(value, "ratio") == text


def test_longer_responses_may_earn_less_of_a_rubric(communities):
    # One error of one point for every doubling of the length, of ten points to earn.
    farida = Rater.objects.get(name="Farida")
    for number in range(1, 11):
        response = add_response(communities, f"r{number}", "a" * 2**number, "ar-EG", "Muse")
        graded(response, farida, frozen_rubric(response.prompt, farida, (10,)), ["c1"], (-number,))
    found = table(communities, "score-against-length")
    egypt = LanguageVariety.objects.get(tag="ar-EG").label
    assert figure(found, "Muse", egypt, measure="correlation").value == pytest.approx(-1.0)
    assert figure(found, "Muse", egypt, measure="change for twice the length").value == pytest.approx(-10.0)
    # 2 + 4 + ... + 1,024 characters of ten responses; 90 down to 0 percent.
    assert figure(found, "Muse", egypt, measure="mean characters").value == pytest.approx(204.6)
    assert figure(found, "Muse", egypt, measure="mean score").value == pytest.approx(45.0)
    assert found.chart == "scatter"
