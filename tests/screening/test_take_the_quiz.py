"""Taking a quiz: begin, answer, be saved, hand in once, read what came of it, try again."""

import re
import uuid

import pytest
from django.db import DatabaseError, transaction

from screening.models import Attempt, QuizQuestion
from screening.quiz.taking import begin, keep, questions_of, save_answer
from screening.quiz.taking import submit as hand_in
from tests.annotation.marked import rater_of
from tests.annotation.rated import pair_of, question_type
from tests.people import EGYPTIAN, signed_in
from tests.screening.quizzes import (
    SUHOOR,
    as_form,
    attempt_at,
    choice,
    five_statements,
    open_up,
    right_answers,
    true_false,
)
from tests.workflow.working import marking_stage
from workflow.own_keys import set_key
from workflow.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(project, koshari):
    return marking_stage(project)


@pytest.fixture
def quiz(stage):
    return five_statements(stage, retraining="Read **rule 3** again.")


@pytest.fixture
def every_kind(project, stage, koshari):
    """One question of each kind, in a quiz that serves all languages."""
    quiz = five_statements(stage, language="", is_open=False)
    quiz.questions.all().delete()
    true_false(quiz, "Koshari is Egyptian.", True)
    choice(quiz, "What is in it?", ["Rice", "Lentils"], ["Fish"])
    pair = pair_of(project, "p1", question=question_type(project))
    QuizQuestion.objects.create(
        quiz=quiz,
        kind="rating",
        text="Rate both.",
        pair=pair,
        question_type=pair.prompt.question,
        content={"gold": {"first": 4, "second": 2, "preference": ""}},
    )
    start = EGYPTIAN.index(SUHOOR)
    QuizQuestion.objects.create(
        quiz=quiz,
        kind="spans",
        text="Mark the errors.",
        response=koshari,
        content={"gold": [[start, start + len(SUHOOR)]]},
    )
    return open_up(quiz)


def post(person, attempt, answers, submission=None, **more):
    body = as_form(attempt, answers) | {"submission": str(submission or uuid.uuid4())} | more
    return signed_in(person).post(f"/quiz-attempts/{attempt.uuid}/submit", body)


def test_mona_reads_what_it_is_about_and_begins(quiz, mona):
    page = signed_in(mona).get(f"/p/feasts/quiz/{quiz.pk}/").content.decode()
    assert "You have 3 attempts left." in page
    assert "rule 3" not in page  # the retraining text comes after a failed attempt
    answer = signed_in(mona).post(f"/p/feasts/quiz/{quiz.pk}/begin")
    attempt = Attempt.objects.get()
    assert answer.url == f"/quiz-attempts/{attempt.uuid}/"
    assert (attempt.number, attempt.version, attempt.pass_mark) == (1, 1, 80)
    signed_in(mona).post(f"/p/feasts/quiz/{quiz.pk}/begin")  # pressed twice
    assert Attempt.objects.count() == 1


def test_the_page_says_nothing_of_what_is_right(every_kind, mona):
    attempt = attempt_at(every_kind, mona)
    page = signed_in(mona).get(f"/quiz-attempts/{attempt.uuid}/").content.decode()
    for word in ("is_right", "gold", "explanation", "checked"):
        assert word not in page


@pytest.mark.parametrize(
    ("scale", "gold", "choices"),
    [
        ((1, 5), {"first": 4, "second": 2, "preference": ""}, []),
        ((None, None), {"first": None, "second": None, "preference": "first"}, ["A is better", "B is better"]),
    ],
)
def test_two_responses_are_named_as_on_the_screen_of_the_work(project, stage, mona, scale, gold, choices):
    quiz = five_statements(stage, language="", is_open=False)
    quiz.questions.all().delete()
    pair = pair_of(project, "p1", question=question_type(project, "better", *scale))
    asked = pair.prompt.question
    content = {"gold": gold}
    quiz.questions.create(kind="rating", text="Rate.", pair=pair, question_type=asked, content=content)
    attempt = attempt_at(open_up(quiz), mona)
    page = signed_in(mona).get(f"/quiz-attempts/{attempt.uuid}/").content.decode()
    named = re.findall(r">(Response \w+|\w+ is better)<", page)
    assert list(dict.fromkeys(named)) == ["Response A", "Response B", *choices]


