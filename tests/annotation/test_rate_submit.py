"""Mona hands in her ratings: stored as they were given, once, and nothing where something is missing."""

import uuid

import pytest

from annotation.models import Rating
from tests.annotation.rated import make_ratings_project, pair_of, question_type, rate
from tests.annotation.rating import body, rating, rating_stage, turn_of
from tests.people import add_response, signed_in
from tests.workflow.working import put_draft, submit
from workflow.models import Assignment, Draft, WorkItem

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(project):
    return question_type(make_ratings_project(project))


@pytest.fixture
def greeting(project, question):
    return pair_of(project, "greeting", question=question)


@pytest.fixture
def turn(project, greeting, mona):
    return turn_of(mona, rating_stage(project))


def test_ratings_are_stored_with_who_gave_them_and_for_which_turn(mona, greeting, question, turn):
    answer = body(rating(first=4, second=2, preference="first", comment="  Warmer.  "))
    assert submit(signed_in(mona), turn, 0, answer).status_code == 200
    stored = Rating.objects.get()
    assert (stored.pair, stored.question, stored.rater, stored.assignment) == (
        greeting,
        question,
        mona.raters.get(),
        turn,
    )
    assert (stored.first_grade, stored.second_grade, stored.preference, stored.comment) == (4, 2, "first", "Warmer.")
    assert (stored.is_check, stored.round) == (False, 1)


def test_sent_twice_it_is_stored_once(mona, turn):
    key = uuid.uuid4()
    for _time in range(2):
        assert submit(signed_in(mona), turn, 0, body(), key).status_code == 200
    assert Rating.objects.count() == 1


def test_what_is_missing_is_named_and_nothing_is_stored(mona, turn):
    answer = submit(signed_in(mona), turn, 0, body(rating(second=None)))
    assert answer.status_code == 422
    (problem,) = answer.json()["error"]["problems"]
    assert (problem["span"], problem["field"], problem["code"]) == ("formality", "second", "required")
    assert not Rating.objects.exists()


def test_an_answer_to_a_check_is_marked_as_one(project, greeting, mona, turn):
    check = WorkItem.objects.create(
        stage=turn.stage, pair=greeting, variety=greeting.variety, is_check=True, position=9, slots=9, open_slots=9
    )
    Assignment.objects.filter(pk=turn.pk).update(item=check)
    assert submit(signed_in(mona), turn, 0, body()).status_code == 200
    assert Rating.objects.get().is_check


def test_a_prompt_that_names_no_question_is_rated_on_every_one_of_the_project(project, mona, question):
    question_type(project, "fluency", dimension="fluency")
    pair_of(project, "open")
    turn = turn_of(mona, rating_stage(project))
    client = signed_in(mona)
    assert submit(client, turn, 0, body(rating("formality"))).status_code == 422
    assert submit(client, turn, 0, body(rating("fluency", 3, 3), rating("formality"))).status_code == 200
    assert set(Rating.objects.values_list("question__slug", "first_grade")) == {("formality", 4), ("fluency", 3)}


def test_a_prompt_that_names_its_question_is_rated_on_that_alone(project, mona, turn):
    question_type(project, "fluency")
    answer = submit(signed_in(mona), turn, 0, body(rating("formality"), rating("fluency")))
    assert [problem["code"] for problem in answer.json()["error"]["problems"]] == ["unknown_question"]


def test_a_preference_alone_where_there_is_no_scale(project, mona):
    better = question_type(make_ratings_project(project), "better", lowest=None, highest=None)
    pair_of(project, "greeting", question=better)
    turn = turn_of(mona, rating_stage(project))
    client = signed_in(mona)
    assert submit(client, turn, 0, body(rating("better", None, None))).status_code == 422
    assert submit(client, turn, 0, body(rating("better", None, None, preference="tie"))).status_code == 200
    stored = Rating.objects.get()
    assert (stored.first_grade, stored.second_grade, stored.preference) == (None, None, "tie")


def test_a_single_response_is_graded_by_itself(project, question, mona):
    alone = add_response(project, "alone", "صباح الخير", "ar-EG")
    turn = turn_of(mona, rating_stage(project, "ratings"))
    client = signed_in(mona)
    assert submit(client, turn, 0, body(rating())).status_code == 422, "it has no second"
    entry = {"question": "formality", "first": 5, "comment": ""}
    assert submit(client, turn, 0, {"ratings": [entry]}).status_code == 200
    stored = Rating.objects.get()
    assert (stored.response, stored.pair, stored.first_grade, stored.second_grade) == (alone, None, 5, None)


def test_what_was_rated_elsewhere_meanwhile_is_said_kindly_and_kept(greeting, question, mona, turn):
    client = signed_in(mona)
    put_draft(client, turn, 0, body(rating(comment="Warmer.")))
    rate(greeting, mona, question, 3, 3)
    answer = submit(client, turn, 1, body(rating(comment="Warmer.")))
    assert answer.status_code == 422
    assert [problem["code"] for problem in answer.json()["error"]["problems"]] == ["rated_before"]
    assert Draft.objects.get(assignment=turn).body["ratings"][0]["comment"] == "Warmer."
    assert Rating.objects.count() == 1


def test_saving_a_draft_asks_the_database_nothing_about_questions(mona, turn, django_assert_max_num_queries):
    client = signed_in(mona)
    assert put_draft(client, turn, 0, body(rating(second=None))).status_code == 200
    with django_assert_max_num_queries(8) as asked:
        assert put_draft(client, turn, 1, body(rating(second=3))).status_code == 200
    assert not [query for query in asked.captured_queries if "questiontype" in query["sql"]]
