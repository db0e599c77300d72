"""Ali scores an Iraqi response in a real browser: by keyboard, mouse and finger, and finds it again after a reload."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from rubrics.models import Grade
from tests.frontend.conftest import bundle  # noqa: F401
from tests.frontend.settling import at_rest
from tests.people import EGYPTIAN, add_response, signed_in
from tests.rubrics.files import criterion, rubric_line, stored
from tests.rubrics.grading import (
    BANKNOTES,
    KINGS_DAYS,
    banknotes,
    grade_body,
    iraqi_annotator,
    iraqi_author,
    negative,
    stage_of,
    turn_of,
)
from tests.rubrics.rubrics import make_rubrics_project
from tests.workflow.working import put_draft, submit
from workflow.answer_rules import change_rules
from workflow.models import Draft, Stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SAVED = "#save-state[data-state=saved]"
# The words that are lit up as those of the current error.
LIT = """[...CSS.highlights.get("mark-selected")]
  .map(({ startContainer, startOffset, endOffset }) => startContainer.data.slice(startOffset, endOffset)).join("")"""


@pytest.fixture
def ali(project):
    return iraqi_annotator(project)


@pytest.fixture
def response(project):
    return banknotes(project, iraqi_author(project))[0]


@pytest.fixture
def stage(project, response) -> Stage:
    return stage_of(project, "scoring")


@pytest.fixture
def at_work(page, bundle, live_server):  # noqa: F811
    """Opens the person's next item in the browser; nothing on its page breaks the policy of content security."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)

    def open_for(person, stage, language="en"):
        turn = turn_of(person, stage)
        session = signed_in(person).cookies["sessionid"].value
        cookies = {"sessionid": session, "django_language": language}
        page.context.add_cookies(
            [{"name": name, "value": value, "url": live_server.url} for name, value in cookies.items()]
        )
        page.goto(f"{live_server.url}/tasks/{turn.uuid}/")
        page.wait_for_selector("html[data-scoring=ready]")
        return page

    yield open_for
    assert errors == []


def cookies(live_server, **values) -> list[dict]:
    return [{"name": name, "value": value, "url": live_server.url} for name, value in values.items()]


def draft(page) -> dict:
    return page.evaluate("mizanScoring.document.serialise()")


def score_shown(page) -> list[str]:
    return page.locator(".grade-score__value").all_inner_texts()


def point(page, offset: int) -> tuple[float, float]:
    """Middle of the character at a code-point offset."""
    return tuple(
        page.evaluate(
            """offset => {
              const { view } = mizanScoring;
              const [start, end] = view.index.graphemeAt(view.index.toUtf16(offset));
              const box = view.rectangles(start, end)[0];
              return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
            }""",
            offset,
        )
    )


def drag_over(page, quote: str) -> None:
    start = BANKNOTES.index(quote)
    page.mouse.move(*point(page, start))
    page.mouse.down()
    page.mouse.move(*point(page, start + len(quote) - 1), steps=5)
    page.mouse.up()
    page.get_by_role("group", name="Chosen words").wait_for()


def test_passes_and_failures_by_keyboard_make_the_score(at_work, ali, stage):
    """c1 to c5 weigh 10, 8, 6, 8, 5. Passing the first and the fourth earns 18 of 37: 48.6 percent."""
    page = at_work(ali, stage)
    assert score_shown(page) == ["0", "37", "0.0 %"]
    assert page.evaluate("document.activeElement.id") == "grade-text"
    for key in "pffpf":  # five criteria, five keys
        page.keyboard.press(key)
    assert score_shown(page) == ["18", "37", "48.6 %"]
    assert draft(page)["verdicts"] == {"c1": "pass", "c2": "fail", "c3": "fail", "c4": "pass", "c5": "fail"}
    page.keyboard.press("Control+z")
    assert score_shown(page)[0] == "18"
    assert "c5" not in draft(page)["verdicts"]
    page.keyboard.press("Control+Shift+z")
    assert draft(page)["verdicts"]["c5"] == "fail"


