"""Nour makes a panel in her browser, by keyboard; its pages have no barrier, in Arabic, in the dark, on a phone too."""

import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from judging.ensembles.assembling import assemble
from judging.models import Panel
from projects.models import Rater
from tests.annotation.marked import mark
from tests.judging.grading import LENTILS, PHARAOHS, RAMADAN, RICE, VINEGAR, graded_response
from tests.judging.panelling import grade_as, judges, panel_of
from tests.judging.test_pages_in_the_browser import nours_browser

__all__ = ["nours_browser"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LOOKS = [("en", "light", 1280), ("ar", "dark", 360)]
TRUE = {LENTILS: "pass", RICE: "fail", VINEGAR: "fail", PHARAOHS: "present", RAMADAN: "present"}
# A folder for screenshots of what was looked at, if somebody wants to look as well.
SHOTS = os.environ.get("SCREENSHOTS", "")


@pytest.fixture
def panels(project, koshari, boishakh, salma) -> list[Panel]:
    """One that is out of date, with a tie; one whose members are weighed, of whom one has no vote."""
    amber, birch, cedar = judges(project)
    for member in (amber, birch):
        mark(koshari, member, "أكلة مصرية")
    mark(koshari, cedar)
    mark(boishakh, amber, "পান্তা ভাত")
    mark(boishakh, birch)
    plain = panel_of([amber, birch], "spans", name="لجنة من نموذجين")
    assemble(plain)
    grader = Rater.objects.get(user=salma)
    for number in range(8):
        one = graded_response(project, grader, key=f"r{number}")
        grade_as(amber, one, {**TRUE, LENTILS: "fail"})
        grade_as(birch, one, {**TRUE, LENTILS: "fail"} if number % 2 else {**TRUE, RICE: "pass"})
        grade_as(cedar, one, {each: ("pass" if value in ("pass", "fail") else value) for each, value in TRUE.items()})
    weighed = panel_of([amber, birch, cedar], "rubric", rule="weighted")
    assemble(weighed)
    boishakh.markings.filter(rater=birch).delete()
    return [plain, weighed]


def test_nour_makes_a_panel_and_assembles_it(nours_browser, live_server, project, koshari):
    members = judges(project)
    for member in members:
        mark(koshari, member, "أكلة مصرية")
    nours_browser.goto(f"{live_server.url}/p/feasts/judges/")
    nours_browser.get_by_role("link", name="Panels").first.click()
    nours_browser.get_by_role("link", name="Add a panel").click()
    for member in members:
        nours_browser.get_by_label(member.name).focus()
        nours_browser.keyboard.press("Space")
    nours_browser.get_by_label("Name").fill("The three")
    nours_browser.keyboard.press("Enter")
    nours_browser.get_by_role("heading", name="The three").wait_for()
    nours_browser.get_by_role("button", name="Assemble now").click()
    nours_browser.get_by_text("Answers written: 1").wait_for()
    assert nours_browser.refused == []


@pytest.mark.parametrize(("language", "scheme", "width"), LOOKS)
def test_the_pages_of_panels_have_no_barrier(nours_browser, live_server, panels, language, scheme, width):
    page = nours_browser
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.context.add_cookies([{"name": "django_language", "value": language, "url": live_server.url}])
    places = ["", "add/", "add/?kind=ratings", *(f"{panel.pk}/" for panel in panels)]
    for number, place in enumerate(places):
        page.goto(f"{live_server.url}/p/feasts/judges/panels/{place}")
        for closed in page.locator("main details:not([open]) summary").all():
            closed.click()
        assert Axe().run(page).violations_count == 0, Axe().run(page).generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        if SHOTS:
            page.screenshot(path=Path(SHOTS) / f"panels-{language}-{number}.png", full_page=True)
    assert page.refused == []
