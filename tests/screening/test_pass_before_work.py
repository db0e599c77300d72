"""Passing the quiz admits to a stage; nothing else does."""

import uuid

import pytest

from screening.quiz.taking import submit
from tests.annotation.marked import rater_of
from tests.people import signed_in
from tests.screening.quizzes import attempt_at, five_statements, right_answers
from tests.workflow.working import marking_stage
from workflow.beginning import begin_own
from workflow.claims import claim_another, claim_next
from workflow.models import Assignment, Stage
from workflow.reassignment import reassign
from workflow.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(project, koshari, boishakh) -> Stage:
    return marking_stage(project)


@pytest.fixture
def quiz(stage):
    return five_statements(stage, language="ar")


def take(quiz, person, wrong: int = 0):
    attempt = attempt_at(quiz, person)
    return submit(attempt, uuid.uuid4(), right_answers(attempt, wrong))


def refused(call, *arguments) -> Refused:
    with pytest.raises(Refused) as found:
        call(*arguments)
    return found.value


def test_mona_is_handed_nothing_before_she_has_passed(quiz, stage, mona):
    told = refused(claim_next, rater_of(mona, stage.project), stage)
    assert (told.code, told.url) == ("screening", f"/p/feasts/quiz/{quiz.pk}/")
    assert refused(claim_another, rater_of(mona, stage.project), stage).code == "screening"


def test_passing_admits(quiz, stage, mona):
    assert take(quiz, mona, wrong=1).is_passed  # 4 of 5 are 80 %
    assert claim_next(rater_of(mona, stage.project), stage) is not None


def test_failing_does_not_admit(quiz, stage, mona):
    assert not take(quiz, mona, wrong=2).is_passed
    assert refused(claim_next, rater_of(mona, stage.project), stage).code == "screening"


def test_what_is_ones_own_is_not_begun_either(project, salma, koshari):
    writing = Stage.objects.create(project=project, kind="authoring", name="Writing", overlap=1)
    quiz = five_statements(writing, language="ar")
    rater = rater_of(salma, project)
    assert refused(begin_own, rater, writing, koshari.variety, uuid.uuid4()).code == "screening"
    take(quiz, salma)
    assert begin_own(rater, writing, koshari.variety, uuid.uuid4())


def test_a_lead_cannot_hand_work_to_who_has_not_passed(quiz, stage, mona, karim, nour):
    take(quiz, mona)
    assignment = claim_next(rater_of(mona, stage.project), stage)
    assert refused(reassign, assignment, rater_of(karim, stage.project), nour).code == "screening"
    take(quiz, karim)
    assert reassign(assignment, rater_of(karim, stage.project), nour).rater.user == karim


def test_experts_and_raters_of_a_language_without_a_quiz(quiz, stage, hana, rafia):
    """An expert of two languages passes the quiz of the one that has one; Bengali has none."""
    assert claim_next(rater_of(rafia, stage.project), stage) is not None
    assert refused(claim_next, rater_of(hana, stage.project), stage).code == "screening"


def test_a_quiz_without_a_language_serves_all_that_have_none_of_their_own(quiz, stage, mona, rafia, hana):
    general = five_statements(stage, language="")
    assert refused(claim_next, rater_of(rafia, stage.project), stage).url == f"/p/feasts/quiz/{general.pk}/"
    take(quiz, mona)
    assert claim_next(rater_of(mona, stage.project), stage) is not None
    take(quiz, hana)
    assert refused(claim_next, rater_of(hana, stage.project), stage).url == f"/p/feasts/quiz/{general.pk}/"
    take(general, hana)
    assert claim_next(rater_of(hana, stage.project), stage) is not None


def test_a_closed_quiz_keeps_nobody_out(quiz, stage, mona):
    quiz.is_open = False
    quiz.save()
    assert claim_next(rater_of(mona, stage.project), stage) is not None


def test_a_pass_of_an_earlier_version_stays_a_pass(quiz, stage, mona):
    take(quiz, mona)
    quiz.version += 1
    quiz.save()
    assert claim_next(rater_of(mona, stage.project), stage) is not None


def test_what_was_begun_before_the_quiz_opened_can_be_finished(stage, mona):
    begun = claim_next(rater_of(mona, stage.project), stage)
    five_statements(stage, language="ar")
    assert claim_next(rater_of(mona, stage.project), stage) == begun


def test_my_work_leads_to_the_quiz(quiz, stage, mona):
    page = signed_in(mona).get("/p/feasts/my-work/")
    assert f"/p/feasts/quiz/{quiz.pk}/" in page.content.decode()
    answer = signed_in(mona).post(f"/p/feasts/my-work/{stage.pk}/next")
    assert answer.url == "/p/feasts/my-work/"
    assert not Assignment.objects.exists()


# --- A vendor's quiz, then the authors' ---


def test_quizzes_of_several_steps_are_passed_one_after_the_other(quiz, stage, mona, rafia):
    """The vendor's serves all languages; the authors have one in Arabic."""
    quiz.step = 2
    quiz.save()
    vendors = five_statements(stage, language="", step=1)
    rater = rater_of(mona, stage.project)
    assert refused(claim_next, rater, stage).url == f"/p/feasts/quiz/{vendors.pk}/"
    assert refused(attempt_at, quiz, mona).code == "quiz_before"
    assert (
        "comes before this one" in signed_in(mona).post(f"/p/feasts/quiz/{quiz.pk}/begin", follow=True).content.decode()
    )
    take(vendors, mona)
    assert refused(claim_next, rater, stage).url == f"/p/feasts/quiz/{quiz.pk}/"
    take(quiz, mona)
    assert claim_next(rater, stage) is not None
    take(vendors, rafia)
    assert claim_next(rater_of(rafia, stage.project), stage) is not None, "no second step in Bengali"


def test_an_attempt_that_is_under_way_goes_on_when_a_quiz_comes_before_it(quiz, stage, mona):
    quiz.step = 2
    quiz.save()
    under_way = attempt_at(quiz, mona)
    vendors = five_statements(stage, language="ar", step=1)
    assert attempt_at(quiz, mona) == under_way
    submit(under_way, uuid.uuid4(), right_answers(under_way))
    assert refused(claim_next, rater_of(mona, stage.project), stage).url == f"/p/feasts/quiz/{vendors.pk}/"
    take(vendors, mona)
    assert claim_next(rater_of(mona, stage.project), stage) is not None


def test_a_lead_adds_a_second_step_and_no_step_twice(quiz, stage, nour):
    client, address = signed_in(nour), "/p/feasts/screening/new/"
    posted = {"stage": stage.pk, "language": "ar", "step": 2, "pass_mark": 80, "attempts_allowed": 3, "tolerance": 1}
    posted |= {"span_f1": 50, "verdict_share": 80}
    assert client.post(address, posted).status_code == 302
    assert client.post(address, posted).status_code == 422
    assert client.post(address, {**posted, "step": 21}).status_code == 422
    assert sorted(stage.quizzes.values_list("language", "step")) == [("ar", 1), ("ar", 2)]
    assert client.get("/p/feasts/screening/").status_code == 200
