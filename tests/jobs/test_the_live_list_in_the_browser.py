"""A list that renews itself takes nothing from who reads it: not the focus, not their place, not the page they see."""

import pytest
from django.contrib.sessions.models import Session

from jobs.models import Job
from tests.frontend.conftest import bundle  # noqa: F401
from tests.jobs.files import waiting_import
from tests.jobs.test_jobs_in_the_browser import nours_browser  # noqa: F401
from tests.people import signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LIST = "/p/feasts/jobs/"


@pytest.fixture
def the_list(nours_browser, live_server, nour, project):  # noqa: F811
    waiting_import(project, nour)
    nours_browser.goto(f"{live_server.url}{LIST}")
    return nours_browser


def two_polls(page) -> None:
    """When the third is answered, two have been shown."""
    for _poll in range(3):
        with page.expect_response(f"**{LIST}"):
            pass


def test_the_focus_stays_on_a_button_a_link_and_the_table(the_list):
    job = Job.objects.get()
    for name in (f"cancel-{job.uuid}", f"job-{job.uuid}", "jobs-table"):
        the_list.locator(f"#{name}").focus()
        two_polls(the_list)
        assert the_list.evaluate("document.activeElement.id") == name


def test_a_wide_table_stays_where_it_was_scrolled_to(the_list):
    the_list.set_viewport_size({"width": 360, "height": 700})
    the_list.evaluate("document.getElementById('jobs-table').scrollLeft = 60")
    two_polls(the_list)
    assert the_list.evaluate("document.getElementById('jobs-table').scrollLeft") == 60


def test_a_list_that_gets_no_answer_says_so_once_and_moves_nobody(the_list):
    the_list.set_viewport_size({"width": 360, "height": 300})
    the_list.evaluate(
        """new MutationObserver((changes) => {
          for (const { addedNodes } of changes)
            window.notices = (window.notices ?? 0) + [...addedNodes].filter(({ id }) => id === "failure").length;
        }).observe(document.getElementById("main"), { childList: true })"""
    )
    the_list.evaluate("window.scrollTo(0, 100)")
    the_list.route(f"**{LIST}", lambda route: route.fulfill(status=503, body="<p class='notice'>Away.</p>"))
    the_list.wait_for_selector("#failure", state="attached")
    two_polls(the_list)
    assert the_list.evaluate("window.notices") == 1
    assert the_list.evaluate("window.scrollY") > 0
    the_list.unroute(f"**{LIST}")
    the_list.wait_for_selector("#failure", state="detached")


def test_who_was_signed_out_meanwhile_comes_to_the_page_for_signing_in(the_list):
    Session.objects.all().delete()
    the_list.wait_for_url("**/accounts/login/?next=/p/feasts/jobs/")
    assert the_list.locator("#jobs").count() == 0


def test_a_part_alone_is_never_answered_with_the_page_for_signing_in(client, nour, project):
    asks = {"HX-Request": "true"}
    answer = client.get(LIST, headers=asks)
    assert (answer.status_code, answer["HX-Refresh"], answer.content) == (200, "true", b"")
    assert client.get(LIST).status_code == 302
    assert "HX-Refresh" not in signed_in(nour).get(LIST, headers=asks)
