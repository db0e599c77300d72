"""Dates where much goes on: thousands to tell, work that went back to everybody, a clock that comes round late."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from formats.project_file.applying import apply_file, clone
from formats.project_file.describing import file_of
from notices.models import Notice, NoticeSwitch
from projects.models import LanguageVariety, Membership, Rater, User
from tests.people import signed_in
from tests.workflow.working import body, marking_stage, submit
from workflow import due_dates, telling_of_dates
from workflow.claims import claim_next, sweep_expired_leases
from workflow.daily_cap import check_day
from workflow.due_dates import close_what_is_due, outlooks
from workflow.models import Assignment, Stage, TimeRules
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
