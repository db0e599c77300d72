"""A study of MQM set up in one choice, in a real browser: a category of the published typology, a severity, and nothing
that the paper does not ask for; the error then costs what the paper says."""

import pytest

from annotation.models import Span
from projects.creation import create_project
from projects.models import Project, Vocabulary
from projects.vocabularies import words
from tests.frontend.application import at_item  # noqa: F401
from tests.people import EGYPTIAN, add_response, join, person
from workflow.planning import plan_items

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_mistranslation_is_marked_by_category_and_severity_alone(at_item, db):  # noqa: F811
    study = create_project(Project(slug="mqm", name="Translations", preset="mqm"), None)
    add_response(study, "koshari", EGYPTIAN, "ar-EG")
    stage = study.stages.get()
    plan_items(stage)
    page = at_item(join(person("mona@x.org", "Mona Adel"), study, "annotator", varieties=("ar-EG",)), stage)
    page.focus("#span-text")
    for key in ("Enter", "Enter", "2"):  # of critical, major, minor and neutral the second
        page.keyboard.press(key)
    page.select_option("#span-category", label="Accuracy/Mistranslation")
    assert page.locator("#span-score-grade").count() == 0
    assert page.locator("#span-explanation").get_attribute("aria-required") == "false"
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/my-work/")
    span = Span.objects.select_related("category").get()
    assert (span.category.name, span.criticality, span.explanation) == ("Accuracy/Mistranslation", "major", "")
    assert words(study, Vocabulary.CRITICALITY).points[span.criticality] == 5  # Freitag et al. 2021, table 4
