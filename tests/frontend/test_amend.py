"""Mona takes back what she submitted, as long as nobody has built on it; then she is told why she cannot."""

import pytest

from annotation.models import Marking, Review, Span
from tests.frontend.application import at_item  # noqa: F401
from tests.workflow.working import marking_stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
READY = "html[data-span-editor=ready]"


@pytest.fixture
def submitted(at_item, mona, project, koshari):  # noqa: F811
    """Mona's page of the item she has just submitted: one mark on its first word."""
    page = at_item(mona, marking_stage(project))
    item = page.url
    page.focus("#span-text")
    for key in ("ArrowLeft", "Enter", "Enter", "1", "5"):
        page.keyboard.press(key)
    page.keyboard.type("Koshari is not the point here.")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/my-work/")
    page.goto(item)
    page.wait_for_selector(READY)
    return page


def test_mona_amends_her_answer_and_submits_it_again(submitted):
    page = submitted
    before = Span.objects.get()
    assert page.locator("#span-toolbar #save-state").count() == 0  # read-only: nothing to save
    page.get_by_role("button", name="Amend").click()
    page.wait_for_selector(READY)
    assert not Marking.objects.exists()
    page.locator("[data-span]").click()
    assert page.input_value("#span-explanation") == before.explanation
    page.fill("#span-explanation", "It is a lunch.")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/p/feasts/my-work/")
    assert Span.objects.get().explanation == "It is a lunch."


def test_an_answer_that_karim_has_reviewed_says_why_it_stays(submitted, karim):
    Review.objects.create(span=Span.objects.get(), rater=karim.raters.get(), verdict="keep")
    submitted.reload()
    assert "Others have begun to work with your answer" in submitted.locator(".notice--finished").inner_text()
    assert submitted.get_by_role("button", name="Amend").count() == 0
