"""Mona on a phone, in Arabic: fails the quiz, reads on, passes, works, is paused by checks; Nour sees all of it."""

import pytest
from playwright.sync_api import Page, expect

from projects.models import Project
from screening.models import Attempt, Pause, Quiz, QuizQuestion
from screening.quiz.taking import questions_of
from tests.annotation.marked import rater_of
from tests.annotation.rated import pair_of, question_type
from tests.barriers import barriers, too_wide
from tests.frontend.conftest import bundle  # noqa: F401
from tests.frontend.settling import at_rest, until
from tests.people import EGYPTIAN, add_response, signed_in
from tests.rubrics.in_the_browser import at_work  # noqa: F401
from tests.screening.quizzes import SUHOOR, attempt_at, choice, many_checks, open_up, true_false
from tests.screening.samples import drag
from tests.workflow.working import marking_stage
from workflow.planning import plan_items

BOX = "(one) => one.getBoundingClientRect().toJSON()"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def stage(project, koshari):
    Project.objects.filter(pk=project.pk).update(areas=["spans", "ratings"])
    stage = marking_stage(project)
    for number in range(20):
        add_response(project, f"item-{number}", f"كلمة كلمتان ثلاث أربع{number} خمس", "ar-EG")
    plan_items(stage)
    return stage


@pytest.fixture
def quiz(stage, koshari) -> Quiz:
    quiz = Quiz.objects.create(stage=stage, language="ar", retraining="اقرأ **القاعدة الثالثة** مرة تانية.")
    true_false(quiz, "الكشري أكلة مصرية.", True, position=1, explanation="من القرن التاسع عشر.")
    choice(quiz, "بيتعمل من إيه؟", ["الرز", "العدس"], ["السمك"], position=2)
    start = EGYPTIAN.index(SUHOOR)
    gold = {"gold": [[start, start + len(SUHOOR)]]}
    text = "علّم الغلط في النص."
    QuizQuestion.objects.create(quiz=quiz, kind="spans", text=text, response=koshari, content=gold, position=3)
    return open_up(quiz)


