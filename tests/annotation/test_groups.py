"""Grouping: by hand, by the overlap rule and a person's word; a group of one is none."""

import pytest

from annotation import groups
from annotation.models import ErrorGroup, GoldError, GroupProposal
from projects.problems import Invalid
from tests.annotation.marked import mark, rater_of, review

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


def test_a_judge_proposes_through_the_same_door(kept, koshari, simba):
    short, _long, other = kept
    proposal = groups.propose(koshari, [short, other], proposed_by=simba, reason="Both date the custom wrongly")
    assert proposal.proposed_by == simba
    assert groups.propose(koshari, [other, short], proposed_by=simba) is None
