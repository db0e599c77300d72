"""Nour maps the columns of a table on her phone, from choosing the file to seeing it imported."""

import pytest

from projects.models import Response
from tests.barriers import barriers, too_wide
from tests.frontend.conftest import bundle  # noqa: F401
from tests.jobs.test_jobs_in_the_browser import nours_browser  # noqa: F401
from tests.jobs.test_map_columns import TABLE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_table_is_mapped_and_comes_in(nours_browser, live_server, project, language):  # noqa: F811
    page = nours_browser
    if language != "en":
        page.context.add_cookies([{"name": "django_language", "value": language, "url": live_server.url}])
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_server.url}/p/feasts/import/")
    page.locator("input[type=file]").set_input_files({"name": "study.csv", "mimeType": "text/csv", "buffer": TABLE})
    page.locator("button[name=map]").click()
    page.locator("#field-id").wait_for()
    assert barriers(page) + too_wide(page) == []
    assert page.locator("#field-response").input_value() == "{Antwort}"
    for name, value in {"id": "r{Nr}", "laboratory": "OpenAI", "variety": "en-US"}.items():
        page.locator(f"#field-{name}").fill(value)
    page.locator("button[value=look]").click()
    page.locator("#made").wait_for()
    assert barriers(page) + too_wide(page) == []
    page.locator("button[value=import]").press("Enter")
    page.locator("#job .notice--good").wait_for()
    assert page.refused == []
    assert Response.objects.count() == 2
