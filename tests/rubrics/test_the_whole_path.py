"""From a prompt to the dashboard in the browser: a rubric is written, frozen, and graded by two people and a judge.

Salma writes in Egyptian Arabic, Nour leads, Mona is the second grader. What it adds up to, with weights 9, 6 and 4:

    Salma   passes 9 and 6, fails 4, finds one error of -5:  10 of 19, 52.6 %
    Mona    passes all three, sees no such error:            19 of 19, 100 %; 47.4 points from Salma
    judge   simulated; its distance from Salma is worked out from its verdicts
"""

import threading

import pytest
from django.db import connection
from playwright.sync_api import Page

from judging.collecting.endpoints import add_by_hand
from judging.engine import shards
from judging.models import Shard
from projects.models import Laboratory, Project, Response
from rubrics.models import Grade, GradeRole, Rubric
from tests.judging.conftest import fake_provider, fake_provider_process, provider  # noqa: F401
from tests.preset_parts import add_stages_of_rubrics
from tests.rubrics.in_the_browser import SAVED, add_criterion, check, ready
from tests.rubrics.rubrics import make_rubrics_project
from workflow.models import Stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EASY = "إيه هي عروسة المولد؟"
HARDER = "ليه الناس في مصر بتجيب عروسة المولد، وبتتعمل من إيه؟"
GOLD = "عروسة المولد حلوى من السكر على شكل عروسة، بتتجاب للبنات في المولد النبوي."
SUGAR, GIRLS, DIALECT = (
    "بيقول إنها حلوى من السكر على شكل عروسة",
    "بيقول إنها بتتجاب للبنات في المولد النبوي",
    "الإجابة كلها بالعامية المصرية",
)
RESPONSE = "عروسة المولد حلوى سكر على شكل عروسة بتتجاب للبنات في المولد النبوي، وأول من عملها كان نابليون."


@pytest.fixture
def study(project) -> Project:
    """A project as the preset makes it; Muse Spark has no API, so people paste what it answers."""
    make_rubrics_project(project)
    add_stages_of_rubrics(project)
    add_by_hand(project, "Muse Spark", laboratory=Laboratory.objects.filter(slug="meta").first())
    return project


@pytest.fixture
def broker(settings):
    """Where the embedded mode's messages lie. The worker of this story reads the rows, as the sweep does."""
    (settings.DATA_DIR / "broker" / "control").mkdir(parents=True, exist_ok=True)


def test_from_an_authors_prompt_to_the_dashboard(at_work, study, salma, mona, nour, provider, broker):  # noqa: F811
    write_and_freeze(at_work, salma)
    assert not is_work_offered(at_work, salma, "Scoring"), "there is a rubric and no response yet"
    paste_a_response(at_work, nour)

    score(take_next(at_work, salma, "Scoring"))
    reference = Grade.objects.get()
    assert (reference.role, reference.raw, reference.maximum) == (GradeRole.REFERENCE, 10, 19)

    open_stage(at_work, nour, "Regrading")
    assert not is_work_offered(at_work, salma, "Regrading"), "nobody grades a second time what they graded first"
    regrade(take_next(at_work, mona, "Regrading"))
    assert Grade.objects.get(role=GradeRole.REGRADE).raw == 19

    run_a_judge(at_work, nour)
    read_the_dashboard(at_work, nour, reference)


def write_and_freeze(at_work, salma) -> None:
    """Refused after a perfect answer, revised, checked again, frozen; and nothing to score is shown before."""
    stage = Stage.objects.get(kind="authoring")
    page = at_work(salma, f"/p/feasts/stages/{stage.pk}/begin/")
    page.get_by_role("radio").first.check()
    page.get_by_role("button", name="Begin").first.click()
    ready(page)
    page.get_by_role("radio", name="Cultural").check()
    page.get_by_label("Prompt", exact=True).fill(EASY)
    check(page, "Answered perfectly")
    page.get_by_label("Gold answer", exact=True).fill(GOLD)
    add_criterion(page, SUGAR, "9", "core-term", "Objective", "Explicit")
    add_criterion(page, GIRLS, "6", "meaning", "Objective", "Explicit")
    add_criterion(page, DIALECT, "4", "dialect", "Subjective", "Implicit")
    page.wait_for_selector(SAVED)
    page.keyboard.press("Control+Enter")
    page.get_by_text("The model answered it perfectly").first.wait_for()
    assert not Rubric.objects.exists()

    page.get_by_label("Prompt", exact=True).fill(HARDER)
    page.get_by_text("so that check no longer holds").wait_for()
    check(page, "Failed")
    page.locator(".difficulty__state .notice--good").wait_for()
    page.keyboard.press("Control+Enter")
    with page.expect_navigation():
        page.get_by_role("dialog").get_by_role("button", name="Freeze").click()
    assert [each.weight for each in Rubric.objects.get().criteria.order_by("position")] == [9, 6, 4]


