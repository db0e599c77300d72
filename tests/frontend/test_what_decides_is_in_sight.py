"""Mona decides much on one screen: verdicts stand at one place, six criteria are in sight, what is folded stays so."""

import pytest

from projects.models import Rater
from tests.frontend.settling import at_rest
from tests.frontend.task_screens import GUIDELINES, LONG, TAG, open_item, rating_pairs, reviewing, scoring
from tests.people import add_response, join, person
from tests.rubrics.rubrics import frozen_rubric, make_rubrics_project
from workflow.models import Stage
from workflow.planning import plan_items

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDE = {"width": 1280, "height": 900}
BOX = "(one) => one.getBoundingClientRect().toJSON()"
WINDOWS = [(WIDE, "en"), (WIDE, "ar"), ({"width": 360, "height": 740}, "en")]


@pytest.mark.parametrize(("window", "language"), WINDOWS)
def test_verdicts_stand_at_one_place_whichever_error_is_current(
    page, bundle, live_server, project, mona, window, language
):
    stage = reviewing(project)
    page.set_viewport_size(window)
    open_item(page, live_server.url, mona, stage, "reviews", language)
    page.evaluate("document.querySelector('#review-text').focus()")
    places = set()
    for keys in (("4", "Shift+ArrowDown"), ("1",), ("2",)):  # kept with changes, the first card grows by a form
        at_rest(page)
        shown = page.locator(".review-verdicts .choice").filter(visible=True)
        assert shown.count() == 4, "of one error at a time"
        box = shown.first.evaluate(BOX)
        assert box["bottom"] <= window["height"]
        places.add((round(box["left"]), round(box["top"])))
        for key in keys:
            page.keyboard.press(key)
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("Shift+ArrowUp")
    at_rest(page)
    box = page.locator(".review-verdicts .choice").filter(visible=True).first.evaluate(BOX)
    assert {*places, (round(box["left"]), round(box["top"]))} == {places.pop()}
    assert page.evaluate("mizanReviews.document.serialise().reviews.map(({ verdict }) => verdict)") == [
        "correct",
        "keep",
        "reject",
    ]


def test_the_current_card_is_never_hidden_by_the_verdicts(page, bundle, live_server, project, mona):
    page.set_viewport_size({"width": 1280, "height": 620})
    open_item(page, live_server.url, mona, reviewing(project), "reviews")
    for _card in range(3):
        page.keyboard.press("Shift+ArrowDown")
    page.locator(".review-card").last.focus()
    page.keyboard.press("1")
    at_rest(page)
    card = page.locator(".review-card--current .review-card__claim").evaluate(BOX)
    assert card["bottom"] <= page.locator(".review-foot").evaluate(BOX)["top"]


def test_undoing_from_the_verdicts_takes_the_focus_along(page, bundle, live_server, project, mona):
    page.set_viewport_size(WIDE)
    open_item(page, live_server.url, mona, reviewing(project), "reviews")
    page.keyboard.press("1")  # goes on to the second error
    at_rest(page)
    page.locator(".review-verdicts input").filter(visible=True).first.focus()
    page.keyboard.press("Control+z")
    at_rest(page)
    assert page.evaluate("document.activeElement.matches('.review-card--current')")
    assert page.locator(".review-card").first.get_attribute("aria-current") == "true"


@pytest.mark.parametrize("language", ["en", "ar", "bn"])
def test_six_short_criteria_are_in_sight(page, bundle, live_server, project, mona, language):
    author = join(person("author@x.org", "Author"), project, "author", varieties=(TAG,))
    make_rubrics_project(project)
    response = add_response(project, "long", LONG, TAG)
    frozen_rubric(response.prompt, Rater.objects.get(user=author), weights=(10, 8, 6, 8, 5, 4, 3))
    stage = Stage.objects.create(project=project, kind="scoring", name="Grading", overlap=1)
    plan_items(stage)
    page.set_viewport_size(WIDE)
    at_rest(open_item(page, live_server.url, mona, stage, "scoring", language))
    floor = page.locator(".panel__actions").evaluate(BOX)["top"]
    boxes = [card.evaluate(BOX) for card in page.locator(".grade-card--criterion").all()]
    assert sum(box["bottom"] <= floor for box in boxes) >= 6, (floor, [box["bottom"] for box in boxes])
    for card in page.locator(".grade-card--criterion").all()[:6]:
        text, verdicts = card.locator(".grade-card__text").evaluate(BOX), card.locator(".choices").evaluate(BOX)
        assert text["right"] <= verdicts["left"] + 1 or verdicts["right"] <= text["left"] + 1


def test_guidelines_of_a_pair_fold_into_a_bar_and_stay_folded(page, bundle, live_server, project, mona):
    project.guidelines = GUIDELINES
    project.save()
    page.set_viewport_size(WIDE)
    stage = rating_pairs(project)
    at_rest(open_item(page, live_server.url, mona, stage, "ratings"))
    drawer, panel = page.locator("#drawer"), page.locator("#rate-panel")
    assert drawer.evaluate(BOX)["height"] <= 0.2 * WIDE["height"]
    before = panel.evaluate(BOX)["height"]
    for name in ("Guidelines", "Prompt"):
        page.locator("#drawer summary").filter(has_text=name).click()
    at_rest(page)
    assert drawer.evaluate(BOX)["height"] <= 60, "one bar"
    assert panel.evaluate(BOX)["height"] > before
    page.reload()
    page.wait_for_selector("html[data-ratings=ready]")
    at_rest(page)
    assert drawer.evaluate(BOX)["height"] <= 60


def test_an_answer_that_is_scored_says_how_far_it_is(page, bundle, live_server, project, mona):
    page.set_viewport_size(WIDE)
    open_item(page, live_server.url, mona, scoring(project), "answer-scoring")
    assert page.get_by_text("Not begun", exact=True).is_visible()
    page.keyboard.press("7")
    assert page.get_by_text("Draft, not submitted yet").is_visible()
    page.keyboard.press("Control+z")
    assert page.get_by_text("Not begun", exact=True).is_visible()


def test_the_sign_that_closes_the_drawer_is_seen_in_the_dark(page, bundle, live_server, project, mona):
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(WIDE)
    open_item(page, live_server.url, mona, rating_pairs(project), "ratings")
    style = page.locator(".drawer__head > .btn-close").evaluate(
        "(one) => (({ filter, backgroundColor, backgroundImage }) => [filter, backgroundColor, backgroundImage])"
        "(getComputedStyle(one))"
    )
    paper = page.locator(".drawer > details").first.evaluate("(one) => getComputedStyle(one).backgroundColor")
    assert style[:2] == ["none", paper], "what turns the sign white would turn its ground white"
    assert "%23fff" in style[2]
