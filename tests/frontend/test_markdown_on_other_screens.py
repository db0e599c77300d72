"""Markdown on the screens beside that of marking: reviews and grades point at the same letters, rendered or plain."""

import pytest
from django.urls import reverse

from screening.models import Quiz, QuizQuestion
from screening.quiz.taking import begin
from tests.annotation.marked import mark
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.annotation.rating import rating_stage
from tests.frontend.settling import at_rest
from tests.people import add_response, signed_in
from tests.rubrics.grading import iraqi_annotator, iraqi_author, stage_of
from tests.rubrics.rubrics import frozen_rubric, make_rubrics_project
from tests.screening.quizzes import open_up
from workflow.claims import claim_next
from workflow.models import Stage
from workflow.planning import plan_items

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEXT = "# الكشري\n\nهو **أكلة مصرية** لذيذة.\n\n| المكوّن | الكمية |\n|---|---|\n| أرز | كوبان |\n\n- `عدس`"
SELECTED = """() => [...CSS.highlights.get("mark-selected")]
  .map(({ startContainer, startOffset, endOffset }) => startContainer.data.slice(startOffset, endOffset)).join("")"""
MIDDLE = """([screen, offset]) => {
  const { view } = window[screen];
  const [start, end] = view.index.graphemeAt(view.index.toUtf16(offset));
  const [box] = view.rectangles(start, end);
  return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
}"""


@pytest.fixture
def at_work(page, bundle, live_server):
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)

    def open_for(person, stage, ready):
        turn = claim_next(person.raters.get(), stage)
        session = signed_in(person).cookies["sessionid"].value
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page.goto(f"{live_server.url}/tasks/{turn.uuid}/")
        page.wait_for_selector(f"html[data-{ready}=ready]")
        return page

    yield open_for
    assert errors == []


def test_a_reviewer_sees_each_error_on_its_words(at_work, project, mona, karim, simba):
    response = add_response(project, "markdown", TEXT, "ar-EG")
    Stage.objects.create(project=project, kind="spans", name="Marking", overlap=2)
    stage = Stage.objects.create(project=project, kind="reviews", name="Reviews", position=2, policy="any")
    mark(response, mona)
    mark(response, karim, "أكلة مصرية** لذيذة", "أرز | كوبان", "عدس")
    plan_items(stage)
    page = at_work(mona, stage, "reviews")
    whole = ["أكلة مصرية** لذيذة", "أرز | كوبان", "عدس"]
    shown = []
    for _error in whole:  # in an order of their own
        shown.append(page.evaluate(SELECTED))
        page.keyboard.press("1")
    assert sorted(shown) == sorted(whole)
    x, y = page.evaluate(MIDDLE, ["mizanReviews", TEXT.index("كوبان")])
    page.mouse.click(x, y)
    assert page.evaluate(SELECTED) == whole[1]
    page.keyboard.press("v")
    assert "|---|" in page.locator("#review-text").inner_text()
    assert page.evaluate(SELECTED) == whole[1], "the switch leaves what is selected"
    page.keyboard.press("v")
    assert page.get_by_role("cell", name="كوبان").count() == 1


def test_a_grader_chooses_words_across_cells(at_work, project):
    ali = iraqi_annotator(project)
    make_rubrics_project(project)
    response = add_response(project, "markdown", TEXT, "ar-IQ")
    frozen_rubric(response.prompt, iraqi_author(project))
    page = at_work(ali, stage_of(project, "scoring"), "scoring")
    page.locator("#grade-text").evaluate("(text) => text.scrollIntoView({ block: 'center', behavior: 'instant' })")
    at_rest(page)
    page.mouse.move(*page.evaluate(MIDDLE, ["mizanScoring", TEXT.index("أرز")]))
    page.mouse.down()
    page.mouse.move(*page.evaluate(MIDDLE, ["mizanScoring", TEXT.index("كوبان") + 4]), steps=5)
    page.mouse.up()
    at_rest(page)
    page.keyboard.press("a")
    [error] = page.evaluate("mizanScoring.document.serialise().negatives")
    assert error["quote"] == TEXT[error["start"] : error["end"]] == "أرز | كوبان"


def test_reports_and_quizzes_are_read_as_work_is(page, bundle, live_server, project, nour, mona):
    """Nour reads a rated pair, Mona a question of a quiz: a table is one, and V shows the text as it was written."""
    pair = pair_of(project, "markdown", TEXT, TEXT, question=question_type(make_ratings_project(project)))
    stage = rating_stage(project)
    rate(pair, mona, pair.prompt.question, 4, 2)
    quiz = Quiz.objects.create(stage=stage, language="en")
    content = {"gold": {"first": 4, "second": 2, "preference": ""}}
    fields = {"pair": pair, "question_type": pair.prompt.question, "content": content}
    QuizQuestion.objects.create(quiz=quiz, kind="rating", text="Rate.", **fields)
    attempt = begin(mona.raters.get(), open_up(quiz))
    for person, path in (
        (nour, f"/p/feasts/rating-results/pairs/{pair.pk}/"),
        (mona, reverse("attempt", args=[attempt.uuid])),
    ):
        session = signed_in(person).cookies["sessionid"].value
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page.goto(live_server.url + path)
        switch = page.get_by_role("button", name="Plain text")
        switch.wait_for()
        assert page.get_by_role("cell", name="كوبان").count() == 2
        page.keyboard.press("v")
        assert page.get_by_role("cell", name="كوبان").count() == 0
        assert page.get_by_text("|---|---|").filter(visible=True).count() == 2
        switch.click()
        assert page.get_by_role("cell", name="كوبان").count() == 2