def of_stage(page: Page, name: str):
    return page.locator("section.surface", has=page.get_by_role("heading", name=name, exact=True))


def is_work_offered(at_work, user, stage: str) -> bool:
    page = at_work(user, "/p/feasts/my-work/")
    section = of_stage(page, stage)
    return section.get_by_role("button", name="Take the next item").count() > 0


def take_next(at_work, user, stage: str) -> Page:
    page = at_work(user, "/p/feasts/my-work/")
    of_stage(page, stage).get_by_role("button", name="Take the next item").click()
    page.wait_for_selector("html[data-scoring=ready]")
    assert "نابليون" in page.locator("#grade-text").inner_text()
    assert "Muse Spark" not in page.content(), "the target model is hidden from those who grade"
    return page


def paste_a_response(at_work, nour) -> None:
    page = at_work(nour, "/p/feasts/targets/")
    page.get_by_role("link", name="Muse Spark").click()
    page.get_by_role("link", name="Paste").click()
    page.get_by_label("Its first response").fill(RESPONSE)
    for control in page.locator("input[name=controls]").all():
        control.check()
    page.get_by_role("button", name="Store the response").click()
    page.get_by_text("Nothing is left to ask.").wait_for()
    response = Response.objects.get()
    assert response.text == RESPONSE
    frozen_at = response.prompt.rubrics.get().frozen_at
    assert frozen_at is not None
    assert frozen_at < response.created_at, "frozen before it was revealed"


def score(page: Page) -> None:
    page.keyboard.press("ArrowDown")
    for verdict in "ppf":
        page.keyboard.press(verdict)
        page.keyboard.press("ArrowDown")
    page.keyboard.press("a")
    page.keyboard.press("1")
    card = page.locator(".grade-card--error")
    card.get_by_label("What is wrong?").fill("بينسب العروسة لنابليون")
    card.get_by_label("Points it takes away").fill("5")
    card.get_by_role("radio", name="Objective").check()
    card.get_by_role("radio", name="Explicit").check()
    assert page.locator(".grade-score__value").all_inner_texts() == ["10", "19", "52.6 %"]
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")


def regrade(page: Page) -> None:
    """Mona is asked about Salma's error too, and sees neither a verdict of Salma's nor what kind of error it was."""
    assert "بينسب العروسة لنابليون" in page.content()
    assert "Hallucination" not in page.locator(".grade-card").last.inner_text()
    page.keyboard.press("ArrowDown")
    for verdict in ("p", "p", "p", "2"):
        page.keyboard.press(verdict)
        page.keyboard.press("ArrowDown")
    assert page.locator(".grade-score__value").all_inner_texts() == ["19", "19", "100.0 %"]
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")


def open_stage(at_work, nour, stage: str) -> None:
    page = at_work(nour, "/p/feasts/stages/")
    of_stage(page, stage).get_by_role("button", name="Open for work").click()
    of_stage(page, stage).get_by_text("open for work").first.wait_for()


def run_a_judge(at_work, nour) -> None:
    page = at_work(nour, "/p/feasts/judges/add/")
    page.get_by_label("Provider").select_option(label="simulated")
    page.get_by_label("Model", exact=True).fill("simulated-1")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name="Ask 1 question").click()
    page.get_by_text("0 of 1 call").wait_for()
    worker = threading.Thread(target=work_through_all)
    worker.start()
    page.get_by_role("heading", name="Done").wait_for()
    worker.join()


def work_through_all() -> None:
    try:
        for shard in Shard.objects.values_list("pk", flat=True):
            shards.work_through(shard)
    finally:
        connection.close()


def read_the_dashboard(at_work, nour, reference: Grade) -> None:
    judged = Grade.objects.get(role=GradeRole.JUDGE)
    assert judged.percent is not None
    distance = abs(judged.percent - 100 * 10 / 19)
    page = at_work(nour, "/p/feasts/rubric-results/")
    text = page.locator("main").text_content() or ""
    assert "52.6" in text, "the human score"
    assert "47.37" in text, "the human ceiling: how far two people are from each other"
    assert f"{distance:.2f}" in text, "how far the judge is from the human score"
    assert "simulated" in text
    assert "Mona" not in text, "leads read pseudonyms"
    page.goto(page.url + "responses/")
    page.get_by_role("link", name=reference.response.key).first.click()
    page.get_by_text("بينسب العروسة لنابليون").first.wait_for()
