"""Mona reads her time day by day and contests a day; Nour answers, corrects, and sets the rules and the pay."""

import csv
import io
import re
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from projects.models import AuditEvent
from tests.people import add_response, person, signed_in
from tests.workflow.working import marking_stage
from workflow.claims import claim_next
from workflow.models import Assignment, TimeCorrection, TimeRules, WorkedInterval
from workflow.planning import plan_items
from workflow.time_sheets import by_day, pay, sheet

CAIRO = ZoneInfo("Africa/Cairo")
TIME, TEAM = "/p/feasts/my-work/time/", "/p/feasts/working-time/"

# --- Days ---------------------------------------------------------------------------------------------


def test_a_night_is_divided_at_the_persons_midnight():
    """21:30 to 23:30 UTC on 5 January is 23:30 to 01:30 in Cairo, two hours ahead."""
    night = (datetime(2026, 1, 5, 21, 30, tzinfo=UTC), datetime(2026, 1, 5, 23, 30, tzinfo=UTC))
    assert by_day([night], CAIRO) == {
        date(2026, 1, 5): timedelta(minutes=30),
        date(2026, 1, 6): timedelta(minutes=90),
    }
    assert by_day([night], ZoneInfo("UTC")) == {date(2026, 1, 5): timedelta(hours=2)}


def test_a_day_on_which_clocks_change_has_its_real_hours():
    """On 24 April 2026 clocks in Cairo go from 0:00 to 1:00, so the day has 23 hours."""
    begin = datetime(2026, 4, 23, 22, 0, tzinfo=UTC)  # 00:00 standard time, which is 01:00 summer time
    days = by_day([(begin, begin + timedelta(hours=23))], CAIRO)
    assert days == {date(2026, 4, 24): timedelta(hours=23)}


def test_pay_is_rounded_to_the_hundredth():
    rules = TimeRules(hourly_rate=Decimal("100.00"), currency="EGP")
    assert pay(3600, rules) == Decimal("100.00")
    assert pay(18, rules) == Decimal("0.50")
    assert pay(5, rules) == Decimal("0.14")  # 0.13888...
    assert pay(3600, TimeRules()) is None


# --- The pages ----------------------------------------------------------------------------------------

pytestmark = pytest.mark.django_db


@pytest.fixture
def worked(project, koshari, mona) -> Assignment:
    """Half an hour on one item, done just now; Mona's days are Cairo's."""
    mona.time_zone = "Africa/Cairo"
    mona.save()
    mine = claim_next(mona.raters.get(), marking_stage(project))
    assert mine is not None
    noon = timezone.now().astimezone(CAIRO).replace(hour=12, minute=0, second=0, microsecond=0)
    WorkedInterval.objects.create(
        rater=mine.rater, assignment=mine, begun_at=noon, ended_at=noon + timedelta(minutes=30)
    )
    mine.status, mine.submitted_at, mine.lease_expires_at = "submitted", noon + timedelta(minutes=30), None
    mine.save()
    return mine


def today() -> date:
    return timezone.now().astimezone(CAIRO).date()


def page(user, address: str) -> str:
    return signed_in(user).get(address).content.decode()


def test_mona_reads_today_this_week_and_the_rules(worked, mona):
    shown = page(mona, TIME)
    assert "30 minutes" in shown
    assert "Africa/Cairo" in shown
    assert "up to 60 seconds after you last typed" in shown
    assert "at most 240 minutes count" in shown
    assert "EGP" not in shown


def test_the_tiles_say_what_was_worked_today_and_this_week_and_how_long_an_item_took(project, worked, mona):
    """Half an hour today and ten minutes on Monday morning, an item each: forty this week, twenty an item."""
    add_response(project, "second", "الكشري أكلة مصرية.", "ar-EG")
    plan_items(worked.stage)
    second = claim_next(worked.rater, worked.stage)
    morning = datetime.combine(today() - timedelta(days=today().weekday()), time(10), CAIRO)
    WorkedInterval.objects.create(
        rater=worked.rater, assignment=second, begun_at=morning, ended_at=morning + timedelta(minutes=10)
    )
    Assignment.objects.filter(pk=second.pk).update(
        status="submitted", submitted_at=morning + timedelta(minutes=10), lease_expires_at=None
    )
    tiles = dict(re.findall(r'tile__label">(.*?)</span><span class="tile__value">(.*?)</span>', page(mona, TIME)))
    on_monday = today().weekday() == 0
    assert tiles == {
        "Today": "40 minutes" if on_monday else "30 minutes",
        "This week": "40 minutes",
        "Pace": "20 minutes",
    }


