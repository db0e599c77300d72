"""Nour adds a language by keys alone, on a phone, in an interface that runs from right to left."""

import os

import pytest

from projects.varieties import call_varieties
from tests.frontend.conftest import bundle  # noqa: F401
from tests.people import signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_nour_adds_nko_by_its_own_name_with_the_keyboard(page, bundle, live_server, project, nour):  # noqa: F811
    call_varieties(project, {"ar-EG": "EG", "zh-Hant-TW": ""})
    session = signed_in(nour).cookies["sessionid"].value
    cookies = {"sessionid": session, "django_language": "ar"}
    page.context.add_cookies(
        [{"name": name, "value": value, "url": live_server.url} for name, value in cookies.items()]
    )
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_server.url}/p/{project.slug}/languages/")
    assert page.get_by_text("العربية المصرية").count()
    field = page.locator("input[name=language]")
    field.focus()
    page.keyboard.type("ߒߞߏ")
    page.keyboard.press("Tab")
    page.keyboard.type("NK")
    page.keyboard.press("Enter")
    row = page.locator("tr", has=page.locator("code", has_text="nqo"))
    row.wait_for()
    assert row.locator("[name=short_name]").input_value() == "NK"
    assert row.locator("[lang=nqo]").get_attribute("dir") == "rtl"
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/languages.png", full_page=True)
    field.fill("eg-AR")
    field.press("Enter")
    page.get_by_text("هل تقصد").filter(has_text="ar-EG").wait_for()
    assert field.input_value() == "eg-AR"