def on_a_phone(page: Page, url: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.context.add_cookies([{"name": "django_language", "value": "ar", "url": url}])


def fill(page: Page, attempt: Attempt, is_right: bool) -> None:
    """Answer what is shown, in whatever order; wrongly but for the statement where asked so."""
    for question in questions_of(attempt):
        area = page.locator(f"#q{question.position}")
        if question.kind == "true_false":
            area.locator("input[value=true]").check()
        elif question.kind == "choice":
            for index in (0, 1) if is_right else (2,):
                area.locator(f"input[value='{index}']").check()
        elif is_right:
            start = EGYPTIAN.index(SUHOOR)
            drag(page, area, start, start + len(SUHOOR))
        else:
            area.locator("[data-none]").check()


def test_fail_retrain_pass_work_and_be_paused(at_work, live_server, stage, quiz, mona, nour, project):  # noqa: F811
    page = at_work(mona, "/accounts/login/")
    on_a_phone(page, live_server.url)
    page.goto(f"{live_server.url}/p/feasts/my-work/")
    assert page.evaluate("document.documentElement.dir") == "rtl"
    page.locator(f"a[href='/p/feasts/quiz/{quiz.pk}/']").click()
    assert barriers(page) + too_wide(page) == []

    # She fails, and reads what helps.
    page.locator("main form button[type=submit]").click()
    page.wait_for_selector("html[data-quiz=ready]")
    assert barriers(page) + too_wide(page) == []
    fill(page, Attempt.objects.get(), is_right=False)
    expect(page.locator("#quiz-saved")).not_to_be_empty()
    page.locator("#quiz button[type=submit]").click()
    expect(page.locator("main strong")).to_have_text("القاعدة الثالثة")
    assert barriers(page) + too_wide(page) == []
    assert Attempt.objects.get().is_passed is False

    # She leaves one open, is told which, and passes with the keyboard's words.
    page.locator("main form button[type=submit]").click()
    page.wait_for_selector("html[data-quiz=ready]")
    attempt = Attempt.objects.get(number=2)
    page.locator("#quiz button[type=submit]").click()
    expect(page.locator("#missing li")).to_have_count(3)
    assert barriers(page) + too_wide(page) == []
    page.wait_for_selector("html[data-quiz=ready]")
    fill(page, attempt, is_right=True)
    page.locator("#quiz button[type=submit]").click()
    expect(page.locator(".notice--good")).to_be_visible()
    attempt.refresh_from_db()
    assert (attempt.right, attempt.is_passed) == (3, True)

    # She is handed work; half of it are checks, and she says everywhere that there is no error.
    many_checks(project, stage, 12, share=50, window=4, least=2, mark=70, retraining="اقرأ المثال.")
    page.goto(f"{live_server.url}/p/feasts/my-work/")
    page.locator(f"form[action='/p/feasts/my-work/{stage.pk}/next'] button").click()
    for _turn in range(20):
        page.wait_for_selector("html[data-span-editor=ready]")
        address = page.url
        page.locator(".panel__more button[aria-pressed]").click()
        page.keyboard.press("Control+Enter")
        page.wait_for_url(lambda url, before=address: url != before)
        if "/my-work/" in page.url:
            break
    assert Pause.objects.get().rater == rater_of(mona, project)
    page.locator(f"a[href='/p/feasts/paused/{stage.pk}/']").click()
    expect(page.locator("main")).to_contain_text("اقرأ المثال.")
    assert barriers(page) + too_wide(page) == []

    # Nour sees it all.
    page = at_work(nour, "/p/feasts/")
    expect(page.locator(".steps a[href='/p/feasts/watch/']")).to_be_visible()
    for address in ("screening/", f"screening/{quiz.pk}/", f"screening/{quiz.pk}/results/", "checks/", "watch/"):
        page.goto(f"{live_server.url}/p/feasts/{address}")
        assert barriers(page) + too_wide(page) == [], address
    expect(page.locator("tbody tr")).to_have_count(1)
    page.locator("tbody form button").click()
    assert Pause.objects.get().lifted_by == nour


def test_on_a_phone_the_text_stays_while_it_is_judged(browser, bundle, live_server, stage, koshari, mona, project):  # noqa: F811
    """As in the work it trains for: both grades are given below the texts by thumb, and nothing moves."""
    quiz = Quiz.objects.create(stage=stage, language="en")
    long = (EGYPTIAN + "\n\n") * 8
    pair = pair_of(project, "greeting", long, long, question=question_type(project, "tone", dimension="tone"))
    gold = {"gold": {"first": 4, "second": 2, "preference": ""}}
    rated: dict[str, object] = {"pair": pair, "question_type": pair.prompt.question, "content": gold}
    QuizQuestion.objects.create(quiz=quiz, kind="rating", text="Rate them.", position=1, **rated)
    open_up(quiz)
    context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    page = context.new_page()
    values = {"sessionid": signed_in(mona).cookies["sessionid"].value, "django_language": "bn"}
    page.context.add_cookies([{"name": name, "value": value, "url": live_server.url} for name, value in values.items()])
    attempt = attempt_at(quiz, mona)
    page.goto(f"{live_server.url}/quiz-attempts/{attempt.uuid}/")
    page.wait_for_selector("html[data-quiz=ready]")
    page.locator(".quiz-sample").first.evaluate("(text) => text.scrollIntoView({ behavior: 'instant' })")
    at_rest(page)
    answer, bar, text = (page.locator(each).first for each in (".quiz-answer", ".quiz-actions", ".quiz-sample"))
    assert text.evaluate(BOX)["top"] < answer.evaluate(BOX)["top"]
    assert abs(answer.evaluate(BOX)["bottom"] - bar.evaluate(BOX)["top"]) < 1, "right above the bar"
    where = page.evaluate("scrollY"), text.evaluate(BOX)["top"]
    for side, grade in (("first", "4"), ("second", "2")):
        page.locator(f"label:has(input[name=q1-{side}][value='{grade}'])").tap()
        at_rest(page)
        assert (page.evaluate("scrollY"), text.evaluate(BOX)["top"]) == where
    until(page, lambda: attempt.questions.get().answer == gold["gold"])
    assert barriers(page) + too_wide(page) == []
    # At the end of the question what is judged is seen to its last line.
    page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
    at_rest(page)
    last = page.locator(".quiz-sample").last
    assert last.evaluate(BOX)["bottom"] <= answer.evaluate(BOX)["top"]
    context.close()
