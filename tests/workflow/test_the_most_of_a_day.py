"""Nour says how much a day holds and Mona sets less for herself: nothing more is handed out until her own midnight."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from formats.project_file.describing import described
from projects.models import Membership
from tests.people import signed_in
from tests.workflow.working import add_responses, body, marking_stage, submit
from workflow.beginning import begin_own
from workflow.claims import claim_another, claim_next
from workflow.daily_cap import Cap, Caps, caps_of, check_day
from workflow.models import Assignment, OwnLimits, Stage, Status, TimeRules, WorkedInterval, WorkItem
from workflow.refusals import Refused

pytestmark = pytest.mark.django_db
LIMITS, NEXT = "/p/feasts/my-work/time/limits/", "/p/feasts/my-work/{}/next"


@pytest.fixture
def stage(project, koshari):
    add_responses(koshari, 6)
    return marking_stage(project)


@pytest.fixture
def rater(mona):
    mona.time_zone = "Africa/Cairo"
    mona.save()
    return mona.raters.get()


def hand_in(user, stage) -> Assignment:
    turn = claim_next(user.raters.get(), stage)
    assert turn is not None
    assert submit(signed_in(user), turn, 0, body(no_errors=True)).status_code == 200
    return turn


def test_the_lower_of_both_holds():
    assert Caps(Cap(20, None), Cap(5, 30)).both == Cap(5, 30)
    assert Caps(Cap(5, 60), Cap(20, None)).both == Cap(5, 60)
    assert Caps(Cap(None, None), Cap(None, None)).both == Cap(None, None)


def test_after_so_many_items_none_is_handed_out_and_the_page_says_so(project, stage, mona, rater):
    TimeRules.objects.create(project=project, items_per_day=2)
    hand_in(mona, stage)
    hand_in(mona, stage)
    with pytest.raises(Refused, match="day_full"):
        claim_next(rater, stage)
    client = signed_in(mona)
    sent = client.post(NEXT.format(stage.pk), follow=True).content.decode()
    assert "That is all for today" in sent
    assert "Take the next item" not in sent
    assert client.get("/p/feasts/my-work/").context["first"] is None
    assert client.post("/p/feasts/my-work/continue").headers["Location"] == "/p/feasts/my-work/"


def test_what_is_begun_can_be_finished_and_what_is_reserved_waits(project, stage, mona, rater):
    first, second = claim_next(rater, stage), claim_another(rater, stage)
    TimeRules.objects.create(project=project, items_per_day=2)
    with pytest.raises(Refused, match="day_full"):  # two are begun
        claim_another(rater, stage)
    reserved = Assignment.objects.create(
        item=stage.items.exclude(assignments__rater=rater).first(), stage=stage, rater=rater, status=Status.RESERVED
    )
    assert claim_next(rater, stage) == first
    client = signed_in(mona)
    for turn in (first, second):
        assert submit(client, turn, 0, body(no_errors=True)).status_code == 200
    with pytest.raises(Refused, match="day_full"):
        claim_next(rater, stage)
    TimeRules.objects.update(items_per_day=3)
    assert claim_next(rater, stage) == reserved


def test_what_lies_where_she_cannot_go_on_keeps_no_day_from_her(project, stage, mona, rater):
    """Its stage was closed or locked, or she may no longer do that kind of work: else nothing would be handed out for
    as long as it is held, and nothing be there to finish either."""
    TimeRules.objects.create(project=project, items_per_day=1)
    Membership.objects.create(user=mona, project=project, role="author")
    elsewhere = Stage.objects.create(project=project, kind="authoring", name="Writing")
    item = WorkItem.objects.create(
        stage=elsewhere,
        response=stage.items.first().response,
        variety=stage.items.first().variety,
        position=1,
        slots=1,
        open_slots=0,
    )
    ends = timezone.now() + timedelta(days=9)
    Assignment.objects.create(
        item=item, stage=elsewhere, rater=rater, status=Status.CLAIMED, claimed_at=timezone.now(), lease_expires_at=ends
    )
    with pytest.raises(Refused, match="day_full"):
        check_day(rater)
    for change in ({"is_open": False}, {"locked_at": timezone.now()}):
        Stage.objects.filter(pk=elsewhere.pk).update(**change)
        check_day(rater)
        Stage.objects.filter(pk=elsewhere.pk).update(is_open=True, locked_at=None)
    Membership.objects.filter(user=mona, role="author").delete()
    assert claim_next(rater, stage) is not None


def test_a_day_begins_at_the_persons_own_midnight(project, stage, mona, rater):
    """21:30 UTC on 5 January is 23:30 in Cairo; half an hour later it is the next day there."""
    TimeRules.objects.create(project=project, items_per_day=1)
    hand_in(mona, stage)
    late = datetime(2026, 1, 5, 21, 30, tzinfo=UTC)
    Assignment.objects.filter(rater=rater).update(submitted_at=late, claimed_at=late)
    with pytest.MonkeyPatch.context() as clock:
        clock.setattr(timezone, "now", lambda: late + timedelta(minutes=29))
        with pytest.raises(Refused, match="day_full"):
            check_day(rater)
        clock.setattr(timezone, "now", lambda: late + timedelta(minutes=31))
        check_day(rater)


def test_after_so_many_minutes_none_is_handed_out(project, stage, mona, rater):
    turn = hand_in(mona, stage)
    TimeRules.objects.create(project=project, minutes_per_day=30)
    noon = timezone.now().replace(hour=12, minute=0)
    begun = noon - timedelta(minutes=30)
    WorkedInterval.objects.create(rater=rater, assignment=turn, begun_at=begun, ended_at=noon)
    with pytest.MonkeyPatch.context() as clock:
        clock.setattr(timezone, "now", lambda: noon)
        with pytest.raises(Refused, match="day_full"):
            check_day(rater)
        WorkedInterval.objects.update(begun_at=noon - timedelta(minutes=29))
        check_day(rater)


def test_a_person_sets_less_for_themselves_and_nobody_else_sees_it(project, stage, mona, rater, nour):
    client = signed_in(mona)
    assert client.post(LIMITS, {"items_per_day": "1", "minutes_per_day": ""}).status_code == 302
    assert caps_of(rater).own == Cap(1, None)
    hand_in(mona, stage)
    with pytest.raises(Refused, match="day_full"):
        claim_next(rater, stage)
    assert 'value="1"' in client.get("/p/feasts/my-work/time/").content.decode()
    assert "items_per_day" not in signed_in(nour).get("/p/feasts/working-time/").content.decode()
    assert signed_in(nour).post(LIMITS, {"items_per_day": "9"}).status_code == 404
    assert OwnLimits.objects.get().items_per_day == 1
    assert client.post(LIMITS, {"items_per_day": "", "minutes_per_day": ""}).status_code == 302
    assert claim_next(rater, stage)


@pytest.mark.parametrize("given", ["0", "-3", "10001", "ten", "١٠٠٠٠٠", "9" * 40])
def test_what_is_no_such_number_is_refused_with_its_field(given, stage, mona, rater):
    page = signed_in(mona).post(LIMITS, {"items_per_day": given})
    assert page.status_code == 422
    assert page.context["limits"].errors.keys() == {"items_per_day"}
    assert not OwnLimits.objects.exists()


def test_the_database_refuses_it_too(project, rater):
    for row in (OwnLimits(rater=rater, items_per_day=0), TimeRules(project=project, minutes_per_day=1441)):
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save(force_insert=True)


def test_the_lead_sets_it_beside_the_rules_of_time_and_in_the_project_file(project, nour):
    given = {"idle_seconds": "60", "most_minutes_per_item": "240", "items_per_day": "40", "minutes_per_day": "360"}
    assert signed_in(nour).post("/p/feasts/working-time/rules/", given).status_code == 302
    rules = TimeRules.objects.get()
    assert (rules.items_per_day, rules.minutes_per_day) == (40, 360)
    assert described(project)["working_time"] == {"items_per_day": 40, "minutes_per_day": 360}


def test_beginning_ones_own_is_capped_and_the_same_beginning_twice_is_one(project, stage, mona, rater, koshari):
    TimeRules.objects.create(project=project, items_per_day=1)
    key = "7a0c8f5e-3b55-4d5c-9a55-0d0e6ad1a111"
    begun = begin_own(rater, stage, koshari.variety, key)
    assert begin_own(rater, stage, koshari.variety, key) == begun
    with pytest.raises(Refused, match="day_full"):
        begin_own(rater, stage, koshari.variety, "7a0c8f5e-3b55-4d5c-9a55-0d0e6ad1a112")


def test_a_day_without_end_costs_a_claim_one_query(project, stage, rater, django_assert_num_queries):
    with django_assert_num_queries(1):
        check_day(rater)


def test_of_an_account_that_is_gone_the_servers_day_counts(project, stage, mona, rater):
    TimeRules.objects.create(project=project, items_per_day=1)
    rater.user = None
    check_day(rater)
