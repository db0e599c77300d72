"""Mona scores an answer in Arabic in a real browser: by keyboard, by finger on a phone, and finds it again."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe

from benchmark.models import RuleScore
from benchmark.scoring_task.sampling import plan_sample
from tests.benchmark.answered import answered, configuration_of, frozen_set
from tests.benchmark.sets import open_line
from tests.frontend.conftest import bundle  # noqa: F401
from tests.frontend.settling import at_rest
from tests.people import signed_in
from workflow.claims import claim_next
from workflow.models import Draft, Stage, Status

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SAVED = "#save-state[data-state=saved]"
ANSWER = "الشاي مشروب ساخن يشربه الناس (tea) في الصباح والمساء.\n\n" + "ويقدَّم مع النعناع والسكر. " * 60
PHONE = {"width": 360, "height": 740}


@pytest.fixture
def stage(project) -> Stage:
    frozen_set(project, open_line("tea", variety="ar-EG", rules=[{"rule": "judge_generation"}]))
    answered(configuration_of(project), "tea", ANSWER)
    stage = Stage.objects.create(project=project, kind="answer_scoring", name="Points", overlap=2, seed=7)
    plan_sample(stage)
    return stage


def open_for(page, live_server, person, stage, language="en"):
    turn = claim_next(person.raters.get(), stage)
    assert turn is not None
    values = {"sessionid": signed_in(person).cookies["sessionid"].value, "django_language": language}
    page.context.add_cookies([{"name": name, "value": value, "url": live_server.url} for name, value in values.items()])
    page.goto(f"{live_server.url}/tasks/{turn.uuid}/")
    page.wait_for_selector("html[data-answer-scoring=ready]")
    return page, turn


@pytest.fixture
def at_work(page, bundle, live_server):  # noqa: F811
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Security Policy" in said.text else None)
    yield lambda person, stage, language="en": open_for(page, live_server, person, stage, language)
    assert errors == []


def draft(page) -> dict:
    return page.evaluate("mizanAnswerScoring.document.serialise()")


def test_by_keyboard_alone_with_undo_and_a_reload_in_between(at_work, mona, stage):
    page, turn = at_work(mona, stage)
    page.keyboard.press("7")
    assert draft(page) == {"score": 7, "note": ""}
    page.keyboard.press("x")
    assert draft(page)["score"] == 10
    page.keyboard.press("Control+z")
    assert draft(page)["score"] == 7
    page.locator("#score-note").fill("Leaves the evening out.")
    page.wait_for_selector(SAVED)
    page.reload()
    page.wait_for_selector("html[data-answer-scoring=ready]")
    assert draft(page) == {"score": 7, "note": "Leaves the evening out."}
    assert page.get_by_role("radio", name="7").is_checked()
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: str(turn.uuid) not in url)
    score = RuleScore.objects.get(rater=mona.raters.get())
    assert (score.value, score.detail) == (7.0, {"note": "Leaves the evening out."})


def test_without_points_it_says_so_and_goes_there(at_work, mona, stage):
    page, _turn = at_work(mona, stage)
    page.get_by_role("button", name="Submit").click()
    assert "Give the points." in page.locator("#score-problem").inner_text()
    assert page.evaluate("document.activeElement.name") == "score"
    page.keyboard.press("0")
    assert page.locator("#score-problem").inner_text() == ""
    assert draft(page)["score"] == 0


def test_it_can_be_skipped_with_a_reason(at_work, mona, stage):
    page, turn = at_work(mona, stage)
    page.get_by_role("button", name="Skip").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_text("I do not know enough about this").click()
    dialog.get_by_role("button", name="Skip").click()
    page.wait_for_url(lambda url: str(turn.uuid) not in url)
    turn.refresh_from_db()
    assert (turn.status, turn.skip_reason) == (Status.SKIPPED, "do_not_know")


def test_in_arabic_on_a_phone_by_finger(browser, bundle, live_server, mona, stage):  # noqa: F811
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page, turn = open_for(context.new_page(), live_server, mona, stage, "ar")
    assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == ["ar", "rtl"]
    text = page.locator("#answer-text")
    assert (text.get_attribute("lang"), text.get_attribute("dir")) == ("ar", "rtl") or text.get_attribute(
        "dir"
    ) == "rtl"
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    buttons = page.locator(".scale__grade")
    assert buttons.count() == 11
    boxes = [buttons.nth(place).bounding_box() for place in range(11)]
    assert all(box["height"] >= 40 and box["width"] >= 40 for box in boxes)
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"] for box in boxes)
    assert boxes[0]["x"] > boxes[1]["x"], "from right to left, as the page is read"
    buttons.nth(8).tap()
    page.wait_for_selector(SAVED)
    assert Draft.objects.get(assignment=turn).body == {"score": 8, "note": ""}
    page.locator(".panel__actions .btn-primary").tap()
    page.wait_for_url(lambda url: str(turn.uuid) not in url)
    assert RuleScore.objects.get(rater=mona.raters.get()).value == 8.0
    context.close()


@pytest.mark.parametrize("language", ["en", "ar"])
def test_nothing_stands_in_anybody_s_way(language, at_work, mona, stage):
    page, _turn = at_work(mona, stage, language)
    at_rest(page)
    found = Axe().run(page)
    assert found.violations_count == 0, json.dumps(found.response["violations"], indent=1)[:3000]
