"""Inviting somebody: the language is found among all by any of its names, and what is chosen stays in sight."""

import pytest

from projects.models import LanguageVariety
from tests.frontend.conftest import bundle  # noqa: F401
from tests.people import signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_nour_finds_egyptian_arabic_by_its_tag(page, bundle, live_server, project, nour):  # noqa: F811
    session = signed_in(nour).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.goto(f"{live_server.url}/p/{project.slug}/people/")
    group = page.get_by_role("group", name="Languages")
    find = group.get_by_role("searchbox", name="Find in this list")
    assert group.get_by_role("checkbox").count() == LanguageVariety.objects.count()
    find.fill("ar-eg")
    assert group.get_by_role("checkbox").count() == 1
    group.get_by_role("checkbox").check()
    find.fill("korean")
    assert group.get_by_role("checkbox", checked=True).count() == 1, "what is chosen stays in sight"
    find.fill("qqq")
    group.get_by_text("Nothing fits.").wait_for()
    assert group.get_by_role("checkbox").count() == 1
