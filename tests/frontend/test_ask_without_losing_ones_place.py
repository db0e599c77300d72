"""Mona asks about an item by a key, goes on where she was, and finds the question sent."""

import pytest
from playwright.sync_api import expect

from tests.frontend.application import at_item  # noqa: F401
from tests.workflow.working import marking_stage
from workflow.models import ItemQuestion

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_key_opens_the_field_and_escape_goes_back_to_the_text(at_item, mona, project, koshari):  # noqa: F811
    page = at_item(mona, marking_stage(project))
    page.focus("#span-text")
    page.keyboard.press("q")
    field = page.locator(".ask textarea")
    field.wait_for()
    expect(field).to_be_focused()
    page.keyboard.type("هل هذا خطأ؟ 1 5 q")  # no key of the screen is one while she writes
    assert page.locator("[data-span]").count() == 0
    page.keyboard.press("Escape")
    expect(page.locator(".ask[open]")).to_have_count(0)
    assert page.evaluate("document.activeElement.id") == "span-text"
    page.keyboard.press("q")
    expect(field).to_be_focused()
    assert field.input_value() == "هل هذا خطأ؟ 1 5 q"
    page.get_by_role("button", name="Send the question").click()
    page.locator(".ask [role=status]").wait_for()
    assert ItemQuestion.objects.get().text == "هل هذا خطأ؟ 1 5 q"


def test_the_list_of_keys_names_it(at_item, mona, project, koshari):  # noqa: F811
    page = at_item(mona, marking_stage(project))
    page.focus("#span-text")
    page.keyboard.press("?")
    assert "Ask about this item" in page.locator("dialog[open]").inner_text()
