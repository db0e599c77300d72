"""Nour writes a prompt in her browser: slips are told as she types, and nothing she wrote is lost by a reload."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from judging.models import JudgePrompt
from judging.prompts.own import add_prompt
from judging.prompts.shipped import shipped
from tests.judging.test_pages_in_the_browser import nours_browser

__all__ = ["nours_browser"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PROMPTS = "/p/feasts/judges/prompts/"


def instructions(page):
    return page.locator('textarea[data-part="system"]')


def write(page, before: str, after: str) -> None:
    """Put `after` into the instructions in place of `before`."""
    instructions(page).fill(instructions(page).input_value().replace(before, after))


def test_what_is_written_is_checked_kept_over_a_reload_tried_and_saved(nours_browser, live_server, project, koshari):
    page = nours_browser
    page.goto(f"{live_server.url}{PROMPTS}spans/new/")
    write(page, "{{taxonomy}}", "{{taxonomy}")
    page.get_by_text("two braces open that are no variable").wait_for()
    page.get_by_text("Kept in this browser").wait_for()
    page.reload()
    page.get_by_text("Your draft from").wait_for()
    assert "{{taxonomy}\n" in instructions(page).input_value()
    page.get_by_text("two braces open that are no variable").wait_for()  # a draft that comes back is checked as well
    write(page, "{{taxonomy}", "{{taxonomy}}")
    write(page, "Matters of taste", "Be strict. Matters of taste")
    page.get_by_text("are in order").wait_for()
    page.get_by_role("button", name="Show").click()
    page.locator("#preview").get_by_text("Be strict.").wait_for()
    page.locator("#preview").get_by_text(koshari.text.splitlines()[0]).first.wait_for()
    page.get_by_label("Note").fill("Stricter")
    page.get_by_role("button", name="Save as the next number").click()
    page.get_by_text("saved as own-1").wait_for()
    assert JudgePrompt.objects.get().note == "Stricter"
    page.goto(f"{live_server.url}{PROMPTS}spans/new/")
    assert "Be strict." not in instructions(page).input_value()
    assert not page.get_by_text("Your draft from").is_visible()
    assert page.refused == []


def test_a_draft_is_dropped_where_she_says_so(nours_browser, live_server, project):
    page = nours_browser
    page.goto(f"{live_server.url}{PROMPTS}groups/new/?from=v1-ar")
    begun = instructions(page).input_value()
    instructions(page).fill("")
    page.get_by_text("Kept in this browser").wait_for()
    page.reload()
    page.get_by_role("button", name="Drop the draft").click()
    assert instructions(page).input_value() == begun
    page.reload()
    assert instructions(page).input_value() == begun


@pytest.mark.parametrize(("language", "scheme", "width"), [("en", "light", 1280), ("ar", "dark", 360)])
def test_no_barrier_on_the_pages_of_prompts(nours_browser, live_server, project, koshari, language, scheme, width):
    page = nours_browser
    add_prompt(project, "spans", dict(shipped("spans", "v1", "ar")), language="ar", note="As people write it")
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.context.add_cookies([{"name": "django_language", "value": language, "url": live_server.url}])
    pages = ("", "spans/own-1/", "spans/new/", "spans/preview/?version=v1-bn", "spans/compare/?after=own-1")
    for path in pages:
        page.goto(f"{live_server.url}{PROMPTS}{path}")
        found = [
            f"{each['id']}: {node['html'][:120]}"
            for each in Axe().run(page).response["violations"]
            for node in each["nodes"]
        ]
        assert found == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    assert page.refused == []
