"""Mona submits: her answer is stored once, however often her browser has to send it."""

import sqlite3
import uuid

import pytest
from django.db import OperationalError

from annotation.models import Marking, Review, Span
from tests.people import signed_in
from tests.preset_parts import add_taxonomy
from tests.workflow.working import add_responses, body, mark, marking_stage, post_json, put_draft, submit
from workflow.claims import claim_next
from workflow.models import Assignment, Draft, SetAsideDraft
from workflow.signals import answer_stored, answer_withdrawn

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(project, koshari):
    add_responses(koshari, 3)
    return marking_stage(project)


@pytest.fixture
def mine(stage, mona, koshari):
    """Mona holds the koshari text, wherever the order put it."""
    stage.items.filter(response=koshari).update(position=-1)
    return claim_next(mona.raters.get(), stage)


def test_the_answer_is_stored_and_the_next_item_waits(mine, mona, koshari):
    client = signed_in(mona)
    draft = body(mark(koshari, "السحور"), mark(koshari, "الفراعنة", explanation="It is not that old."))
    version = put_draft(client, mine, 0, draft).json()["version"]
    answer = submit(client, mine, version, draft)
    assert answer.status_code == 200
    assert answer.json()["submitted_at"]
    marking = Marking.objects.get()
    assert (marking.assignment, marking.rater, marking.no_errors) == (mine, mona.raters.get(), False)
    assert set(marking.spans.values_list("quote", flat=True)) == {"السحور", "الفراعنة"}
    assert not Draft.objects.exists()
    following = Assignment.objects.get(status="claimed")
    assert answer.json()["next"] == f"/tasks/{following.uuid}/"


def test_no_errors_is_an_answer(mine, mona):
    assert submit(signed_in(mona), mine, 0, body(no_errors=True)).status_code == 200
    assert Marking.objects.get().no_errors


def test_a_resend_is_answered_as_the_first_was_and_creates_nothing(mine, mona, koshari):
    client, key, draft = signed_in(mona), uuid.uuid4(), body(mark(koshari, "السحور"))
    first = submit(client, mine, 0, draft, key)
    again = submit(client, mine, 0, draft, key)
    assert again.json() == first.json()
    assert (Marking.objects.count(), Span.objects.count(), Assignment.objects.count()) == (1, 1, 2)


def test_another_submission_of_a_submitted_item_is_refused(mine, mona, koshari):
    client = signed_in(mona)
    submit(client, mine, 0, body(no_errors=True))
    answer = submit(client, mine, 0, body(mark(koshari, "السحور")))
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "submitted")
    assert not Span.objects.exists()
    assert put_draft(client, mine, 0, body()).json()["error"]["code"] == "submitted"
    assert not Draft.objects.exists()


def test_a_submission_id_of_another_item_stores_nothing(mine, mona):
    client, key = signed_in(mona), uuid.uuid4()
    submit(client, mine, 0, body(no_errors=True), key)
    second = Assignment.objects.get(status="claimed")
    assert submit(client, second, 0, body(no_errors=True), key).status_code == 409
    assert Marking.objects.count() == 1


def test_a_stale_tab_cannot_submit_over_newer_marks(mine, mona, koshari):
    client = signed_in(mona)
    put_draft(client, mine, 0, body())
    newer = body(mark(koshari, "السحور"))
    put_draft(client, mine, 1, newer)
    stale = body(no_errors=True)
    answer = submit(client, mine, 1, stale)
    assert answer.status_code == 412
    assert (answer.json()["version"], answer.json()["body"]) == (2, newer)
    assert not Marking.objects.exists()
    assert SetAsideDraft.objects.get().body == stale


@pytest.mark.parametrize("field", ["type", "criticality", "explanation"])
def test_what_is_missing_is_named(mine, mona, koshari, field):
    answer = submit(signed_in(mona), mine, 0, body(mark(koshari, "السحور", **{field: ""})))
    assert answer.status_code == 422
    problem = answer.json()["error"]["problems"][0]
    assert (problem["field"], problem["code"]) == (field, "required")
    assert not Marking.objects.exists()


def test_a_category_is_asked_for_where_the_project_asks_for_one(mine, mona, koshari, project):
    add_taxonomy(project)
    draft = body(mark(koshari, "السحور"))
    project.ask_category = True
    project.save()
    answer = submit(signed_in(mona), mine, 0, draft)
    assert answer.status_code == 422
    [problem] = answer.json()["error"]["problems"]
    assert (problem["span"], problem["field"], problem["code"]) == (draft["spans"][0]["id"], "category", "required")
    assert not Marking.objects.exists()
    category = project.error_categories.filter(error_type="cultural").first()
    assert submit(signed_in(mona), mine, 0, body(mark(koshari, "السحور", category=category.slug))).status_code == 200
    assert Span.objects.get().category == category


def test_no_category_is_asked_for_where_the_project_leaves_it_to_a_later_step(mine, mona, koshari, project):
    add_taxonomy(project)
    assert submit(signed_in(mona), mine, 0, body(mark(koshari, "السحور"))).status_code == 200


@pytest.mark.parametrize("answer", [body(), {"no_errors": True, "spans": "x"}])
def test_an_empty_answer_is_refused(mine, mona, answer):
    assert submit(signed_in(mona), mine, 0, answer).status_code == 422
    assert not Marking.objects.exists()


