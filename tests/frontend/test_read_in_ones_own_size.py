"""Mona reads larger, looser and narrower texts than they come, on every screen; nobody else on her device does."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from screening.models import Quiz, QuizQuestion
from screening.quiz.taking import begin
from tests.frontend.settling import at_rest, until
from tests.frontend.task_screens import SCREENS, marking, open_item
from tests.people import signed_in
from tests.screening.quizzes import open_up
from workflow.models import OwnReading

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


def device(browser, url: str, person, **options) -> Page:
    """A device of the person's on which nothing is kept yet."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}, **options).new_page()
    page.context.add_cookies([{"name": "sessionid", "value": signed_in(person).cookies["sessionid"].value, "url": url}])
    return page


SEEN_FIRST = """addEventListener("DOMContentLoaded", () => {
  window.seenFirst = getComputedStyle(document.documentElement).getPropertyValue("--own-size");
})"""


def test_it_follows_to_another_device_before_anything_is_painted(wide, browser, live_server, project, mona):
    stage = marking(project)
    page = at_rest(open_item(wide, live_server.url, mona, stage, "span-editor"))
    choose(page, text_size=140, line_width=75)
    until(page, lambda: OwnReading.objects.filter(user=mona, size=140, leading=100, width=75).exists())
    expected = page.evaluate(LETTERS, "#span-text")
    other = device(browser, live_server.url, mona)
    other.add_init_script(SEEN_FIRST)
    other.goto(page.url)
    other.wait_for_selector("html[data-span-editor=ready]")
    assert other.evaluate("Number(window.seenFirst)") == 1.4
    assert other.evaluate(LETTERS, "#span-text") == expected
    # What is set there is true here with the next page, and what no server heard is told by the next page that can.
    OwnReading.objects.filter(user=mona).update(size=85)
    page.reload()
    page.wait_for_selector("html[data-span-editor=ready]")
    assert page.evaluate("document.documentElement.style.getPropertyValue('--own-size')") == "0.85"
    page.route("**/reading/", lambda route: route.abort())
    choose(page, text_size=120)
    page.unroute("**/reading/")
    assert OwnReading.objects.get(user=mona).size == 85
    page.reload()
    page.wait_for_selector("html[data-span-editor=ready]")
    assert page.evaluate("document.documentElement.style.getPropertyValue('--own-size')") == "1.2"
    until(page, lambda: OwnReading.objects.get(user=mona).size == 120)
    other.context.close()


def test_each_tab_and_device_tells_its_own_parts(wide, browser, live_server, project, mona):
    stage = marking(project)
    page = at_rest(open_item(wide, live_server.url, mona, stage, "span-editor"))
    tab = page.context.new_page()
    other = device(browser, live_server.url, mona)
    for each in (tab, other):
        each.goto(page.url)
        each.wait_for_selector("html[data-span-editor=ready]")
    choose(page, text_size=140)
    until(page, lambda: OwnReading.objects.filter(user=mona, size=140, leading=100, width=100).exists())
    choose(other, line_height=125)
    until(page, lambda: OwnReading.objects.filter(user=mona, size=140, leading=125, width=100).exists())
    # Two tabs that no server hears: the next page tells what each of them set.
    page.context.route("**/reading/", lambda route: route.abort())
    choose(page, text_size=120)
    choose(tab, line_width=75)
    page.context.unroute("**/reading/")
    page.reload()
    until(page, lambda: OwnReading.objects.filter(user=mona, size=120, leading=125, width=75).exists())
    other.context.close()


def test_on_a_phone_it_is_set_beside_the_text(browser, bundle, live_server, project, mona):
    stage = marking(project)
    page = device(browser, live_server.url, mona, has_touch=True, is_mobile=True)
    page.set_viewport_size({"width": 360, "height": 740})
    open_item(page, live_server.url, mona, stage, "span-editor")
    [usual, *_more] = page.evaluate(LETTERS, "#span-text")
    page.locator(".remarks__more").tap()
    page.get_by_role("button", name="Text size").tap()
    dialog = page.locator("dialog[open]")
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found] == []
    dialog.get_by_role("button", name="140 %").tap()
    until(page, lambda: OwnReading.objects.filter(user=mona, size=140).exists())
    assert page.evaluate(LETTERS, "#span-text")[0] == pytest.approx(usual * 1.4)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.context.close()


def test_samples_of_a_quiz_are_read_as_the_work(wide, live_server, project, mona, koshari):
    quiz = Quiz.objects.create(stage=marking(project), language="")
    QuizQuestion.objects.create(
        quiz=quiz, kind="spans", text="Mark.", response=koshari, content={"gold": []}, position=1
    )
    attempt = begin(mona.raters.get(), open_up(quiz))
    OwnReading.objects.create(user=mona, size=140, leading=150)
    session = signed_in(mona).cookies["sessionid"].value
    wide.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    wide.goto(f"{live_server.url}/quiz-attempts/{attempt.uuid}/")
    wide.wait_for_selector("html[data-quiz=ready]")
    size, height, _width = wide.evaluate(LETTERS, ".reading")
    OwnReading.objects.update(size=100, leading=100)
    wide.reload()
    wide.wait_for_selector("html[data-quiz=ready]")
    usual, usual_height, _width = wide.evaluate(LETTERS, ".reading")
    assert (size, height) == pytest.approx((usual * 1.4, usual_height * 1.5), rel=0.01)