def test_an_item_without_counted_time_took_no_time_that_is_known(worked, mona, nour):
    """Imported, or answered by program: nobody works at a pace of no seconds."""
    WorkedInterval.objects.all().delete()
    shown = page(mona, TIME)
    assert 'tile__label">Pace' not in shown
    assert '<td class="num">1</td><td class="num">–</td>' in shown
    assert '<td class="num">1</td><td class="num">–</td>' in page(nour, TEAM)


def test_where_the_project_pays_by_the_hour_she_reads_what(project, worked, mona):
    TimeRules.objects.create(project=project, hourly_rate="90", currency="EGP", idle_seconds=30)
    shown = page(mona, TIME)
    assert "45.00 EGP" in shown
    assert "up to 30 seconds" in shown


def test_before_the_first_item_the_page_says_what_to_do(project, mona):
    shown = page(mona, TIME)
    assert "It begins with your first item." in shown
    assert 'href="/p/feasts/my-work/"' in shown


def test_a_day_is_contested_and_answered(worked, mona, nour):
    asked = signed_in(mona).post(TIME + "ask/", {"day": today(), "request": "An hour on paper is missing."})
    assert asked.headers["Location"] == TIME
    correction = TimeCorrection.objects.get()
    assert "waits for an answer" in page(mona, TIME)
    shown = page(nour, TEAM)
    assert "An hour on paper is missing." in shown
    assert worked.rater.pseudonym in shown
    assert mona.name not in shown

    decide = f"{TEAM}asked/{correction.pk}/"
    prefix = f"asked-{correction.pk}-"
    unreasoned = signed_in(nour).post(decide, {prefix + "minutes": "60", prefix + "reason": " "})
    assert unreasoned.status_code == 422
    signed_in(nour).post(decide, {prefix + "minutes": "60", prefix + "reason": "Seen on the photo."})
    correction.refresh_from_db()
    assert (correction.seconds, correction.reason, correction.decided_by) == (3600, "Seen on the photo.", nour)
    assert AuditEvent.objects.get(action="time.corrected").detail["minutes"] == 60
    shown = page(mona, TIME)
    assert "1 h 30 min" in shown
    assert "Seen on the photo." in shown

    signed_in(nour).post(decide, {prefix + "minutes": "5", prefix + "reason": "Once more."})
    correction.refresh_from_db()
    assert correction.seconds == 3600, "what is answered stays"


def test_one_question_about_a_day_at_a_time_and_none_about_tomorrow(worked, mona):
    client = signed_in(mona)
    client.post(TIME + "ask/", {"day": today(), "request": "Too little."})
    again = client.post(TIME + "ask/", {"day": today(), "request": "Still."})
    assert again.status_code == 422
    assert "asked about this day already" in again.content.decode()
    later = client.post(TIME + "ask/", {"day": today() + timedelta(days=1), "request": "Early."})
    assert "still to come" in later.content.decode()
    assert TimeCorrection.objects.count() == 1


def test_nour_takes_time_away_with_a_reason_and_never_below_nothing(worked, mona, nour):
    given = {"rater": worked.rater.pk, "day": today(), "minutes": "-45", "reason": "The page was left open."}
    assert signed_in(nour).post(TEAM + "correct/", given).headers["Location"] == TEAM
    (day,) = sheet(worked.rater, today(), today())
    assert (day.worked, day.corrected, day.seconds) == (timedelta(minutes=30), -2700, 0)
    assert "The page was left open." in page(mona, TIME)


@pytest.mark.parametrize("minutes", ["1441", "-1441", "many", ""])
def test_a_correction_of_more_than_a_day_is_refused(worked, nour, minutes):
    given = {"rater": worked.rater.pk, "day": today(), "minutes": minutes, "reason": "So."}
    assert signed_in(nour).post(TEAM + "correct/", given).status_code == 422
    assert not TimeCorrection.objects.exists()


