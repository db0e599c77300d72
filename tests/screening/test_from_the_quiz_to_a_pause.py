"""Mona, in Arabic, fails the quiz, retrains, passes, rates by keyboard alone, is paused by checks; Nour sees it all."""

import json

import pytest

from annotation.models import Rating
from projects.models import Rater
from screening.models import Attempt, CheckSettings, GoldCheck, Pause
from screening.quiz.taking import questions_of
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.annotation.rating import rating_stage
from tests.frontend.conftest import bundle  # noqa: F401
from tests.people import signed_in
from tests.screening.quizzes import five_statements
from workflow.models import Assignment, Stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAIRS = 12


@pytest.fixture
def stage(project, hana) -> Stage:
    """Twelve pairs to rate, on each of which the expert finds the first far better than the second."""
    question = question_type(make_ratings_project(project))
    for number in range(PAIRS):
        rate(pair_of(project, f"pair-{number}", question=question), hana, question, 5, 1)
    stage = rating_stage(project)
    five_statements(stage, retraining="## اقرأ هذا\n\nالعامية ليست خطأ.")
    return stage


@pytest.fixture
def browser_of(browser, bundle, live_server):  # noqa: F811
    """A browser of somebody's own, in a language."""
    contexts = []

    def open_for(person, language, width=390):
        context = browser.new_context(viewport={"width": width, "height": 800})
        session = signed_in(person).cookies["sessionid"].value
        values = {"sessionid": session, "django_language": language}
        context.add_cookies([{"name": name, "value": value, "url": live_server.url} for name, value in values.items()])
        contexts.append(context)
        return context.new_page()

    yield open_for
    for context in contexts:
        context.close()


def answer_the_quiz(page, attempt: Attempt, wrong: int) -> None:
    """Answers every statement on the page, the first `wrong` of them wrongly, and hands in."""
    for place, question in enumerate(questions_of(attempt)):
        said = question.content["right"] if place >= wrong else not question.content["right"]
        value = "true" if said else "false"
        page.locator(f"input[name=q{question.position}][value={value}]").check()
    page.locator("#quiz button[type=submit]").click()
    page.wait_for_load_state()


def rate_by_keyboard(page, first: int, second: int) -> None:
    """Grades both sides by digits alone and hands in by Ctrl+Enter."""
    page.wait_for_selector("html[data-ratings=ready]")
    sides = json.loads(page.locator("#rate-task").inner_text())["sides"]
    grades = {"first": first, "second": second}
    for _step in range(60):
        if page.evaluate("document.activeElement.matches('#side-A .side__text')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press(str(grades[sides[0]]))
    page.keyboard.press("Tab")
    page.keyboard.press(str(grades[sides[1]]))
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")


def test_from_a_failed_quiz_to_a_pause_and_the_lead_sees_it(browser_of, live_server, project, stage, mona, nour):
    lead = browser_of(nour, "en", 1200)
    lead.goto(f"{live_server.url}/p/feasts/checks/{stage.pk}/")
    assert lead.locator("h1").inner_text()

    page = browser_of(mona, "ar")
    page.goto(f"{live_server.url}/p/feasts/my-work/")
    assert page.evaluate("document.documentElement.dir") == "rtl"
    assert not page.locator("form[action*='/next']").count(), "nothing is handed out before the quiz"
    page.locator("main .notice a.btn").click()
    page.locator("form[action$='/begin'] button").click()
    answer_the_quiz(page, Attempt.objects.get(), wrong=3)
    assert not Attempt.objects.get().is_passed
    assert "العامية ليست خطأ" in page.locator("main").inner_text()
    page.locator("form[action$='/begin'] button").click()
    second = Attempt.objects.get(number=2)
    answer_the_quiz(page, second, wrong=1)  # four of five are 80 %
    second.refresh_from_db()
    assert second.is_passed

    # Every second item is a check from now on, and two of them are enough to say something.
    CheckSettings.objects.create(stage=stage, share=50, window=4, least=2, mark=70, retraining="## اقرأ أكثر")
    lead.goto(f"{live_server.url}/p/feasts/checks/{stage.pk}/")
    for box in lead.locator("form[action$='/add/'] input[type=checkbox]").all()[:6]:
        box.check()
    lead.locator("form[action$='/add/'] button[type=submit]").click()
    lead.wait_for_load_state()
    assert GoldCheck.objects.count() == 6

    page.goto(f"{live_server.url}/p/feasts/my-work/")
    page.locator("form[action*='/next'] button").click()
    for _item in range(PAIRS):
        if "/tasks/" not in page.url:
            break
        rate_by_keyboard(page, 1, 5)  # the other way round than the expert
    pause = Pause.objects.get()
    rater = Rater.objects.get(user=mona)
    assert (pause.rater, pause.right) == (rater, 0)
    assert Rating.objects.filter(rater=rater, is_check=True).count() == pause.n == 2
    page.goto(f"{live_server.url}/p/feasts/my-work/")
    page.locator("main .notice a.btn").click()
    assert "اقرأ أكثر" in page.locator("main").inner_text()
    turns = Assignment.objects.filter(rater=rater).count()
    signed_in(mona).post(f"/p/feasts/my-work/{stage.pk}/next")
    assert Assignment.objects.filter(rater=rater).count() == turns, "who is paused is handed nothing"

    lead.goto(f"{live_server.url}/p/feasts/watch/")
    seen = lead.locator("main").inner_text()
    assert rater.pseudonym in seen
    assert "Mona" not in seen
    lead.locator("form[action$='/lift/'] button").first.click()
    lead.wait_for_load_state()
    pause.refresh_from_db()
    assert pause.lifted_by == nour
