"""Mona at a wide screen: prompt and guidelines stand beside the text, and go when she does not need them."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from projects.guidelines import publish
from tests.frontend.settling import at_rest
from tests.frontend.task_screens import GUIDELINES, SCREENS, marking, open_item

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDE = {"width": 1280, "height": 800}
BOX = "(selector) => document.querySelector(selector).getBoundingClientRect().toJSON()"


@pytest.fixture
def wide(browser, bundle, live_server, project):
    project.guidelines = GUIDELINES
    project.save()
    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Security Policy" in said.text else None)
    yield page
    context.close()
    assert errors == []


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("screen", SCREENS)
def test_it_stands_beside_the_text_and_never_above_it(wide, live_server, project, mona, screen, language):
    make, ready, text = SCREENS[screen]
    page = at_rest(open_item(wide, live_server.url, mona, make(project), ready, language))
    drawer, judged = page.evaluate(BOX, "#drawer"), page.evaluate(BOX, text)
    beside = drawer["right"] <= judged["left"] or drawer["left"] >= judged["right"]
    assert beside, (drawer, judged)
    assert drawer["top"] < judged["bottom"]
    assert drawer["bottom"] <= WIDE["height"], "however long the guidelines are, they scroll by themselves"
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDE["width"]
    focus = page.evaluate("document.activeElement.id")
    page.locator(".tool--drawer").click()
    at_rest(page)
    assert not page.locator("#drawer").is_visible()
    closed = page.evaluate(BOX, text)
    assert closed["top"] <= judged["top"], "put away, it leaves no gap above the text"
    assert closed["width"] >= judged["width"]
    page.locator(".tool--drawer").click()
    at_rest(page)
    assert page.evaluate(BOX, text) == judged
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found] == []
    assert focus != "drawer", "an item begins in its text, not beside it"


def test_by_keyboard_in_and_out_again_and_as_it_was_left(wide, live_server, project, mona):
    stage = marking(project)
    page = at_rest(open_item(wide, live_server.url, mona, stage, "span-editor"))
    drawer, button = page.locator("#drawer"), page.locator(".tool--drawer")
    assert button.get_attribute("aria-expanded") == "true"
    page.locator("#span-text").focus()
    page.keyboard.press("d")
    assert not drawer.is_visible()
    assert button.get_attribute("aria-expanded") == "false"
    assert page.evaluate("document.activeElement.id") == "span-text", "whoever reads goes on reading"
    page.reload()
    page.wait_for_selector("html[data-span-editor=ready]")
    assert not drawer.is_visible(), "put away, it stays away on this device"
    page.locator("#span-text").focus()
    page.keyboard.press("d")
    assert page.evaluate("document.activeElement.id") == "drawer"
    # No trap: Tab goes through what is in it and on to the toolbar.
    for _step in range(12):
        page.keyboard.press("Tab")
        if not page.evaluate("document.querySelector('#drawer').contains(document.activeElement)"):
            break
    assert page.evaluate("document.activeElement.closest('#span-toolbar') !== null")
    assert drawer.is_visible(), "beside the text it stays when it is left"
    drawer.locator("summary").first.focus()
    page.keyboard.press("Escape")
    assert not drawer.is_visible()
    assert page.evaluate("document.activeElement.id") == "span-text", "back to where one was"


def test_as_it_was_left_is_each_persons_own(wide, live_server, project, mona, karim):
    stage = marking(project)
    page = at_rest(open_item(wide, live_server.url, mona, stage, "span-editor"))
    page.keyboard.press("d")
    assert not page.locator("#drawer").is_visible()
    page.context.clear_cookies()
    open_item(page, live_server.url, karim, stage, "span-editor")
    assert page.locator("#drawer").is_visible()


def test_what_is_new_in_the_guidelines_is_seen_though_it_was_put_away(wide, live_server, project, mona):
    stage = marking(project)
    page = open_item(wide, live_server.url, mona, stage, "span-editor")
    page.keyboard.press("d")
    publish(project, GUIDELINES, "Jokes are no errors.", None)
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 640})
        page.reload()
        page.wait_for_selector("html[data-span-editor=ready]")
        assert page.get_by_text("Jokes are no errors.").is_visible(), width
    page.get_by_role("button", name="Understood").click()
    page.get_by_text("Jokes are no errors.").wait_for(state="detached")
    page.reload()
    page.wait_for_selector("html[data-span-editor=ready]")
    assert not page.locator("#drawer").is_visible()
