"""What the policy leaves open is settled by an expert, with a reason, and never by who is part of the dispute."""

import pytest

from annotation.adjudication import adjudicate, open_cases
from annotation.gold import derive
from annotation.models import GoldError
from projects.problems import Invalid
from tests.annotation.marked import mark, rater_of, review

pytestmark = pytest.mark.django_db


@pytest.fixture
def disputed(koshari, mona, karim):
    [span] = mark(koshari, mona, "على السحور")
    mark(koshari, karim)
    review(span, karim, "differs")
    derive([koshari.id])
    return span


def test_an_open_span_is_queued_until_it_is_settled(disputed, project, hana):
    expert = rater_of(hana, project)
    assert [case.span.id for case in open_cases(project, expert)] == [disputed.id]
    adjudicate(disputed, expert, is_kept=True, varies_by_region=True, reason="True of the Delta only")
    assert open_cases(project, expert) == []
    assert GoldError.objects.get().varies_by_region


def test_a_decision_can_be_taken_again(disputed, project, hana):
    expert = rater_of(hana, project)
    adjudicate(disputed, expert, is_kept=True, varies_by_region=False, reason="Wrong everywhere")
    adjudicate(disputed, expert, is_kept=False, varies_by_region=True, reason="Found a source")
    assert not GoldError.objects.exists()
    disputed.refresh_from_db()
    assert not disputed.adjudication.varies_by_region, "what is not kept varies nowhere"


def test_nobody_settles_what_they_marked_or_reviewed(disputed, project, mona, karim):
    assert open_cases(project, rater_of(mona, project)) == []
    assert open_cases(project, rater_of(karim, project)) == []
    with pytest.raises(Invalid):
        adjudicate(disputed, rater_of(mona, project), is_kept=True, varies_by_region=False, reason="mine")


def test_a_decision_needs_a_reason(disputed, project, hana):
    with pytest.raises(Invalid):
        adjudicate(disputed, rater_of(hana, project), is_kept=True, varies_by_region=False, reason=" ")


def test_what_is_settled_or_still_under_review_is_not_an_experts_to_decide(project, koshari, mona, karim, hana):
    [kept, pending] = mark(koshari, mona, "على السحور", "العدس")
    mark(koshari, karim)
    review(kept, karim, "keep")
    for span in (kept, pending):
        with pytest.raises(Invalid):
            adjudicate(span, rater_of(hana, project), is_kept=False, varies_by_region=False, reason="no")
