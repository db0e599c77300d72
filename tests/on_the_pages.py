"""What people do at the pages in every story that goes a whole way in the browser, each in a browser of their own."""

from collections.abc import Sequence

import pytest
from django.db import connection
from playwright.sync_api import Page

from judging.engine import shards
from judging.models import Shard
from tests.frontend.conftest import bundle
from tests.people import PASSWORD

__all__ = [
    "arrive",
    "begin_project",
    "broker",
    "bundle",
    "import_file",
    "import_here",
    "invite",
    "join",
    "sign_in",
    "work_through_all",
]

NEW_PASSWORD = "nobody guesses this phrase"


@pytest.fixture
def arrive(browser, bundle, live_server):
    """A browser of one's own for everybody; what any of them complains about fails the test."""
    contexts, complaints = [], []

    def arrive_at(address: str = "/") -> Page:
        contexts.append(browser.new_context(base_url=live_server.url, accept_downloads=True))
        page = contexts[-1].new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if "Policy" in said.text else None)
        page.goto(address)
        return page

    yield arrive_at
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def broker(settings):
    """Where the embedded mode's messages lie. The worker of this story reads the rows, as the sweep does."""
    (settings.DATA_DIR / "broker" / "control").mkdir(parents=True, exist_ok=True)


def sign_in(page: Page, email: str) -> None:
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=False).first.fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("heading", name="Projects", exact=True).wait_for()


def begin_project(page: Page, name: str, slug: str, preset: str = "") -> None:
    page.goto("/")
    page.get_by_role("link", name="New project").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Short name").fill(slug)
    if preset:
        page.get_by_role("radio", name=preset).check()
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(f"**/p/{slug}/")


def import_file(page: Page, slug: str, name: str, content: bytes) -> None:
    page.goto(f"/p/{slug}/import/")
    import_here(page, name, content)


def import_here(page: Page, name: str, content: bytes) -> None:
    """By the page that stands open, checked first and stored then, as the page advises."""
    page.get_by_label("File", exact=True).set_input_files({"name": name, "mimeType": "", "buffer": content})
    page.get_by_role("button", name="Check only").click()
    page.get_by_text("Nothing has been stored yet").wait_for()
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("Imported.").wait_for()


def invite(page: Page, email: str, role: str, languages: Sequence[str], *, expert: bool = False) -> str:
    """The link that the page shows once, for the lead to pass on."""
    page.get_by_role("region", name="Project").get_by_role("link", name="People", exact=True).click()
    page.get_by_label("Email address").fill(email)
    page.get_by_label(role, exact=True).check()
    for language in languages:
        page.get_by_role("checkbox", name=language).first.check()
    if expert:
        page.get_by_label("Expert").check()
    page.get_by_role("button", name="Invite", exact=True).click()
    return page.get_by_label("Link of the invitation").input_value()


def join(arrive, link: str, name: str, project: str) -> Page:
    page = arrive(link)
    page.get_by_role("button", name="Make an account").click()
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Password").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Make my account").click()
    page.get_by_role("heading", name=project).wait_for()
    return page


def work_through_all() -> None:
    try:
        for shard in Shard.objects.values_list("pk", flat=True):
            shards.work_through(shard)
    finally:
        connection.close()