def test_the_same_mark_twice_is_refused_by_name(mine, mona, koshari):
    twice = body(mark(koshari, "السحور"), mark(koshari, "السحور", id="again"))
    problem = submit(signed_in(mona), mine, 0, twice).json()["error"]["problems"][0]
    assert (problem["span"], problem["code"]) == ("again", "repeated")
    assert not Span.objects.exists()


def test_two_browsers_may_choose_the_same_id_for_a_mark(stage, mine, mona, karim, koshari):
    theirs = claim_next(karim.raters.get(), stage)
    assert theirs.item == mine.item
    draft = body(mark(koshari, "السحور"))
    assert submit(signed_in(mona), mine, 0, draft).status_code == 200
    assert submit(signed_in(karim), theirs, 0, draft).status_code == 200
    assert Span.objects.values("key").distinct().count() == 2


def test_rooms_above_hear_of_it_in_the_same_transaction(mine, mona):
    heard = []

    def hear(sender, assignment, **kwargs):
        heard.append((assignment.pk, Marking.objects.count()))

    answer_stored.connect(hear)
    try:
        submit(signed_in(mona), mine, 0, body(no_errors=True))
    finally:
        answer_stored.disconnect(hear)
    assert heard == [(mine.pk, 1)]


def test_skipping_needs_a_reason_and_leads_on(mine, mona):
    client = signed_in(mona)
    assert post_json(client, mine, "skip", reason="bored").status_code == 422
    assert post_json(client, mine, "skip", reason="other", note=" ").status_code == 422
    answer = post_json(client, mine, "skip", reason="other", note="I wrote this text myself")
    assert answer.status_code == 200
    mine.refresh_from_db()
    assert (mine.status, mine.skip_note) == ("skipped", "I wrote this text myself")
    mine.item.refresh_from_db()
    assert mine.item.open_slots == 2
    assert answer.json()["next"] != f"/tasks/{mine.uuid}/"


# --- Amending -----------------------------------------------------------------------------------------


def amend(client, assignment):
    return client.post(f"/tasks/{assignment.uuid}/amend")


def test_mona_takes_her_answer_back_and_submits_again(mine, mona, koshari):
    client, draft = signed_in(mona), body(mark(koshari, "السحور"))
    withdrawn = []

    def hear(sender, assignment, **kwargs):
        withdrawn.append(assignment.pk)

    answer_withdrawn.connect(hear)
    try:
        submit(client, mine, 0, draft)
        amend(client, mine)
    finally:
        answer_withdrawn.disconnect(hear)
    assert withdrawn == [mine.pk]
    assert not Marking.objects.exists()
    assert client.get(f"/tasks/{mine.uuid}/saved").json() == {"version": 1, "body": draft}
    assert submit(client, mine, 1, body(no_errors=True)).status_code == 200
    assert Marking.objects.get().no_errors


def test_a_locked_answer_stays(mine, mona, nour, stage):
    client = signed_in(mona)
    submit(client, mine, 0, body(no_errors=True))
    signed_in(nour).post(f"/p/feasts/stages/{stage.pk}/lock/", {"locked": "1"})
    amend(client, mine)
    assert Marking.objects.exists()
    signed_in(nour).post(f"/p/feasts/assignments/{mine.uuid}/reopen/")
    assert not Marking.objects.exists()


def test_an_answer_that_others_have_reviewed_stays_even_for_the_lead(mine, mona, nour, karim, koshari):
    client = signed_in(mona)
    submit(client, mine, 0, body(mark(koshari, "السحور")))
    Review.objects.create(span=Span.objects.get(), rater=karim.raters.get(), verdict="keep")
    amend(client, mine)
    signed_in(nour).post(f"/p/feasts/assignments/{mine.uuid}/reopen/")
    assert Span.objects.exists()


def test_a_submitted_item_is_shown_read_only_with_what_was_stored(mine, mona, koshari):
    client, draft = signed_in(mona), body(mark(koshari, "السحور"))
    submit(client, mine, 0, draft)
    task = client.get(f"/tasks/{mine.uuid}/").context["task"]
    assert task["read_only"]
    assert task["draft"] == draft


def busy(*_arguments):
    """What SQLite says while somebody else writes for longer than this can wait."""
    driver = sqlite3.OperationalError("database is locked")
    driver.sqlite_errorcode = sqlite3.SQLITE_BUSY
    raise OperationalError(*driver.args) from driver


def test_what_is_stored_is_not_said_to_be_lost_because_the_next_item_waits_for_a_lock(mine, mona, monkeypatch):
    client = signed_in(mona)
    monkeypatch.setattr("workflow.claims.claim_next", busy)
    answer = submit(client, mine, 0, body(no_errors=True))
    assert (answer.status_code, answer.json()["next"]) == (200, "/p/feasts/my-work/")
    assert Marking.objects.get().assignment == mine


def test_the_same_holds_for_what_is_skipped(mine, mona, monkeypatch):
    monkeypatch.setattr("workflow.claims.claim_next", busy)
    answer = post_json(signed_in(mona), mine, "skip", reason="other", note="I wrote it")
    assert (answer.status_code, answer.json()["next"]) == (200, "/p/feasts/my-work/")
    assert Assignment.objects.get().status == "skipped"
