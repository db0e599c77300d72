"""A plan is read on a wide screen and on a phone, from left to right and from right to left."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.frontend.conftest import bundle  # noqa: F401
from tests.people import signed_in
from tests.reports.test_plan_a_study import PAGE, pilot  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ASKED = (
    "source=question-formality&width=4&judge_correlation=0.8&cost=2",
    "source=question-formality&width=0.1&panel=3",  # which no design reaches
    "source=assumptions&width=0",
)


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("ar", 360)])
def test_no_barrier_and_nothing_wider_than_the_screen(
    live_server,
    page,
    bundle,  # noqa: F811
    nour,
    pilot,  # noqa: F811
    language,
    width,
):
    cookies = {"sessionid": signed_in(nour).cookies["sessionid"].value, "django_language": language}
    page.context.add_cookies([{"name": name, "value": cookies[name], "url": live_server.url} for name in cookies])
    page.set_viewport_size({"width": width, "height": 800})
    for asked in ASKED:
        page.goto(f"{live_server.url}{PAGE}?{asked}")
        found = Axe().run(page).response["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_an_address_is_made_of_what_was_filled_in(live_server, page, bundle, nour, pilot):  # noqa: F811
    page.context.add_cookies(
        [{"name": "sessionid", "value": signed_in(nour).cookies["sessionid"].value, "url": live_server.url}]
    )
    page.goto(f"{live_server.url}{PAGE}")
    page.get_by_label("Width of the interval", exact=True).fill("4")
    page.get_by_role("button", name="Plan", exact=True).click()
    page.get_by_role("heading", name="Designs").wait_for()
    assert "width=4" in page.url
    assert page.get_by_label("Width of the interval", exact=True).input_value() == "4"
