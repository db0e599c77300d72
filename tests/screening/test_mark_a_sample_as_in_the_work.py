"""Mona marks a sample of the quiz on the surface of the work: by dragging, by keys, by touch, with the project's words,
one undo; what she marked stays, and is compared by its words."""

import json
import uuid

import pytest
from playwright.sync_api import Page, expect

from projects.vocabularies import vocabularies
from screening.models import Attempt, Quiz, QuizQuestion
from screening.quiz.taking import begin
from tests.annotation.marked import rater_of
from tests.frontend.conftest import bundle  # noqa: F401
from tests.frontend.settling import at_rest, until
from tests.people import add_response, signed_in
from tests.rubrics.in_the_browser import at_work  # noqa: F401
from tests.screening.quizzes import open_up
from tests.screening.samples import drag, in_sight, marks, places, point
from tests.workflow.working import marking_stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# An emoji is two units of the browser's and one code point: what is sent counts code points. "**" is not seen.
TEXT = "🍲 الكشري أكلة **مصرية شعبية** وبيتاكل على السحور دايما"
WRONG = "على السحور"
PLACE = [TEXT.index(WRONG), TEXT.index(WRONG) + len(WRONG)]


def units(words: str) -> tuple[int, int]:
    """Where words lie for the browser, whose emoji is two."""
    start = TEXT.index(words) + 1
    return start, start + len(words)


@pytest.fixture
def quiz(project) -> Quiz:
    stage = marking_stage(project)
    quiz = Quiz.objects.create(stage=stage, language="")
    for number in (1, 2):
        response = add_response(project, f"sample-{number}", TEXT, "ar-EG")
        gold = {"gold": [PLACE]}
        QuizQuestion.objects.create(
            quiz=quiz, kind="spans", text="Mark.", response=response, content=gold, position=number
        )
    return open_up(quiz)


@pytest.fixture
def attempt(quiz, mona, project) -> Attempt:
    return begin(rater_of(mona, project), quiz, seed=1)


@pytest.fixture
def at_quiz(at_work, attempt, mona) -> Page:  # noqa: F811
    return opened(at_work(mona, f"/quiz-attempts/{attempt.uuid}/"))


def opened(page: Page) -> Page:
    page.wait_for_selector("html[data-quiz=ready]")
    return at_rest(page)


def stored(attempt: Attempt, position: int = 1) -> dict | None:
    return attempt.questions.get(position=position).answer


def test_by_dragging_over_words_or_letters_with_what_is_said_of_them(at_quiz, attempt, project):
    page, one, two = at_quiz, at_quiz.locator("#q1"), at_quiz.locator("#q2")
    assert "**" not in one.locator(".reading").inner_text()
    drag(page, one, *units("على السح"))
    assert places(one) == [PLACE], "whole words"
    assert places(two) == [], "of this sample alone"
    bar = one.locator(".quiz-mark")
    expect(bar.locator("p")).to_have_text(WRONG)
    expect(one.locator(".mark-tag")).to_have_count(0)

    # The digits of the work: the first word of the project's types, and the first of what is critical.
    types, levels, _failures = (words.offered for words in vocabularies(project))
    page.keyboard.press("1")
    page.keyboard.press(str(len(types) + 1))
    said = {"type": types[0].slug, "criticality": levels[0].slug, "category": ""}
    assert marks(one) == [{"start": PLACE[0], "end": PLACE[1], **said}]
    expect(one.locator(".mark-tag")).to_have_count(1)

    # Letters of a word with Shift, across signs of markdown; then everything is taken back but the first mark's words.
    start, end = units("كلة")
    drag(page, one, start, end, shift=True)
    [letters, _words] = places(one)
    word = TEXT.index("أكلة")
    assert word < letters[0] < letters[1] == word + 4, "not the whole word"
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert marks(one) == [
        {"start": PLACE[0], "end": PLACE[1], "type": types[0].slug, "criticality": "", "category": ""}
    ]
    page.keyboard.press("Control+Shift+z")
    kept = {"places": [PLACE], "no_errors": False, "said": [{key: value for key, value in said.items() if value}]}
    until(page, lambda: stored(attempt) == kept)

    page.reload()
    opened(page)
    assert marks(one) == [{"start": PLACE[0], "end": PLACE[1], **said}]
    expect(one.locator("[data-none]")).to_be_disabled()