def test_every_kind_of_question_is_answered_and_marked(every_kind, mona):
    attempt = attempt_at(every_kind, mona)
    assert post(mona, attempt, right_answers(attempt)).status_code == 302
    attempt.refresh_from_db()
    assert (attempt.right, attempt.total, attempt.is_passed) == (4, 4, True)


@pytest.mark.parametrize(
    ("kind", "answer", "is_right", "score"),
    [
        ("true_false", False, False, 0),
        ("choice", [0], False, 2 / 3),  # Rice chosen, fish left, lentils missed
        ("choice", [0, 1, 2], False, 2 / 3),
        ("rating", {"first": 5, "second": 3, "preference": ""}, True, 1),  # each within 1
        ("rating", {"first": 3, "second": 3, "preference": ""}, True, 1),  # a tie is not the other way round
        ("rating", {"first": 2, "second": 2, "preference": ""}, False, 2 / 3),
        ("rating", {"first": 3, "second": 4, "preference": ""}, False, 1 / 3),  # 4 is off by 2, and reversed
        ("spans", {"places": [], "no_errors": True}, False, 0),
    ],
)
def test_wrong_and_nearly_right_answers(every_kind, mona, kind, answer, is_right, score):
    attempt = attempt_at(every_kind, mona)
    [question] = [each for each in questions_of(attempt) if each.kind == kind]
    hand_in(attempt, uuid.uuid4(), right_answers(attempt) | {question.position: answer})
    question.refresh_from_db()
    assert (question.is_right, question.score) == (is_right, pytest.approx(score))


def test_marks_are_compared_by_words(every_kind, mona):
    """Gold: two words. Three words marked share 2 of 3 with it, above 0.15; another mark elsewhere halves precision:
    P = 1/2, R = 1, F1 = 2/3, right from 50 %."""
    attempt = attempt_at(every_kind, mona)
    [question] = [each for each in questions_of(attempt) if each.kind == "spans"]
    start = EGYPTIAN.index(SUHOOR)
    answer = {"places": [[0, 6], [start, EGYPTIAN.index("وده") + 3]], "no_errors": False}
    hand_in(attempt, uuid.uuid4(), right_answers(attempt) | {question.position: answer})
    question.refresh_from_db()
    assert (question.is_right, question.score) == (True, pytest.approx(2 / 3))
    assert question.parts == {"gold": 1, "marked": 2, "matched": 1, "f1": pytest.approx(2 / 3)}


def test_an_answer_is_saved_as_it_is_given(quiz, mona):
    attempt = attempt_at(quiz, mona)
    save = f"/quiz-attempts/{attempt.uuid}/answers/2"
    first = signed_in(mona).post(save, {"q2": "true"}, headers={"If-Match": '"0"'})
    assert (first.status_code, first.json()) == (200, {"saves": 1})
    page = signed_in(mona).get(f"/quiz-attempts/{attempt.uuid}/").content.decode()
    assert 'name="q2" value="true" checked' in page
    stale = signed_in(mona).post(save, {"q2": "false"}, headers={"If-Match": '"0"'})
    assert stale.status_code == 412
    assert attempt.questions.get(position=2).answer is True
    assert signed_in(mona).post(save, {"q2": "true"}, headers={"If-Match": '"0"'}).status_code == 200  # a resend
    assert signed_in(mona).post(save, {"q2": "perhaps"}, headers={"If-Match": '"1"'}).status_code == 422


def test_what_is_missing_is_named_and_the_rest_kept(quiz, mona):
    attempt = attempt_at(quiz, mona)
    answer = post(mona, attempt, right_answers(attempt, wrong=2))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert 'href="#q1"' in page
    assert 'href="#q2"' in page
    assert 'href="#q3"' not in page
    attempt.refresh_from_db()
    assert attempt.submitted_at is None
    assert attempt.questions.filter(answer__isnull=False).count() == 3


