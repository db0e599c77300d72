"""The application itself under a browser: a person at their item, signed in by a session of their own."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from projects.models import User
from tests.people import signed_in
from workflow.claims import claim_next
from workflow.models import Stage


@pytest.fixture
def at_item(page: Page, bundle: None, live_server) -> Iterator[Callable[..., Page]]:
    """Opens a person's next item of a stage and waits until its screen stands: `ready` is what it sets on the page."""
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)

    def open_for(person: User, stage: Stage, ready: str = "span-editor") -> Page:
        session = signed_in(person).cookies["sessionid"].value
        page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
        item = claim_next(person.raters.get(), stage)
        assert item is not None
        page.goto(f"{live_server.url}/tasks/{item.uuid}/")
        page.wait_for_selector(f"html[data-{ready}=ready]")
        return page

    yield open_for
    assert errors == []
