"""Mona bookmarks an item, says that she is unsure of her answer, and writes a note to herself: each is kept by itself,
whatever becomes of her draft."""

import csv
import io

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from annotation.models import Marking
from projects.models import AuditEvent
from tests.people import signed_in
from tests.threads import at_once
from tests.workflow.working import add_responses, body, mark, marking_stage, post_json, put_draft, submit
from workflow.claims import claim_next
from workflow.models import Assignment, Draft, FeedbackRules, Remark, SetAsideDraft
from workflow.planning import change_overlap

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(project, koshari):
    return marking_stage(project)


@pytest.fixture
def mine(stage, mona):
    return claim_next(mona.raters.get(), stage)


def said(**remarks) -> dict:
    return body(no_errors=True) | {"remarks": remarks}


def stored(mine) -> tuple[bool, bool, str]:
    mine = Assignment.objects.select_related("remark").get(pk=mine.pk)
    return mine.remark.bookmarked_at is not None, mine.is_unsure, mine.remark.note


def test_each_comes_with_a_save_and_is_no_part_of_the_draft(mine, mona):
    client = signed_in(mona)
    answer = put_draft(client, mine, 0, said(bookmarked=True, unsure=True, note="ask Karim 🍲"))
    assert answer.json()["remarks"] == {"bookmarked": True, "unsure": True, "note": "ask Karim 🍲"}
    assert Draft.objects.get().body == body(no_errors=True)
    # What is not told stays as it is.
    put_draft(client, mine, 1, said(bookmarked=False))
    assert stored(mine) == (False, True, "ask Karim 🍲")
    assert put_draft(client, mine, 2, body()).json().get("remarks") is None
    page = client.get(f"/tasks/{mine.uuid}/").context["task"]["remarks"]
    assert page == {"bookmarked": False, "unsure": True, "note": "ask Karim 🍲", "is_shared": False}


def test_a_conflict_of_drafts_costs_no_remark(mine, mona, koshari):
    client = signed_in(mona)
    put_draft(client, mine, 0, body(no_errors=True))
    stale = body(mark(koshari, "السحور")) | {"remarks": {"bookmarked": True, "note": "koshari"}}
    answer = put_draft(client, mine, 0, stale, tab="tab-2")
    assert answer.status_code == 412
    assert answer.json()["remarks"] == {"bookmarked": True, "unsure": False, "note": "koshari"}
    assert "remarks" not in answer.json()["body"]
    assert "remarks" not in SetAsideDraft.objects.get().body
    assert stored(mine) == (True, False, "koshari")


def test_notes_of_two_tabs_are_both_kept_and_a_resend_adds_nothing(mine, mona):
    client = signed_in(mona)
    put_draft(client, mine, 0, said(note="first", note_before=""))
    for _sent in range(2):
        answer = post_json(client, mine, "remarks", remarks={"note": "second", "note_before": ""})
        assert answer.json()["remarks"]["note"] == "first\n\nsecond"
    # Who has read both may shorten them; who empties a field that others wrote in meanwhile empties nothing of theirs.
    post_json(client, mine, "remarks", remarks={"note": "", "note_before": "first"})
    assert stored(mine)[2] == "first\n\nsecond"
    post_json(client, mine, "remarks", remarks={"note": "both", "note_before": "first\n\nsecond"})
    assert stored(mine)[2] == "both"
    post_json(client, mine, "remarks", remarks={"note": "", "note_before": "both"})
    assert stored(mine)[2] == ""


def test_an_answer_handed_in_keeps_that_she_was_unsure(mine, mona):
    client = signed_in(mona)
    assert submit(client, mine, 0, said(unsure=True)).status_code == 200
    assert Marking.objects.get().no_errors
    post_json(client, mine, "remarks", remarks={"unsure": False, "bookmarked": True})
    assert stored(mine) == (True, True, "")
    # Amended, it is hers to say anew.
    client.post(f"/tasks/{mine.uuid}/amend")
    post_json(client, mine, "remarks", remarks={"unsure": False})
    assert stored(mine) == (True, False, "")


@pytest.mark.parametrize(
    "remarks", [[], "x", {"unsure": "yes"}, {"note": 1}, {"bookmarked": None}, {"else": True}, {"note": "ا" * 10_001}]
)
def test_what_are_no_remarks_is_refused_and_stores_nothing(remarks, mine, mona):
    client = signed_in(mona)
    assert put_draft(client, mine, 0, body() | {"remarks": remarks}).status_code == 422
    assert post_json(client, mine, "remarks", remarks=remarks).status_code == 422
    assert submit(client, mine, 0, body(no_errors=True) | {"remarks": remarks}).status_code == 422
    assert [model.objects.count() for model in (Draft, Remark, Marking)] == [0, 0, 0]


def test_a_save_that_tells_no_remark_asks_nothing_more(mine, mona, django_assert_max_num_queries):
    client = signed_in(mona)
    put_draft(client, mine, 0, said(bookmarked=True))
    with django_assert_max_num_queries(12):
        put_draft(client, mine, 1, said(note="x" * 9_000))


def test_nobody_else_can_remark_on_her_item(mine, karim, nour):
    for other in (karim, nour):
        assert post_json(signed_in(other), mine, "remarks", remarks={"unsure": True}).status_code == 404
    assert not Assignment.objects.get(pk=mine.pk).is_unsure


# --- Her own page, and the lead's -----------------------------------------------------------------------