def test_another_projects_people_cannot_be_corrected(worked, other_project, omar, nour):
    stranger = other_project.raters.create(kind="human", name="Stranger", user=person("s@example.org", "S"))
    given = {"rater": stranger.pk, "day": today(), "minutes": "5", "reason": "So."}
    assert signed_in(nour).post(TEAM + "correct/", given).status_code == 422
    asked = TimeCorrection.objects.create(rater=worked.rater, day=today(), request="Mine.", asked_at=timezone.now())
    assert signed_in(omar).post(f"/p/weddings/working-time/asked/{asked.pk}/", {}).status_code == 404


def test_rules_need_an_amount_and_a_currency_together(project, nour):
    rules = {"idle_seconds": "60", "most_minutes_per_item": "240"}
    post = signed_in(nour).post
    assert post(TEAM + "rules/", {**rules, "hourly_rate": "90"}).status_code == 422
    assert post(TEAM + "rules/", {**rules, "currency": "EGP"}).status_code == 422
    assert post(TEAM + "rules/", {**rules, "hourly_rate": "90", "currency": "geld"}).status_code == 422
    assert post(TEAM + "rules/", {**rules, "idle_seconds": "5"}).status_code == 422
    assert not TimeRules.objects.exists()
    assert post(TEAM + "rules/", {**rules, "hourly_rate": "90.50", "currency": "egp"}).status_code == 302
    assert TimeRules.objects.get().currency == "EGP"


def rows(user, address: str) -> list[dict]:
    sent = signed_in(user).get(address)
    assert sent.headers["Content-Type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(sent.content.decode("utf-8-sig"))))


def test_both_take_the_days_as_csv(project, worked, mona, nour):
    TimeRules.objects.create(project=project, hourly_rate="90", currency="EGP")
    TimeCorrection.objects.create(
        rater=worked.rater, day=today(), seconds=-60, reason="=HYPERLINK()", decided_at=timezone.now()
    )
    expected = {
        "person": worked.rater.pseudonym,
        "day": today().isoformat(),
        "seconds_worked": "1800",
        "seconds_corrected": "-60",
        "seconds": "1740",
        "items": "1",
        "pay": "43.50",
        "currency": "EGP",
        "reasons": "'=HYPERLINK()",
    }
    assert rows(mona, "/p/feasts/my-work/time.csv") == [expected]
    assert rows(nour, "/p/feasts/working-time.csv") == [expected]


def test_the_leads_page_costs_the_same_for_many_people(project, worked, nour, django_assert_num_queries):
    def add(number: int) -> None:
        user = person(f"p{number}@example.org", f"P{number}", time_zone="Africa/Cairo")
        other = project.raters.create(kind="human", name=f"P{number}", user=user)
        add_response(project, f"r{number}", f"Answer {number}", "ar-EG")
        plan_items(worked.stage)
        item = worked.stage.items.get(response__key=f"r{number}")
        done = worked.submitted_at
        turn = Assignment.objects.create(
            item=item, stage=worked.stage, rater=other, status="submitted", submitted_at=done
        )
        begun = done - timedelta(minutes=5)
        WorkedInterval.objects.create(rater=other, assignment=turn, begun_at=begun, ended_at=done)
        TimeCorrection.objects.create(rater=other, day=today(), request="More?", asked_at=done)

    add(1)
    client = signed_in(nour)
    client.get(TEAM)
    with CaptureQueriesContext(connection) as few:
        client.get(TEAM)
    for number in range(2, 12):
        add(number)
    with django_assert_num_queries(len(few)):
        assert client.get(TEAM).content.decode().count("The days of r-") == 24  # of twelve people, each named twice


def test_who_deletes_their_account_is_still_paid_for_what_they_worked(project, worked, mona, nour):
    name = worked.rater.pseudonym
    mona.delete()
    assert [(row["person"], row["seconds"]) for row in rows(nour, "/p/feasts/working-time.csv")] == [(name, "1800")]
    assert f"The days of {name}" in page(nour, TEAM)
