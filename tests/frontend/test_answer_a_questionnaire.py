"""A questionnaire in a real browser: the studies of docs/layouts.md answered by keyboard in English, and by finger on a
phone in Arabic."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from annotation.models import QuestionnaireAnswer
from formats.project_file.applying import create_from_file
from projects.models import Project, User
from tests.annotation.questionnaires import responses_of
from tests.frontend.application import at_item  # noqa: F401
from tests.frontend.settling import at_rest
from tests.people import EGYPTIAN, add_response, join, person
from workflow.answer_rules import change_rules
from workflow.models import Draft
from workflow.planning import plan_items

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

READY = "html[data-questionnaire=ready]"
SAVED = "#save-state[data-state=saved]"
CHOICE, RANKING, CONVERSATION, *_WITH_MARKS = re.findall(
    r"```yaml\n(.*?)```", (Path(__file__).parents[2] / "docs" / "layouts.md").read_text(encoding="utf-8"), re.DOTALL
)


def planned(study: str) -> tuple[Project, User]:
    project = create_from_file(study.encode(), "study").project
    responses_of(project, "feast", 4) if study is RANKING else add_response(project, "koshari", EGYPTIAN, "ar-EG")
    plan_items(project.stages.get())
    return project, join(person("mona@x.org", "Mona Adel"), project, "annotator", varieties=("ar-EG",))


def answers(page) -> dict:
    return page.evaluate("mizanQuestionnaire.document.serialise().answers")


def accessible(page) -> None:
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []


def test_a_choice_and_a_text_by_keyboard_alone(at_item):  # noqa: F811
    project, mona = planned(CHOICE)
    page = at_item(mona, project.stages.get(), "questionnaire")
    accessible(page)
    page.keyboard.press("Control+Enter")
    page.locator(".error-summary").get_by_text("An answer is missing.").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    assert answers(page) == {"is-the-response-right": "Partly"}
    page.keyboard.press("3")
    page.keyboard.press("Control+z")
    assert answers(page) == {"is-the-response-right": "Partly"}
    page.get_by_role("textbox", name="What is wrong with it?").fill("Not at dawn: سحور 🍲")
    page.wait_for_selector(SAVED)
    page.reload()
    page.wait_for_selector(READY)
    expected = {"is-the-response-right": "Partly", "what-is-wrong-with-it": "Not at dawn: سحور 🍲"}
    assert answers(page) == expected
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/my-work/")
    assert QuestionnaireAnswer.objects.get().answers == expected


def test_four_responses_are_ranked_by_keyboard_and_a_rank_moves(at_item):  # noqa: F811
    """A digit ranks the response that is marked and goes on; a rank that is given again leaves who held it."""
    project, mona = planned(RANKING)
    page = at_item(mona, project.stages.get(), "questionnaire")
    accessible(page)
    for digit in "3123":
        page.keyboard.press(digit)
    sides = page.evaluate("mizanQuestionnaire.task.sides")
    key = "rank-them-from-the-best-to-the-worst"
    assert answers(page)[key] == {sides[1]: 1, sides[2]: 2, sides[3]: 3}
    page.keyboard.press("n")
    page.keyboard.press("4")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/my-work/")
    stored = QuestionnaireAnswer.objects.get().answers[key]
    names = {str(one.uuid): one.key for one in project.responses.all()}
    assert stored == {names[side]: rank for side, rank in zip(sides, (4, 1, 2, 3), strict=True)}


def test_on_a_phone_in_arabic_by_finger(at_item, browser, live_server, page):  # noqa: F811
    project, mona = planned(CONVERSATION)
    page.set_viewport_size({"width": 360, "height": 740})
    page = at_item(mona, project.stages.get(), "questionnaire")
    page.context.add_cookies([{"name": "django_language", "value": "ar", "url": page.url.split("/tasks")[0]}])
    page.reload()
    page.wait_for_selector(READY)
    at_rest(page)
    assert page.evaluate("document.documentElement.dir") == "rtl"
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    accessible(page)
    page.get_by_role("checkbox", name="It was rude").click()
    page.get_by_role("checkbox", name="It forgot").click()
    page.locator(".panel-sheet__steps button").last.click()  # one question is in front at a time
    said = page.locator(".scale__meaning").text_content() or ""
    assert ("0 Useless" in said, "100 Perfect" in said) == (True, True)  # what both ends mean
    page.get_by_role("spinbutton").fill("37")
    page.wait_for_selector(SAVED)
    assert Draft.objects.get().body["answers"] == {
        "what-went-wrong": ["It forgot", "It was rude"],
        "how-helpful-was-it": 37,
    }
    page.locator(".panel-sheet__steps button").first.click()
    page.get_by_role("checkbox", name="It forgot").click()
    page.locator(".panel__actions .btn-primary").click()
    page.wait_for_url("**/my-work/")
    stored = QuestionnaireAnswer.objects.get().answers
    assert stored == {"what-went-wrong": ["It was rude"], "how-helpful-was-it": 37}


def test_off_line_nothing_is_lost(at_item):  # noqa: F811
    project, mona = planned(CHOICE)
    page = at_item(mona, project.stages.get(), "questionnaire")
    page.context.set_offline(True)
    page.keyboard.press("1")
    page.wait_for_selector("#save-state:not([data-state=saved])")
    assert not Draft.objects.exists()
    page.context.set_offline(False)
    page.wait_for_selector(SAVED)
    assert Draft.objects.get().body == {"answers": {"is-the-response-right": "Yes"}}


def test_a_question_that_follows_from_another_comes_and_goes(at_item):  # noqa: F811
    """What was written stays aside while the question is not asked, and is not handed in then."""
    project, mona = planned(CHOICE)
    stage = project.stages.get()
    rule = {"ask": ["what-is-wrong-with-it"], "after": "is-the-response-right", "answer": ["No"]}
    change_rules(stage, [rule, {"most": 0, "answer": ["No"], "warns": True, "message": "Look again."}])
    page = at_item(mona, stage, "questionnaire")
    written = page.get_by_role("textbox", name="What is wrong with it?")
    written.wait_for(state="hidden")
    page.keyboard.press("3")
    written.wait_for()
    page.locator(".notice--warning").get_by_text("Look again.").wait_for()
    accessible(page)
    written.fill("Not at dawn")
    page.keyboard.press("Escape")
    page.get_by_role("radio", name="Yes").check(force=True)
    written.wait_for(state="hidden")
    assert answers(page) == {"is-the-response-right": "Yes"}
    page.get_by_role("radio", name="No", exact=True).check(force=True)
    written.wait_for()
    assert written.input_value() == "Not at dawn"
    page.get_by_role("radio", name="Yes").check(force=True)
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/my-work/")
    assert QuestionnaireAnswer.objects.get().answers == {"is-the-response-right": "Yes"}
