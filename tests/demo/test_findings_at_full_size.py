"""The generated studies at full size: an index that is calm and light, findings that hold what they should.

The studies stand in a transaction for all tests of this folder, which no server in a thread of its own would see. So
the browser is given what the application answered to this test, headers and all, and its scripts and styles.
"""

import mimetypes

import pytest
from django.contrib.staticfiles import finders
from django.core.cache import cache

from projects.models import Project, Role
from reports.dashboard.dashboards import of_page
from tests.frontend.conftest import bundle  # noqa: F401
from tests.people import join, person, signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

# Some thirty findings of ratings, of which about half draw a small chart.
MAX_ELEMENTS, MAX_HEIGHT = 2500, 7600
MAX_ELEMENTS_OF_A_FINDING, FEW_ROWS = 3000, 40
ELEMENTS = "document.querySelectorAll('*').length"
SITE = "http://localhost"  # of which a browser believes the headers that are for safe connections


@pytest.fixture
def reader(page, bundle):  # noqa: F811
    """Opens an address as somebody signed in; whatever the browser complains about fails the test."""
    cache.clear()
    page.set_viewport_size({"width": 1280, "height": 900})
    complaints, answers = [], {}
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)

    def answer(route) -> None:
        path = route.request.url.removeprefix(SITE)
        if path in answers:
            return route.fulfill(**answers[path])
        file = finders.find(path.removeprefix("/static/")) if path.startswith("/static/") else None
        if file is None:
            complaints.append(f"asked for {path}")
            return route.abort()
        return route.fulfill(path=file, content_type=mimetypes.guess_type(file)[0])

    page.route("**/*", answer)

    def open_page(client, address: str):
        said = client.get(address)
        answers[address] = {"status": said.status_code, "headers": dict(said.headers), "body": said.content}
        page.goto(f"{SITE}{address}")
        return page

    yield open_page
    assert complaints == []


@pytest.mark.xdist_group("juice at full size")
def test_the_index_of_errors_is_light_and_so_is_each_finding_with_few_rows(reader, juice):
    look_through(reader, juice, "results")


@pytest.mark.xdist_group("perle at full size")
def test_the_index_of_rubrics_is_light_and_so_is_each_finding_with_few_rows(reader, perle):
    look_through(reader, perle, "rubric-results")


@pytest.mark.xdist_group("menlo at full size")
def test_the_index_of_ratings_is_light_and_so_is_each_finding_with_few_rows(reader, menlo):
    look_through(reader, menlo, "rating-results")


def look_through(reader, project: Project, dashboard: str) -> None:
    nour = signed_in(join(person("nour@example.org", "Nour Haddad"), project, Role.LEAD))
    tables = of_page(dashboard).read(project, {}).tables
    index = f"/p/{project.slug}/{dashboard}/"
    page = reader(nour, index)
    assert page.locator("article").count() == len(tables)
    assert page.locator("table").count() == 0
    assert page.evaluate(ELEMENTS) < MAX_ELEMENTS
    assert page.evaluate("document.documentElement.scrollHeight") < MAX_HEIGHT
    few = sorted((table for table in tables if len(table.rows) <= FEW_ROWS), key=lambda table: len(table.rows))
    assert few
    for table in few[-3:]:
        page = reader(nour, f"{index}{table.id}/")
        if table.chart != "none" and table.rows:
            page.wait_for_selector(f"#{table.id}-chart svg path", state="attached")
        assert page.evaluate(ELEMENTS) < MAX_ELEMENTS_OF_A_FINDING, table.id
