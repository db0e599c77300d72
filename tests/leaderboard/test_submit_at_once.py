"""Twenty posts at one moment leave one submission: the database's constraint decides, whatever was looked at before."""

from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from benchmark.models import Submission
from benchmark.submissions.months import month_after, month_of
from tests.leaderboard.submitting import feasts, layla, opened, outsider, pond, questions
from tests.people import signed_in
from tests.threads import at_once

__all__ = ["feasts", "layla", "opened", "questions"]
pytestmark = pytest.mark.django_db(transaction=True)


def post(browser, n, **changes):
    values = pond(name=f"Pond {n}", id=str(uuid4()), **changes)
    return browser.post(reverse("open-board-submit", args=["arabic"]), values)


def one_of_twenty(answers) -> None:
    assert Submission.objects.count() == 1
    told = [answer.content.decode() for answer in answers if answer.status_code == 422]
    assert [answer.status_code for answer in answers].count(302) == 1
    assert len(told) == 19
    until = f"{month_after(month_of(timezone.now())).isoformat()}, 00:00 UTC"
    assert all("Once a calendar month" in html and until in html for html in told)


def test_twenty_posts_of_one_account_leave_one_row(opened, layla):
    browsers = [signed_in(layla) for _n in range(20)]
    one_of_twenty(at_once(lambda n: post(browsers[n], n), range(20)))


def test_twenty_accounts_of_one_laboratory_leave_one_row(opened):
    browsers = [signed_in(outsider(f"Person{n}", "Pond Lab")) for n in range(20)]
    one_of_twenty(at_once(lambda n: post(browsers[n], n), range(20)))


def test_the_same_form_twenty_times_leaves_one_row_and_all_see_it(opened, layla):
    browsers, form = [signed_in(layla) for _n in range(20)], str(uuid4())
    address = reverse("open-board-submit", args=["arabic"])
    answers = at_once(lambda n: browsers[n].post(address, pond(id=form)), range(20))
    assert {answer.status_code for answer in answers} == {302}
    assert {answer.url for answer in answers} == {reverse("open-board-submission", args=["arabic", form])}
    assert Submission.objects.count() == 1
