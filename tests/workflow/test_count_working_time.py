"""Mona's time is counted from what her pages tell: once, whatever pages tell it and however often."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from tests.people import signed_in
from tests.workflow.working import body, marking_stage, post_json, submit
from workflow.claims import claim_next
from workflow.intervals import first_part, length, merged, without
from workflow.models import Assignment, Stage, TimeRules, WorkedInterval
from workflow.planning import plan_items

BEGAN = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)

# --- Arithmetic ---------------------------------------------------------------------------------------

stretches = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=8)


def moments(intervals) -> set[int]:
    return {moment for begin, end in intervals for moment in range(begin, end)}


@given(stretches)
def test_merging_keeps_the_time_and_nothing_touches(intervals):
    joined = merged(intervals)
    assert moments(joined) == moments(intervals)
    assert all(first[1] < second[0] for first, second in pairwise(joined))


@given(stretches, stretches)
def test_what_is_taken_is_left_out_and_nothing_else(intervals, taken):
    left = without(intervals, taken)
    assert moments(left) == moments(intervals) - moments(taken)
    assert left == merged(left)


def test_the_first_part_is_as_long_as_the_limit():
    part = first_part(
        [(BEGAN, BEGAN + timedelta(minutes=2)), (BEGAN + timedelta(hours=1), BEGAN + timedelta(hours=2))],
        timedelta(minutes=5),
    )
    assert length(part) == timedelta(minutes=5)
    assert part[1] == (BEGAN + timedelta(hours=1), BEGAN + timedelta(hours=1, minutes=3))
    assert first_part(part, timedelta()) == []


# --- What pages tell ----------------------------------------------------------------------------------

pytestmark = pytest.mark.django_db


@pytest.fixture
def mine(project, koshari, mona) -> Assignment:
    """Claimed an hour ago."""
    claimed = claim_next(mona.raters.get(), marking_stage(project))
    assert claimed is not None
    claimed.claimed_at = timezone.now() - timedelta(hours=1)
    claimed.save()
    return claimed


def tell(person, assignment, *signs, now: float = 10_000_000, **more):
    """Signs in seconds before the telling, by a browser whose clock says `now` milliseconds."""
    pairs = [[now - 1000 * begin, now - 1000 * end] for begin, end in signs]
    return post_json(signed_in(person), assignment, "signs", now=now, signs=pairs, **more)


def seconds(assignment) -> int:
    assignment.refresh_from_db()
    return assignment.active_seconds


def test_reading_counts_without_a_word_written(mine, mona):
    assert tell(mona, mine, (25, 0)).json() == {"seconds": 25}
    assert seconds(mine) == 25


def test_told_twice_it_counts_once(mine, mona):
    tell(mona, mine, (60, 30))
    assert abs(tell(mona, mine, (60, 30)).json()["seconds"] - 30) <= 1
    assert abs(seconds(mine) - 30) <= 1  # the two tellings are a moment apart


def test_a_wrong_clock_of_the_browser_changes_nothing(mine, mona):
    assert tell(mona, mine, (25, 0), now=1_000_000).json() == {"seconds": 25}
    WorkedInterval.objects.all().delete()
    assert tell(mona, mine, (25, 0), now=4_000_000_000_000).json() == {"seconds": 25}


def test_two_tabs_side_by_side_are_one_time(project, mine, mona):
    again = Stage.objects.create(project=project, kind="spans", name="Marking again", position=2)
    plan_items(again)
    other = claim_next(mona.raters.get(), again)
    other.claimed_at = mine.claimed_at
    other.save()
    tell(mona, mine, (600, 300))
    tell(mona, other, (600, 200))
    assert abs(seconds(mine) - 300) <= 1
    assert abs(seconds(other) - 100) <= 1, "the five minutes in both tabs are of the first"


def test_only_time_since_the_claim_and_not_in_the_future(mine, mona):
    assert abs(tell(mona, mine, (7200, 3500)).json()["seconds"] - 100) <= 1
    assert abs(tell(mona, mine, (-100, -5000), (0, -600)).json()["seconds"] - 100) <= 1


def test_time_after_the_submission_is_not_of_the_item(mine, mona):
    submit(signed_in(mona), mine, 0, body(no_errors=True))
    submitted = timezone.now() - timedelta(minutes=10)
    Assignment.objects.filter(pk=mine.pk).update(submitted_at=submitted)
    assert abs(tell(mona, mine, (900, 300)).json()["seconds"] - 300) <= 1


def test_of_one_item_no_more_than_the_project_lets(project, mine, mona):
    TimeRules.objects.create(project=project, most_minutes_per_item=2)
    tell(mona, mine, (600, 500))
    assert seconds(mine) == 100
    tell(mona, mine, (400, 0))
    assert seconds(mine) == 120


def test_what_follows_at_once_is_one_stretch(mine, mona):
    """A day of six hours makes some hundred rows, not one for each telling."""
    for _time in range(3):
        tell(mona, mine, (1800, 0))
    assert WorkedInterval.objects.count() == 1


def test_reading_holds_the_item(mine, mona):
    Assignment.objects.filter(pk=mine.pk).update(lease_expires_at=timezone.now() + timedelta(seconds=1))
    tell(mona, mine, (5, 0))
    mine.refresh_from_db()
    assert mine.lease_expires_at > timezone.now() + timedelta(minutes=100)


def test_nobody_tells_time_of_anybody_else(mine, karim):
    assert tell(karim, mine, (25, 0)).status_code == 404
    assert seconds(mine) == 0


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"now": 1000, "signs": "all day"},
        {"now": "noon", "signs": []},
        {"now": 1000, "signs": [[1]]},
        {"now": 1000, "signs": [[1, "2"]]},
        {"now": 1000, "signs": [[True, 5]]},
        {"now": 10**30, "signs": [[1, 2]]},
        {"now": -1, "signs": [[1, 2]]},
        {"now": 1000, "signs": [[1, 2]] * 2001},
    ],
)
def test_what_is_no_time_is_refused_and_nothing_counted(mine, mona, payload):
    assert post_json(signed_in(mona), mine, "signs", **payload).status_code == 422
    assert seconds(mine) == 0


def test_the_zone_of_the_browser_is_learnt_once(mine, mona):
    tell(mona, mine, (5, 0), zone="Africa/Cairo")
    mona.refresh_from_db()
    assert mona.time_zone == "Africa/Cairo"
    for other in ("Asia/Dhaka", "No/Where", "../etc/passwd", 7):
        tell(mona, mine, (5, 0), zone=other)
    mona.refresh_from_db()
    assert mona.time_zone == "Africa/Cairo"


def test_telling_costs_the_same_after_a_long_day(mine, mona, django_assert_max_num_queries):
    rater = mona.raters.get()
    begin = timezone.now() - timedelta(hours=20)
    WorkedInterval.objects.bulk_create(
        WorkedInterval(
            rater=rater,
            assignment=mine,
            begun_at=begin + timedelta(minutes=2 * number),
            ended_at=begin + timedelta(minutes=2 * number, seconds=5),
        )
        for number in range(500)
    )
    client = signed_in(mona)
    with django_assert_max_num_queries(16):
        post_json(client, mine, "signs", now=100_000, signs=[[95_000, 100_000]])


def test_a_clock_thousands_of_years_off_is_no_error(mine, mona):
    """What is told as longer ago than our calendar goes back is before the item was taken, so none of it counts."""
    answer = post_json(signed_in(mona), mine, "signs", now=10**14 - 1, signs=[[0, 60_000]])
    assert (answer.status_code, answer.json()) == (200, {"seconds": 0})
