"""Mona bookmarks an item, says that she is unsure and writes a note to herself: by key, by button, on a phone,
offline, in two tabs; and reads all of it again."""

import pytest
from playwright.sync_api import expect

from tests.frontend.application import at_item  # noqa: F401
from tests.frontend.settling import at_rest, until
from tests.people import add_response, signed_in
from tests.workflow.working import marking_stage
from workflow.claims import claim_next
from workflow.models import Assignment, Remark

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

STATE = "#save-state[data-state={}]"


@pytest.fixture
def stage(project):
    add_response(project, "long", "الكشري أكلة مصرية شعبية، والكشري بيتاكل على السحور. " * 4, "ar-EG")
    return marking_stage(project)


@pytest.fixture
def page_of(at_item, mona, stage):  # noqa: F811
    rater = mona.raters.get()
    rater.varieties.set([stage.items.first().variety])
    return lambda: at_item(mona, stage)


def remarks() -> tuple[bool, bool, str]:
    turn, remark = Assignment.objects.get(), Remark.objects.first() or Remark()
    return remark.bookmarked_at is not None, turn.is_unsure, remark.note


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def test_by_key_and_read_again(page_of):
    page = page_of()
    page.keyboard.press("k")
    # The key of U on an Arabic keyboard; and one that is part of a character that is being composed.
    page.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ع', code: 'KeyU', bubbles: true }))")
    page.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'u', code: 'KeyU', isComposing: true }))")
    expect(button(page, "Bookmark")).to_have_attribute("aria-pressed", "true")
    expect(button(page, "I am unsure")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("w")
    page.keyboard.type("اسأل كريم 🍲 ku")
    page.get_by_text("Only you read this.").wait_for()
    page.keyboard.press("Escape")
    page.wait_for_selector(STATE.format("saved"))
    until(page, lambda: remarks() == (True, True, "اسأل كريم 🍲 ku"))
    page.reload()
    page.wait_for_selector("html[data-span-editor=ready]")
    expect(button(page, "I am unsure")).to_have_attribute("aria-pressed", "true")
    button(page, "Bookmark").click()
    until(page, lambda: remarks() == (False, True, "اسأل كريم 🍲 ku"))
    button(page, "Note to yourself").click()
    expect(page.locator("#own-note")).to_have_value("اسأل كريم 🍲 ku")


def test_offline_they_wait_with_the_draft_and_outlive_a_reload(page_of):
    page = page_of()
    page.route("**/tasks/*/draft", lambda route: route.abort("internetdisconnected"))
    page.keyboard.press("u")
    page.keyboard.press("w")
    page.keyboard.type("later")
    page.keyboard.press("Escape")
    page.wait_for_selector(STATE.format("offline"))
    page.reload()
    page.wait_for_selector("html[data-span-editor=ready]")
    expect(button(page, "I am unsure")).to_have_attribute("aria-pressed", "true")
    assert remarks() == (False, False, "")
    page.unroute("**/tasks/*/draft")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    until(page, lambda: remarks() == (False, True, "later"))
    page.wait_for_selector(STATE.format("saved"))


def test_two_tabs_keep_what_each_said(page_of):
    page = page_of()
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("html[data-span-editor=ready]")
    for tab, words in ((page, "from the first"), (other, "from the second")):
        tab.keyboard.press("w")
        tab.keyboard.type(words)
        tab.keyboard.press("Escape")
        until(tab, lambda words=words: words in remarks()[2])
    page.keyboard.press("k")
    until(page, lambda: remarks()[0])
    other.keyboard.press("u")
    until(other, lambda: remarks() == (True, True, "from the first\n\nfrom the second"))
    # No dialog asks about drafts that say the same.
    assert page.locator("dialog[open]").count() == other.locator("dialog[open]").count() == 0


def test_an_item_that_is_only_read_can_be_bookmarked(page_of, mona, live_server):
    page = page_of()
    page.keyboard.press("u")
    page.keyboard.press("0")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/my-work/")
    assert remarks()[1]
    page.goto(f"{live_server.url}/tasks/{Assignment.objects.get().uuid}/")
    page.wait_for_selector("html[data-span-editor=ready]")
    expect(button(page, "I am unsure")).to_be_disabled()
    page.keyboard.press("u")
    page.route("**/remarks", lambda route: route.abort("internetdisconnected"))
    page.keyboard.press("k")
    page.get_by_text("Not saved yet.").wait_for()
    page.unroute("**/remarks")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    until(page, lambda: remarks() == (True, True, ""))
    page.get_by_text("Not saved yet.").wait_for(state="hidden")
    page.goto(f"{live_server.url}/p/feasts/my-work/remarks/")
    page.get_by_role("link", name="Question of long").click()
    page.get_by_text("Submitted").first.wait_for()


def test_on_a_phone_they_stand_behind_one_button(browser, bundle, mona, stage, live_server):
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    session = signed_in(mona).cookies["sessionid"].value
    context.add_cookies(
        [
            {"name": "sessionid", "value": session, "url": live_server.url},
            {"name": "django_language", "value": "ar", "url": live_server.url},
        ]
    )
    page = context.new_page()
    rater = mona.raters.get()
    rater.varieties.set([stage.items.first().variety])
    page.goto(f"{live_server.url}/tasks/{claim_next(rater, stage).uuid}/")
    page.wait_for_selector("html[data-span-editor=ready]")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    toolbar = page.locator("#span-toolbar").bounding_box()
    head = page.locator(".marking__head").bounding_box()
    assert toolbar["height"] + head["height"] <= 96
    page.locator(".remarks__more").tap()
    at_rest(page)
    box = page.locator(".remarks__all").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    page.locator(".remarks__all button").nth(1).tap()
    until(page, lambda: remarks()[1])
    assert not page.locator(".remarks__all").is_visible()
    context.close()
