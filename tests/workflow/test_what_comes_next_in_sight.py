"""Mona sees how much she has done and what is left; Nour sees of each stage the one thing to do next."""

from datetime import UTC, datetime

import pytest
import time_machine
from django.utils import timezone

from projects.zones import zone_of
from tests.people import add_response, signed_in
from tests.workflow.working import add_responses, body, marking_stage, submit
from workflow.claims import claim_next
from workflow.models import Assignment, Stage
from workflow.progress import WorkSoFar, done_lately, left_of, own_stages, project_progress, work_so_far

pytestmark = pytest.mark.django_db

WORK = "/p/feasts/my-work/"
STAGES = "/p/feasts/stages/"


def step(project) -> str:
    [only] = project_progress(project, with_people=False)
    return only.next_step


def primary(client) -> list[str]:
    """Words of the buttons that stand out."""
    page = client.get(STAGES).content.decode()
    parts = page.split('class="btn btn-primary"')[1:]
    return [part.split(">", 1)[1].split("<", 1)[0] for part in parts]


def test_mona_reads_what_she_did_today_and_this_week_in_her_own_zone(project, koshari, mona):
    mona.time_zone = "Africa/Cairo"
    mona.save()
    add_responses(koshari, 4)
    stage, rater = marking_stage(project), mona.raters.get()
    # Thursday 2026-11-26 in Cairo begins at 22:00 UTC of Wednesday, the week on Sunday 22:00 UTC.
    for moment in ("2026-11-22T21:59", "2026-11-22T22:00", "2026-11-25T21:59", "2026-11-25T22:00"):
        turn = claim_next(rater, stage)
        at = datetime.fromisoformat(moment).replace(tzinfo=UTC)
        Assignment.objects.filter(pk=turn.pk).update(status="submitted", submitted_at=at, lease_expires_at=None)
    with time_machine.travel(datetime(2026, 11, 26, 12, tzinfo=UTC), tick=False):
        lately = done_lately(rater, zone_of(mona))
        assert (lately.today, lately.week) == (1, 3)
        page = signed_in(mona).get(WORK).content.decode()
    for label, value in (("Done today", 1), ("Done this week", 3), ("Left for you", 1), ("Items done", 4)):
        assert f'{label}</span><span class="tile__value">{value}<' in page
    assert page.index("Done today") < page.index("Done lately"), "counts first"


def test_nothing_done_yet_shows_no_row_of_zeros(project, koshari, mona):
    marking_stage(project)
    assert "Done today" not in signed_in(mona).get(WORK).content.decode()


def test_what_is_left_is_told_only_where_it_is_counted(project, koshari, mona):
    stage, rater = marking_stage(project), mona.raters.get()
    [own] = own_stages(rater, [stage])
    assert left_of([own]) == 1
    stage.is_open = False
    stage.save()
    assert left_of(own_stages(rater, [stage])) is None
    assert left_of([]) is None


def test_a_stage_without_items_is_planned_first(project, nour):
    marking_stage(project)
    assert (step(project), primary(signed_in(nour))) == ("plan", ["Plan items"])


def test_what_raters_begin_themselves_is_opened_and_watched_without_planning(project, nour):
    stage = Stage.objects.create(project=project, kind="authoring", name="Writing", is_open=False)
    client = signed_in(nour)
    assert (step(project), primary(client)) == ("open", ["Open for work"])
    client.post(f"{STAGES}{stage.pk}/open/", {"open": "1"})
    assert (step(project), primary(client)) == ("watch", ["Progress"])


def test_a_locked_stage_is_read_even_if_it_has_no_items(project, nour):
    stage = marking_stage(project)
    stage.locked_at = timezone.now()
    stage.save()
    assert step(project) == "read"


def test_a_stage_has_one_plain_action_in_each_of_its_states(project, koshari, mona, nour):
    client = signed_in(nour)
    stage = marking_stage(project)
    stage.overlap = 1
    stage.save()
    stage.items.update(slots=1, open_slots=1)
    assert (step(project), primary(client)) == ("watch", ["Progress"])
    stage.is_open = False
    stage.save()
    assert (step(project), primary(client)) == ("open", ["Open for work"])
    stage.is_open = True
    stage.save()
    submit(signed_in(mona), claim_next(mona.raters.get(), stage), 0, body(no_errors=True))
    assert (step(project), primary(client)) == ("close", ["Close for work"])
    client.post(f"{STAGES}{stage.pk}/open/", {"open": "0"})
    assert (step(project), primary(client)) == ("lock", ["Lock the answers"])
    client.post(f"{STAGES}{stage.pk}/lock/", {"locked": "1"})
    assert (step(project), primary(client)) == ("read", ["Items"])
    stage.refresh_from_db()
    assert stage.locked_at


def test_the_work_of_a_project_is_counted_over_its_stages(project, koshari, mona, karim):
    stage = marking_stage(project)  # two answers an item
    add_response(project, "second", "Ful.", "ar-EG")
    assert work_so_far(project) == WorkSoFar(slots=2, done=0, in_progress=0, people=0)
    for who in (mona, karim):
        turn = claim_next(who.raters.get(), stage)
        if who == mona:
            Assignment.objects.filter(pk=turn.pk).update(
                status="submitted", submitted_at=timezone.now(), lease_expires_at=None
            )
    assert work_so_far(project) == WorkSoFar(slots=2, done=1, in_progress=1, people=1)
