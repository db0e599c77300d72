"""Mona asks about an item and in general, her lead answers, she asks on, and the lead closes it."""

import uuid
from importlib import import_module

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.utils import timezone

from projects.models import AuditEvent, Rater
from tests.people import add_response, signed_in
from tests.workflow.working import marking_stage
from workflow.claims import claim_next
from workflow.models import ItemQuestion, QuestionMessage

pytestmark = pytest.mark.django_db
MINE, INBOX = "/p/feasts/my-work/questions/", "/p/feasts/questions/"


@pytest.fixture
def turn(project, koshari, mona):
    return claim_next(Rater.objects.get(user=mona), marking_stage(project))


def send(person, address, text, key=None):
    return signed_in(person).post(address, {"key": key or uuid.uuid4(), "text": text})


def asked(person, text="متى أُدفَع لي؟ 🙂") -> ItemQuestion:
    assert send(person, MINE, text).status_code == 302
    return ItemQuestion.objects.get(text=text)


def answered(question, lead, text="Every Friday.") -> None:
    assert signed_in(lead).post(f"{INBOX}{question.pk}/", {"answer": text}).status_code == 302


def state(question) -> str:
    question.refresh_from_db()
    return question.state


def page(person, address) -> str:
    answer = signed_in(person).get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_before_she_asks_the_page_says_how(project, mona):
    told = page(mona, MINE)
    assert "You have asked nothing yet" in told
    assert "the key Q" in told


def test_a_question_in_general_goes_to_the_lead_and_comes_back_answered(project, mona, nour, hana):
    question = asked(mona)
    assert (question.assignment, question.state) == (None, "open")
    assert "متى أُدفَع لي؟ 🙂" in page(nour, INBOX)
    assert "in general" in page(nour, INBOX)
    # An expert answers about items; who is paid when is the lead's to say.
    assert "متى" not in page(hana, INBOX)
    assert signed_in(hana).get(f"{INBOX}{question.pk}/").status_code == 404
    answered(question, nour)
    assert state(question) == "answered"
    assert "Every Friday." in page(mona, "/p/feasts/my-work/")
    assert "Every Friday." in page(mona, f"{MINE}{question.pk}/")


def test_she_asks_on_it_is_open_again_and_the_next_answer_is_told_again(project, mona, nour):
    question = asked(mona)
    answered(question, nour)
    signed_in(mona).post("/p/feasts/my-work/answers-read/")
    assert send(mona, f"{MINE}{question.pk}/", "And in Ramadan?").status_code == 302
    assert state(question) == "open"
    assert "And in Ramadan?" in page(nour, f"{INBOX}{question.pk}/")
    assert "Every Friday." not in page(mona, "/p/feasts/my-work/")
    assert send(nour, f"{INBOX}{question.pk}/reply/", "On Thursdays.").status_code == 302
    assert state(question) == "answered"
    told = page(mona, "/p/feasts/my-work/")
    assert told.index("Every Friday.") < told.index("And in Ramadan?") < told.index("On Thursdays.")
    assert AuditEvent.objects.filter(action="question.answered").count() == 2


def test_what_is_sent_twice_or_from_two_tabs_is_written_once(project, mona, nour):
    question, key = asked(mona), uuid.uuid4()
    answered(question, nour)
    for _time in range(2):
        send(mona, f"{MINE}{question.pk}/", "And in Ramadan?", key)
    for _time in range(2):
        send(mona, MINE, "Another thing", key)
    assert QuestionMessage.objects.count() == 1
    assert ItemQuestion.objects.filter(text="Another thing").count() == 1
    other = ItemQuestion.objects.get(text="Another thing")
    assert send(mona, f"{MINE}{other.pk}/", "With the key of another", key).status_code == 422


def test_a_closed_question_takes_no_more_words_and_keeps_what_was_written(project, mona, nour):
    question = asked(mona)
    answered(question, nour)
    for _time in range(2):
        assert signed_in(nour).post(f"{INBOX}{question.pk}/close/").status_code == 302
    assert state(question) == "closed"
    told = send(mona, f"{MINE}{question.pk}/", "One more thing")
    assert told.status_code == 422
    assert send(nour, f"{INBOX}{question.pk}/reply/", "No more").status_code == 422
    assert "This question is closed" in page(mona, f"{MINE}{question.pk}/")
    assert not QuestionMessage.objects.exists()
    # What was said first may still be put right.
    answered(question, nour, "Every Saturday.")
    assert state(question) == "closed"


