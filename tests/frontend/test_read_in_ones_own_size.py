"""Mona reads larger, looser and narrower texts than they come, on every screen; nobody else on her device does."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.frontend.settling import at_rest
from tests.frontend.task_screens import SCREENS, marking, open_item

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LETTERS = """(place) => {
  const root = document.querySelector(place);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let text = walker.nextNode();
  while (text && (!text.data.trim() || !text.parentElement.offsetParent)) text = walker.nextNode();
  let wide = text.parentElement;
  while (wide !== root.parentElement && getComputedStyle(wide).maxInlineSize === 'none') wide = wide.parentElement;
  const { fontSize, lineHeight } = getComputedStyle(text.parentElement);
  return [parseFloat(fontSize), parseFloat(lineHeight) / parseFloat(fontSize),
    parseFloat(getComputedStyle(wide).maxInlineSize) || 0];
}"""


KEEP = """(kept) => {
  const person = document.querySelector("meta[name=person]").content;
  localStorage.setItem(`mizan-reading-${person}`, kept);
}"""


@pytest.fixture
def wide(browser, bundle):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Security Policy" in said.text else None)
    yield page
    context.close()
    assert errors == []


def choose(page: Page, **percent: int) -> None:
    """Sets parts of how texts are read in the menu of the bar."""
    page.get_by_role("button", name="Light or dark").click()
    for group, value in percent.items():
        label = group.replace("_", " ").capitalize()
        button = page.get_by_role("group", name=label).get_by_role("button", name=f"{value} %")
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")


@pytest.mark.parametrize("screen", SCREENS)
def test_what_is_judged_has_the_persons_own_size_line_height_and_width(wide, live_server, project, mona, screen):
    make, ready, text = SCREENS[screen]
    page = at_rest(open_item(wide, live_server.url, mona, make(project), ready))
    size, height, width = page.evaluate(LETTERS, text)
    assert width, "lines have an end"
    choose(page, text_size=140, line_height=125, line_width=75)
    expected = pytest.approx([size * 1.4, height * 1.25, width * 0.75], rel=0.01)
    assert page.evaluate(LETTERS, text) == expected
    page.reload()
    page.wait_for_selector(f"html[data-{ready}=ready]")
    assert page.evaluate(LETTERS, text) == expected, "remembered"


def test_it_is_each_persons_own_and_what_is_kept_wrongly_does_no_harm(wide, live_server, project, mona, karim):
    stage = marking(project)
    page = at_rest(open_item(wide, live_server.url, mona, stage, "span-editor"))
    usual = page.evaluate(LETTERS, "#span-text")
    choose(page, text_size=120)
    assert page.evaluate(LETTERS, "#span-text") != usual
    page.get_by_role("button", name="Light or dark").click()
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found] == []
    page.context.clear_cookies()
    open_item(page, live_server.url, karim, stage, "span-editor")
    assert page.evaluate(LETTERS, "#span-text") == usual
    for kept in ("{", "null", "7", '{"size": "wide", "leading": 100000, "width": -1}'):
        page.evaluate(KEEP, kept)
        page.reload()
        page.wait_for_selector("html[data-span-editor=ready]")
        assert page.evaluate(LETTERS, "#span-text") == usual, kept
