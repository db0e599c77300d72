"""Settling, grouping and classifying in a real browser: digits press what they are printed on."""

import pytest

from annotation.gold import derive
from annotation.groups import propose_overlaps
from annotation.models import Classification, ErrorCategory
from tests.annotation.marked import mark, review
from tests.people import add_response, signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def desk(page, bundle, live_server, nour, project, koshari, mona, karim, simba):
    """Nour at a project with something to settle, to group and to classify; opens a page by its address."""
    ErrorCategory.objects.create(project=project, slug="inaccuracy", name="Cultural Inaccuracy", depth="thin")
    [short] = mark(koshari, mona, "في رمضان الناس")
    [long] = mark(koshari, karim, "في رمضان الناس بتاكل")
    [judged] = mark(koshari, simba, "العدس")
    review(short, karim, "keep")
    review(long, mona, "keep")
    review(judged, mona, "keep")
    review(judged, karim, "differs")
    derive([koshari.id])
    propose_overlaps([koshari.id])
    session = signed_in(nour).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])

    def open_page(address: str):
        page.goto(f"{live_server.url}/p/feasts/{address}")
        return page

    return open_page


def test_a_category_is_chosen_by_its_digit(desk):
    page = desk("classification/")
    with page.expect_navigation():
        page.keyboard.press("1")
    assert Classification.objects.get().category.slug == "inaccuracy"


def test_a_raters_errors_are_hidden_and_shown(desk, koshari):
    page = desk(f"responses/{koshari.uuid}/")
    assert page.locator(".span-card:visible").count() == 3
    page.get_by_role("checkbox", name="simba-1").uncheck(force=True)
    assert page.locator(".span-card:visible").count() == 2
    assert page.locator("mark.overlay--off:visible").inner_text() == "العدس"


def test_a_response_is_read_as_on_the_screens_of_work(page, bundle, live_server, nour, project, mona, karim, simba):
    text = "# الكشري\n\nهو **أكلة مصرية** لذيذة.\n\n| المكوّن | الكمية |\n|---|---|\n| أرز | كوبان |"
    response = add_response(project, "markdown", text, "ar-EG")
    [judged] = mark(response, simba, "أكلة مصرية** لذيذة")
    review(judged, mona, "keep")
    review(judged, karim, "differs")
    derive([response.id])
    session = signed_in(nour).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    for address in (f"responses/{response.uuid}/", "adjudication/"):
        page.goto(f"{live_server.url}/p/feasts/{address}")
        overlay = page.locator("#overlay")
        assert overlay.get_by_role("cell", name="كوبان").is_visible()
        assert "".join(overlay.locator("mark:visible").all_inner_texts()) == "أكلة مصرية لذيذة"
        assert "**" not in overlay.inner_text()
        page.keyboard.press("v")
        assert "|---|" in overlay.inner_text()
        assert overlay.locator("mark:visible").inner_text() == "أكلة مصرية** لذيذة"
        assert page.get_by_role("button", name="Plain text").get_attribute("aria-pressed") == "true"
        page.keyboard.press("v")
        assert overlay.get_by_role("cell", name="كوبان").is_visible()


def test_nothing_is_wider_than_a_narrow_screen(desk, koshari):
    for address in (f"responses/{koshari.uuid}/", "adjudication/", "classification/"):
        page = desk(address)
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, address