def test_a_better_first_answer_leaves_what_she_asked_on_open(project, mona, nour):
    question = asked(mona)
    answered(question, nour)
    send(mona, f"{MINE}{question.pk}/", "And in Ramadan?")
    answered(question, nour, "Every Saturday.")
    assert state(question) == "open"


def test_no_reply_before_the_first_answer(project, mona, nour):
    question = asked(mona)
    assert send(nour, f"{INBOX}{question.pk}/reply/", "Too early").status_code == 422
    assert not QuestionMessage.objects.exists()


@pytest.mark.parametrize("text", ["", " \n ", "x" * 2001, "ي" * 48_000], ids=["none", "blank", "long", "48 kB"])
def test_what_is_no_message_is_refused_and_kept_in_the_field(project, mona, nour, text):
    question = asked(mona)
    answered(question, nour)
    for who, address in ((mona, MINE), (mona, f"{MINE}{question.pk}/"), (nour, f"{INBOX}{question.pk}/reply/")):
        told = send(who, address, text)
        assert (told.status_code, text in told.content.decode()) == (422, True)
    assert (ItemQuestion.objects.count(), QuestionMessage.objects.count()) == (1, 0)


def test_nobody_reads_or_continues_the_thread_of_another(project, turn, mona, karim, hana, omar, nour):
    send(mona, f"/tasks/{turn.uuid}/questions/", "Is this an error?")
    question = ItemQuestion.objects.get()
    for stranger in (karim, hana, omar, nour):
        assert signed_in(stranger).get(f"{MINE}{question.pk}/").status_code == 404
        assert send(stranger, f"{MINE}{question.pk}/", "Mine now").status_code == 404
    for stranger in (karim, omar, mona):
        assert send(stranger, f"{INBOX}{question.pk}/reply/", "An answer").status_code == 404
        assert signed_in(stranger).post(f"{INBOX}{question.pk}/close/").status_code == 404
    # An expert of the language answers about items, without the name of who asked.
    told = page(hana, f"{INBOX}{question.pk}/")
    assert "Is this an error?" in told
    assert turn.rater.pseudonym not in told


def test_further_words_never_join_the_log_of_the_guidelines(project, mona, karim, nour):
    question = asked(mona, "When do we start?")
    signed_in(nour).post(f"{INBOX}{question.pk}/", {"answer": "On Monday.", "is_published": "1"})
    send(mona, f"{MINE}{question.pk}/", "My child is ill, may I start later?")
    log = page(karim, "/p/feasts/guidelines/questions/")
    assert "On Monday." in log
    assert "child" not in log


def test_the_inbox_is_narrowed_by_state_and_has_the_open_ones_first(project, mona, nour):
    first, second = asked(mona, "First"), asked(mona, "Second")
    answered(first, nour)
    told = page(nour, INBOX)
    assert told.index(">Second<") < told.index(">First<")
    assert ">First<" not in page(nour, f"{INBOX}?state=open")
    assert ">First<" in page(nour, f"{INBOX}?state=answered")
    assert "No question is in this state" in page(nour, f"{INBOX}?state=closed")
    assert ">First<" in page(nour, f"{INBOX}?state='; drop table")
    assert second.pk != first.pk


def test_her_list_costs_the_same_for_many_questions(project, turn, mona, django_assert_max_num_queries):
    client = signed_in(mona)
    for number in range(25):
        add_response(project, f"more-{number}", "نص", "ar-EG")
        ItemQuestion.objects.create(project=project, assignment=turn, rater=turn.rater, text=f"More {number}")
    with django_assert_max_num_queries(9):
        assert client.get(MINE).status_code == 200


def test_questions_answered_before_there_were_states_are_answered(project, turn):
    for text, words in (("Old and answered", {"answer": "Yes.", "answered_at": timezone.now()}), ("Old", {})):
        ItemQuestion.objects.create(project=project, assignment=turn, rater=turn.rater, text=text, **words)
    import_module("workflow.migrations.0014_threads_of_questions").mark_answered(apps, None)
    assert dict(ItemQuestion.objects.values_list("text", "state")) == {"Old and answered": "answered", "Old": "open"}


def test_the_database_knows_three_states(project, turn):
    question = ItemQuestion.objects.create(project=project, assignment=turn, rater=turn.rater, text="What?")
    with pytest.raises(IntegrityError), transaction.atomic():
        ItemQuestion.objects.filter(pk=question.pk).update(state="lost")
