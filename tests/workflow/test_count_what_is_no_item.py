"""Time on quizzes, the guidelines and what was given back counts as the project says; Mona reads it before."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from screening.quiz.taking import begin
from tests.annotation.marked import rater_of
from tests.people import signed_in
from tests.screening.quizzes import five_statements
from workflow.intervals import length
from workflow.models import Assignment, Stage, Status, TimeRules, WorkedInterval, WorkItem
from workflow.time_sheets import sheet
from workflow.working_time import record, record_reading

pytestmark = pytest.mark.django_db
MY_TIME, TEAM = "/p/feasts/my-work/time/", "/p/feasts/working-time/"
MINUTE = timedelta(minutes=1)


@pytest.fixture
def turn(project, koshari, mona) -> Assignment:
    stage = Stage.objects.create(project=project, kind="spans", name="Marking")
    item = WorkItem.objects.create(
        stage=stage, response=koshari, variety=koshari.variety, position=1, slots=1, open_slots=0
    )
    now = timezone.now()
    return Assignment.objects.create(
        item=item,
        stage=stage,
        rater=rater_of(mona, project),
        claimed_at=now - timedelta(hours=3),
        lease_expires_at=now + timedelta(hours=1),
    )


def here_since(mona, project, since: timedelta = timedelta(days=5)):
    rater = rater_of(mona, project)
    rater.created_at = timezone.now() - since
    rater.save()
    return rater


def tell(person, activity: str, minutes: float, ago: float = 0):
    now = int(timezone.now().timestamp() * 1000)
    begin, end = now - int((ago + minutes) * 60_000), now - int(ago * 60_000)
    said = {"now": now, "signs": [[begin, end]], "zone": "Africa/Cairo"}
    return signed_in(person).post(f"{MY_TIME}{activity}/signs/", said, content_type="application/json")


def counted(rater) -> int:
    return sum(day.seconds for day in sheet(rater, *around_today()))


def around_today():
    today = timezone.now().date()
    return today - timedelta(days=3), today + timedelta(days=1)


@pytest.mark.parametrize("activity", ["quiz", "guidelines"])
def test_it_counts_where_the_project_says_so_alone(project, mona, activity):
    rater = here_since(mona, project)
    assert tell(mona, activity, 10).json() == {"seconds": 0}
    assert not WorkedInterval.objects.exists()
    rules = {"counts_quizzes": activity == "quiz", "counts_guidelines": activity == "guidelines"}
    TimeRules.objects.create(project=project, **rules)
    other = {"quiz": "guidelines", "guidelines": "quiz"}[activity]
    assert tell(mona, other, 10).json() == {"seconds": 0}
    assert tell(mona, activity, 10).status_code == 200
    assert tell(mona, activity, 10).status_code == 200, "told again"
    # Two tellings moments apart are one stretch of 10 minutes.
    assert 600 <= counted(rater) <= 603
    TimeRules.objects.all().delete()
    assert 600 <= counted(rater) <= 603, "what counted stays"


def test_of_one_day_no_more_than_of_an_item_and_midnight_divides(project, mona):
    mona.time_zone = "Africa/Cairo"
    mona.save()
    TimeRules.objects.create(project=project, counts_guidelines=True, most_minutes_per_item=30)
    rater = here_since(mona, project, timedelta(days=20))
    # Midnight in Cairo is 22:00 UTC in January.
    now = datetime(2026, 1, 6, 0, 0, tzinfo=UTC)
    told = [(datetime(2026, 1, 5, 21, 20, tzinfo=UTC), datetime(2026, 1, 5, 22, 45, tzinfo=UTC))]
    rater.created_at = datetime(2026, 1, 1, tzinfo=UTC)
    assert record_reading(rater, "guidelines", told, now) == 30 * 60
    record_reading(rater, "guidelines", told, now)
    rows = WorkedInterval.objects.order_by("begun_at").values_list("begun_at", "ended_at")
    assert length(list(rows)) == timedelta(minutes=60)
    days = sheet(rater, datetime(2026, 1, 5).date(), datetime(2026, 1, 6).date())
    assert [(str(day.day), day.seconds) for day in days] == [("2026-01-06", 1800), ("2026-01-05", 1800)]


def test_a_moment_counts_once_on_an_item_and_beside_it(project, turn, mona):
    TimeRules.objects.create(project=project, counts_guidelines=True)
    now = timezone.now()
    record(turn, [(now - 20 * MINUTE, now - 10 * MINUTE)], now)
    rater = here_since(mona, project)
    record_reading(rater, "guidelines", [(now - 15 * MINUTE, now - 5 * MINUTE)], now)
    assert counted(rater) == 15 * 60
    turn.refresh_from_db()
    assert turn.active_seconds == 600


def test_nobody_is_paid_for_time_before_they_came_or_to_come(project, mona):
    TimeRules.objects.create(project=project, counts_quizzes=True)
    rater = here_since(mona, project, 2 * MINUTE)
    now = timezone.now()
    assert record_reading(rater, "quiz", [(now - 60 * MINUTE, now + 60 * MINUTE)], now) in (119, 120)


@pytest.mark.parametrize("activity", ["item", "survey", "x"])
def test_other_activities_are_none(project, mona, activity):
    assert tell(mona, activity, 1).status_code == 404


def test_broken_signs_and_others_are_refused(project, mona, nour, omar):
    TimeRules.objects.create(project=project, counts_quizzes=True)
    broken = {"now": "x", "signs": [[1]]}
    address = MY_TIME + "quiz/signs/"
    assert signed_in(mona).post(address, broken, content_type="application/json").status_code == 422
    for person in (nour, omar):
        assert tell(person, "quiz", 1).status_code == 404


# --- What was begun and given back ---------------------------------------------------------------------


def give_back(turn, status, **more) -> None:
    Assignment.objects.filter(pk=turn.pk).update(status=status, lease_expires_at=None, **more)


@pytest.mark.parametrize("status", [Status.RELEASED, Status.EXPIRED])
def test_what_was_given_back_counts_until_the_project_says_it_does_not(project, turn, mona, status):
    now, rater = timezone.now(), turn.rater
    record(turn, [(now - 20 * MINUTE, now - 10 * MINUTE)], now)
    give_back(turn, status)
    assert counted(rater) == 600
    rules = TimeRules(project=project)
    rules.counts_begun = False
    rules.save()
    assert counted(rater) == 600, "it was worked before that was said"
    TimeRules.objects.update(begun_uncounted_since=now - 60 * MINUTE)
    assert counted(rater) == 0
    give_back(turn, Status.RELEASED, skip_reason="reassigned")
    assert counted(rater) == 600, "a lead took it away"


def test_what_is_handed_in_or_in_hand_or_skipped_counts(project, turn):
    now = timezone.now()
    TimeRules.objects.create(project=project, begun_uncounted_since=now - timedelta(days=1))
    record(turn, [(now - 20 * MINUTE, now - 10 * MINUTE)], now)
    assert counted(turn.rater) == 600
    give_back(turn, Status.SKIPPED, skip_reason="unclear")
    assert counted(turn.rater) == 600
    give_back(turn, Status.SUBMITTED, submitted_at=now)
    assert counted(turn.rater) == 600


# --- It is said beforehand ----------------------------------------------------------------------------


def test_the_lead_says_it_and_everybody_reads_it_before(project, mona, nour):
    read = signed_in(mona).get(MY_TIME).content.decode()
    for sentence in ("What you begin and give back counts too", "Quizzes do not count", "guidelines does not count"):
        assert sentence in read
    assert "Time on this page" not in signed_in(mona).get("/p/feasts/guidelines/").content.decode()
    rules = {"idle_seconds": "60", "most_minutes_per_item": "240"}
    said = {**rules, "counts_quizzes": "on", "counts_guidelines": "on", "leaves_out_begun": "on"}
    assert signed_in(nour).post(TEAM + "rules/", said).status_code == 302
    stored = TimeRules.objects.get(project=project)
    assert (stored.counts_begun, stored.counts_quizzes, stored.counts_guidelines) == (False, True, True)
    since = stored.begun_uncounted_since
    signed_in(nour).post(TEAM + "rules/", said)
    assert TimeRules.objects.get(project=project).begun_uncounted_since == since, "said again, it holds since then"
    read = signed_in(mona).get(MY_TIME).content.decode()
    for sentence in ("does not count", "Quizzes count", "Reading the guidelines counts"):
        assert sentence in read
    page = signed_in(mona).get("/p/feasts/guidelines/").content.decode()
    assert "Time on this page counts as working time" in page
    assert "reading-time.js" in page
    assert "Time on this page" not in signed_in(nour).get("/p/feasts/guidelines/").content.decode()
    signed_in(nour).post(TEAM + "rules/", rules)
    assert TimeRules.objects.get(project=project).counts_begun


def test_a_form_not_filled_yet_has_what_holds(project, nour):
    page = signed_in(nour).get(TEAM + "rules/")
    assert page.context["form"]["leaves_out_begun"].value() is False
    assert page.context["form"]["counts_quizzes"].value() is False


def test_the_questions_of_a_quiz_say_that_they_count(project, mona, koshari):
    stage = Stage.objects.create(project=project, kind="spans", name="Marking")
    quiz = five_statements(stage, language="ar")
    attempt = begin(rater_of(mona, project), quiz)
    address = f"/quiz-attempts/{attempt.uuid}/"
    assert "reading-time.js" not in signed_in(mona).get(address).content.decode()
    TimeRules.objects.create(project=project, counts_quizzes=True, idle_seconds=45)
    page = signed_in(mona).get(address).content.decode()
    assert 'data-activity="quiz" data-idle="45" data-url="/p/feasts/my-work/time/quiz/signs/"' in page
