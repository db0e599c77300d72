"""After a batch of items a rater is asked a few questions, and may pass."""

import pytest

from projects.models import Rater
from tests.people import add_response, signed_in
from tests.workflow.working import body, marking_stage, submit
from workflow import surveys
from workflow.claims import claim_next
from workflow.models import Survey, SurveyAnswer
from workflow.planning import plan_items

pytestmark = pytest.mark.django_db

QUESTIONS = [
    {"key": "clear", "text": "How clear?", "kind": "scale", "choices": []},
    {"key": "region", "text": "Which region?", "kind": "choice", "choices": ["Cairo", "Delta"]},
    {"key": "odd", "text": "What was odd?", "kind": "text", "choices": []},
]


@pytest.fixture
def stage(project, mona):
    for number in range(4):
        add_response(project, f"dish-{number}", "الكشري أكلة مصرية.", "ar-EG")
    stage = marking_stage(project)
    plan_items(stage)
    Survey.objects.create(stage=stage, batch_size=2, questions=QUESTIONS)
    return stage


def finish_one(mona, stage) -> str:
    """Mona finishes an item; where she is led next."""
    turn = claim_next(Rater.objects.get(user=mona), stage)
    return submit(signed_in(mona), turn, 0, body(no_errors=True)).json()["next"]


def test_it_comes_after_the_batch_and_once(stage, mona):
    where = f"/p/feasts/my-work/{stage.pk}/survey/"
    assert finish_one(mona, stage).startswith("/tasks/")
    assert finish_one(mona, stage) == where
    page = signed_in(mona).get(where).content.decode()
    assert "How clear?" in page
    assert "Cairo" in page
    given = {"clear": "4", "region": "Delta", "odd": "كلام مترجم"}
    assert signed_in(mona).post(where, given).status_code == 302
    answer = SurveyAnswer.objects.get()
    assert (answer.batch, answer.answers) == (1, {"clear": 4, "region": "Delta", "odd": "كلام مترجم"})
    assert signed_in(mona).get(where).status_code == 302  # nothing is due any more
    assert finish_one(mona, stage).startswith("/tasks/")
    assert finish_one(mona, stage) == where


def test_she_may_pass(stage, mona):
    finish_one(mona, stage), finish_one(mona, stage)
    signed_in(mona).post(f"/p/feasts/my-work/{stage.pk}/survey/", {"clear": "4", "pass": "1"})
    assert SurveyAnswer.objects.get().answers == {}


@pytest.mark.parametrize("given", [{"clear": "6"}, {"clear": "٤"}, {"region": "Paris"}, {"odd": "x" * 2001}])
def test_what_is_no_answer_is_named_and_nothing_is_stored(stage, mona, given):
    finish_one(mona, stage), finish_one(mona, stage)
    told = signed_in(mona).post(f"/p/feasts/my-work/{stage.pk}/survey/", given)
    assert told.status_code == 422
    assert 'role="alert"' in told.content.decode()
    assert not SurveyAnswer.objects.exists()


def test_nour_sets_it_up_and_reads_what_came(project, stage, mona, nour):
    finish_one(mona, stage), finish_one(mona, stage)
    signed_in(mona).post(f"/p/feasts/my-work/{stage.pk}/survey/", {"clear": "4", "odd": "كلام مترجم"})
    where = f"/p/feasts/stages/{stage.pk}/survey/"
    assert "How clear?" in signed_in(nour).get(where).content.decode()
    form = {
        "batch_size": "10",
        "is_open": "on",
        "question-TOTAL_FORMS": "3",
        "question-INITIAL_FORMS": "0",
        **{"question-0-key": "clear", "question-0-text": "How clear was it?", "question-0-kind": "scale"},
        **{"question-1-text": "", "question-1-kind": "text"},
        **{"question-2-text": "Which?", "question-2-kind": "choice", "question-2-choices": "One\nTwo"},
    }
    assert signed_in(nour).post(where, form).status_code == 302
    survey = Survey.objects.get()
    assert survey.batch_size == 10
    assert [question["text"] for question in survey.questions] == ["How clear was it?", "Which?"]
    assert survey.questions[0]["key"] == "clear"
    assert survey.questions[1]["choices"] == ["One", "Two"]
    page = signed_in(nour).get(f"{where}answers/").content.decode()
    assert "Mean 4.00 of 1 answers" in page
    assert "كلام مترجم" not in page


def test_a_choice_needs_two_answers(stage, nour):
    form = {
        "batch_size": "10",
        "question-TOTAL_FORMS": "1",
        "question-INITIAL_FORMS": "0",
        **{"question-0-text": "Which?", "question-0-kind": "choice", "question-0-choices": "One\nOne"},
    }
    assert signed_in(nour).post(f"/p/feasts/stages/{stage.pk}/survey/", form).status_code == 422


def test_a_closed_survey_asks_nobody(stage, mona):
    Survey.objects.update(is_open=False)
    finish_one(mona, stage)
    assert finish_one(mona, stage).startswith("/tasks/")


def test_what_came_is_counted_by_question(stage, mona):
    survey, rater = Survey.objects.get(), Rater.objects.get(user=mona)
    surveys.answer(survey, rater, 1, {"clear": 2, "odd": "a"})
    surveys.answer(survey, rater, 1, {"clear": 5})  # sent twice: the first stands
    surveys.answer(survey, rater, 2, {"clear": 4, "region": "Delta", "gone": "x"})
    surveys.answer(survey, rater, 3, {})
    answered, passed = surveys.results(survey)
    assert passed == 1
    assert answered[0].mean == 3
    assert answered[0].rows == [(1, 0), (2, 1), (3, 0), (4, 1), (5, 0)]
    assert answered[1].rows == [("Cairo", 0), ("Delta", 1)]
    assert answered[2].texts == [(rater.pseudonym, 1, "a")]
