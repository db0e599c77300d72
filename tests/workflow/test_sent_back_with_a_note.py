"""Nour sends Mona's answer back with a note; Mona finds it first in her work, and hands it in again."""

import uuid

import pytest

from notices.models import Notice
from projects.models import Rater
from tests.people import signed_in
from tests.workflow.working import add_responses, body, marking_stage, submit
from workflow.claims import claim_next
from workflow.models import Assignment, ReturnedAnswer, Stage
from workflow.reassignment import amend, returned

pytestmark = pytest.mark.django_db
NOTE = "انظري إلى السطر الثاني 🙂 <b>من فضلك</b>"


@pytest.fixture
def handed_in(project, koshari, mona) -> Assignment:
    add_responses(koshari, 2)
    turn = claim_next(Rater.objects.get(user=mona), marking_stage(project))
    assert turn is not None
    submit(signed_in(mona), turn, 0, body(no_errors=True))
    return Assignment.objects.get(pk=turn.pk)


def send_back(lead, turn, note=NOTE):
    return signed_in(lead).post(f"/p/feasts/assignments/{turn.uuid}/reopen/", {"note": note})


def version_of(turn) -> int:
    return Assignment.objects.get(pk=turn.pk).draft.version


def work(person) -> str:
    return signed_in(person).get("/p/feasts/my-work/").content.decode()


def test_it_stands_first_in_her_work_with_the_note_and_she_is_told(project, handed_in, mona, nour):
    assert send_back(nour, handed_in).status_code == 302
    page = work(mona)
    assert "Sent back to you" in page
    assert "انظري إلى السطر الثاني 🙂 &lt;b&gt;" in page
    told = signed_in(mona).get(f"/tasks/{handed_in.uuid}/").content.decode()
    assert "Your lead sent this back to you." in told
    assert "&lt;b&gt;من فضلك" in told
    assert Notice.objects.get(person=mona, kind="returned").path == f"/tasks/{handed_in.uuid}/"


def test_continue_leads_to_what_was_sent_back_before_anything_else(project, handed_in, mona, nour):
    begun = Assignment.objects.exclude(pk=handed_in.pk).get(rater__user=mona)  # what came after it
    assert signed_in(mona).post("/p/feasts/my-work/continue").url == f"/tasks/{begun.uuid}/"
    send_back(nour, handed_in)
    assert signed_in(mona).post("/p/feasts/my-work/continue").url == f"/tasks/{handed_in.uuid}/"


def test_handed_in_again_it_waits_no_more_and_amending_it_later_is_her_own_doing(project, handed_in, mona, nour):
    send_back(nour, handed_in)
    submit(signed_in(mona), handed_in, version_of(handed_in), body(no_errors=True))
    assert "Sent back to you" not in work(mona)
    turn = Assignment.objects.select_related("stage").get(pk=handed_in.pk)
    amend(turn)
    assert "Sent back to you" not in work(mona)
    assert "Your lead sent" not in signed_in(mona).get(f"/tasks/{turn.uuid}/").content.decode()


def test_sent_back_a_second_time_the_new_note_counts(project, handed_in, mona, nour):
    send_back(nour, handed_in, "First")
    submit(signed_in(mona), handed_in, version_of(handed_in), body(no_errors=True))
    send_back(nour, handed_in, "Second")
    page = work(mona)
    assert ">Second<" in page
    assert ">First<" not in page
    assert Notice.objects.filter(person=mona, kind="returned").count() == 2


@pytest.mark.parametrize(("note", "kept"), [("", 0), (" \n ", 0), ("x" * 48_000, 1000), ("a\0b", 2)])
def test_any_note_is_taken_and_a_long_one_cut(project, handed_in, mona, nour, note, kept):
    send_back(nour, handed_in, note)
    assert len(ReturnedAnswer.objects.get().note) == kept
    assert "Sent back to you" in work(mona)


def test_two_leads_at_once_send_it_back_once(project, handed_in, mona, nour):
    for _time in range(2):
        assert send_back(nour, handed_in).status_code == 302
    assert ReturnedAnswer.objects.count() == 1


def test_nobody_else_sends_back_or_reads_the_note(project, handed_in, mona, karim, omar, hana):
    for stranger in (karim, omar, hana, mona):
        assert send_back(stranger, handed_in).status_code == 404
    assert not ReturnedAnswer.objects.exists()
    assert not returned(Rater.objects.get(user=karim)).exists()


def test_the_list_of_what_was_sent_back_costs_one_query(project, handed_in, mona, nour, django_assert_max_num_queries):
    client = signed_in(mona)
    for turn in Assignment.objects.filter(rater__user=mona).exclude(pk=handed_in.pk):
        submit(client, turn, 0, body(no_errors=True))
    stage = Stage.objects.get()
    while (turn := claim_next(Rater.objects.get(user=mona), stage)) is not None:
        submit(client, turn, 0, body(no_errors=True))
    turns = list(Assignment.objects.filter(rater__user=mona))
    assert len(turns) == 3
    for turn in turns:
        send_back(nour, turn, str(uuid.uuid4()))
    with django_assert_max_num_queries(30):
        assert client.get("/p/feasts/my-work/").status_code == 200
