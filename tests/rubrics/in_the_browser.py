"""The authoring screen of the application itself: opened by a person of the story, and read."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from projects.models import User
from tests.people import signed_in

__all__ = ["SAVED", "add_criterion", "at_work", "check", "ready", "written"]

SAVED = "#save-state[data-state=saved]"


@pytest.fixture
def at_work(page: Page, bundle: None, live_server) -> Iterator[Callable[[User, str], Page]]:
    """Opens a page of the application, signed in as the person."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Security Policy" in said.text else None)

    def open_for(user: User, address: str) -> Page:
        session = signed_in(user).cookies["sessionid"].value
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        page.goto(live_server.url + address)
        return page

    yield open_for
    assert errors == []


def ready(page: Page) -> Page:
    page.wait_for_selector("html[data-authoring=ready]")
    return page


def written(page: Page) -> dict:
    """The draft as it stands on the page."""
    return page.evaluate("mizanAuthoring.document.serialise()")


def check(page: Page, outcome: str) -> None:
    """The prompt was tried elsewhere, by hand, with this outcome."""
    page.get_by_label("Which model?").fill("Nile-7B")
    page.get_by_role("radio", name=outcome).check()
    page.get_by_role("button", name="Record the check").click()


def add_criterion(page: Page, text: str, weight: str, band: str, objectivity: str, explicitness: str) -> None:
    page.get_by_role("button", name="Add a criterion").click()
    page.keyboard.type(text)
    card = page.locator(".criterion").last
    card.get_by_label("Weight").fill(weight)
    card.get_by_label("Band").select_option(band)
    card.get_by_role("radio", name=objectivity).check()
    card.get_by_role("radio", name=explicitness).check()
