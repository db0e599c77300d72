"""Annotators take the next item: in order, in their languages, never one they had, and each item N times."""

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from projects.models import LanguageVariety, Rater
from tests.people import add_response, signed_in
from tests.workflow.working import add_responses, body, marking_stage, submit
from workflow.claims import claim_another, claim_next, release, renew, skip, sweep_expired_leases
from workflow.models import Assignment, Stage, WorkItem
from workflow.planning import change_overlap, plan_items
from workflow.reassignment import reassign
from workflow.refusals import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(project, koshari, boishakh):
    add_responses(koshari, 5)
    add_responses(boishakh, 2)
    return marking_stage(project)


@pytest.fixture
def mona_rater(mona):
    return mona.raters.get()


@pytest.fixture
def karim_rater(karim):
    return karim.raters.get()


def finish(assignment):
    """Hand it in without the browser."""
    Assignment.objects.filter(pk=assignment.pk).update(
        status="submitted", submitted_at=timezone.now(), lease_expires_at=None
    )


def run_out(*assignments):
    past = timezone.now() - timedelta(seconds=1)
    Assignment.objects.filter(pk__in=[a.pk for a in assignments]).update(lease_expires_at=past)


# --- Planning -----------------------------------------------------------------------------------------


def test_every_response_becomes_an_item_once(stage, project, koshari):
    assert stage.items.count() == 9
    assert plan_items(stage) == 0
    add_responses(add_like(koshari), 2)
    assert plan_items(stage) == 3


def add_like(response):
    return add_response(response.project, "late", "تأخر", "ar-EG")


def test_planning_writes_in_bulk(project, koshari, django_assert_max_num_queries):
    add_responses(koshari, 300)
    stage = Stage.objects.create(project=project, kind="spans", name="Many")
    with django_assert_max_num_queries(9):  # SQLite splits the insert of 301 rows by its number of variables
        plan_items(stage)


# --- Claiming -----------------------------------------------------------------------------------------


def test_items_come_in_order_and_only_in_ones_language(stage, mona_rater):
    taken = []
    while (assignment := claim_next(mona_rater, stage)) is not None:
        taken.append(assignment.item)
        finish(assignment)
    arabic = stage.items.filter(variety__tag="ar-EG").order_by("position")
    assert taken == list(arabic)


def test_who_works_in_two_languages_gets_both_in_the_stages_order(stage, hana):
    rater, taken = hana.raters.get(), []
    while (assignment := claim_next(rater, stage)) is not None:
        taken.append(assignment.item)
        finish(assignment)
    assert taken == list(stage.items.order_by("position"))


def test_what_is_begun_comes_again_before_anything_new(stage, mona_rater):
    first = claim_next(mona_rater, stage)
    assert claim_next(mona_rater, stage) == first


def test_an_item_goes_to_as_many_as_the_stage_asks_and_no_further(stage, mona_rater, karim_rater, hana):
    item = claim_next(mona_rater, stage).item
    assert claim_next(karim_rater, stage).item == item
    item.refresh_from_db()
    assert item.open_slots == 0
    hers = claim_next(hana.raters.get(), stage)
    assert hers.item != item


def test_a_closed_stage_hands_out_nothing(stage, mona, mona_rater):
    stage.is_open = False
    stage.save()
    with pytest.raises(Refused, match="closed"):
        claim_next(mona_rater, stage)
    page = signed_in(mona).post(f"/p/feasts/my-work/{stage.pk}/next", follow=True)
    assert "closed for now" in page.content.decode()


def test_claiming_costs_the_same_queries_early_and_late(stage, mona_rater, django_assert_num_queries):
    def claim():
        with django_assert_num_queries(10):  # with a savepoint around; a stage without quizzes and checks asks for none
            return claim_next(mona_rater, stage)

    finish(claim())
    finish(claim())
    claim()


# --- Giving back --------------------------------------------------------------------------------------


def test_a_skipped_item_goes_to_others_and_never_comes_again(stage, mona_rater):
    first = claim_next(mona_rater, stage)
    skip(first, "do_not_know")
    first.item.refresh_from_db()
    assert first.item.open_slots == 2
    had = set()
    while (assignment := claim_next(mona_rater, stage)) is not None:
        had.add(assignment.item_id)
        finish(assignment)
    assert first.item_id not in had


def test_a_released_item_comes_again_when_nothing_else_is_left(stage, mona_rater):
    first = claim_next(mona_rater, stage)
    release(first)
    last = None
    while (assignment := claim_next(mona_rater, stage)) is not None:
        last = assignment
        finish(assignment)
    assert last == first