def test_what_is_kept_changes_nothing_of_an_attempt_handed_in_meanwhile(quiz, mona):
    attempt = attempt_at(quiz, mona)
    questions = questions_of(attempt)
    hand_in(attempt, uuid.uuid4(), right_answers(attempt))
    with pytest.raises(Refused, match="handed in already"):
        keep(attempt, questions, {1: "other"})
    assert not attempt.questions.filter(answer="other").exists()
    assert not attempt.questions.filter(answer=None).exists()


def test_what_is_kept_counts_over_what_another_tab_saved_meanwhile(quiz, mona):
    attempt = attempt_at(quiz, mona)
    questions = questions_of(attempt)
    save_answer(questions_of(attempt)[0], True, 0)
    keep(attempt, questions, {})
    stored = attempt.questions.get(position=1)
    assert (stored.answer, stored.saves) == (None, 2)
    assert (questions[0].answer, questions[0].saves) == (None, 2)


def test_a_sample_has_the_keys_of_marking_whatever_the_stage_is(stage, quiz, every_kind, mona):
    attempt = attempt_at(every_kind, mona)
    stage.kind = "pairs"
    stage.save(update_fields=["kind"])
    set_key(mona, "spans", "letters", "Z")
    page = signed_in(mona).get(f"/quiz-attempts/{attempt.uuid}/")
    assert page.context["own_keys"] == {"L": "Z"}


def test_an_attempt_is_graded_once_however_often_it_is_sent(quiz, mona):
    attempt = attempt_at(quiz, mona)
    key, answers = uuid.uuid4(), right_answers(attempt)
    post(mona, attempt, answers, key)
    graded = Attempt.objects.get()
    wrong = {position: not answer for position, answer in answers.items()}
    post(mona, attempt, wrong, key)  # resent, and with something else in it
    post(mona, attempt, wrong)  # from another tab
    again = Attempt.objects.get()
    assert (again.right, again.submitted_at, again.submission) == (5, graded.submitted_at, key)
    with pytest.raises(Refused):
        hand_in(attempt, uuid.uuid4(), wrong)


def test_editing_the_quiz_changes_nothing_in_an_attempt(quiz, mona):
    attempt = attempt_at(quiz, mona)
    answers = right_answers(attempt)
    for question in quiz.questions.all():
        question.content = {"right": not question.content["right"]}
        question.save()
    quiz.pass_mark = 100
    quiz.save()
    hand_in(attempt, uuid.uuid4(), answers)
    attempt.refresh_from_db()
    assert (attempt.right, attempt.pass_mark, attempt.is_passed) == (5, 80, True)


def test_failing_brings_retraining_and_another_order(quiz, mona):
    attempt = attempt_at(quiz, mona, seed=1)
    hand_in(attempt, uuid.uuid4(), right_answers(attempt, wrong=3))
    page = signed_in(mona).get(f"/quiz-attempts/{attempt.uuid}/").content.decode()
    assert "<strong>rule 3</strong>" in page
    assert "Because of" in page
    assert "Right answer" not in page  # the next attempt asks the same
    second = attempt_at(quiz, mona, seed=2)
    assert second.number == 2
    assert [each.text for each in questions_of(second)] != [each.text for each in questions_of(attempt)]


def test_attempts_are_limited_and_a_lead_can_allow_more(quiz, mona):
    for _number in range(3):
        attempt = attempt_at(quiz, mona)
        hand_in(attempt, uuid.uuid4(), {})
    with pytest.raises(Refused, match="no_attempts"):
        attempt_at(quiz, mona)
    page = signed_in(mona).get(f"/p/feasts/quiz/{quiz.pk}/").content.decode()
    assert "You have used all attempts" in page
    assert "Right answer" in signed_in(mona).get(f"/quiz-attempts/{attempt.uuid}/").content.decode()
    quiz.attempts_allowed = 4
    quiz.save()
    assert attempt_at(quiz, mona).number == 4


def test_who_has_passed_takes_it_no_more(quiz, mona):
    attempt = attempt_at(quiz, mona)
    hand_in(attempt, uuid.uuid4(), right_answers(attempt))
    with pytest.raises(Refused, match="quiz_passed"):
        attempt_at(quiz, mona)


