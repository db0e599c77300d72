"""Nour says until when work is to be done; Mona reads it in her own time, is told in time, and goes on with what is due
first; and Nour sees who will not be ready."""

import json
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.utils import timezone

from formats.project_file.applying import apply_file
from formats.project_file.describing import file_of
from notices.mailing import message
from notices.models import Notice
from projects.models import AuditEvent, LanguageVariety, Rater, User
from tests.formats.project_files import refused
from tests.people import signed_in
from tests.workflow.working import add_responses, body, marking_stage, submit
from workflow.claims import claim_next
from workflow.due_dates import Late, close_what_is_due, outlooks
from workflow.models import Assignment, Stage
from workflow.planning import plan_items
from workflow.progress import project_progress
from workflow.refusals import Refused
from workflow.telling_of_dates import tell_of_dates

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 26, 12, 0, tzinfo=UTC)
FIELDS = {"name": "Marking", "overlap": 2, "lease_minutes": 60, "policy": "majority"}


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def in_days(stage: Stage, days: float, **more) -> Stage:
    changed = {"due_at": timezone.now() + timedelta(days=days), "due_zone": "UTC", **more}
    Stage.objects.filter(pk=stage.pk).update(**changed)
    stage.refresh_from_db()
    return stage


def live_in(person, zone: str):
    User.objects.filter(pk=person.pk).update(time_zone=zone)
    person.refresh_from_db()
    return signed_in(person)


def put(client, stage, **said):
    return client.put(f"/api/v1/projects/feasts/stages/{stage.pk}/due/", json.dumps(said), "application/json")


# --- Set ---


def test_a_lead_sets_a_date_in_her_zone_and_everybody_reads_it_in_theirs(project, koshari, mona, nour):
    stage = marking_stage(project)
    client = live_in(nour, "Africa/Cairo")
    address = f"/p/feasts/stages/{stage.pk}/"
    assert 'value="Africa/Cairo"' in client.get(address).content.decode()
    date = {"due_on": "2026-11-30", "due_time": "18:00", "due_zone": "Africa/Cairo"}
    assert client.post(address, FIELDS | date).status_code == 302
    stage.refresh_from_db()
    assert stage.due_at == datetime(2026, 11, 30, 16, 0, tzinfo=UTC)  # Cairo is two hours ahead in winter
    assert "2026-11-30 18:00" in client.get("/p/feasts/stages/").content.decode()
    page = live_in(mona, "Asia/Dhaka").get("/p/feasts/my-work/").content.decode()
    assert "2026-11-30 22:00" in page
    assert "Asia/Dhaka" in page
    assert "what is due first" in page
    event = AuditEvent.objects.get(action="stage.changed")
    assert event.detail["due"] == "2026-11-30 18:00"
    # Another look at the form and a save leave it as it is; an empty day takes it away.
    form = client.get(address).context["form"]
    again = {name: form[name].value() or "" for name in date}
    client.post(address, FIELDS | again)
    assert Stage.objects.get().due_at == stage.due_at
    client.post(address, FIELDS)
    assert (Stage.objects.get().due_at, Stage.objects.get().due_zone) == (None, "")
    assert "what is due first" not in signed_in(mona).get("/p/feasts/my-work/").content.decode()


def test_without_a_time_it_is_the_end_of_the_day(project, nour):
    date = {"due_on": "2026-11-30", "due_zone": "Asia/Dhaka"}
    signed_in(nour).post("/p/feasts/stages/new/", {"kind": "spans", **FIELDS, **date})
    assert Stage.objects.get().due_at == datetime(2026, 11, 30, 17, 59, tzinfo=UTC)


def test_an_hour_that_clocks_skip_is_the_one_after_it(project, koshari, nour):
    stage = marking_stage(project)
    # In Cairo clocks go from 00:00 to 01:00 on 30 April 2027.
    answer = put(signed_in(nour), stage, due="2027-04-30 00:30", zone="Africa/Cairo")
    assert answer.json()["due"] == "2027-04-30 01:30"


