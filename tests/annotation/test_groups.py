"""Grouping: by hand, by the overlap rule and a person's word; a group of one is none."""

import pytest

from annotation import groups, overlap_jobs
from annotation.gold import derive
from annotation.models import ErrorGroup, GoldError, GroupProposal
from jobs.models import Job
from jobs.working import Lost, work_on
from projects.problems import Invalid
from tests.annotation.marked import mark, rater_of, review
from tests.people import signed_in

pytestmark = pytest.mark.django_db
RAMADAN, LONGER = "في رمضان الناس", "في رمضان الناس بتاكل"


@pytest.fixture
def kept(koshari, mona, karim):
    """Mona's three words and Karim's four, which hold them, and another span of Mona's: all kept."""
    [short, other] = mark(koshari, mona, RAMADAN, "أيام الفراعنة")
    [long] = mark(koshari, karim, LONGER)
    review(short, karim, "keep")
    review(other, karim, "keep")
    review(long, mona, "keep")
    return short, long, other


def test_grouped_spans_are_one_error_and_ungrouped_ones_two(kept, project, hana):
    short, long, _other = kept
    made = groups.group([short, long], rater_of(hana, project))
    assert set(GoldError.objects.values_list("key", "quote")) == {(made.key, LONGER), ("mona-2", "أيام الفراعنة")}
    groups.ungroup([short])
    assert set(GoldError.objects.values_list("key", flat=True)) == {"mona-1", "mona-2", "karim-1"}
    assert not ErrorGroup.objects.exists(), "what is left is no group"


def test_a_span_leaves_its_group_for_another(kept):
    short, long, other = kept
    first = groups.group([short, long], None)
    second = groups.group([long, other], None)
    assert list(ErrorGroup.objects.all()) == [second]
    short.refresh_from_db()
    assert short.group is None
    assert not GoldError.objects.filter(key=first.key).exists()


def test_one_span_or_spans_of_two_responses_make_no_group(kept, boishakh, mona):
    short, _long, _other = kept
    [elsewhere] = mark(boishakh, mona, "ইলিশ মাছ")
    for spans in ([short], [short, short], [short, elsewhere]):
        with pytest.raises(Invalid):
            groups.group(spans, None)


def test_the_overlap_rule_proposes_and_a_person_decides(kept, koshari, project, hana):
    # Three of four words shared: an IoU of 0.75.
    assert groups.propose_overlaps([koshari.id], threshold=0.76) == 0
    assert groups.propose_overlaps([koshari.id], threshold=0.75) == 1
    proposal = GroupProposal.objects.get()
    assert set(proposal.spans.all()) == set(kept[:2])
    assert "0.75" in proposal.reason
    assert not ErrorGroup.objects.exists(), "nothing counts until it is confirmed"

    groups.confirm(proposal, rater_of(hana, project))

    assert GoldError.objects.filter(key__startswith="g-").count() == 1
    assert GroupProposal.objects.get().state == "confirmed"
    assert groups.propose_overlaps([koshari.id]) == 0


def test_what_was_dismissed_is_not_proposed_again(kept, koshari, project, hana):
    groups.propose_overlaps([koshari.id])
    groups.dismiss(GroupProposal.objects.get(), rater_of(hana, project))
    assert groups.propose_overlaps([koshari.id]) == 0
    assert not ErrorGroup.objects.exists()


def test_spans_of_another_type_or_not_kept_are_not_proposed(kept, koshari, mona):
    short, long, _other = kept
    type(short).objects.filter(pk=short.pk).update(error_type="linguistic")
    assert groups.propose_overlaps([koshari.id]) == 0
    type(short).objects.filter(pk=short.pk).update(error_type="cultural")
    long.reviews.update(verdict="reject")
    assert groups.propose_overlaps([koshari.id]) == 0


@pytest.fixture
def kept_elsewhere(boishakh, mona, karim):
    """Two errors of another response that share words."""
    [short], [long] = mark(boishakh, mona, "ইলিশ মাছ"), mark(boishakh, karim, "ইলিশ")
    review(short, karim, "keep")
    review(long, mona, "keep")
    return short, long


def test_what_was_proposed_until_it_was_broken_off_stands(kept, kept_elsewhere, koshari, boishakh, monkeypatch):
    monkeypatch.setattr(groups, "RESPONSES_AT_ONCE", 1)
    told = []

    def cancelled(done: int) -> None:
        told.append(done)
        if done:
            raise Lost

    with pytest.raises(Lost):
        groups.propose_overlaps([koshari.pk, boishakh.pk], on_part=cancelled)
    assert told == [0, 1]
    assert GroupProposal.objects.count() == 1
    assert groups.propose_overlaps([koshari.pk, boishakh.pk]) == 1
    assert GroupProposal.objects.count() == 2


def test_many_responses_are_looked_at_by_a_worker(kept, kept_elsewhere, koshari, boishakh, nour, monkeypatch):
    derive([koshari.pk, boishakh.pk])
    monkeypatch.setattr(overlap_jobs, "FEW_RESPONSES", 1)
    browser = signed_in(nour)
    answers = [browser.post("/p/feasts/groups/propose/") for _click in range(2)]
    job = Job.objects.get()  # the second click finds it under way
    assert [answer.url for answer in answers] == [f"/p/feasts/jobs/{job.uuid}/"] * 2
    assert not GroupProposal.objects.exists()
    assert work_on(job.pk)
    assert GroupProposal.objects.count() == 2
    page = browser.get(answers[0].url).content.decode()
    assert "2 new proposals" in page
    assert 'href="/p/feasts/groups/"' in page


def test_few_responses_are_looked_at_at_once(kept, koshari, nour):
    derive([koshari.pk])
    page = signed_in(nour).post("/p/feasts/groups/propose/", follow=True).content.decode()
    assert "1 new proposal" in page
    assert not Job.objects.exists()


def test_a_judge_proposes_through_the_same_door(kept, koshari, simba):
    short, _long, other = kept
    proposal = groups.propose(koshari, [short, other], proposed_by=simba, reason="Both date the custom wrongly")
    assert proposal.proposed_by == simba
    assert groups.propose(koshari, [other, short], proposed_by=simba) is None
