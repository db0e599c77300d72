"""The team as its lead sees it: who did what, by pseudonym, and when the work will be through."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.gold import derive
from projects.models import Rater
from reports.team import members
from tests.annotation.marked import mark, review
from tests.people import EGYPTIAN, add_response, signed_in
from workflow.models import Assignment, Stage, Status, WorkItem

pytestmark = pytest.mark.django_db
SUHOOR, PHARAOHS, LENTILS, RICE = "على السحور", "أيام الفراعنة", "العدس", "الرز"


@pytest.fixture
def stage(project) -> Stage:
    return Stage.objects.create(project=project, kind="spans", name="Marking", overlap=2)


def done(stage, response, person, minutes: int, days_ago: int = 0, status: str = Status.SUBMITTED) -> Assignment:
    item, _ = WorkItem.objects.get_or_create(
        stage=stage,
        response=response,
        defaults={"variety": response.variety, "position": 1, "slots": 2, "open_slots": 2},
    )
    return Assignment.objects.create(
        item=item,
        stage=stage,
        rater=Rater.objects.get(user=person),
        status=status,
        submitted_at=timezone.now() - timedelta(days=days_ago) if status == Status.SUBMITTED else None,
        active_seconds=minutes * 60,
    )


def member(project, person):
    return next(one for one in members(project) if one.rater.user == person)


def test_what_mona_did(project, stage, mona, karim):
    for number, minutes in enumerate((2, 10, 4)):
        done(stage, add_response(project, f"r{number}", EGYPTIAN, "ar-EG"), mona, minutes)
    done(stage, add_response(project, "r3", EGYPTIAN, "ar-EG"), mona, 1, status=Status.SKIPPED)
    first, second, *_ = project.responses.order_by("id")
    spans = mark(first, mona, SUHOOR, PHARAOHS, LENTILS)
    mark(second, mona)
    mark(first, karim)
    for span, verdict in zip(spans, ("keep", "reject", "keep"), strict=True):
        review(span, karim, verdict)
    derive([first.id, second.id])
    row = member(project, mona)
    assert (row.submitted, row.skipped, row.marked, row.reviewed) == (3, 1, 2, 0)
    assert (row.minutes.number, row.minutes.n) == (4.0, 3)  # the median of 2, 4 and 10
    assert (row.spans.number, row.spans.n) == (1.5, 2)  # three spans in two responses
    assert (row.retained.number, row.retained.n) == (pytest.approx(2 / 3), 3)
    assert member(project, karim).reviewed == 3


def test_spans_nobody_has_settled_are_not_in_the_share(project, koshari, mona, karim):
    kept, _waiting = mark(koshari, mona, SUHOOR, PHARAOHS)
    mark(koshari, karim)
    review(kept, karim, "keep")
    derive([koshari.id])
    retained = member(project, mona).retained
    assert (retained.number, retained.n) == (1.0, 1)


def test_a_new_verdict_is_counted_at_once(project, koshari, mona, karim):
    first, second = mark(koshari, mona, SUHOOR, PHARAOHS)
    mark(koshari, karim)
    review(first, karim, "keep")
    assert member(project, mona).retained.n == 1
    review(second, karim, "reject")
    assert member(project, mona).retained.number == 0.5


def test_who_has_done_nothing_has_undefined_figures(project, karim):
    row = member(project, karim)
    assert row.last_active is None
    assert [figure.undefined for figure in (row.minutes, row.spans, row.retained)] == [
        "no items",
        "no items",
        "no spans",
    ]


def test_the_page_says_how_far_each_stage_has_come(nour, stage, koshari, boishakh, mona, karim, rafia):
    done(stage, koshari, mona, 5)
    done(stage, koshari, karim, 5)
    done(stage, boishakh, rafia, 5)
    page = signed_in(nour).get("/p/feasts/team/").content.decode()
    assert "3 of 4" in page
    assert 'href="/p/feasts/progress/"' in page


def test_nour_sees_pseudonyms_and_no_names(project, nour, stage, koshari, mona, karim):
    done(stage, koshari, mona, 5)
    page = signed_in(nour).get("/p/feasts/team/").content.decode()
    assert member(project, mona).rater.pseudonym in page
    for person in (mona, karim):
        assert person.name not in page
        assert person.email not in page


def test_an_empty_team_says_what_to_do(nour):
    page = signed_in(nour).get("/p/feasts/team/").content.decode()
    assert "Nobody annotates yet" in page
    assert "/p/feasts/people/" in page


def test_as_many_queries_for_five_people_as_for_one(
    project, nour, stage, koshari, mona, karim, django_assert_max_num_queries
):
    client = signed_in(nour)
    done(stage, koshari, mona, 5)
    mark(koshari, mona, SUHOOR)
    client.get("/p/feasts/team/")
    with CaptureQueriesContext(connection) as captured:
        client.get("/p/feasts/team/")
    before = len(captured)
    for number in range(4):
        rater = Rater.objects.create(project=project, kind="human", name=f"Person{number}")
        mark(koshari, rater, RICE)
    client.get("/p/feasts/team/")
    with django_assert_max_num_queries(before):
        client.get("/p/feasts/team/")