def test_expired_leases_are_swept_once_and_their_slots_open(stage, mona_rater, karim_rater):
    mine, his = claim_next(mona_rater, stage), claim_next(karim_rater, stage)
    assert mine.item == his.item
    assert sweep_expired_leases() == 0
    run_out(mine, his)
    assert sweep_expired_leases() == 2
    assert sweep_expired_leases() == 0
    mine.item.refresh_from_db()
    assert mine.item.open_slots == 2


def test_a_lease_that_was_renewed_is_not_swept(stage, mona_rater):
    mine = claim_next(mona_rater, stage)
    run_out(mine)
    assert renew(mine)
    assert sweep_expired_leases() == 0


def test_an_item_that_ran_out_is_offered_again_before_new_ones(stage, mona_rater):
    mine = claim_next(mona_rater, stage)
    run_out(mine)
    sweep_expired_leases()
    assert claim_next(mona_rater, stage) == mine
    mine.item.refresh_from_db()
    assert mine.item.open_slots == 1


def test_two_people_cannot_both_finish_alone_what_ran_out_for_one(stage, mona_rater, karim_rater, hana):
    mine = claim_next(mona_rater, stage)
    claim_next(karim_rater, stage)
    run_out(mine)
    sweep_expired_leases()
    while claim_another(hana.raters.get(), stage).item != mine.item:
        pass
    assert claim_next(mona_rater, stage).item != mine.item


def test_sweeping_takes_the_same_queries_for_few_and_for_many(
    stage, project, mona_rater, django_assert_max_num_queries
):
    variety = LanguageVariety.objects.get(tag="ar-EG")
    for number in range(12):
        rater = Rater.objects.create(project=project, kind="human", name=f"P{number}")
        rater.varieties.add(variety)
        claim_next(rater, stage)
    run_out(*Assignment.objects.all())
    with django_assert_max_num_queries(9):
        assert sweep_expired_leases() == 12
    assert not WorkItem.objects.exclude(open_slots=2).exists()


def test_asking_for_more_raters_opens_slots_and_for_fewer_closes_them(stage, mona_rater, karim_rater):
    mine = claim_next(mona_rater, stage)
    claim_next(karim_rater, stage)
    change_overlap(stage, 3)
    mine.item.refresh_from_db()
    assert (mine.item.slots, mine.item.open_slots) == (3, 1)
    change_overlap(stage, 1)
    mine.item.refresh_from_db()
    assert (mine.item.slots, mine.item.open_slots) == (1, 0)
    release(mine)  # one of two gone, one still holds it: that is the one rater asked for
    mine.item.refresh_from_db()
    assert mine.item.open_slots == 0


# --- The lead hands out -------------------------------------------------------------------------------


def test_a_reassigned_item_waits_for_the_other_and_comes_first(stage, mona_rater, karim_rater, nour, mona):
    mine = claim_next(mona_rater, stage)
    finish(claim_next(karim_rater, stage))
    laila = Rater.objects.create(project=stage.project, kind="human", name="Laila")
    laila.varieties.set(mona_rater.varieties.all())
    reserved = reassign(mine, laila, nour)
    mine.item.refresh_from_db()
    assert mine.item.open_slots == 0
    assert claim_next(laila, stage) == reserved
    answer = submit(signed_in(mona), mine, 0, body(no_errors=True))
    assert answer.json()["error"]["code"] == "reassigned"
    assert claim_next(mona_rater, stage).item != mine.item


def test_an_item_is_not_reassigned_to_who_has_it_or_cannot_read_it(stage, mona_rater, karim_rater, rafia, nour):
    mine = claim_next(mona_rater, stage)
    claim_next(karim_rater, stage)
    for rater, code in ((karim_rater, "had_already"), (rafia.raters.get(), "wrong_variety")):
        with pytest.raises(Refused) as refused:
            reassign(mine, rater, nour)
        assert refused.value.code == code
    mine.refresh_from_db()
    assert mine.status == "claimed"


def test_nobody_gets_an_item_twice(stage, mona_rater, karim_rater, hana):
    for rater in (mona_rater, karim_rater, hana.raters.get()):
        while (assignment := claim_next(rater, stage)) is not None:
            finish(assignment)
    turns = Counter(Assignment.objects.values_list("item", "rater"))
    assert set(turns.values()) == {1}
    assert not stage.items.filter(variety__tag="ar-EG", open_slots__gt=0).exists()
