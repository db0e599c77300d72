"""Mona works on her phone: on every task screen the text begins at once, and stays where it is whatever she decides."""

import pytest

from tests.frontend.settling import at_rest
from tests.frontend.task_screens import GUIDELINES, SCREENS, open_item
from workflow.models import Draft

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 360, "height": 640}
LANGUAGES = ("en", "ar", "bn", "ko")
# Where the text is, and how far anything that can be scrolled around it has been.
WHERE = """(text) => [scrollY, document.querySelector(text).getBoundingClientRect().top,
  document.querySelector(text).scrollTop]"""
SIDEWAYS = "document.documentElement.scrollWidth"
SAVED = "#save-state[data-state=saved]"
VISIBLE = "(selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility()).length"

# What is tapped to decide, and the cards of which one is in front: by screen.
VERDICTS = {
    "reviewing": (".review-verdicts .choice", ".review-card"),
    "grading": (".grade-card .choice", ".grade-card"),
    "rating a pair": (".answer .choice", "#rate-panel .answer"),
    "rating one": (".answer .choice", "#rate-panel .answer"),
    "a questionnaire": (".answer .choice", "#rate-panel .answer"),
    "scoring an answer": (".answer .choice", ".answer"),
}


@pytest.fixture
def phone(browser, bundle, live_server):
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Security Policy" in said.text else None)
    yield page
    context.close()
    assert errors == []


@pytest.mark.parametrize("screen", SCREENS)
def test_the_text_begins_at_once_and_stays(phone, live_server, project, mona, screen):
    project.guidelines = GUIDELINES
    project.save()
    make, ready, text = SCREENS[screen]
    stage = make(project)
    for language in LANGUAGES:
        page = at_rest(open_item(phone, live_server.url, mona, stage, ready, language))
        assert page.evaluate("document.documentElement.lang") == language
        assert page.evaluate("scrollY") == 0
        top = page.evaluate(WHERE, text)[1]
        assert 0 < top <= 96, (language, top)
        assert page.evaluate(SIDEWAYS) <= PHONE["width"], language
        assert page.locator("main kbd").filter(visible=True).all_inner_texts() == [], "no keyboard, no key"
        if screen in VERDICTS:
            seen = decide(page, text, *VERDICTS[screen])
            if page.locator(VERDICTS[screen][1]).count() > 1:
                assert seen[:2] == [0, 1], "the next card came to the front"
            page.wait_for_selector(SAVED)
            page.goto("about:blank")
            Draft.objects.all().delete()


def decide(page, text: str, choice: str, card: str) -> list[int]:
    """Three verdicts by finger, the text scrolled a little: nothing moves, and one card is in front at a
    time. Returns which."""
    page.evaluate("scrollTo({ top: 40, behavior: 'instant' })")
    before = page.evaluate(WHERE, text)
    seen = []
    for _verdict in range(3):
        assert page.evaluate(VISIBLE, card) == 1
        front = page.locator(card).filter(visible=True)
        seen.append(front.evaluate("(one, all) => [...document.querySelectorAll(all)].indexOf(one)", card))
        page.locator(choice).filter(visible=True).first.tap()
        at_rest(page)
        assert page.evaluate(WHERE, text) == before
        assert page.evaluate(SIDEWAYS) <= PHONE["width"]
    return seen


@pytest.mark.parametrize("screen", ["localising", "checking a question"])
def test_what_is_written_stands_below_the_text_a_section_at_a_time(phone, live_server, project, mona, screen):
    make, ready, text = SCREENS[screen]
    page = at_rest(open_item(phone, live_server.url, mona, make(project), ready, "ar"))
    before = page.evaluate(WHERE, text)
    sections = ".panel-sheet--sections > section"
    assert page.evaluate(VISIBLE, sections) == 1
    page.locator("textarea").filter(visible=True).first.fill("أكلة مصرية 🍲")
    assert page.evaluate(WHERE, text) == before
    if page.locator(sections).count() > 1:
        first = page.locator(sections).filter(visible=True).get_attribute("aria-label")
        page.locator(".panel-sheet__steps button").last.tap()
        assert page.evaluate(VISIBLE, sections) == 1
        assert page.locator(sections).filter(visible=True).get_attribute("aria-label") != first
        assert page.evaluate(WHERE, text) == before


@pytest.mark.parametrize("screen", SCREENS)
def test_what_belongs_to_the_text_is_a_sheet_that_closes_again(phone, live_server, project, mona, screen):
    project.guidelines = GUIDELINES
    project.save()
    make, ready, text = SCREENS[screen]
    page = at_rest(open_item(phone, live_server.url, mona, make(project), ready))
    before = page.evaluate(WHERE, text)
    drawer, button = page.locator("#drawer"), page.locator(".tool--drawer")
    assert not drawer.is_visible()
    assert button.get_attribute("aria-expanded") == "false"
    button.tap()
    at_rest(page)
    assert drawer.is_visible()
    assert page.evaluate("document.activeElement.id") == "drawer"
    assert drawer.get_by_text("Guidelines").first.is_visible()
    box = drawer.bounding_box()
    assert box["y"] + box["height"] == PHONE["height"]
    assert page.evaluate(WHERE, text) == before
    assert page.evaluate(SIDEWAYS) <= PHONE["width"]
    drawer.get_by_role("button", name="Close").tap()
    assert not drawer.is_visible()
    assert page.evaluate(WHERE, text) == before
    button.tap()
    page.keyboard.press("Escape")
    assert not drawer.is_visible()
    assert page.evaluate("document.activeElement.className").find("tool--drawer") >= 0, "back where one came from"
    button.tap()
    page.touchscreen.tap(180, 20)  # beside the sheet
    assert not drawer.is_visible()
