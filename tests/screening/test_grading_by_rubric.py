"""Nour screens who grades by a rubric: a quiz that asks for verdicts, and checks mixed into the work."""

import uuid

import pytest
from django.db import IntegrityError, transaction

from projects.models import Rater, Response
from rubrics.models import CheckGrading, Grade
from screening.checks.choosing import add_checks
from screening.checks.kinds import check_kind
from screening.models import Attempt, CheckResult, CheckSettings, Quiz, QuizQuestion
from screening.quiz.files import bring_in, file_of
from screening.quiz.taking import begin, submit
from screening.scoring import score_verdicts
from tests.people import EGYPTIAN, add_response, signed_in
from tests.rubrics.grading import banknotes, grade_body, iraqi_annotator, iraqi_author, stage_of
from tests.rubrics.rubrics import frozen_rubric, graded
from tests.screening.quizzes import open_up
from tests.workflow.working import submit as hand_in
from workflow.claims import claim_next
from workflow.models import Stage, WorkItem
from workflow.reassignment import may_amend
from workflow.task_types import task_type

pytestmark = pytest.mark.django_db


@pytest.fixture
def zainab(project) -> Rater:
    return iraqi_author(project)


@pytest.fixture
def ali(project, zainab):
    return iraqi_annotator(project)


@pytest.fixture
def known(project, zainab) -> Response:
    """What Zainab, who wrote the rubric, graded: c1 and c3 are passed, and she names an error of her own."""
    response, rubric = banknotes(project, zainab)
    graded(response, zainab, rubric, ("c1", "c3"), errors=(-7,))
    return response


@pytest.fixture
def stage(project, known) -> Stage:
    return stage_of(project, "scoring")


# --- How near a grade is --------------------------------------------------------------------------------


def test_equal_verdicts_are_counted():
    gold = {"c1": "pass", "c2": "fail", "c3": "pass", "c4": "absent"}
    score = score_verdicts(gold, {"c1": "pass", "c2": "fail", "c3": "fail", "n1": "present"}, 0.5)
    assert (score.is_right, score.value, score.parts) == (True, 0.5, {"criteria": 4, "same": 2})
    assert not score_verdicts(gold, {}, 0.01).is_right
    with pytest.raises(ValueError, match="compared"):
        score_verdicts({}, {}, 0.5)


# --- Checks ---------------------------------------------------------------------------------------------


@pytest.fixture
def check(stage, known, nour) -> WorkItem:
    CheckSettings.objects.create(stage=stage, share=50, verdict_share=80)
    kind = check_kind(stage)
    assert kind is not None
    assert add_checks(stage, kind, {known.pk}, nour) == 1
    return WorkItem.objects.get(stage=stage, is_check=True)


def check_turn(user, stage: Stage, monkeypatch):
    """The check is what is drawn at once."""
    monkeypatch.setattr("screening.checks.source.is_due", lambda *drawn: True)
    turn = claim_next(Rater.objects.get(user=user), stage)
    assert turn is not None
    assert turn.item.is_check
    return turn


def test_a_grade_of_the_author_or_of_an_expert_may_be_a_check_and_no_other(project, stage, known, zainab, ali):
    kind = check_kind(stage)
    other = add_response(project, "other", EGYPTIAN, "ar-IQ")
    graded(other, Rater.objects.get(user=ali), frozen_rubric(other.prompt, zainab), ("c1",))
    assert list(kind.candidates(stage)) == [known]
    Rater.objects.filter(user=ali).update(is_expert=True)
    assert set(kind.candidates(stage)) == {known, other}
    assert kind.gold(stage, [known.pk]) == {
        known.pk: {"verdicts": {"c1": "pass", "c2": "fail", "c3": "pass", "c4": "fail", "c5": "fail"}}
    }


@pytest.mark.parametrize(
    ("passed", "value", "is_right"), [(("c1", "c3"), 1.0, True), (("c1",), 0.8, True), ((), 0.6, False)]
)
def test_ali_answers_a_check_and_no_grade_comes_of_it(stage, check, ali, monkeypatch, passed, value, is_right):
    browser, before = signed_in(ali), Grade.objects.count()
    turn = check_turn(ali, stage, monkeypatch)
    assert browser.get(f"/tasks/{turn.uuid}/").status_code == 200
    body = grade_body(passed)
    assert hand_in(browser, turn, 0, body).status_code == 200
    assert Grade.objects.count() == before
    result = CheckResult.objects.get()
    assert (result.score, result.is_right) == (value, is_right)
    assert result.parts == {"criteria": 5, "same": round(5 * value)}
    assert browser.get(f"/tasks/{turn.uuid}/").status_code == 200


def test_what_he_wrote_is_there_when_he_takes_it_back_and_the_first_answer_counts(stage, check, ali, monkeypatch):
    browser, turn = signed_in(ali), check_turn(ali, stage, monkeypatch)
    body = grade_body(("c2",), comment="مو متأكد")
    hand_in(browser, turn, 0, body)
    turn.refresh_from_db()
    assert may_amend(turn)
    assert browser.post(f"/tasks/{turn.uuid}/amend").status_code in (200, 302)
    assert not CheckGrading.objects.exists()
    turn.refresh_from_db()
    assert turn.draft.body["verdicts"] == body["verdicts"]
    assert turn.draft.body["comment"] == "مو متأكد"
    assert hand_in(browser, turn, turn.draft.version, grade_body(("c1", "c3"))).status_code == 200
    assert CheckResult.objects.get().score == 0.4
    assert CheckGrading.objects.get().body["verdicts"]["c1"] == "pass"


