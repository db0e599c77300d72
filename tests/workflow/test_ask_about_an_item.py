"""A rater asks about an item, an expert answers, and the answer joins the guidelines' log."""

import uuid

import pytest

from projects.models import Rater
from tests.people import add_response, join, person, signed_in
from tests.workflow.working import marking_stage
from workflow.claims import claim_next
from workflow.models import ItemQuestion
from workflow.planning import plan_items

pytestmark = pytest.mark.django_db


@pytest.fixture
def turn(project, koshari, mona):
    """Mona at work on the response about koshari."""
    stage = marking_stage(project)
    plan_items(stage)
    return claim_next(Rater.objects.get(user=mona), stage)


def ask(person, turn, text, key=None):
    return signed_in(person).post(f"/tasks/{turn.uuid}/questions/", {"key": key or uuid.uuid4(), "text": text})


def answer(person, question, text, **more):
    return signed_in(person).post(f"/p/feasts/questions/{question.pk}/", {"answer": text, **more})


def test_mona_asks_on_the_screen_of_the_item(turn, mona):
    page = signed_in(mona).get(f"/tasks/{turn.uuid}/").content.decode()
    assert f"/tasks/{turn.uuid}/questions/" in page
    told = ask(mona, turn, "هل «كشري» غلط هنا؟").content.decode()
    assert "هل «كشري» غلط هنا؟" in told
    assert "Your question was sent" in told
    question = ItemQuestion.objects.get()
    assert (question.assignment, question.rater.user, question.answer) == (turn, mona, "")


def test_a_question_sent_twice_is_asked_once(turn, mona):
    key = uuid.uuid4()
    ask(mona, turn, "Twice?", key)
    ask(mona, turn, "Twice?", key)
    assert ItemQuestion.objects.count() == 1


@pytest.mark.parametrize("text", ["", "   \n", "x" * 2001])
def test_what_is_no_question_is_said_and_kept_in_the_field(turn, mona, text):
    told = ask(mona, turn, text)
    assert 'role="alert"' in told.content.decode()
    assert text in told.content.decode()
    assert not ItemQuestion.objects.exists()


def test_the_key_of_another_items_question_asks_nothing(project, turn, mona, karim):
    key = uuid.uuid4()
    ask(mona, turn, "Mine.", key)
    other = claim_next(Rater.objects.get(user=karim), turn.stage)
    assert 'role="alert"' in ask(karim, other, "His.", key).content.decode()
    assert ItemQuestion.objects.count() == 1


def test_nobody_asks_on_an_item_of_another(turn, karim):
    assert ask(karim, turn, "May I?").status_code == 404


def test_an_expert_answers_and_mona_is_told_until_she_puts_it_away(turn, mona, hana):
    ask(mona, turn, "Is this an error?")
    question = ItemQuestion.objects.get()
    listed = signed_in(hana).get("/p/feasts/questions/").content.decode()
    assert "Is this an error?" in listed
    assert turn.rater.pseudonym not in listed
    assert "Mona" not in listed
    read = signed_in(hana).get(f"/p/feasts/questions/{question.pk}/").content.decode()
    assert turn.response.text in read
    assert answer(hana, question, "Only where the dish is named.").status_code == 302
    work = signed_in(mona).get("/p/feasts/my-work/").content.decode()
    assert "Only where the dish is named." in work
    signed_in(mona).post("/p/feasts/my-work/answers-read/")
    assert "Only where the dish is named." not in signed_in(mona).get("/p/feasts/my-work/").content.decode()
    question.refresh_from_db()
    assert question.answered_by.user == hana
    assert question.seen_at


def test_a_better_answer_is_told_again(turn, mona, hana, nour):
    ask(mona, turn, "Is this an error?")
    question = ItemQuestion.objects.get()
    answer(hana, question, "No.")
    signed_in(mona).post("/p/feasts/my-work/answers-read/")
    answer(nour, question, "No, never.")
    assert "No, never." in signed_in(mona).get("/p/feasts/my-work/").content.decode()


def test_a_published_answer_stands_in_the_log_without_names(turn, mona, hana, karim, rafia):
    ask(mona, turn, "Is this an error?")
    question = ItemQuestion.objects.get()
    answer(hana, question, "Kept between us.")
    log = signed_in(rafia).get("/p/feasts/guidelines/questions/").content.decode()
    assert "Kept between us." not in log
    assert "Nothing here yet" in log
    answer(hana, question, "For everybody.", is_published="1")
    log = signed_in(rafia).get("/p/feasts/guidelines/questions/").content.decode()
    assert "For everybody." in log
    assert "Is this an error?" in log
    for name in ("Mona", "Hana", turn.rater.pseudonym):
        assert name not in log


def test_an_empty_answer_is_refused_and_what_was_written_stays(turn, mona, hana):
    ask(mona, turn, "Is this an error?")
    question = ItemQuestion.objects.get()
    assert answer(hana, question, "   ").status_code == 422
    told = answer(hana, question, "x" * 2001)
    assert told.status_code == 422
    assert "x" * 2001 in told.content.decode()
    question.refresh_from_db()
    assert question.answer == ""


def test_an_expert_answers_in_their_own_languages_and_not_their_own_questions(project, boishakh, turn, mona, rafia):
    ask(mona, turn, "عربي؟")
    question = ItemQuestion.objects.get()
    expert = join(person("laila@example.org", "Laila Rahman"), project, "annotator", varieties=("bn-BD",), expert=True)
    assert "عربي؟" not in signed_in(expert).get("/p/feasts/questions/").content.decode()
    assert answer(expert, question, "?").status_code == 404
    Rater.objects.filter(user=mona).update(is_expert=True)
    assert answer(mona, question, "My own.").status_code == 404
    assert signed_in(rafia).get("/p/feasts/questions/").status_code == 404


def test_the_list_costs_the_same_for_many_questions(project, koshari, turn, mona, nour, django_assert_max_num_queries):
    lead = signed_in(nour)

    def look():
        with django_assert_max_num_queries(8):
            assert lead.get("/p/feasts/questions/").status_code == 200

    ask(mona, turn, "First.")
    look()
    for number in range(10):
        add_response(project, f"more-{number}", "نص", "ar-EG")
        ItemQuestion.objects.create(project=project, assignment=turn, rater=turn.rater, text=f"More {number}")
    look()
