"""Mona gives acts keys of her own by pressing them, in English and in Arabic: what runs, what buttons say and what the
help prints is what she set."""

import pytest
from playwright.sync_api import expect

from tests.frontend.application import at_item  # noqa: F401
from tests.frontend.settling import until
from tests.people import add_response, signed_in
from tests.workflow.working import marking_stage
from workflow.models import Assignment, OwnKeys

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("language", ["en", "ar"])
def test_by_pressing_them(language, at_item, mona, project, live_server, page):  # noqa: F811
    add_response(project, "long", "الكشري أكلة مصرية شعبية، والكشري بيتاكل على السحور. " * 4, "ar-EG")
    stage = marking_stage(project)
    mona.raters.get().varieties.set([stage.items.first().variety])
    session = signed_in(mona).cookies["sessionid"].value
    cookies = {"sessionid": session, "django_language": language}
    page.context.add_cookies(
        [{"name": name, "value": value, "url": live_server.url} for name, value in cookies.items()]
    )
    page.goto(f"{live_server.url}/keys/")
    field = page.locator("#key-everywhere-unsure")
    expect(field).to_have_value("U")

    # A key of the browser, then one that another act has: refused beside the field, which keeps what was pressed.
    field.focus()
    page.keyboard.press("F10")
    expect(page.locator("#refused")).to_be_visible()
    expect(field).to_have_value("F10")
    field.focus()
    page.keyboard.press("k")
    expect(field).to_have_value("K")
    expect(page.locator("#refused")).to_be_visible()
    assert not OwnKeys.objects.filter(keys__has_key="everywhere").exists()

    # The key of J on an Arabic keyboard; one that is part of a character being composed is none.
    press = (
        "(field, more) => field.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, cancelable: true, ...more}))"
    )
    field.evaluate(press, {"key": "ت", "code": "KeyJ", "isComposing": True})
    expect(field).to_have_value("K")
    with page.expect_navigation():
        field.evaluate(press, {"key": "ت", "code": "KeyJ"})
    expect(page.locator("#key-everywhere-unsure")).to_have_value("J")
    assert OwnKeys.objects.get().keys == {"everywhere": {"unsure": "J"}}

    # A sign by the key that carries it, a function key by itself.
    with page.expect_navigation():
        page.locator("#key-spans-letters").evaluate(press, {"key": "ج", "code": "BracketLeft"})
    with page.expect_navigation():
        page.locator("#key-spans-missing").press("F8")
    expect(page.locator("#key-spans-letters")).to_have_value("[")
    # Digits choose on this screen: refused by what they do there.
    page.locator("#key-spans-letters").press("1")
    expect(page.locator("#refused")).to_be_visible()
    assert OwnKeys.objects.get().keys["spans"] == {"letters": "[", "missing": "F8"}

    at_item(mona, stage)
    button = page.locator(".remarks__all button").nth(1)
    expect(button).to_have_attribute("aria-keyshortcuts", "J")
    expect(button.locator("kbd")).to_have_text("J")
    page.keyboard.press("u")
    page.keyboard.press("j")
    expect(button).to_have_attribute("aria-pressed", "true")
    until(page, lambda: Assignment.objects.filter(is_unsure=True).exists())
    of_letters = page.locator("button[aria-keyshortcuts='[']")
    expect(of_letters).to_have_attribute("aria-pressed", "false")
    page.locator("body").evaluate(press, {"key": "ج", "code": "BracketLeft", "isComposing": True})
    expect(of_letters).to_have_attribute("aria-pressed", "false")
    page.locator("body").evaluate(press, {"key": "ج", "code": "BracketLeft"})
    expect(of_letters).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("[")
    expect(of_letters).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("F8")
    expect(page.locator("dialog[open]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.keyboard.press("?")
    keys = page.locator("dialog[open] .keys-table kbd").all_inner_texts()
    assert {"J", "[", "F8"} <= set(keys)
    assert not {"U", "L", "M"} & set(keys)
    assert page.locator("dialog[open] a[href='/keys/']").count() == 1