def test_her_page_lists_them_and_her_file_holds_the_notes(mine, mona, karim, django_assert_max_num_queries):
    client = signed_in(mona)
    assert "Nothing here yet" in client.get("/p/feasts/my-work/remarks/").content.decode()
    submit(client, mine, 0, said(bookmarked=True, unsure=True, note="=SUM(1) اسأل كريم"))
    with django_assert_max_num_queries(20):
        page = client.get("/p/feasts/my-work/remarks/").content.decode()
    assert all(words in page for words in (f"/tasks/{mine.uuid}/", "اسأل كريم", "unsure"))
    text = client.get("/p/feasts/my-work/remarks.csv").content.decode("utf-8-sig")
    [row] = csv.DictReader(io.StringIO(text))
    assert (row["item"], row["unsure"], row["note"]) == ("koshari", "True", "'=SUM(1) اسأل كريم")
    assert row["bookmarked_at"]
    assert "اسأل" not in signed_in(karim).get("/p/feasts/my-work/remarks/").content.decode()


def test_the_lead_sees_who_was_unsure_and_no_note(stage, mine, mona, nour):
    submit(signed_in(mona), mine, 0, said(unsure=True, note="between us"))
    lead = signed_in(nour)
    page = lead.get(f"/p/feasts/stages/{stage.pk}/items/?status=unsure").content.decode()
    assert "koshari" in page
    assert '<span class="tag tag--warning">unsure</span>' in page
    assert "between us" not in page
    Assignment.objects.update(is_unsure=False)
    assert "No items here" in lead.get(f"/p/feasts/stages/{stage.pk}/items/?status=unsure").content.decode()


def test_a_note_is_the_leads_to_read_only_where_its_page_said_so(stage, mine, mona, nour, project):
    client, lead = signed_in(mona), signed_in(nour)
    address = f"/p/feasts/stages/{stage.pk}/items/"
    put_draft(client, mine, 0, said(note="private"))
    FeedbackRules.objects.create(project=project, shares_notes=True)
    # Written before, or on a page that promised otherwise, it stays private.
    assert "private" not in lead.get(address).content.decode()
    put_draft(client, mine, 1, said(note="private still", note_before="private", note_is_shared=False))
    assert "private still" not in lead.get(address).content.decode()
    assert client.get(f"/tasks/{mine.uuid}/").context["task"]["remarks"]["is_shared"]
    put_draft(client, mine, 2, said(note="for Nour too", note_before="private still", note_is_shared=True))
    assert "for Nour too" in lead.get(address).content.decode()
    # Nothing that a page says shares a note where the project does not.
    FeedbackRules.objects.update(shares_notes=False)
    assert "for Nour too" not in lead.get(address).content.decode()


# --- One more rater ---------------------------------------------------------------------------------------


def test_unsure_asks_one_more_once_and_it_is_on_record(stage, mona, karim, project):
    stage.most_when_unsure = 4
    stage.save()
    for person in (mona, karim):
        turn = claim_next(person.raters.get(), stage)
        assert submit(signed_in(person), turn, 0, said(unsure=True)).status_code == 200
    item = stage.items.get()
    assert (item.slots, item.open_slots, item.is_raised) == (3, 1, True)
    [event] = AuditEvent.objects.filter(action="item.raised")
    assert (event.project, event.actor, event.subject) == (project, None, "Marking")


def test_sure_answers_and_stages_without_the_rule_ask_nobody_more(stage, mona, karim):
    submit(signed_in(mona), claim_next(mona.raters.get(), stage), 0, said(unsure=True))
    stage.most_when_unsure = 4
    stage.save()
    submit(signed_in(karim), claim_next(karim.raters.get(), stage), 0, said(unsure=False))
    assert (stage.items.get().slots, AuditEvent.objects.filter(action="item.raised").count()) == (2, 0)


def test_no_item_gets_more_than_the_stated_most(stage, mona):
    stage.most_when_unsure = 3
    stage.save()
    stage.items.update(slots=3, open_slots=3)
    submit(signed_in(mona), claim_next(mona.raters.get(), stage), 0, said(unsure=True))
    assert stage.items.get().slots == 3


def test_another_overlap_keeps_the_one_more(stage, mona, koshari):
    add_responses(koshari, 1)
    marking_more = stage
    marking_more.most_when_unsure = 5
    marking_more.save()
    submit(signed_in(mona), claim_next(mona.raters.get(), stage), 0, said(unsure=True))
    change_overlap(marking_more, 4)
    assert [(item.slots, item.open_slots) for item in stage.items.filter(is_raised=True)] == [(5, 4)]


def test_the_most_is_more_than_the_overlap(stage, nour):
    client = signed_in(nour)
    form = {"name": "Marking", "overlap": 3, "lease_minutes": 60, "most_when_unsure": 3}
    answer = client.post(f"/p/feasts/stages/{stage.pk}/", form)
    assert answer.status_code == 422
    assert "more than the raters" in answer.content.decode()
    assert client.post(f"/p/feasts/stages/{stage.pk}/", form | {"most_when_unsure": 4}).status_code == 302
    stage.refresh_from_db()
    assert stage.most_when_unsure == 4
    stage.overlap = 4
    with pytest.raises((IntegrityError, ValidationError)), transaction.atomic():
        stage.save()


@pytest.mark.django_db(transaction=True)
def test_all_who_hand_in_at_once_raise_an_item_once(project, koshari, mona, karim):
    stage = marking_stage(project, overlap=2, most_when_unsure=9)
    turns = []
    for person in (mona, karim):
        rater = person.raters.get()
        rater.varieties.add(koshari.variety)
        turns.append((signed_in(person), claim_next(rater, stage)))
    answers = at_once(lambda turn: submit(turn[0], turn[1], 0, said(unsure=True)), turns)
    assert {answer.status_code for answer in answers} == {200}
    item = stage.items.get()
    assert (item.slots, item.open_slots) == (3, 1)
    assert AuditEvent.objects.filter(action="item.raised").count() == 1
