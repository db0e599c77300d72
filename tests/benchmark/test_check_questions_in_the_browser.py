"""Mona and Karim check a question on their phones, in Arabic, in a real browser on the application itself."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from benchmark.models import OwnAnswer, QuestionCheck
from benchmark.question_check.agreement import agreement_of, said_of_set
from tests.benchmark.checks import REFERENCE, answer_of, check_stage, configuration, draft_set, own_turn
from tests.benchmark.sets import open_line
from tests.frontend.conftest import bundle  # noqa: F401
from tests.rubrics.in_the_browser import SAVED, at_work  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NEW = "الشاي مشروب ساخن."


@pytest.fixture
def phone(page):
    page.set_viewport_size({"width": 360, "height": 740})
    return page


@pytest.fixture
def own(project, nour):
    own = draft_set(project, open_line())
    answer_of(configuration(project, "Nile-7B"), own.questions.get(), "الشاي من الهند.")
    return own


def ready(page):
    page.wait_for_selector("html[data-question-check=ready]")
    return page


def written(page) -> dict:
    return page.evaluate("mizanQuestionCheck.document.serialise()")


def opened(at_work, page, user, turn, live_server):  # noqa: F811
    page.context.clear_cookies()
    page.context.add_cookies([{"name": "django_language", "value": "ar", "url": live_server.url}])
    return ready(at_work(user, f"/tasks/{turn.uuid}/"))


def no_barrier(page) -> None:
    found = Axe().run(page).response["violations"]
    assert [each["id"] for each in found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_two_people_check_a_question_on_their_phones(at_work, phone, own, project, mona, karim, nour, live_server):  # noqa: F811
    stage = check_stage(project)
    page = opened(at_work, phone, mona, own_turn(mona, stage), live_server)
    assert page.evaluate("document.documentElement.dir") == "rtl"
    assert REFERENCE not in page.content()
    no_barrier(page)

    # By touch: an empty answer shows nothing; hers is kept, and the reference comes.
    page.locator(".panel__actions .btn-primary").click()
    page.locator(".error-summary li").wait_for()
    assert not OwnAnswer.objects.exists()
    page.locator("#check-answer").fill("الشاي مشروب")
    page.wait_for_selector(SAVED)
    page.reload()
    assert ready(page).locator("#check-answer").input_value() == "الشاي مشروب", "a draft outlives the page"
    page.locator(".panel__actions .btn-primary").click()
    page.get_by_text(REFERENCE).first.wait_for()
    assert OwnAnswer.objects.get().text == "الشاي مشروب"
    onwards = page.locator(".panel-sheet__steps button").last
    onwards.click()  # from the reference to what models answered
    assert page.get_by_text("الشاي من الهند.").is_visible()
    assert "Nile" not in page.content()
    assert page.locator("#check-answer").get_attribute("readonly") is not None

    onwards.click()
    page.locator("input[name=check-is_aligned][value=true]").check()
    page.locator("input[name=check-decision][value=repair]").check()
    assert page.locator("#check-reference").input_value() == REFERENCE, "a repair begins with the old words"
    page.locator("input[name=check-fault][value=reference]").check()
    onwards.click()
    page.locator("#check-reference").fill(NEW)
    page.wait_for_selector(SAVED)
    page.reload()
    ready(page)
    assert written(page)["reference"] == NEW
    no_barrier(page)
    with page.expect_navigation():
        page.locator(".panel__actions .btn-primary").click()

    # By keyboard: a digit decides, undo takes it back, Y says that both fit.
    page = opened(at_work, phone, karim, own_turn(karim, stage), live_server)
    page.locator("#check-answer").fill("مشروب دافئ")
    page.keyboard.press("Control+Enter")
    page.get_by_text(REFERENCE).first.wait_for()
    page.locator("section[aria-label] h2").nth(1).wait_for()
    page.keyboard.press("3")
    assert written(page)["decision"] == "drop"
    page.keyboard.press("5")
    assert written(page)["fault"] == "ambiguous"
    for _ in "12":
        page.keyboard.press("Control+z")
    assert (written(page)["decision"], written(page)["fault"]) == ("", "")
    page.keyboard.press("Control+Enter")
    page.locator(".error-summary li").first.wait_for()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("1")
    page.keyboard.press("y")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")

    said = {check.rater.name: check for check in QuestionCheck.objects.select_related("rater")}
    mona_says, karim_says = said["Mona Adel"], said["Karim Samir"]
    assert (mona_says.decision, mona_says.fault, mona_says.repaired_reference) == ("repair", "reference", NEW)
    assert (mona_says.repaired_instruction, mona_says.answer) == ("", "الشاي مشروب")
    assert (karim_says.decision, karim_says.fault, karim_says.is_aligned) == ("keep", "", True)
    assert agreement_of(said_of_set(own)).same.value == 0.0

    # Nour reads both side by side, on her phone as well.
    page = at_work(nour, "/p/feasts/question-sets/own/1/checks/")
    assert page.get_by_text(NEW).first.is_visible()
    no_barrier(page)
