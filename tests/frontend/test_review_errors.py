"""Reviewing in a real browser: by keyboard alone, by pointer, on a narrow screen, in a right-to-left text."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from annotation.models import GoldError, Review
from tests.annotation.marked import mark
from tests.people import signed_in
from workflow.models import Stage
from workflow.planning import plan_items

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SUHOOR, PHARAOHS, LENTILS = "على السحور", "أيام الفراعنة", "العدس"


@pytest.fixture
def stage(project, koshari, mona, karim, simba) -> Stage:
    Stage.objects.create(project=project, kind="spans", name="Marking", overlap=2)
    stage = Stage.objects.create(project=project, kind="reviews", name="Reviews", position=2, policy="any")
    mark(koshari, mona)
    mark(koshari, karim, SUHOOR, PHARAOHS)
    mark(koshari, simba, LENTILS)
    plan_items(stage)
    return stage


@pytest.fixture
def at_work(page, bundle, live_server, stage):
    """Opens the person's next item in the browser."""

    def open_for(person):
        client = signed_in(person)
        address = client.post(f"/p/feasts/my-work/{stage.pk}/next").url
        page.context.add_cookies(
            [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
        )
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)
        page.goto(live_server.url + address)
        page.wait_for_selector("html[data-reviews=ready]")
        page.browser_errors = errors
        return page

    yield open_for
    assert page.browser_errors == []


def verdicts(page) -> list[str]:
    return page.evaluate("mizanReviews.document.serialise().reviews.map(({ verdict }) => verdict)")


def test_mona_reviews_by_keyboard_alone(at_work, mona):
    page = at_work(mona)
    press = page.keyboard.press
    press("ArrowDown")
    press("1")
    press("n")
    press("2")
    press("n")
    press("3")
    assert verdicts(page) == ["keep", "reject", "differs"]
    press("Control+z")
    assert verdicts(page) == ["keep", "reject", ""]
    press("Control+Shift+z")
    page.wait_for_selector("#save-state[data-state=saved]")
    with page.expect_navigation():
        press("Control+Enter")
    assert sorted(Review.objects.values_list("verdict", flat=True)) == ["differs", "keep", "reject"]


def test_on_an_arabic_keyboard_the_same_keys_decide(at_work, mona):
    """There the key N types ى and the digits are ١, ٢, ٣: the place of the key counts."""
    page = at_work(mona)
    typed = "([key, code]) => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, code, bubbles: true}))"
    page.keyboard.press("ArrowDown")
    for key, code in [("١", "Digit1"), ("ى", "KeyN"), ("٢", "Digit2"), ("ى", "KeyN"), ("٣", "Digit3")]:
        page.evaluate(typed, [key, code])
    assert verdicts(page) == ["keep", "reject", "differs"]
    page.evaluate(typed, ["؟", "Slash"])
    assert page.get_by_role("dialog").get_by_text("Next undecided").is_visible()
    page.keyboard.press("Escape")


def test_boundaries_are_corrected_with_the_steppers_and_in_the_text(at_work, mona):
    page = at_work(mona)
    number = page.evaluate("mizanReviews.task.spans.findIndex(({ quote }) => quote.includes('السحور'))")
    card = page.locator(".review-card").nth(number)
    card.get_by_role("radio", name="Keep with changes").check()
    card.get_by_role("button", name="Begin one word later").click()
    assert card.locator(".review-card__correction .span-form__quote").inner_text().startswith("السحور")
    card.get_by_role("button", name="Begin one word earlier").click()
    review = page.evaluate(f"mizanReviews.document.serialise().reviews[{number}]")
    assert review["start"] is None, "back as marked is no correction"
    card.get_by_role("button", name="Choose the words anew").click()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")  # onwards, in a right-to-left text
    page.keyboard.press("Enter")
    review = page.evaluate(f"mizanReviews.document.serialise().reviews[{number}]")
    assert review["quote"] == "الكشري أكلة"
    assert (review["start"], review["end"]) == (0, 11)


def test_an_unfinished_answer_goes_to_what_is_missing(at_work, mona):
    page = at_work(mona)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("1")
    page.get_by_role("button", name="Submit").click()
    page.get_by_text("Not submitted yet. Nothing is lost; 2 still to be decided.").wait_for()
    assert page.evaluate("document.activeElement.getAttribute('aria-current')") == "true"
    assert not Review.objects.exists()


def test_what_was_decided_is_there_after_reloading(at_work, mona):
    page = at_work(mona)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("4")
    page.locator("select").first.select_option("linguistic")
    page.wait_for_selector("#save-state[data-state=saved]")
    page.reload()
    page.wait_for_selector("html[data-reviews=ready]")
    first = page.evaluate("mizanReviews.document.serialise().reviews[0]")
    assert (first["verdict"], first["type"]) == ("correct", "linguistic")
    assert page.locator("select").first.input_value() == "linguistic"


def test_verdicts_given_by_touch_on_a_narrow_screen_become_gold(at_work, mona):
    page = at_work(mona)
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for card in page.locator(".review-card").all():
        card.get_by_role("radio", name="Keep", exact=True).check()
    with page.expect_navigation():
        page.get_by_role("button", name="Submit").click()
    assert GoldError.objects.count() == 3, "one who keeps it suffices in this stage"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barrier_is_found_by_axe(at_work, mona, scheme):
    page = at_work(mona)
    page.emulate_media(color_scheme=scheme)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("4")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
