"""The generated studies at full size: an index that is calm and light, findings that hold what they should."""

import pytest
from django.core.cache import cache
from django.core.management import call_command

from projects.models import Project, Role, User
from reports.dashboard.dashboards import of_page
from tests.frontend.conftest import bundle  # noqa: F401
from tests.people import join, person, signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Some thirty findings of ratings, of which about half draw a small chart.
MAX_ELEMENTS, MAX_HEIGHT = 2500, 7600
MAX_ELEMENTS_OF_A_FINDING, FEW_ROWS = 3000, 40
ELEMENTS = "document.querySelectorAll('*').length"


@pytest.fixture
def reader(page, bundle, live_server, transactional_db):  # noqa: F811
    """Opens an address as the lead of a generated study; whatever the browser complains about fails the test."""
    cache.clear()
    nour = person("nour@example.org", "Nour Haddad")
    page.context.add_cookies(
        [{"name": "sessionid", "value": signed_in(nour).cookies["sessionid"].value, "url": live_server.url}]
    )
    page.set_viewport_size({"width": 1280, "height": 900})
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)

    def open_page(address: str):
        page.goto(f"{live_server.url}{address}")
        return page

    yield open_page
    assert complaints == []


@pytest.mark.parametrize(
    ("scale", "dashboard"), [("juice", "results"), ("perle", "rubric-results"), ("menlo", "rating-results")]
)
def test_the_index_is_light_and_so_is_each_finding_with_few_rows(reader, scale, dashboard):
    call_command("load_demo", "--scale", scale)
    project = Project.objects.get(slug=scale)
    join(User.objects.get(email="nour@example.org"), project, Role.LEAD)
    tables = of_page(dashboard).read(project, {}).tables
    index = f"/p/{scale}/{dashboard}/"
    page = reader(index)
    assert page.locator("article").count() == len(tables)
    assert page.locator("table").count() == 0
    assert page.evaluate(ELEMENTS) < MAX_ELEMENTS
    assert page.evaluate("document.documentElement.scrollHeight") < MAX_HEIGHT
    few = sorted((table for table in tables if len(table.rows) <= FEW_ROWS), key=lambda table: len(table.rows))
    assert few
    for table in few[-3:]:
        page = reader(f"{index}{table.id}/")
        if table.chart != "none" and table.rows:
            page.wait_for_selector(f"#{table.id}-chart svg path", state="attached")
        assert page.evaluate(ELEMENTS) < MAX_ELEMENTS_OF_A_FINDING, table.id
