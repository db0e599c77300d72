"""What the shipped presets say is what their papers say."""

import pytest

from agreement import mqm
from annotation.error_scheme import weighted
from annotation.models import ErrorCategory
from projects.creation import create_project
from projects.models import Project, Rater, Vocabulary
from projects.vocabularies import words
from tests.annotation.marked import mark
from tests.people import EGYPTIAN, add_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def translations(db) -> Project:
    return create_project(Project(slug="mqm", name="Translations", preset="mqm"), None)


def test_every_error_of_mqm_costs_what_the_published_table_says(translations):
    """Freitag et al. 2021, table 4, errors of the source for nothing: all 22 categories in three severities."""
    response = add_response(translations, "t1", EGYPTIAN, "ar-EG")
    scheme = translations.error_scheme
    points = words(translations, Vocabulary.CRITICALITY).points
    cost, expected = {}, {}
    for category in ErrorCategory.objects.filter(project=translations):
        for severity in ("major", "minor", "neutral"):
            rater = Rater.objects.create(project=translations, kind="human", name=f"{category.slug}-{severity}")
            [span] = mark(response, rater, "الكشري", category=category, criticality=severity, error_type="")
            is_free = category.slug in scheme.source_categories and scheme.source_errors == mqm.NOTHING
            own = weighted(translations, response.spans.filter(pk=span.pk)).get(span.pk)
            cost[category.name, severity] = 0.0 if is_free else points[severity] if own is None else own
            expected[category.name, severity] = mqm.weight(category.name, severity, mqm.NOTHING)
    assert len(cost) == 66
    assert cost == expected


def test_mqm_has_no_types_of_error_and_esa_neither(translations):
    """Nothing is asked that the papers do not ask."""
    assert [label.slug for label in words(translations, Vocabulary.CRITICALITY).offered] == [
        *("critical", "major", "minor", "neutral"),
    ]
    esa = create_project(Project(slug="esa", name="ESA", preset="esa"), None)
    for project in (translations, esa):
        assert not words(project, Vocabulary.ERROR_TYPE)


def test_esa_asks_for_marks_and_a_score_of_the_same_response():
    """Kocmi et al. 2024: two severities, and one number from 0 to 100."""
    project = create_project(Project(slug="esa", name="ESA", preset="esa"), None)
    assert project.areas == ["spans", "ratings"]
    question = project.question_types.get()
    assert list(project.stages.values_list("kind", "scored_on", "layout")) == [("spans", question.pk, "beside")]
    assert (question.lowest, question.highest) == (0, 100)
    assert list(project.labels.values_list("slug", flat=True)) == ["major", "minor"]
