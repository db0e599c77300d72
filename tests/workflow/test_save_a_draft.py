"""Mona's marks are saved as she works; nothing is overwritten silently, and nothing she wrote is lost."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Span
from tests.people import signed_in
from tests.workflow.working import body, mark, marking_stage, put_draft
from workflow.claims import claim_next, sweep_expired_leases
from workflow.models import Assignment, Draft, SetAsideDraft

pytestmark = pytest.mark.django_db


@pytest.fixture
def mine(project, koshari, mona):
    return claim_next(mona.raters.get(), marking_stage(project))


def test_the_first_save_begins_version_one_and_each_save_raises_it(mine, mona, koshari):
    client = signed_in(mona)
    first = put_draft(client, mine, 0, body(mark(koshari, "السحور")))
    assert first.status_code == 200
    assert first.json()["version"] == 1
    assert put_draft(client, mine, 1, body()).json()["version"] == 2
    assert client.get(f"/tasks/{mine.uuid}/saved").json() == {"version": 2, "body": {"no_errors": False, "spans": []}}


def test_a_save_takes_five_queries(mine, mona, koshari):
    client = signed_in(mona)
    put_draft(client, mine, 0, body())
    with CaptureQueriesContext(connection) as queries:
        assert put_draft(client, mine, 1, body(mark(koshari, "السحور"))).status_code == 200
    spoken = [
        query["sql"] for query in queries if not query["sql"].startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"))
    ]
    # Where the session comes from, the table or Redis, depends on the mode.
    spoken = [sql for sql in spoken if "django_session" not in sql]
    # person, assignment with everything it needs, words of the project, lease and time, draft
    assert len(spoken) == 5, "\n".join(spoken)


def test_a_save_holds_the_item_for_another_lease(mine, mona):
    claimed = timezone.now() - timedelta(minutes=100)
    Assignment.objects.filter(pk=mine.pk).update(claimed_at=claimed, lease_expires_at=timezone.now())
    put_draft(signed_in(mona), mine, 0, body())
    mine.refresh_from_db()
    assert mine.lease_expires_at > timezone.now() + timedelta(minutes=119)


def test_a_stale_tab_gets_both_versions_and_overwrites_nothing(mine, mona, koshari):
    client = signed_in(mona)
    newer = body(mark(koshari, "السحور"))
    put_draft(client, mine, 0, body())
    put_draft(client, mine, 1, newer)
    stale = body(mark(koshari, "رمضان"))
    answer = put_draft(client, mine, 1, stale, tab="tab-2")
    assert answer.status_code == 412
    assert (answer.json()["error"]["code"], answer.json()["version"]) == ("conflict", 2)
    assert answer.json()["body"] == newer
    assert Draft.objects.get().body == newer
    assert SetAsideDraft.objects.get().body == stale


def test_a_first_save_from_a_second_tab_is_a_conflict_too(mine, mona, koshari):
    client = signed_in(mona)
    put_draft(client, mine, 0, body(mark(koshari, "السحور")))
    assert put_draft(client, mine, 0, body(mark(koshari, "رمضان")), tab="tab-2").status_code == 412


def test_a_save_whose_answer_was_lost_can_be_sent_again(mine, mona, koshari):
    client = signed_in(mona)
    draft = body(mark(koshari, "السحور"))
    first = put_draft(client, mine, 0, draft)
    again = put_draft(client, mine, 0, draft)
    assert (again.status_code, again.json()["version"]) == (200, first.json()["version"])
    assert not SetAsideDraft.objects.exists()


def test_signed_out_is_said_in_json_and_leads_nowhere(mine):
    answer = put_draft(Client(), mine, 0, body())
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "signed_out")


def test_a_missing_protection_token_is_said_in_json(mine, mona):
    client = Client(enforce_csrf_checks=True)
    client.force_login(mona)
    answer = put_draft(client, mine, 0, body())
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "csrf")


@pytest.mark.parametrize("who", ["karim", "nour", "omar", "ada", "hana"])
def test_nobody_else_can_save_or_see_it(mine, who, request):
    client = signed_in(request.getfixturevalue(who))
    assert put_draft(client, mine, 0, body()).status_code == 404
    assert client.get(f"/tasks/{mine.uuid}/").status_code == 404
    assert client.get(f"/tasks/{mine.uuid}/saved").status_code == 404
    assert not Draft.objects.exists()


def test_who_no_longer_works_in_the_project_cannot_save(mine, mona):
    client = signed_in(mona)
    assert put_draft(client, mine, 0, body()).status_code == 200
    mona.memberships.all().delete()
    assert put_draft(client, mine, 1, body()).status_code == 404


def test_after_the_lease_a_save_takes_the_item_up_again_while_a_slot_is_open(mine, mona, koshari):
    expire(mine)
    answer = put_draft(signed_in(mona), mine, 0, body(mark(koshari, "السحور")))
    assert answer.status_code == 200
    mine.refresh_from_db()
    assert mine.status == "claimed"
    mine.item.refresh_from_db()
    assert mine.item.open_slots == 1


def test_after_the_lease_with_all_slots_taken_the_words_are_kept_and_the_loss_is_said(project, koshari, mona, karim):
    stage = marking_stage(project, overlap=1)
    mine = claim_next(mona.raters.get(), stage)
    client = signed_in(mona)
    put_draft(client, mine, 0, body())
    expire(mine)
    assert claim_next(karim.raters.get(), stage).item == mine.item
    late = body(mark(koshari, "السحور"))
    answer = put_draft(client, mine, 1, late)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "lease_lost")
    assert SetAsideDraft.objects.get().body == late
    assert Draft.objects.get().version == 1


def expire(assignment):
    Assignment.objects.filter(pk=assignment.pk).update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    assert sweep_expired_leases() == 1


# --- What is not a draft ------------------------------------------------------------------------------

BAD_SPANS = [
    ({"end": 98}, "quote"),
    ({"start": 5, "end": 5, "quote": ""}, "end"),
    ({"start": 7, "end": 5}, "end"),
    ({"start": -1}, "start"),
    ({"end": 100_000}, "end"),
    ({"start": 0.5}, "start"),
    ({"start": True}, "start"),
    ({"start": 2**70}, "start"),
    ({"quote": "elsewhere"}, "quote"),
    ({"type": "style"}, "type"),
    ({"criticality": 3}, "criticality"),
    ({"category": "unheard-of"}, "category"),
    ({"explanation": "x" * 10_001}, "explanation"),
    ({"anchor": "paragraph", "start": None, "end": None, "quote": "", "paragraph": 7}, "paragraph"),
    ({"occurrence": 1}, "occurrence"),
    ({"owner": "karim"}, "owner"),
]


@pytest.mark.parametrize(("changes", "field"), BAD_SPANS)
def test_a_bad_span_is_refused_by_name_and_nothing_is_stored(mine, mona, koshari, changes, field):
    answer = put_draft(signed_in(mona), mine, 0, body({**mark(koshari, "السحور"), **changes}))
    assert answer.status_code == 422
    problem = answer.json()["error"]["problems"][0]
    assert (problem["field"], problem["span"]) == (field, f"mark-{koshari.text.index('السحور')}")
    assert not Draft.objects.exists()
    assert not Span.objects.exists()


@pytest.mark.parametrize(
    "draft", [None, [], "spans", {"spans": {}}, {"spans": 3}, {"no_errors": 1}, {"spans": [1]}, {"role": "lead"}]
)
def test_a_body_that_is_no_draft_is_refused(mine, mona, draft):
    assert put_draft(signed_in(mona), mine, 0, draft).status_code == 422
    assert not Draft.objects.exists()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b'{"body": NaN}',
        b'{"body": 1e999x}',
        b'{"body": "\\ud800"}',
        b'{"body": "\\u0000"}',
        b'{"body": "\xff"}',
        b'{"body": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
)
def test_malformed_json_is_refused(mine, mona, raw):
    assert put_raw(signed_in(mona), mine, raw).status_code == 400
    assert not Draft.objects.exists()


def put_raw(client, assignment, raw, version='"0"'):
    headers = {"If-Match": version} if version else {}
    return client.put(f"/tasks/{assignment.uuid}/draft", raw, content_type="application/json", headers=headers)


@pytest.mark.parametrize("version", [None, "0", '"x"', '"-1"', 'w/"0"', '"99999999999"'])
def test_a_save_must_name_the_version_it_builds_on(mine, mona, version):
    answer = put_raw(signed_in(mona), mine, json.dumps({"body": body()}).encode(), version)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "version_missing")


def test_two_megabytes_are_the_most(mine, mona):
    raw = json.dumps({"body": body(), "padding": "x" * (2 * 1024 * 1024)}).encode()
    assert put_raw(signed_in(mona), mine, raw).status_code == 413


def test_looking_writes_nothing(mine, mona):
    before = list(Assignment.objects.values())
    client = signed_in(mona)
    assert client.get(f"/tasks/{mine.uuid}/").status_code == 200
    assert client.get(f"/p/feasts/my-work/{mine.stage_id}/next").status_code == 302
    assert client.get(f"/tasks/{mine.uuid}/draft").status_code == 405
    assert list(Assignment.objects.values()) == before
    assert not Draft.objects.exists()