def test_a_response_that_was_a_check_is_not_given_again(stage, check, known, ali, monkeypatch):
    turn = check_turn(ali, stage, monkeypatch)
    hand_in(signed_in(ali), turn, 0, grade_body())
    Grade.objects.all().delete()
    item = WorkItem.objects.get(stage=stage, response=known, is_check=False)
    monkeypatch.setattr("screening.checks.source.is_due", lambda *drawn: False)
    rater = Rater.objects.get(user=ali)
    assert claim_next(rater, stage) is None
    assert not task_type("scoring").may_be_given(item, rater)


def test_nour_reads_what_a_check_was_answered_with(stage, check, nour, ali, monkeypatch):
    hand_in(signed_in(ali), check_turn(ali, stage, monkeypatch), 0, grade_body(("c1",)))
    assert signed_in(nour).get(f"/p/feasts/checks/{stage.pk}/").status_code == 200
    kind, result = check_kind(stage), CheckResult.objects.select_related("check_item").get()
    compared = kind.compared([result])[result.pk]
    assert [(each.part, each.own, each.gold) for each in compared][2] == ("Names thing 3.", ["Fail"], ["Pass"])


# --- The quiz -------------------------------------------------------------------------------------------


@pytest.fixture
def quiz(stage) -> Quiz:
    return Quiz.objects.create(stage=stage, language="ar", verdict_share=100)


def add(lead, quiz: Quiz, **fields):
    posted = {"text": "Grade this.", "sample": "banknotes", "verdicts": "", "explanation": "", **fields}
    return lead.post(f"/p/feasts/screening/{quiz.pk}/add/grading/", posted)


def test_a_question_takes_its_verdicts_from_the_author(quiz, nour, ali, known):
    lead = signed_in(nour)
    assert add(lead, quiz).status_code == 302
    question = QuizQuestion.objects.get()
    asked = {each["key"]: each["gold"] for each in question.content["criteria"]}
    assert asked == {"c1": "pass", "c2": "fail", "c3": "pass", "c4": "fail", "c5": "fail"}
    page = lead.get(f"/p/feasts/screening/{quiz.pk}/preview/").content.decode()
    assert "Names thing 3." in page
    open_up(quiz)
    browser = signed_in(ali)
    browser.post(f"/p/feasts/quiz/{quiz.pk}/begin")
    attempt = Attempt.objects.get()
    assert "Names thing 5." in browser.get(f"/quiz-attempts/{attempt.uuid}/").content.decode()
    half = {"q1-1": "pass", "submission": str(uuid.uuid4())}
    assert browser.post(f"/quiz-attempts/{attempt.uuid}/submit", half).status_code == 422
    rest = {"q1-2": "fail", "q1-3": "pass", "q1-4": "fail", "q1-5": "fail"}
    browser.post(f"/quiz-attempts/{attempt.uuid}/submit", {**half, **rest})
    attempt.refresh_from_db()
    assert attempt.is_passed
    assert "Pass: Names thing 1." in browser.get(f"/quiz-attempts/{attempt.uuid}/").content.decode()


def test_how_near_an_answer_must_come_is_the_quizs_to_say(quiz, nour, ali):
    add(signed_in(nour), quiz)
    open_up(quiz)
    rater = Rater.objects.get(user=ali)
    four = {"c1": "pass", "c2": "fail", "c3": "pass", "c4": "fail", "c5": "pass"}
    assert not submit(begin(rater, quiz), uuid.uuid4(), {1: four}).is_passed
    Quiz.objects.filter(pk=quiz.pk).update(verdict_share=80)
    quiz.refresh_from_db()
    assert submit(begin(rater, quiz), uuid.uuid4(), {1: four}).is_passed
    with pytest.raises(IntegrityError), transaction.atomic():
        Quiz.objects.filter(pk=quiz.pk).update(verdict_share=0)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"sample": "nowhere"}, "no response of this id"),
        ({"sample": "bare"}, "no frozen rubric"),
        ({"verdicts": "c1: pass"}, "No verdict is known on c2"),
        ({"verdicts": "c9: pass"}, "no verdict on a criterion"),
        ({"verdicts": "c1: present"}, "no verdict on a criterion"),
        ({"verdicts": "🦒" * 2000}, "no verdict on a criterion"),
        ({"sample": "ungraded"}, "No verdict is known on c1"),
    ],
)
def test_what_cannot_be_asked_is_refused(project, quiz, nour, zainab, fields, said):
    add_response(project, "bare", EGYPTIAN, "ar-IQ")
    frozen_rubric(add_response(project, "ungraded", EGYPTIAN, "ar-IQ").prompt, zainab)
    answer = add(signed_in(nour), quiz, **fields)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not QuizQuestion.objects.exists()


def test_the_quiz_goes_along_as_a_file(quiz, nour, project, stage):
    add(signed_in(nour), quiz, verdicts="c1: fail\nc2: fail\nc3: pass\nc4: fail\nc5: fail")
    content = file_of(quiz)
    assert b"verdict_share: 100" in content
    QuizQuestion.objects.all().delete()
    again, notes = bring_in(stage, content, None)
    assert notes == []
    assert file_of(again) == content
    assert QuizQuestion.objects.get().content["criteria"][0]["gold"] == "fail"
