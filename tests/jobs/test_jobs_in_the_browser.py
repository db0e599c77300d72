"""Nour brings in a large file in her browser, watches it come in, and finds it among the jobs."""

import threading

import pytest
from django.db import connection

from jobs import working
from jobs.models import Job, JobState
from jobs.working import work_on
from projects.models import Response
from tests.frontend.conftest import bundle  # noqa: F401
from tests.jobs.files import items, waiting_import
from tests.people import signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def nours_browser(nour, page, live_server, bundle):  # noqa: F811
    """A page that is signed in as Nour; what breaks the content security policy is kept in `page.refused`."""
    cookie = signed_in(nour).cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    page.refused = []
    page.on("console", lambda message: page.refused.append(message.text) if "Policy" in message.text else None)
    page.on("pageerror", lambda error: page.refused.append(str(error)))
    return page


def test_an_import_is_watched_to_its_end(nours_browser, live_server, project, monkeypatch):
    is_seen = threading.Event()
    progress = working.Held.progress

    def progress_until_seen(held, *arguments, **changes):
        progress(held, *arguments, **changes)
        assert is_seen.wait(60)

    monkeypatch.setattr(working.Held, "progress", progress_until_seen)
    nours_browser.goto(f"{live_server.url}/p/feasts/import/")
    content = items(3000)
    file = {"name": "items.jsonl", "mimeType": "", "buffer": content}
    nours_browser.get_by_label("File", exact=True).set_input_files(file)
    nours_browser.get_by_role("button", name="Import", exact=True).click()
    nours_browser.get_by_text("waits for a worker").wait_for()  # below the form, at once

    def work() -> None:
        try:
            work_on(Job.objects.get().pk)
        finally:
            connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    nours_browser.get_by_text("lines read").wait_for()
    assert not Response.objects.exists()
    is_seen.set()
    nours_browser.get_by_text("Imported.").wait_for()  # without a reload
    worker.join()
    assert Response.objects.count() == 3000
    assert nours_browser.locator("#job[hx-trigger]").count() == 0
    nours_browser.get_by_role("link", name="Jobs").first.click()
    nours_browser.get_by_role("link", name="Import").last.click()
    nours_browser.get_by_text("3000 responses").wait_for()
    assert nours_browser.refused == []


def test_a_job_is_cancelled_from_the_live_list(nours_browser, live_server, nour, project):
    job = waiting_import(project, nour)
    nours_browser.goto(f"{live_server.url}/p/feasts/jobs/")
    nours_browser.get_by_role("button", name="Cancel").click()
    nours_browser.get_by_text("Cancelled").wait_for()
    assert Job.objects.get(pk=job.pk).state == JobState.CANCELLED
    nours_browser.get_by_role("button", name="Try again").click()
    nours_browser.get_by_text("waits for a worker").wait_for()
    assert nours_browser.refused == []
