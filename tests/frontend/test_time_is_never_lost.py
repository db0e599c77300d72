"""Mona reads for 25 seconds without a word written, then leaves the page: by whatever way, the time is hers."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page

from tests.frontend.conftest import bundle  # noqa: F401
from tests.frontend.settling import until
from tests.people import signed_in
from tests.workflow.working import marking_stage
from workflow.claims import claim_next
from workflow.models import Assignment, WorkedInterval

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

READ = 25


@pytest.fixture
def mine(project, koshari, mona) -> Assignment:
    claimed = claim_next(mona.raters.get(), marking_stage(project))
    assert claimed is not None
    claimed.claimed_at = timezone.now() - timedelta(hours=3)
    claimed.save()
    return claimed


@pytest.fixture
def opened(page: Page, bundle, live_server, mine, mona) -> Callable[[], Page]:  # noqa: F811
    session = signed_in(mona).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    # The browser's clock is ours to turn: seconds pass at once.
    page.clock.install()

    def open_item() -> Page:
        page.goto(f"{live_server.url}/tasks/{mine.uuid}/")
        page.wait_for_selector("html[data-span-editor=ready]")
        return page

    return open_item


def counted(mine: Assignment) -> int:
    mine.refresh_from_db()
    return mine.active_seconds


def leave_by_a_link(page: Page) -> None:
    page.locator(".marking__project").click()


def leave_by_reloading(page: Page) -> None:
    page.reload()


def leave_backwards(page: Page) -> None:
    page.go_back()


def close_the_tab(page: Page) -> None:
    page.close()


def close_the_browser_and_come_back(page: Page) -> None:
    """Nothing of the page is asked when it goes; what it kept on the device is told by the next one."""
    address = page.url
    page.context.route("**/signs", lambda route: route.abort())
    context = page.context
    page.close()
    context.unroute("**/signs")
    context.new_page().goto(address.split("/tasks/")[0] + "/p/feasts/my-work/")


def lose_the_network_and_come_back(page: Page) -> None:
    page.context.set_offline(True)
    page.clock.run_for(35_000)  # what it tells meanwhile reaches nobody
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")


def submit(page: Page) -> None:
    page.get_by_role("button", name="There are no errors").click()
    page.keyboard.press("Control+Enter")


def sign_out(page: Page) -> None:
    address = page.url.split("/tasks/")[0]
    page.goto(f"{address}/accounts/logout/")


WAYS = (
    leave_by_a_link,
    leave_by_reloading,
    leave_backwards,
    close_the_tab,
    close_the_browser_and_come_back,
    lose_the_network_and_come_back,
    submit,
    sign_out,
)


@pytest.mark.parametrize("leave", WAYS)
def test_by_whatever_way_the_page_is_left(leave, opened, mine, live_server, page):
    page.goto(f"{live_server.url}/p/feasts/my-work/")
    one = opened()
    one.clock.run_for(READ * 1000)
    leave(one)
    watching = next((each for each in page.context.pages if not each.is_closed()), None) or page.context.new_page()
    until(watching, lambda: counted(mine) >= READ - 1)
    # What was told on leaving and is told again by the next page is no more time than passed.
    assert counted(mine) <= READ + 40
    assert WorkedInterval.objects.filter(assignment=mine).count() <= 3


def test_two_tabs_of_one_item_count_once(opened, mine, page):
    one = opened()
    with page.context.expect_page():
        one.evaluate("open(location.href)")
    other = page.context.pages[-1]
    other.wait_for_selector("html[data-span-editor=ready]")
    one.clock.run_for(READ * 1000)  # the clock of both
    one.close()
    other.close()
    watching = page.context.new_page()
    until(watching, lambda: counted(mine) >= READ - 1)
    assert counted(mine) <= READ + 3


def test_a_page_that_nobody_looks_at_stops_counting(opened, mine, page):
    one = opened()
    # A frame is drawn: what opening the page scrolled is told of before the minutes pass, not in the midst of them. Of
    # minutes that pass at once none is told meanwhile: each call would lie elsewhere on the server's clock.
    one.screenshot()
    page.context.set_offline(True)
    one.clock.run_for(20 * 60_000)
    page.context.set_offline(False)
    until(one, lambda: counted(mine) >= 59)
    assert counted(mine) <= 62
