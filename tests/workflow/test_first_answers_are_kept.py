"""Mona amends her answer and Nour sends it back: what she first handed in stays as it was, and nobody rewrites it."""

import io

import pytest
from django.db import IntegrityError, transaction

from formats.archive.restoring import restore
from formats.archive.writing import write_archive
from projects.models import Project, Rater
from reports.dashboard.first_answers import first_answers
from tests.people import signed_in
from tests.workflow.working import add_responses, body, mark, marking_stage, submit
from workflow.claims import claim_next
from workflow.models import Assignment, FirstAnswer, WorkItem
from workflow.planning import plan_items
from workflow.reassignment import amend

pytestmark = pytest.mark.django_db
KINDS = ("spans",)


@pytest.fixture
def turn(project, koshari, mona) -> Assignment:
    """Mona has handed in that the pharaohs are wrong."""
    given = claim_next(Rater.objects.get(user=mona), marking_stage(project))
    assert given is not None
    hand_in(mona, given, body(mark(koshari, "أيام الفراعنة")))
    return read_again(given)


def read_again(turn) -> Assignment:
    return Assignment.objects.select_related("stage", "item__response").get(pk=turn.pk)


def hand_in(person, turn, answer) -> None:
    draft = getattr(Assignment.objects.get(pk=turn.pk), "draft", None)
    response = submit(signed_in(person), turn, draft.version if draft else 0, answer)
    assert response.status_code == 200, response.content


def send_back(lead, turn) -> None:
    assert signed_in(lead).post(f"/p/feasts/assignments/{turn.uuid}/reopen/").status_code == 302


def quotes(answer: dict) -> list[str]:
    return [span["quote"] for span in answer["spans"]]


def test_what_was_never_taken_back_has_no_other_first_answer(project, turn):
    assert not FirstAnswer.objects.exists()
    assert first_answers(project, KINDS) == {}


def test_amended_twice_the_very_first_is_kept(project, koshari, mona, turn):
    handed_in_at = turn.submitted_at
    for again in (body(mark(koshari, "على السحور")), body(no_errors=True)):
        amend(read_again(turn))
        hand_in(mona, turn, again)
    kept = FirstAnswer.objects.get()
    assert quotes(kept.body) == ["أيام الفراعنة"]
    assert kept.submitted_at == handed_in_at < kept.withdrawn_at
    assert first_answers(project, KINDS) == {turn.pk: kept.body}


def test_sent_back_by_the_lead_it_is_kept_and_counts_once_it_is_handed_in_again(project, koshari, mona, nour, turn):
    send_back(nour, turn)
    assert quotes(FirstAnswer.objects.get().body) == ["أيام الفراعنة"]
    assert first_answers(project, KINDS) == {}, "of an answer that is open nothing counts"
    hand_in(mona, turn, body(mark(koshari, "على السحور")))
    assert [quotes(found) for found in first_answers(project, KINDS).values()] == [["أيام الفراعنة"]]


def test_handed_in_unchanged_it_is_the_same_answer_twice(project, mona, turn):
    amend(read_again(turn))
    draft = read_again(turn).draft.body
    hand_in(mona, turn, draft)
    assert first_answers(project, KINDS) == {turn.pk: draft}
    assert quotes(draft) == ["أيام الفراعنة"]


def test_an_answer_to_a_check_counts_nowhere(project, koshari, mona, nour, turn):
    add_responses(koshari, 1)
    plan_items(turn.stage)
    other = claim_next(turn.rater, turn.stage)
    hand_in(mona, other, body(no_errors=True))
    for given in (turn, other):
        send_back(nour, given)
        hand_in(mona, given, body(no_errors=True))
    assert set(first_answers(project, KINDS)) == {turn.pk, other.pk}
    WorkItem.objects.filter(pk=other.item_id).update(is_check=True)
    assert set(first_answers(project, KINDS)) == {turn.pk}


@pytest.mark.parametrize("change", [{"body": {"no_errors": True, "spans": []}}, {"submitted_at": None}])
def test_the_database_lets_nobody_rewrite_it(mona, koshari, turn, change):
    amend(read_again(turn))
    hand_in(mona, turn, body(mark(koshari, "على السحور")))
    kept = FirstAnswer.objects.get()
    with pytest.raises(IntegrityError, match="as it was first handed in"), transaction.atomic():
        FirstAnswer.objects.update(**{"submitted_at": kept.withdrawn_at, **change})
    assert quotes(FirstAnswer.objects.get().body) == ["أيام الفراعنة"]


def test_it_moves_with_the_project(project, koshari, mona, turn):
    amend(read_again(turn))
    hand_in(mona, turn, body(mark(koshari, "على السحور")))
    out = io.BytesIO()
    write_archive(project, out)
    there = Project.objects.get(pk=restore(io.BytesIO(out.getvalue()), "moved", None).project)
    assert [quotes(found) for found in first_answers(there, KINDS).values()] == [["أيام الفراعنة"]]
    before, after = (FirstAnswer.objects.get(assignment__stage__project=one) for one in (project, there))
    assert after.submitted_at == before.submitted_at