def test_shift_and_an_arrow_go_back_and_a_click_goes_on(at_work, ali, stage):
    page = at_work(ali, stage)
    at = "document.querySelector('.grade-card[aria-current]').id"
    page.keyboard.press("p")
    page.keyboard.press("Shift+ArrowUp")
    assert page.evaluate(at) == "criterion-c1"
    page.keyboard.press("f")
    assert page.evaluate(at) == "criterion-c1", "a changed verdict stays"
    page.keyboard.press("n")
    page.locator("#criterion-c2 .choice--fail").click()
    assert page.evaluate(at) == "criterion-c3"
    assert page.evaluate("document.activeElement.id") == "criterion-c3", "the focus goes along beside the text"
    assert draft(page)["verdicts"] == {"c1": "fail", "c2": "fail"}
    for key in "ppp":
        page.keyboard.press(key)
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    assert Grade.objects.get().raw == 6 + 8 + 5


def test_a_hallucination_is_pointed_at_scored_kept_and_submitted(at_work, ali, stage, response):
    """-7 for the invented king and 10 earned: 3 of 37, 8.1 percent; a second error of 31 points brings it to -75.7."""
    page = at_work(ali, stage)
    page.keyboard.press("ArrowDown")
    for verdict in "pffff":
        page.keyboard.press(verdict)
        page.keyboard.press("ArrowDown")
    drag_over(page, KINGS_DAYS)
    page.get_by_role("group", name="Chosen words").get_by_role("button", name="Add an error").click()
    page.keyboard.press("1")
    card = page.locator(".grade-card--error")
    assert card.get_by_role("radio", name="Hallucination").is_checked()
    card.get_by_label("What is wrong?").fill("اسم الملك مخترَع")
    card.get_by_label("Points it takes away").fill("7")
    assert score_shown(page) == ["3", "37", "8.1 %"]
    card.get_by_role("radio", name="Objective").check()
    card.get_by_role("radio", name="Explicit").check()

    page.get_by_role("button", name="Add an error").last.click()
    page.keyboard.press("2")
    second = page.locator(".grade-card--error").nth(1)
    second.get_by_label("Points it takes away").fill("31")
    assert score_shown(page) == ["−28", "37", "−75.7 %"]
    page.wait_for_selector(SAVED)
    before = draft(page)

    page.reload()
    page.wait_for_selector("html[data-scoring=ready]")
    assert draft(page) == before
    assert score_shown(page) == ["−28", "37", "−75.7 %"]
    page.locator(".grade-card--error").nth(1).get_by_role("button", name="Delete").click()
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    grade = Grade.objects.get()
    assert (grade.raw, grade.maximum) == (3, 37)
    king = grade.negative_criteria.get()
    assert (king.quote, king.failure_type, king.weight) == (KINGS_DAYS, "hallucination", -7)
    assert response.text[king.start : king.end] == KINGS_DAYS


def test_words_are_chosen_by_keyboard_alone(at_work, ali, stage):
    page = at_work(ali, stage)
    page.locator("#grade-text").focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")  # onwards, in a right-to-left text
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # on the button that adds the error
    page.keyboard.press("3")
    (error,) = draft(page)["negatives"]
    assert (error["quote"], error["failure_type"]) == ("العراقيين يسمّون", "cultural-misattribution")
    assert (error["start"], error["end"]) == (0, len("العراقيين يسمّون"))


def test_an_error_and_its_words_lead_to_one_another(at_work, ali, stage):
    page = at_work(ali, stage)
    for quote in ("«الحمرة»", KINGS_DAYS):
        drag_over(page, quote)
        page.keyboard.press("a")
    cards = page.locator(".grade-card--error")
    cards.nth(0).get_by_label("What is wrong?").focus()
    assert page.evaluate(LIT) == "الحمرة"
    page.mouse.click(*point(page, BANKNOTES.index(KINGS_DAYS) + 2))
    at_rest(page)
    assert cards.nth(1).get_attribute("aria-current") == "true"
    assert page.evaluate(LIT) == KINGS_DAYS
    assert page.evaluate("document.activeElement.classList.contains('grade-card--error')")


