"""Dates where much goes on: thousands to tell, work that went back to everybody, a clock that comes round late."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from formats.project_file.applying import apply_file, clone
from formats.project_file.describing import file_of
from notices.models import Notice, NoticeSwitch
from projects.models import LanguageVariety, Membership, Rater, User
from tests.people import signed_in
from tests.workflow.working import add_responses, body, marking_stage, submit
from workflow import due_dates, telling_of_dates
from workflow.claims import claim_next, sweep_expired_leases
from workflow.daily_cap import check_day
from workflow.due_dates import close_what_is_due, outlooks
from workflow.models import Assignment, NothingOpen, Stage, TimeRules
from workflow.planning import plan_items
from workflow.progress import project_progress
from workflow.telling_of_dates import tell_of_dates

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 26, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def due_in(stage: Stage, days: float, **more) -> Stage:
    changed = {"due_at": timezone.now() + timedelta(days=days), "due_zone": "UTC", **more}
    Stage.objects.filter(pk=stage.pk).update(**changed)
    stage.refresh_from_db()
    return stage


def join(project, tag: str, count: int) -> list[User]:
    people = User.objects.bulk_create(User(email=f"{tag.lower()}-{number}@example.org") for number in range(count))
    Membership.objects.bulk_create(Membership(user=user, project=project, role="annotator") for user in people)
    variety = LanguageVariety.objects.get(tag=tag)
    for user in people:
        Rater.objects.create(project=project, kind="human", user=user, name=user.email).varieties.add(variety)
    return people


def test_people_are_told_some_at_a_time_and_nobody_twice(project, koshari, monkeypatch):
    due_in(marking_stage(project, overlap=9), 1)
    join(project, "ar-EG", 7)
    monkeypatch.setattr(telling_of_dates, "TOLD_AT_ONCE", 3)
    tell, calls = telling_of_dates.tell, []

    def ends_in_the_middle(people, *rest):
        calls.append(len(people))
        if len(calls) == 2:
            raise SystemExit
        tell(people, *rest)

    monkeypatch.setattr(telling_of_dates, "tell", ends_in_the_middle)
    with pytest.raises(SystemExit):
        tell_of_dates()
    assert Notice.objects.filter(kind="due").count() == 3
    assert tell_of_dates() + 3 == Notice.objects.filter(kind="due").count() >= 7
    assert tell_of_dates() == 0


def test_who_has_nothing_open_in_their_languages_costs_nothing(
    project, koshari, boishakh, mona, django_assert_max_num_queries
):
    stage = due_in(marking_stage(project, overlap=1), 1)
    turn = claim_next(mona.raters.get(), stage)  # all there is in Arabic
    assert turn.item.response == koshari
    join(project, "ar-EG", 30)
    with django_assert_max_num_queries(30):
        tell_of_dates()
    assert Notice.objects.filter(kind="due", person=mona).exists()


def test_who_does_not_want_to_know_and_who_is_gone_is_not_counted(project, koshari):
    due_in(marking_stage(project, overlap=9), 1)
    wants, not_at_all, gone = join(project, "ar-EG", 3)
    NoticeSwitch.objects.create(person=not_at_all, kind="due", on_page=False, by_mail=False)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    assert tell_of_dates() == Notice.objects.filter(kind="due").count() > 0
    assert Notice.objects.filter(person=wants).exists()
    assert tell_of_dates() == 0


def test_what_ran_out_and_was_done_by_another_is_left_to_nobody(project, koshari, mona, karim, clock):
    stage = due_in(marking_stage(project, overlap=1), 3)
    claim_next(mona.raters.get(), stage)
    clock.shift(timedelta(days=2, minutes=1))
    sweep_expired_leases()
    [progress] = project_progress(project, with_people=False)
    assert outlooks([progress])[stage.pk].people == []  # it went back to everybody, so it is the language's
    assert [late.left for late in outlooks([progress])[stage.pk].languages] == [1]
    submit(signed_in(karim), claim_next(karim.raters.get(), stage), 0, body(no_errors=True))
    assert tell_of_dates() == 0
    [progress] = project_progress(project, with_people=False)
    assert outlooks([progress]) == {}


def test_of_many_who_will_not_be_ready_the_page_names_those_with_the_most(project, koshari, nour, monkeypatch):
    stage = due_in(marking_stage(project, overlap=9), 1)
    for user in join(project, "ar-EG", 5):
        claim_next(user.raters.get(), stage)
    monkeypatch.setattr(due_dates, "MOST_NAMED", 3)
    page = signed_in(nour).get("/p/feasts/stages/").content.decode()
    assert page.count("<li><code>") == 3
    assert "And 2 more." in page


def test_before_a_late_clock_closes_a_stage_it_is_closed_for_all_else(project, koshari, mona, clock):
    stage = due_in(marking_stage(project), 1, closes_when_due=True)
    rater = mona.raters.get()
    claim_next(rater, stage)
    TimeRules.objects.create(project=project, items_per_day=1)
    clock.shift(timedelta(days=1))
    Assignment.objects.update(lease_expires_at=timezone.now() + timedelta(days=1))
    check_day(rater)  # what cannot be gone on with by the next button keeps no day from her
    # The file says what the clock makes of it, so that it comes in again, and a copy can be made.
    said = file_of(project)
    apply_file(project, said)
    assert file_of(project) == said
    assert not clone(project, "copy").project.stages.get().is_open
    assert close_what_is_due() == 0
    assert file_of(project) == said


# --- On the day itself ----------------------------------------------------------------------------------


def live_in(user: User, zone: str) -> None:
    User.objects.filter(pk=user.pk).update(time_zone=zone)


def told(user: User) -> list[str]:
    return [
        key.rsplit("-", 1)[1] for key in Notice.objects.filter(person=user).order_by("pk").values_list("key", flat=True)
    ]


def test_on_the_day_itself_each_is_told_in_their_own_morning(project, koshari, mona, karim, clock):
    """Due on the 28th at 18:00 UTC. In Dhaka it is seven at 01:00 UTC of that day, in Cairo (UTC+2) at 05:00."""
    due_in(marking_stage(project, overlap=9), 2.25)
    live_in(mona, "Asia/Dhaka")
    live_in(karim, "Africa/Cairo")
    tell_of_dates()
    clock.move_to(datetime(2026, 11, 27, 18, 0, tzinfo=UTC))
    tell_of_dates()
    assert told(mona) == told(karim) == ["days", "day"]
    clock.move_to(datetime(2026, 11, 28, 0, 59, tzinfo=UTC))
    assert tell_of_dates() == 0
    clock.move_to(datetime(2026, 11, 28, 1, 0, tzinfo=UTC))
    assert tell_of_dates() == 1
    assert told(mona) == ["days", "day", "today"]
    assert told(karim) == ["days", "day"]
    clock.move_to(datetime(2026, 11, 28, 5, 0, tzinfo=UTC))
    assert tell_of_dates() == 1
    assert told(karim) == ["days", "day", "today"]
    clock.move_to(datetime(2026, 11, 28, 17, 59, tzinfo=UTC))
    assert tell_of_dates() == 0


def test_who_learns_of_it_on_that_day_is_told_once(project, koshari, mona, clock):
    clock.move_to(datetime(2026, 11, 26, 9, 0, tzinfo=UTC))
    due_in(marking_stage(project, overlap=9), 0.25)
    live_in(mona, "Africa/Cairo")
    tell_of_dates()
    clock.shift(timedelta(minutes=30))
    assert tell_of_dates() == 0
    assert told(mona) == ["today"]


@pytest.mark.parametrize(("hour", "expected"), [(0, ["today"]), (3, ["day"])])
def test_at_midnight_the_day_that_ends_is_meant_and_before_a_morning_nobody_is_told(
    project, koshari, mona, clock, hour, expected
):
    """At eight in the evening in London: midnight is of today; three in the morning is tomorrow, before it is light."""
    live_in(mona, "Europe/London")
    clock.move_to(datetime(2026, 11, 26, 20, 0, tzinfo=UTC))
    due_in(marking_stage(project, overlap=9), (4 + hour) / 24)
    tell_of_dates()
    assert told(mona) == expected


def test_a_zone_that_nobody_knows_is_the_servers(project, koshari, mona):
    live_in(mona, "Mars/Olympus")
    due_in(marking_stage(project, overlap=9), 0.25)
    assert tell_of_dates() == 1
    assert told(mona) == ["today"], "it is noon in UTC"


# --- Who is done ----------------------------------------------------------------------------------------


def test_who_is_done_with_all_that_is_open_to_them_is_not_asked_about_again(project, koshari, mona, karim):
    """Five have answered the one item, of which four answers are wanted more."""
    stage = due_in(marking_stage(project, overlap=9), 2)
    for user in (mona, *join(project, "ar-EG", 4)):
        submit(signed_in(user), claim_next(user.raters.get(), stage), 0, body(no_errors=True))
    assert tell_of_dates() == 1
    assert told(karim) == ["days"]
    assert NothingOpen.objects.filter(stage=stage).count() == 5
    with CaptureQueriesContext(connection) as few:
        assert tell_of_dates() == 0
    assert len(few) <= 9, [query["sql"][:120] for query in few]


def test_what_is_opened_after_that_is_told(project, koshari, mona, karim, clock):
    stage = due_in(marking_stage(project, overlap=2), 2)
    submit(signed_in(mona), claim_next(mona.raters.get(), stage), 0, body(no_errors=True))
    tell_of_dates()
    assert told(mona) == []
    turn = claim_next(karim.raters.get(), stage)
    assert tell_of_dates() == 0
    assert NothingOpen.objects.get(rater__user=mona).open_slots == 0, "the least since"
    submit(signed_in(karim), turn, 0, body(no_errors=True))
    add_responses(koshari, 1)
    plan_items(stage)
    tell_of_dates()
    assert told(mona) == ["days"]
    assert not NothingOpen.objects.filter(rater__user=mona, open_slots__gte=2).exists()