@pytest.mark.parametrize(
    "changes",
    [
        {"due_on": "2026-02-30"},
        {"due_on": "1026-11-30"},
        {"due_on": "12026-11-30"},
        {"due_on": "2026-11-30", "due_time": "25:00"},
        {"due_on": "2026-11-30", "due_zone": "Africa/Atlantis"},
        {"due_time": "18:00"},
        {"closes_when_due": "on"},
        {"due_on": "2026-11-25", "closes_when_due": "on"},
    ],
)
def test_a_date_that_cannot_be_is_refused_beside_its_field(project, koshari, nour, changes):
    stage = marking_stage(project)
    page = signed_in(nour).post(f"/p/feasts/stages/{stage.pk}/", FIELDS | changes)
    assert page.status_code == 422
    assert set(page.context["form"].errors) <= {"due_on", "due_time", "due_zone", "closes_when_due"}
    assert Stage.objects.get().due_at is None


def test_a_program_reads_and_sets_it_and_the_same_twice_changes_nothing(project, koshari, mona, nour):
    stage = marking_stage(project)
    client = signed_in(nour)
    said = {"due": "2026-11-30 18:00", "zone": "Africa/Cairo", "closes": True}
    for _twice in range(2):
        assert put(client, stage, **said).json() == said
    assert client.get(f"/api/v1/projects/feasts/stages/{stage.pk}/due/").json() == said
    assert AuditEvent.objects.filter(action="stage.changed").count() == 1
    assert put(client, stage, due=None).json() == {"due": None, "zone": "", "closes": False}
    assert put(client, stage, due="2026-11-30 18:00").json()["zone"] == "UTC"
    assert put(signed_in(mona), stage, due=None).status_code == 404


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ({}, 400),
        ({"due": "tomorrow"}, 400),
        ({"due": "2026-13-30 18:00"}, 400),
        ({"due": "٢٠٢٦-11-30 18:00"}, 400),
        ({"due": 7}, 400),
        ({"due": "2026-11-30 18:00", "zone": "🕰️"}, 422),
        ({"due": "2026-11-30 18:00", "zone": "../etc/passwd"}, 422),
        ({"due": None, "closes": True}, 422),
        ({"due": "2026-11-25 18:00", "closes": True}, 422),
    ],
)
def test_what_a_program_says_wrongly_is_refused(project, koshari, nour, said, status):
    stage = marking_stage(project)
    assert put(signed_in(nour), stage, **said).status_code == status
    assert Stage.objects.get().due_at is None


def test_the_project_file_holds_it_and_comes_in_as_it_went_out(project, koshari, nour):
    stage = marking_stage(project)
    put(signed_in(nour), stage, due="2026-11-30 18:00", zone="Africa/Cairo", closes=True)
    said = file_of(project)
    assert b"due: 2026-11-30 18:00\n" in said
    assert b"due_zone: Africa/Cairo\n" in said
    Stage.objects.update(due_at=None, due_zone="", closes_when_due=False)
    apply_file(project, said)
    stage.refresh_from_db()
    assert stage.due_at == datetime(2026, 11, 30, 16, 0, tzinfo=UTC)
    assert file_of(project) == said
    head = f"format: mizan.project/1\nstages:\n- name: Marking\n  kind: spans\n  seed: {stage.seed}\n"
    for line, field in (
        ("due: soon", "stages[0].due"),
        ("due: 2026-11-30 18:00\n  due_zone: Cairo", "stages[0].due_zone"),
        ("closes_when_due: true", "stages[0].due"),
    ):
        assert [place for place, _line in refused(f"{head}  {line}\n", project)] == [field]
    apply_file(project, f"{head}  due: 2026-11-30 18:00\n".encode())
    stage.refresh_from_db()
    assert stage.due_zone == "UTC"


def test_a_zone_that_is_known_elsewhere_alone_is_read_in_that_of_the_server(project, koshari, mona, nour):
    stage = in_days(marking_stage(project), 1, due_zone="Mars/Olympus")
    assert "2026-11-27 12:00" in signed_in(mona).get("/p/feasts/my-work/").content.decode()
    client = signed_in(nour)
    assert client.get(f"/p/feasts/stages/{stage.pk}/").context["form"]["due_zone"].value() == "UTC"
    assert client.get(f"/api/v1/projects/feasts/stages/{stage.pk}/due/").json()["zone"] == "UTC"
    assert b"due_zone: UTC" in file_of(project)