def test_an_omission_points_at_nothing(at_work, ali, stage):
    page = at_work(ali, stage)
    drag_over(page, KINGS_DAYS)
    page.keyboard.press("a")
    assert draft(page)["negatives"][0]["quote"] == KINGS_DAYS
    page.keyboard.press("2")
    assert (draft(page)["negatives"][0]["quote"], draft(page)["negatives"][0]["start"]) == ("", None)
    page.get_by_text("What is missing has no words to point at.").wait_for()
    assert not page.get_by_role("button", name="Point at words").is_visible()
    page.keyboard.press("Control+z")
    assert draft(page)["negatives"][0]["quote"] == KINGS_DAYS


def test_the_words_of_an_error_are_chosen_anew(at_work, ali, stage):
    page = at_work(ali, stage)
    page.keyboard.press("a")
    page.get_by_role("button", name="Point at words").click()
    start = BANKNOTES.index("«الزرقة»")
    page.mouse.dblclick(*point(page, start + 3))
    page.locator(".grade-card--error .span-form__quote").wait_for()
    assert draft(page)["negatives"][0]["quote"] == "الزرقة"
    page.get_by_role("button", name="Point at no words").click()
    assert draft(page)["negatives"][0]["start"] is None


def test_what_is_missing_is_named_and_gone_to(at_work, ali, stage):
    page = at_work(ali, stage)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("p")
    page.keyboard.press("a")
    page.keyboard.press("Control+Enter")
    summary = page.locator(".error-summary")
    assert summary.locator("li").count() == 4 + 5
    assert page.evaluate("document.activeElement.id") == "criterion-c2"
    page.get_by_text("Decide whether this passes or fails.").first.wait_for()
    summary.get_by_role("button", name="Error 1").first.click()
    assert page.evaluate("document.activeElement.closest('[data-field]').dataset.field") == "failure_type"
    assert not Grade.objects.exists()


def test_soft_warnings_stop_nobody(at_work, ali, stage):
    page = at_work(ali, stage)
    page.keyboard.press("ArrowDown")
    for _criterion in range(5):
        page.keyboard.press("f")
        page.keyboard.press("ArrowDown")
    page.get_by_text("Criteria fail, yet no error is named.").wait_for()
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    assert Grade.objects.get().raw == 0


def test_two_tabs_are_combined_and_nothing_is_lost(at_work, ali, stage):
    """Here c1 passes; elsewhere c1 failed, c2 passed and an error was found. Together: c1 as here, and the rest."""
    page = at_work(ali, stage)
    page.keyboard.press("ArrowDown")
    elsewhere = {"verdicts": {"c1": "fail", "c2": "pass"}, "negatives": [negative("n1", KINGS_DAYS)], "comment": "هنا"}
    turn = turn_of(ali, stage)
    assert put_draft(signed_in(ali), turn, 0, elsewhere, tab="tab-2").status_code == 200
    page.keyboard.press("p")
    page.get_by_text("This item was also changed elsewhere").wait_for()
    page.get_by_role("button", name="Combine both").click()
    page.wait_for_selector(SAVED)
    expected = {"verdicts": {"c1": "pass", "c2": "pass"}, "negatives": elsewhere["negatives"], "comment": "هنا"}
    assert draft(page) == expected
    assert Draft.objects.get(assignment=turn).body == expected
    page.keyboard.press("Control+z")
    assert draft(page)["verdicts"] == {"c1": "pass"}


def test_a_second_person_decides_about_the_first_ones_errors(at_work, project, ali, stage):
    turn = turn_of(ali, stage)
    submit(signed_in(ali), turn, 0, grade_body(("c1",), negative("ali-1", KINGS_DAYS)))
    fatima = iraqi_annotator(project, "fatima@example.org", "Fatima Ali")
    page = at_work(fatima, stage_of(project, "regrading"))
    page.keyboard.press("ArrowDown")
    for _criterion in range(5):
        page.keyboard.press("p")
        page.keyboard.press("ArrowDown")
    page.keyboard.press("2")
    assert score_shown(page) == ["37", "37", "100.0 %"]
    page.keyboard.press("1")
    assert score_shown(page) == ["30", "37", "81.1 %"]
    assert page.get_by_text("Hallucination").count() == 0, "the first grader's failure type stays theirs"
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    assert Grade.objects.get(role="regrade").raw == 30


