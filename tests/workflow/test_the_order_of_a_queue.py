"""Nour plans a stage: its seed alone says in which order items are handed out, whenever and whence they came."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.reviews.planning import open_for_validators, reserve_for_annotators
from projects.models import Response
from rubrics.scoring.planning import plan_open_stages
from tests.annotation.marked import mark, rater_of
from tests.rubrics.grading import banknotes, iraqi_author, stage_of
from tests.workflow.working import add_responses, marking_stage
from workflow.allocation import BITS, place
from workflow.claims import claim_another, claim_next, skip
from workflow.models import Stage, WorkItem
from workflow.planning import Ready, add_items, in_project, plan_items

KEYS = [f"item-{number}" for number in range(1000)]


def drawn(keys, seed: int) -> list[str]:
    return sorted(keys, key=lambda key: place(seed, key))


def order_of(stage: Stage) -> list[str]:
    return list(stage.items.order_by("position").values_list("response__key", flat=True))


# --- The arithmetic -------------------------------------------------------------------------------------


def test_languages_of_unequal_size_advance_together():
    # 9,000 items of one language and 1,000 of another: every tenth of the order holds about nine of ten.
    order = drawn([*(f"ar-{n}" for n in range(9000)), *(f"bn-{n}" for n in range(1000))], seed=7)
    tenths = [order[start : start + 1000] for start in range(0, 10_000, 1000)]
    # The count in a tenth has a standard deviation of 9; none of ten is more than four of them off.
    assert all(64 <= sum(key.startswith("bn") for key in tenth) <= 136 for tenth in tenths)


def test_the_order_is_another_one_with_another_seed_and_never_that_of_the_file():
    assert drawn(KEYS, 1) != drawn(KEYS, 2) != KEYS
    # Half of all neighbours in the file are exchanged, give or take four standard deviations of 16.
    exchanged = sum(place(3, one) > place(3, other) for one, other in pairwise(KEYS))
    assert 436 <= exchanged <= 564


def test_places_are_the_same_on_every_machine():
    assert place(1, "koshari") == 473378451084747552
    assert place(1, "الكشري") == 4122731631569342393


@given(seed=st.integers(0, 2**31), some=st.sets(st.text(max_size=20)), others=st.sets(st.text(max_size=20)))
def test_items_keep_their_order_whatever_others_are_there(seed, some, others):
    together = drawn(sorted(some | others), seed)
    assert [key for key in together if key in some] == drawn(sorted(some, reverse=True), seed)
    assert all(0 <= place(seed, key) < 2**BITS for key in together)


# --- Each kind of planning ------------------------------------------------------------------------------


def keys_like(response: Response, count: int) -> list[str]:
    return [response.key, *(f"{response.key}-{number}" for number in range(count))]


@pytest.mark.django_db
def test_planned_at_once_or_bit_by_bit_the_order_is_the_same(project, koshari):
    bit_by_bit = marking_stage(project, seed=5)
    add_responses(koshari, 3, "early")
    plan_items(bit_by_bit)
    add_responses(koshari, 30)
    plan_items(bit_by_bit)
    keys = [*keys_like(koshari, 30), *(f"early-{number}" for number in range(3))]
    assert order_of(bit_by_bit) == drawn(keys, 5)
    for seed in (5, 6):
        at_once = Stage.objects.create(project=project, kind="spans", name=f"With {seed}", seed=seed)
        plan_items(at_once)
        assert order_of(at_once) == drawn(keys, seed)


@pytest.mark.django_db
def test_what_is_planned_later_is_handed_out_though_it_lies_before_what_one_has_had(project, koshari, mona):
    add_responses(koshari, 10)
    stage, rater = marking_stage(project, seed=5), mona.raters.get()
    had = [claim_another(rater, stage) for _ in range(8)]
    add_responses(koshari, 10, "late")
    plan_items(stage)
    while (turn := claim_another(rater, stage)) is not None:
        had.append(turn)
    assert {turn.item_id for turn in had} == set(stage.items.values_list("pk", flat=True))
    assert len(had) == 21
    places = [turn.queue_position for turn in had]
    falls = sum(later < earlier for earlier, later in pairwise(places))
    assert falls == 1, "once round, from the back to the front, and forwards everywhere else"


@pytest.mark.django_db
def test_whoever_reviews_gets_the_stages_order_and_not_that_of_the_file(project, koshari, mona, karim):
    add_responses(koshari, 12)
    for response in project.responses.order_by("pk"):
        mark(response, mona, response.text.split()[0])
        mark(response, karim)
    expected = drawn(keys_like(koshari, 12), 3)

    reviews = Stage.objects.create(project=project, kind="reviews", name="Reviews", seed=3)
    for response in project.responses.order_by("-pk"):
        assert reserve_for_annotators(reviews, [response.pk]) == 1
    turns = []
    while (turn := claim_next(rater_of(karim, project), reviews)) is not None:
        turns.append(turn.item.response.key)
        skip(turn, "other", "Not now")
    assert turns == order_of(reviews) == expected

    validation = Stage.objects.create(project=project, kind="validation", name="Experts", seed=3, overlap=1)
    assert open_for_validators(validation) == 13
    assert order_of(validation) == expected


@pytest.mark.django_db
def test_whoever_grades_gets_the_stages_order_and_not_that_of_the_file(project):
    response, _rubric = banknotes(project, iraqi_author(project))
    scoring = stage_of(project, "scoring", seed=3)
    add_responses(response, 12)
    for later in project.responses.order_by("-pk"):
        plan_open_stages([later.pk])
    assert order_of(scoring) == drawn(keys_like(response, 12), 3)


@pytest.mark.django_db
def test_two_who_plan_the_same_response_make_one_item_of_it(project, koshari):
    stage = Stage.objects.create(project=project, kind="spans", name="Marking", overlap=2)
    ready = in_project(project.responses.all())
    assert ready == [Ready(koshari.pk, koshari.variety_id, "koshari")]
    add_items(stage, "response", ready)
    add_items(stage, "response", ready)
    [item] = WorkItem.objects.all()
    assert (item.slots, item.open_slots, item.position) == (2, 2, place(stage.seed, "koshari"))
