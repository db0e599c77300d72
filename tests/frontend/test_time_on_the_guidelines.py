"""Mona reads the guidelines for 25 seconds and leaves: the time is hers where the project counts it."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page

from projects.models import Rater
from tests.frontend.conftest import bundle  # noqa: F401
from tests.frontend.settling import until
from tests.people import signed_in
from workflow.intervals import length
from workflow.models import TimeRules, WorkedInterval

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

READ = 25


def test_reading_counts_once_the_page_is_left(page: Page, bundle, live_server, project, mona):  # noqa: F811
    TimeRules.objects.create(project=project, counts_guidelines=True)
    # Whoever came a moment ago has no 25 seconds behind them.
    Rater.objects.filter(user=mona).update(created_at=timezone.now() - timedelta(hours=1))
    session = signed_in(mona).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.clock.install()
    page.goto(f"{live_server.url}/p/feasts/guidelines/")
    page.wait_for_selector("html[data-reading-time=ready]")
    page.clock.run_for(READ * 1000)
    page.goto(f"{live_server.url}/p/feasts/my-work/")

    def told() -> bool:
        rows = WorkedInterval.objects.filter(rater__user=mona, activity="guidelines")
        seconds = length(list(rows.values_list("begun_at", "ended_at"))).total_seconds()
        return READ - 2 <= seconds <= READ + 5

    until(page, told)
