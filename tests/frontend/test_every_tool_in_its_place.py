"""Mona at windows of many widths: every tool is in one line within its bar, keys are printed where they have room, and
handing in is in sight on her phone from the first moment."""

import pytest
from playwright.sync_api import Page

from tests.frontend.settling import at_rest
from tests.frontend.task_screens import GUIDELINES, SCREENS, marking, open_item
from tests.people import add_response
from tests.rubrics.in_the_browser import at_work, ready  # noqa: F401
from tests.rubrics.writing import authoring_stage
from tests.workflow.working import marking_stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = (1920, 1680, 1500, 1280, 1225, 1200, 980, 360)
PHONE = {"width": 360, "height": 640}
WORDY = ("bn", "ko")
# How far the tools stand out of their bar on either side, and how many lines they take.
TOOLS = """(bar) => { const { left, right } = bar.getBoundingClientRect();
  const boxes = [...bar.querySelectorAll('.tool')].map((tool) => tool.getBoundingClientRect())
    .filter(({ width }) => width);
  const lines = boxes.map(({ top, bottom }) => (top + bottom) / 2);
  return { out: Math.max(...boxes.map((box) => Math.max(left - box.left, box.right - right))),
    spread: Math.max(...lines) - Math.min(...lines) }; }"""
KEYS = ".tool .key-cap"
BOX = "(one) => one.getBoundingClientRect().toJSON()"


def bar_of(page: Page):
    return page.locator(".marking__toolbar, .rating__toolbar").first


@pytest.mark.parametrize("language", WORDY)
@pytest.mark.parametrize("screen", SCREENS)
def test_tools_stand_in_one_line_within_their_bar(page, bundle, live_server, project, mona, screen, language):
    project.guidelines = GUIDELINES
    project.save()
    make, is_ready, _text = SCREENS[screen]
    open_item(page, live_server.url, mona, make(project), is_ready, language)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        at_rest(page)
        seen = bar_of(page).evaluate(TOOLS)
        assert seen["out"] <= 0.5, (width, seen)
        assert seen["spread"] < 12, (width, seen)


def test_a_text_with_markdown_has_one_tool_more_and_keeps_it_within_the_bar(page, bundle, live_server, project, mona):
    project.guidelines = GUIDELINES
    project.save()
    add_response(project, "formatted", "**Koshari**\n\n- rice\n- lentils", "ar-EG")
    open_item(page, live_server.url, mona, marking_stage(project), "span-editor", "bn")
    assert page.locator(".tool--plain").is_visible()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        at_rest(page)
        seen = bar_of(page).evaluate(TOOLS)
        assert seen["out"] <= 0.5, (width, seen)


def test_keys_are_printed_as_soon_as_they_have_room(page, bundle, live_server, project, mona):
    project.guidelines = GUIDELINES
    project.save()
    page.set_viewport_size({"width": 1280, "height": 800})
    open_item(page, live_server.url, mona, marking(project), "span-editor")
    assert not bar_of(page).locator(KEYS).first.is_visible(), "three columns: the text keeps its room"
    page.locator("#span-text").focus()
    page.keyboard.press("d")
    at_rest(page)
    assert bar_of(page).locator(KEYS).first.is_visible(), "two columns: there is room for the keys"
    assert bar_of(page).evaluate(TOOLS)["out"] <= 0.5


@pytest.mark.parametrize("language", WORDY)
def test_neither_tools_nor_text_move_when_the_connection_is_gone(page, bundle, live_server, project, mona, language):
    project.guidelines = GUIDELINES
    project.save()
    open_item(page, live_server.url, mona, marking(project), "span-editor", language)
    widths = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        at_rest(page)
        widths[width] = [page.locator("#span-text").evaluate(BOX), bar_of(page).evaluate(BOX)]
    page.context.set_offline(True)
    page.locator("#span-text").focus()
    page.keyboard.press("0")
    page.wait_for_selector("#save-state[data-state=offline]")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        at_rest(page)
        text, bar = page.locator("#span-text").evaluate(BOX), bar_of(page).evaluate(BOX)
        assert [text["top"], bar["height"]] == [widths[width][0]["top"], widths[width][1]["height"]], width
        told = page.locator("#save-state").evaluate(BOX)
        assert told["height"] <= 44, (width, "what is wrong is a line or two, not a column of words")
        assert told["left"] >= bar["left"] - 0.5
        assert told["right"] <= bar["right"] + 0.5
    page.context.set_offline(False)


def test_handing_in_is_in_sight_on_a_phone(browser, bundle, live_server, project, mona):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = at_rest(open_item(context.new_page(), live_server.url, mona, marking(project), "span-editor", "ar"))
    submit = page.locator(".panel__actions .btn-primary").evaluate(BOX)
    assert submit["top"] > 0
    assert submit["bottom"] <= PHONE["height"]
    # What ends the page is read above the bar, not under it.
    page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
    at_rest(page)
    last = page.locator(".panel__more").evaluate(BOX)
    assert last["bottom"] <= submit["top"]
    # The form of a mark lies over the bar.
    page.locator("#span-text").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    at_rest(page)
    form = page.locator(".span-form").evaluate(BOX)
    assert form["bottom"] == PHONE["height"]
    assert page.locator(".panel__actions .btn-primary").evaluate(
        "(button) => { const { x, y, width, height } = button.getBoundingClientRect();"
        " return document.elementFromPoint(x + width / 2, y + height / 2).closest('.span-form') !== null; }"
    )
    context.close()


def test_the_bars_begin_where_the_page_does(page, bundle, live_server, project, nour, at_work):  # noqa: F811
    add_response(project, "one", "text", "ar-EG")
    page = at_work(nour, f"/p/{project.slug}/stages/")
    for width in (360, 1280, 1600, 2200):
        page.set_viewport_size({"width": width, "height": 800})
        at_rest(page)
        places = (".topbar__brand", ".project-bar__name", "h1")
        edges = [page.locator(each).first.evaluate(BOX)["x"] for each in places]
        assert max(edges) - min(edges) < 1, (width, edges)


def test_the_guidelines_stand_beside_what_an_author_writes(at_work, project, salma):  # noqa: F811
    project.guidelines = GUIDELINES
    project.save()
    stage = authoring_stage(project)
    page = at_work(salma, f"/p/feasts/stages/{stage.pk}/begin/")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("radio").first.check()
    page.get_by_role("button", name="Begin").first.click()
    at_rest(ready(page))
    drawer, steps = page.locator("#drawer"), page.locator("#authoring-steps")
    beside, written = drawer.evaluate(BOX), steps.evaluate(BOX)
    assert beside["left"] >= written["right"], "beside it, never above it"
    assert beside["bottom"] <= 800
    page.locator("h2").first.focus()
    page.keyboard.press("d")
    at_rest(page)
    assert not drawer.is_visible()
    closed = steps.evaluate(BOX)
    assert closed["width"] > written["width"]
    assert closed["top"] == written["top"]
    # On a phone it is a sheet that comes when it is asked for.
    page.set_viewport_size(PHONE)
    at_rest(page)
    assert not drawer.is_visible()
    page.locator(".tool--drawer").click()
    at_rest(page)
    sheet = drawer.evaluate(BOX)
    assert sheet["bottom"] == PHONE["height"]
    page.keyboard.press("Escape")
    assert not drawer.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