def test_by_keys_alone_each_for_the_sample_that_one_is_at(at_quiz, attempt):
    """In a right-to-left text the arrow to the left goes on."""
    page, one, two = at_quiz, at_quiz.locator("#q1"), at_quiz.locator("#q2")
    two.locator(".reading").focus()
    for key in ("ArrowLeft", "Enter", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    # On to the first word of letters, whose start is set, and on to the next, which ends the mark.
    [[start, end]] = places(two)
    marked = TEXT[start:end]
    assert marked in ("الكشري أكلة", "أكلة **مصرية")
    page.keyboard.press("e")
    grown = TEXT[start : places(two)[0][1]]
    assert grown == marked + {"الكشري أكلة": " **مصرية", "أكلة **مصرية": " شعبية"}[marked]
    page.keyboard.press("Backspace")
    assert places(two) == []
    page.keyboard.press("0")
    expect(two.locator("[data-none]")).to_be_checked()
    expect(one.locator("[data-none]")).not_to_be_checked()
    until(page, lambda: stored(attempt, 2) == {"places": [], "no_errors": True})
    assert stored(attempt) is None

    # Said of nothing, a digit is no answer; and a mark takes "no errors" back, as one step.
    page.keyboard.press("1")
    drag(page, two, *units(WRONG))
    expect(two.locator("[data-none]")).not_to_be_checked()
    page.keyboard.press("Control+z")
    expect(two.locator("[data-none]")).to_be_checked()
    page.keyboard.press("?")
    expect(page.locator("dialog[open] .keys-table").first).to_be_visible()


def test_a_start_is_forgotten_by_whoever_goes_on_to_another_sample(at_quiz):
    page, one, two = at_quiz, at_quiz.locator("#q1"), at_quiz.locator("#q2")
    one.locator(".reading").focus()
    for key in ("ArrowLeft", "Enter"):
        page.keyboard.press(key)
    two.locator(".reading").focus()
    one.locator(".reading").focus()
    for key in ("ArrowLeft", "Enter"):
        page.keyboard.press(key)
    assert places(one) == [], "it is a start again"
    for key in ("ArrowLeft", "Enter"):
        page.keyboard.press(key)
    assert len(places(one)) == 1


def test_on_a_phone_by_the_first_and_the_last_word(browser, bundle, live_server, mona, attempt):  # noqa: F811
    context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    values = {"sessionid": signed_in(mona).cookies["sessionid"].value, "django_language": "ar"}
    context.add_cookies([{"name": name, "value": value, "url": live_server.url} for name, value in values.items()])
    page.goto(f"{live_server.url}/quiz-attempts/{attempt.uuid}/")
    one = in_sight(opened(page), page.locator("#q1")).locator("#q1")
    start, end = units(WRONG)
    page.touchscreen.tap(*point(one, start + 1))
    expect(page.locator(".pending-hint:visible")).to_have_count(1)
    page.touchscreen.tap(*point(one, end - 2))
    at_rest(page)
    assert places(one) == [PLACE]
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert errors == []
    context.close()


def test_what_was_answered_before_words_could_be_said_of_marks_is_read_still(at_work, attempt, mona):  # noqa: F811
    attempt.questions.filter(position=1).update(answer={"places": [PLACE], "no_errors": False})
    page = opened(at_work(mona, f"/quiz-attempts/{attempt.uuid}/"))
    assert places(page.locator("#q1")) == [PLACE]
    assert places(page.locator("#q2")) == []


def test_without_a_script_words_are_check_boxes(browser, live_server, attempt, mona):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    session = signed_in(mona).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.goto(f"{live_server.url}/quiz-attempts/{attempt.uuid}/")
    expect(page.locator("#q1 .quiz-marking")).to_be_hidden()
    for number in (1, 2):
        for word in WRONG.split():
            page.locator(f"#q{number} label", has_text=word).first.click()
    page.locator("#quiz button[type=submit]").click()
    expect(page.locator(".notice--good")).to_be_visible()
    assert stored(attempt) == {"places": [PLACE], "no_errors": False}
    context.close()


NOBODYS = {
    "cut off": "[",
    "no list": "{}",
    "no mark": "[7]",
    "of no words": '[{"start": 0, "end": 0}]',
    "before the text": '[{"start": -1, "end": 2}]',
    "no number": '[{"start": true, "end": 2}]',
    "after the text": '[{"start": 0, "end": 100000}]',
    "within a letter": '[{"start": 0, "end": 2.5}]',
    "a type that is no word": '[{"start": 0, "end": 2, "type": 7}]',
    "a word that cannot be stored": '[{"start": 0, "end": 2, "type": "\\u0000"}]',
    "too many": json.dumps([{"start": 0, "end": 2}] * 501),
    "too deep": "[" * 100_000,
}


@pytest.mark.parametrize("case", NOBODYS)
def test_what_no_page_sends_is_refused(attempt, mona, case):
    answer = signed_in(mona).post(
        f"/quiz-attempts/{attempt.uuid}/answers/1", {"q1-marks": NOBODYS[case]}, headers={"If-Match": '"0"'}
    )
    assert answer.status_code == 422
    assert stored(attempt) is None


def test_marks_beside_each_other_are_two_and_compared_by_their_words(attempt, mona):
    """Gold is one mark of two words. Each of two marks of one word shares half of it, above 0.15, so both meet it: of 2
    marks none is wrong, and the 1 error is found."""
    middle = TEXT.index("السحور")
    apart = [{"start": middle, "end": PLACE[1]}, {"start": PLACE[0], "end": middle - 1}]
    body = {"q1-marks": json.dumps(apart), "q2-marks": json.dumps([{"start": PLACE[0], "end": PLACE[1]}])}
    signed_in(mona).post(f"/quiz-attempts/{attempt.uuid}/submit", body | {"submission": str(uuid.uuid4())})
    assert stored(attempt) == {"places": [[PLACE[0], middle - 1], [middle, PLACE[1]]], "no_errors": False}
    scores = attempt.questions.order_by("position").values_list("is_right", "parts__marked", "parts__matched", "score")
    assert list(scores) == [(True, 2, 1, 1.0), (True, 1, 1, 1.0)]