def test_an_attempt_is_nobody_elses(quiz, mona, karim, nour):
    attempt = attempt_at(quiz, mona)
    for other in (karim, nour):
        assert signed_in(other).get(f"/quiz-attempts/{attempt.uuid}/").status_code == 404
        assert post(other, attempt, {}).status_code == 404


def test_a_quiz_of_another_language_does_not_exist_for_one(quiz, rafia):
    assert signed_in(rafia).get(f"/p/feasts/quiz/{quiz.pk}/").status_code == 404
    assert signed_in(rafia).post(f"/p/feasts/quiz/{quiz.pk}/begin").status_code == 404


def test_showing_all_kinds_costs_no_more_for_more_questions(every_kind, mona, django_assert_max_num_queries):
    for number in range(10):
        true_false(every_kind, f"More {number}", True)
    attempt, client = attempt_at(every_kind, mona), signed_in(mona)
    with django_assert_max_num_queries(14):
        client.get(f"/quiz-attempts/{attempt.uuid}/")


# --- The database refuses what the code would never ask ----------------------------------------------


def refused_by_database(act) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        act()


def test_the_database_keeps_a_graded_attempt_as_it_is(quiz, mona):
    attempt = attempt_at(quiz, mona)
    hand_in(attempt, uuid.uuid4(), right_answers(attempt, wrong=2))
    graded = Attempt.objects.filter(pk=attempt.pk)
    refused_by_database(lambda: graded.update(right=5, is_passed=True))
    refused_by_database(lambda: graded.update(submission=uuid.uuid4()))
    refused_by_database(lambda: attempt.questions.update(is_right=True, score=1))
    refused_by_database(lambda: attempt.questions.update(answer=True))
    quiz.questions.first().delete()  # its copies lose their original, and nothing else
    assert attempt.questions.count() == 5


def test_the_database_adds_the_marks_up_itself(quiz, mona):
    attempt = attempt_at(quiz, mona)
    attempt.questions.update(is_right=False, score=0)
    passing = {"right": 5, "total": 5, "is_passed": True, "submission": uuid.uuid4(), "submitted_at": attempt.begun_at}
    refused_by_database(lambda: Attempt.objects.filter(pk=attempt.pk).update(**passing))
    attempt.questions.update(is_right=True, score=1)
    failing = passing | {"is_passed": False}
    refused_by_database(lambda: Attempt.objects.filter(pk=attempt.pk).update(**failing))
    Attempt.objects.filter(pk=attempt.pk).update(**passing)


def test_the_database_counts_attempts(quiz, mona, project):
    rater = rater_of(mona, project)
    fields = {"quiz": quiz, "rater": rater, "version": 1, "pass_mark": 80, "seed": 1}
    refused_by_database(lambda: Attempt.objects.create(number=4, **fields))
    Attempt.objects.create(number=1, **fields)
    refused_by_database(lambda: Attempt.objects.create(number=2, **fields))  # one open at a time


def test_the_database_lets_nobody_try_again_who_passed(quiz, mona, project):
    attempt = attempt_at(quiz, mona)
    hand_in(attempt, uuid.uuid4(), right_answers(attempt))
    fields = {"quiz": quiz, "rater": rater_of(mona, project), "version": 1, "pass_mark": 80, "seed": 1}
    refused_by_database(lambda: Attempt.objects.create(number=2, **fields))


def test_the_database_refuses_an_open_quiz_without_questions(stage):
    quiz = five_statements(stage, language="bn", is_open=False)
    quiz.questions.all().delete()
    refused_by_database(lambda: open_up(quiz))


def test_samples_are_of_the_project_itself(quiz, other_project):
    pair = pair_of(other_project, "elsewhere", question=question_type(other_project))
    content = {"gold": {"first": 4, "second": 2, "preference": ""}}
    fields = {"quiz": quiz, "kind": "rating", "text": "Rate", "pair": pair, "content": content}
    refused_by_database(lambda: QuizQuestion.objects.create(question_type=pair.prompt.question, **fields))


def test_begin_again_returns_the_open_attempt(quiz, mona, project):
    rater = rater_of(mona, project)
    assert begin(rater, quiz) == begin(rater, quiz)