def test_by_finger_on_a_narrow_screen_in_arabic(browser, bundle, live_server, ali, stage):  # noqa: F811
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    session = signed_in(ali).cookies["sessionid"].value
    context.add_cookies(cookies(live_server, sessionid=session, django_language="ar"))
    page = context.new_page()
    page.goto(f"{live_server.url}/tasks/{turn_of(ali, stage).uuid}/")
    page.wait_for_selector("html[data-scoring=ready]")
    assert page.evaluate("document.documentElement.dir") == "rtl"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    top = "document.querySelector('#grade-text').getBoundingClientRect().top"
    page.evaluate(f"window.scrollBy({{ top: {top} - 60, behavior: 'instant' }})")  # just below its tools
    page.touchscreen.tap(*point(page, 2))
    at_rest(page)
    page.touchscreen.tap(*point(page, BANKNOTES.index("يسمّون") + 1))
    at_rest(page)
    page.locator(".pending-hint:not([hidden]) .btn-primary").tap()
    assert draft(page)["negatives"][0]["quote"] == "العراقيين يسمّون"
    # Cards come one by one in a sheet below the text, which stays: the error's own first, its words a tap away.
    card = page.locator(".grade-card:visible")
    assert card.count() == 1
    card.get_by_role("textbox").tap()
    at_rest(page)
    field = card.get_by_role("textbox").bounding_box()
    assert 0 < field["y"] < 740 - field["height"]
    shown, back = page.locator(".panel-sheet__steps button").first, page.locator(".panel-sheet__steps button").nth(1)
    shown.tap()
    at_rest(page)
    assert 0 < point(page, 2)[1] < page.locator(".panel-sheet").bounding_box()["y"]
    for _criterion in range(5):
        back.tap()
    where = page.evaluate("[scrollY, document.querySelector('#grade-text').getBoundingClientRect().top]")
    for verdict, ids in (("pass", "c1"), ("fail", "c2"), ("pass", "c3")):
        assert page.locator(".grade-card:visible").get_attribute("id") == f"criterion-{ids}"
        page.locator(f".grade-card:visible .choice--{verdict}").tap()
        assert page.evaluate("[scrollY, document.querySelector('#grade-text').getBoundingClientRect().top]") == where
    assert score_shown(page)[0] == "16"
    found = Axe().run(at_rest(page)).response["violations"]
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("ar", "dark")])
def test_the_screen_has_no_barrier(at_work, ali, stage, language, theme):
    page = at_work(ali, stage, language)
    page.evaluate(f"document.documentElement.dataset.bsTheme = '{theme}'")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("p")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("f")
    page.keyboard.press("a")
    page.keyboard.press("Control+Enter")  # with what is missing named
    found = Axe().run(at_rest(page)).response["violations"]
    assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []


def test_an_error_of_the_rubric_takes_points_and_a_rule_asks_for_a_reason(at_work, project, ali):
    make_rubrics_project(project)
    add_response(project, "koshari", EGYPTIAN, "ar-IQ")
    long = "كلام طويل " * 1_500
    stored(project, "rubrics", rubric_line(criterion("c1", 10, text=long), criterion("e1", -6, tags=["axis:safety"])))
    stage = stage_of(project, "scoring")
    change_rules(stage, [{"needs": "comment", "verdict": ["present"], "message": "Say what is dangerous."}])
    page = at_work(ali, stage)
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360, "a long criterion does not widen the page"
    page.set_viewport_size({"width": 1280, "height": 900})
    assert "axis:safety" in page.locator("#criterion-e1").inner_text()
    page.keyboard.press("p")
    page.keyboard.press("1")
    assert score_shown(page) == ["4", "10", "40.0 %"]
    page.keyboard.press("Control+Enter")
    page.locator(".error-summary").get_by_text("Say what is dangerous.").wait_for()
    assert not Grade.objects.exists()
    page.keyboard.press("c")
    page.locator("#grade-comment").fill("خطر")
    page.wait_for_selector(SAVED)
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    assert Grade.objects.values_list("raw", "maximum").get() == (4, 10)
