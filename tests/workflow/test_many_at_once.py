"""Many people at once, on whichever database the tests run: each item reaches exactly N of them, nothing is stuck."""

import contextlib
import random
import uuid
from collections import Counter
from datetime import timedelta

import pytest
from django.db.models import Count, Q
from django.utils import timezone

from projects.models import LanguageVariety, Rater
from tests.people import signed_in
from tests.threads import at_once
from tests.workflow.working import add_responses, body, marking_stage, submit
from workflow.claims import claim_next, skip, sweep_expired_leases
from workflow.drafts import save
from workflow.models import HOLDING, Assignment, Draft, SetAsideDraft, WorkItem
from workflow.refusals import Conflict, Refused
from workflow.submission import submit as hand_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def varieties(transactional_db):
    """A transactional test finds the tables empty; the one language these stories need is put back."""
    fields = {"name": "Egyptian Arabic", "language": "ar", "script": "Arab", "direction": "rtl"}
    return LanguageVariety.objects.get_or_create(tag="ar-EG", defaults=fields)[0]


def raters(project, variety, count):
    made = [Rater.objects.create(project=project, kind="human", name=f"Person {n}") for n in range(count)]
    for rater in made:
        rater.varieties.add(variety)
    return made


def assert_slots_add_up(stage):
    held = Count("assignments", filter=Q(assignments__status__in=HOLDING))
    for item in stage.items.annotate(held=held):
        assert item.held + item.open_slots == item.slots, item.pk


def test_twenty_claim_at_once_and_each_item_goes_to_exactly_two(project, koshari, varieties):
    add_responses(koshari, 9)  # ten items, twenty slots, twenty people
    stage = marking_stage(project)
    people = raters(project, varieties, 20)
    claimed = at_once(lambda rater: claim_next(rater, stage), people)
    assert all(claimed)
    assert set(Counter(assignment.item_id for assignment in claimed).values()) == {2}
    assert_slots_add_up(stage)


def test_twenty_want_the_last_slot_and_two_get_it(project, koshari, varieties):
    stage = marking_stage(project)
    claimed = at_once(lambda rater: claim_next(rater, stage), raters(project, varieties, 20))
    assert sum(assignment is not None for assignment in claimed) == 2
    assert_slots_add_up(stage)


def test_a_double_click_holds_one_item(project, koshari, varieties):
    add_responses(koshari, 9)
    stage = marking_stage(project)
    [rater] = raters(project, varieties, 1)
    claimed = at_once(lambda _click: claim_next(rater, stage), range(6))
    assert len({assignment.pk for assignment in claimed}) == 1
    assert Assignment.objects.count() == 1


def test_a_submission_sent_twice_at_once_gets_one_answer(project, koshari, mona):
    mona.raters.get().varieties.add(koshari.variety)
    mine = claim_next(mona.raters.get(), marking_stage(project))
    key = uuid.uuid4()
    clients = [signed_in(mona) for _ in range(6)]
    answers = at_once(lambda client: submit(client, mine, 0, body(no_errors=True), key), clients)
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert koshari.markings.count() == 1


def test_two_tabs_that_save_at_once_never_overwrite_each_other(project, koshari, varieties):
    [rater] = raters(project, varieties, 1)
    mine = claim_next(rater, marking_stage(project))

    def tab(number):
        words = {"no_errors": False, "spans": [{"id": f"tab-{number}", "anchor": "response"}]}
        own = Assignment.objects.select_related("item__response", "stage__project").get(pk=mine.pk)
        try:
            return save(own, 0, words, client=f"tab-{number}").version
        except Conflict:
            return None

    assert sorted(at_once(tab, range(8)), key=str) == [1] + [None] * 7
    kept = [Draft.objects.get().body, *SetAsideDraft.objects.values_list("body", flat=True)]
    assert {draft["spans"][0]["id"] for draft in kept} == {f"tab-{n}" for n in range(8)}


def test_a_hundred_people_with_closed_tabs_finish_everything_exactly_three_times(project, koshari, varieties):
    add_responses(koshari, 29)
    stage = marking_stage(project, overlap=3)
    people = raters(project, varieties, 100)
    shares = [people[start::5] for start in range(5)]

    def crowd(share):
        """Twenty people in turn: some submit, some skip now and then, some close the tab and let the lease run out."""
        chance = random.Random(share[0].name)
        for _round in range(8):
            for rater in share:
                assignment = claim_next(rater, stage)
                if assignment is None:
                    continue
                deed = chance.random()
                if deed < 0.55:
                    try_to_hand_in(assignment)
                elif deed < 0.6:
                    skip(assignment, "do_not_know")
                elif deed < 0.9:
                    past = timezone.now() - timedelta(seconds=1)
                    Assignment.objects.filter(pk=assignment.pk, status="claimed").update(lease_expires_at=past)
            sweep_expired_leases()
        return None

    at_once(crowd, shares)
    Assignment.objects.filter(status="claimed").update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    sweep_expired_leases()
    for rater in people:  # whoever is still there finishes
        while (assignment := claim_next(rater, stage)) is not None:
            hand_in(assignment, uuid.uuid4(), 0, {"no_errors": True})
    done = Count("assignments", filter=Q(assignments__status="submitted"))
    assert set(stage.items.annotate(done=done).values_list("done", flat=True)) == {3}
    assert not WorkItem.objects.filter(open_slots__gt=0).exists()
    assert not Assignment.objects.filter(status__in=["claimed", "reserved"]).exists()
    assert koshari.project.responses.filter(markings__isnull=True).count() == 0


def try_to_hand_in(assignment):
    """Another thread's sweep may have taken it meanwhile."""
    with contextlib.suppress(Refused):
        hand_in(assignment, uuid.uuid4(), 0, {"no_errors": True})