def test_the_database_keeps_no_half_of_a_date(project, koshari):
    stage = marking_stage(project)
    for half in ({"due_zone": "UTC"}, {"due_at": NOON}, {"closes_when_due": True}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Stage.objects.filter(pk=stage.pk).update(**half)


# --- Going on by it ---


def test_continue_takes_what_is_begun_then_what_is_due_first(project, koshari, mona, karim):
    add_responses(koshari, 3)
    first = in_days(marking_stage(project), 9)
    second = Stage.objects.create(project=project, kind="spans", name="Marking again", position=2)
    third = Stage.objects.create(project=project, kind="spans", name="And again", position=3)
    for stage in (second, third):
        plan_items(stage)
    in_days(third, 2)
    client = signed_in(mona)
    client.post("/p/feasts/my-work/continue")
    turn = Assignment.objects.get()
    assert turn.stage == third
    in_days(first, 1)  # what is begun comes first all the same
    assert client.post("/p/feasts/my-work/continue").headers["Location"] == f"/tasks/{turn.uuid}/"
    signed_in(karim).post("/p/feasts/my-work/continue")
    assert karim.raters.get().assignments.get().stage == first


def test_after_the_date_nothing_is_closed(project, koshari, mona):
    stage = in_days(marking_stage(project), -1)
    assert close_what_is_due() == 0
    assert "You can still go on" in signed_in(mona).get("/p/feasts/my-work/").content.decode()
    assert claim_next(mona.raters.get(), stage) is not None


def test_where_the_lead_wants_it_the_stage_closes_and_what_is_begun_can_be_finished(
    project, koshari, mona, karim, nour, clock
):
    stage = in_days(marking_stage(project), 1, closes_when_due=True)
    assert "The stage closes then" in signed_in(mona).get("/p/feasts/my-work/").content.decode()
    turn = claim_next(mona.raters.get(), stage)
    clock.shift(timedelta(days=1))
    # Before the clock comes round, nobody is handed anything any more.
    stage.refresh_from_db()
    with pytest.raises(Refused, match="closed"):
        claim_next(karim.raters.get(), stage)
    assert close_what_is_due() == 1
    assert close_what_is_due() == 0
    stage.refresh_from_db()
    assert not stage.is_open
    assert AuditEvent.objects.filter(action="stage.closed", actor=None).count() == 1
    assert submit(signed_in(mona), turn, 0, body(no_errors=True)).status_code == 200
    # Opened again it stays open.
    signed_in(nour).post(f"/p/feasts/stages/{stage.pk}/open/", {"open": "1"})
    assert close_what_is_due() == 0
    stage.refresh_from_db()
    assert claim_next(karim.raters.get(), stage) is not None


# --- Told in time ---


def test_who_has_work_left_is_told_three_days_and_one_day_before(project, koshari, mona, karim, rafia, clock):
    stage = in_days(marking_stage(project, overlap=2), 4)
    assert tell_of_dates() == 0
    clock.shift(timedelta(days=1, minutes=1))
    assert tell_of_dates() == 2  # Rafia works in Bengali, in which there is nothing
    assert tell_of_dates() == 0
    assert {notice.person for notice in Notice.objects.filter(kind="due")} == {mona, karim}
    # Mona is done, and the last day is told to Karim alone.
    turn = claim_next(mona.raters.get(), stage)
    submit(signed_in(mona), turn, 0, body(no_errors=True))
    clock.shift(timedelta(days=2))
    assert tell_of_dates() == 1
    assert Notice.objects.filter(kind="due", person=karim).count() == 2
    clock.shift(timedelta(days=2))
    assert tell_of_dates() == 0


def test_it_is_said_in_the_time_of_who_reads_it_on_the_page_and_in_the_mail(project, koshari, mona):
    in_days(marking_stage(project), 1)
    client = live_in(mona, "Asia/Dhaka")
    tell_of_dates()
    notice = Notice.objects.get()
    assert "2026-11-27 18:00" in client.get("/notices/").content.decode()
    assert "2026-11-27 18:00" in message(mona, [notice]).subject
    assert client.post(f"/notices/{notice.pk}/go/").headers["Location"] == "/p/feasts/my-work/"


def test_it_has_its_own_switch(project, koshari, mona, karim):
    in_days(marking_stage(project), 1)
    assert "Work of mine is due" in signed_in(mona).get("/notices/switches/").content.decode()
    signed_in(mona).post("/notices/switches/", {"work-on_page": "on"})
    tell_of_dates()
    assert Notice.objects.get().person == karim


def test_what_is_kept_for_somebody_is_told_to_them_and_what_is_full_to_nobody_else(project, koshari, mona, karim):
    stage = in_days(marking_stage(project, overlap=1), 1)
    claim_next(mona.raters.get(), stage)
    tell_of_dates()
    assert Notice.objects.get().person == mona


def test_a_stage_that_takes_no_work_tells_nobody(project, koshari, mona):
    stage = in_days(marking_stage(project), 1)
    for change in ({"is_open": False}, {"is_open": True, "locked_at": NOON}):
        Stage.objects.filter(pk=stage.pk).update(**change)
        assert tell_of_dates() == 0
    Stage.objects.filter(pk=stage.pk).update(locked_at=None)
    project.archived_at = NOON
    project.save()
    assert tell_of_dates() == 0


def test_another_date_is_told_anew(project, koshari, mona):
    stage = in_days(marking_stage(project), 1)
    tell_of_dates()
    in_days(stage, 0.5)
    assert tell_of_dates() == 1


# --- Who will not be ready ---


def handed_in(rater: Rater, stage: Stage, count: int, days_ago: float = 1) -> None:
    for _each in range(count):
        turn = claim_next(rater, stage)
        assert turn is not None
        moment = timezone.now() - timedelta(days=days_ago)
        Assignment.objects.filter(pk=turn.pk).update(status="submitted", submitted_at=moment, lease_expires_at=None)


def test_the_lead_sees_which_language_and_who_will_not_be_ready(project, koshari, boishakh, mona, karim, rafia, nour):
    add_responses(koshari, 20)
    stage = in_days(marking_stage(project, overlap=1), 2)
    handed_in(mona.raters.get(), stage, 7)  # 14 of Arabic are left, at one a day, where seven a day are needed
    handed_in(rafia.raters.get(), stage, 1)  # all of Bengali is done
    claim_next(karim.raters.get(), stage)
    [progress] = project_progress(project, with_people=False)
    outlook = outlooks([progress])[stage.pk]
    assert [(str(late.who.tag), late.left, late.pace, late.needed) for late in outlook.languages] == [
        ("ar-EG", 14, 1.0, 7.0)
    ]
    # Karim has one item in his hands and no pace; Mona holds nothing.
    assert [(late.who, late.left, late.recent) for late in outlook.people] == [(karim.raters.get().pseudonym, 1, 0)]
    page = signed_in(nour).get("/p/feasts/stages/").content.decode()
    assert "14 answers left, 1.0 a day where 7.0 are needed" in page
    assert "not done by then" in page
    in_days(stage, 14)  # two weeks bring fourteen; and Karim hands in seven, at which he is ready too
    handed_in(karim.raters.get(), stage, 1)
    page = signed_in(nour).get("/p/feasts/stages/").content.decode()
    assert "all is done by then" in page
    in_days(stage, -1)
    page = signed_in(nour).get("/p/feasts/stages/").content.decode()
    assert "The date is over" in page
    assert "are needed" not in page


def test_less_than_is_needed_never_reads_as_the_same(project, koshari, nour):
    in_days(marking_stage(project, overlap=1), 60)
    page = signed_in(nour).get("/p/feasts/stages/").content.decode()
    assert "1 answer left, 0.0 a day where 0.1 are needed" in page
    assert Late("ar-EG", 50, 7, days_left=49.5).told == (1.0, 1.1)
    assert Late("ar-EG", 11, 0, days_left=10).told == (0.0, 1.1)
    assert Late("ar-EG", 11, 0, days_left=0).told is None


def test_the_pages_and_the_clock_cost_the_same_for_many(
    project, koshari, mona, nour, django_assert_max_num_queries, django_assert_num_queries
):
    add_responses(koshari, 30)
    stage = in_days(marking_stage(project, overlap=50), 2)
    client = signed_in(nour)
    client.get("/p/feasts/stages/")
    with django_assert_max_num_queries(14) as few:
        client.get("/p/feasts/stages/")
    variety = LanguageVariety.objects.get(tag="ar-EG")
    for number in range(12):
        rater = Rater.objects.create(project=project, kind="human", name=f"P{number}")
        rater.varieties.add(variety)
        handed_in(rater, stage, 1)
        claim_next(rater, stage)
    with django_assert_num_queries(len(few)):
        client.get("/p/feasts/stages/")
    tell_of_dates()
    with django_assert_max_num_queries(12):  # those who were told cost nothing more
        assert tell_of_dates() == 0
