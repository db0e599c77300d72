"""Authors differ on what errors of the source text cost: a project says it once, and every penalty follows."""

import pytest
from django.db import IntegrityError, transaction

from annotation.models import ErrorScheme, Span
from projects.models import AuditEvent
from reports.frames import scores
from reports.spans.dashboard import SPANS
from reports.verifying import verified
from tests.people import signed_in
from tests.preset_parts import set_points
from tests.reports.reading import figure, table

pytestmark = pytest.mark.django_db

PAGE = "/p/feasts/error-scheme/"
COST_NOTHING = {"source_errors": "nothing", "names": "Source issue\n\n Source error \nSource issue"}


@pytest.fixture
def weighed(project, answered):
    """Mona marks 5 and 5 points, the second an error of the source; Karim marks 1 of his own and Simba 2 and 2."""
    set_points(project, {"high": 5, "medium": 2, "low": 1})
    Span.objects.filter(pk=answered["popular"].pk).update(metadata={"category": "Source issue"})
    return answered


def mean_of_people(project) -> float:
    return figure(table(project, "penalties"), measure="mean penalty").number


def test_they_count_as_others_until_the_lead_says_otherwise(nour, project, weighed):
    assert mean_of_people(project) == pytest.approx((10 + 1) / 2)
    assert table(project, "penalties").recipe.settings["source_errors"] == "as others"
    assert signed_in(nour).post(PAGE, COST_NOTHING).status_code == 302
    found = table(project, "penalties")
    assert figure(found, measure="mean penalty").value == pytest.approx((5 + 1) / 2)
    assert found.recipe.settings["source_errors"] == "nothing"
    assert [one for one in verified(SPANS, project, {}) if not one.agrees] == []
    answers = scores(project)
    of_people = answers[(answers.measure == "penalty") & (answers.rater_kind == "human")]
    assert sorted(of_people.score) == [1, 5]
    # The judge is held against the mean of people, 3: it gives 4 points, so it is severe by 1.
    by_rater = {row.labels[0]: row.figures for row in table(project, "penalties-by-rater").rows}
    assert by_rater["Simba"][2].value == pytest.approx(-1)


def test_an_error_with_points_of_its_own_costs_nothing_either(project, weighed):
    Span.objects.filter(pk=weighed["popular"].pk).update(penalty=25)
    assert mean_of_people(project) == pytest.approx((5 + 25 + 1) / 2)
    ErrorScheme.objects.create(project=project, source_errors="nothing", source_categories=["Source issue"])
    assert mean_of_people(project) == pytest.approx((5 + 1) / 2)


def test_a_category_may_cost_points_of_its_own(project, weighed, thin):
    """Mona's 10 become 5 + 0.1: the first weight that fits counts, whatever the criticality of the error."""
    Span.objects.filter(pk=weighed["popular"].pk).update(category=thin)
    weights = [{"category": thin.slug, "criticality": "low", "points": 9}, {"category": thin.slug, "points": 0.1}]
    scheme = ErrorScheme.objects.create(project=project, weights=weights)
    assert mean_of_people(project) == pytest.approx((5 + 0.1 + 1) / 2)
    answers = scores(project)
    of_people = answers[(answers.measure == "penalty") & (answers.rater_kind == "human")]
    assert sorted(of_people.score) == [1, 5.1]
    scheme.weights = []
    scheme.save()
    assert mean_of_people(project) == pytest.approx((10 + 1) / 2)
    scheme.weights = weights
    scheme.save()
    Span.objects.filter(pk=weighed["popular"].pk).update(penalty=25)
    assert mean_of_people(project) == pytest.approx((5 + 25 + 1) / 2), "points that a rater gave go before"


@pytest.mark.parametrize("name", ["slug", "name"])
def test_a_category_of_the_project_is_named_by_either_of_its_names(project, weighed, thin, name):
    Span.objects.filter(pk=weighed["every night"].pk).update(category=thin)
    ErrorScheme.objects.create(project=project, source_errors="nothing", source_categories=[getattr(thin, name)])
    assert mean_of_people(project) == pytest.approx((10 + 0) / 2)


def test_which_categories_they_are_is_kept_and_on_record(nour, project):
    page = signed_in(nour).get(PAGE).content.decode()
    assert "Source issue\nSource error" in page
    signed_in(nour).post(PAGE, COST_NOTHING)
    scheme = ErrorScheme.objects.get(project=project)
    assert scheme.source_categories == ["Source issue", "Source error"]
    event = AuditEvent.objects.get(action="errors.scheme")
    assert event.detail == {"source_errors": "nothing", "names": ["Source issue", "Source error"]}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"source_errors": "nothing", "names": " \n"}, "Name the categories"),
        ({"source_errors": "half", "names": "Source issue"}, "half"),
        ({"source_errors": "nothing", "names": "\n".join(map(str, range(51)))}, "At most 50"),
        ({"source_errors": "nothing", "names": "x" * 121}, "at most 120"),
        ({"source_errors": "nothing", "names": "Source\x00issue"}, "Null characters"),
    ],
)
def test_what_cannot_be_is_refused_with_what_was_typed(nour, project, given, said):
    answer = signed_in(nour).post(PAGE, given)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not ErrorScheme.objects.exists()


def test_the_database_knows_two_choices(project):
    with pytest.raises(IntegrityError), transaction.atomic():
        ErrorScheme.objects.create(project=project, source_errors="half")
