"""Nour writes the guidelines in two languages side by side, saved as she types; where Lina types too, both are kept."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.sessions.models import Session
from playwright.sync_api import Page

from projects.guidelines import Written, publish
from projects.guidelines_drafts import save, sheet
from projects.models import GuidelinesSetAside
from tests.frontend.conftest import bundle  # noqa: F401
from tests.frontend.settling import at_rest, until
from tests.people import PASSWORD, join, person, signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def parts(heading: str, line: str, lines: int) -> str:
    return "".join(f"# {heading} {number}\n\n" + f"{line}\n\n" * lines for number in range(1, 5))


ENGLISH = parts("Part", "Mark what is wrong.", 12)
ARABIC = parts("الجزء", "علّم ما هو خطأ، كل شيء.", 20)


@pytest.fixture
def at_desk(page: Page, bundle, live_server, project, nour):  # noqa: F811
    publish(project, ENGLISH, "", None, language="en", translations={"ar": Written(ARABIC)})
    return opened(page, live_server, nour)


def opened(page: Page, live_server, user, language: str = "en") -> Page:
    values = {"sessionid": signed_in(user).cookies["sessionid"].value, "django_language": language}
    page.context.add_cookies([{"name": name, "value": value, "url": live_server.url} for name, value in values.items()])
    page.goto(f"{live_server.url}/p/feasts/guidelines/edit/")
    page.wait_for_selector("html[data-guidelines=ready]")
    return page


def test_what_is_typed_is_saved_and_published(at_desk, project, live_server):
    page = at_desk
    assert page.locator("#text-left").get_attribute("dir") == "ltr"
    assert page.locator("#text-right").get_attribute("dir") == "rtl"
    page.fill("#text-left", "# Errors\n\nMark all.")
    until(page, lambda: sheet(project, "").text == "# Errors\n\nMark all.")
    until(
        page, lambda: page.evaluate("document.getElementById('guidelines-saved').textContent.startsWith('Draft saved')")
    )
    page.fill("#change-left", "Shorter.")
    page.fill("#text-right", "# أخطاء")
    # At once: what is not saved yet is saved first.
    page.get_by_role("button", name="Preview and differences").click()
    page.wait_for_url("**/review/")
    assert page.locator("h1", has_text="أخطاء").is_visible()
    page.get_by_role("button", name="Publish").click()
    page.wait_for_url(f"{live_server.url}/p/feasts/guidelines/")
    project.refresh_from_db()
    assert (project.guidelines_version, project.guidelines_translations) == (3, {"ar": 3})
    assert project.guidelines == "# Errors\n\nMark all."


def test_one_text_follows_the_sections_of_the_other(at_desk):
    page = at_rest(at_desk)
    heading = page.evaluate(
        """() => { const field = document.getElementById('text-left'); const at = field.value.indexOf('# Part 3');
          const shown = field.value; field.value = shown.slice(0, at); const height = field.scrollHeight;
          field.value = shown; field.scrollTop = height; return height; }"""
    )
    assert heading > 0
    until(page, lambda: page.evaluate("document.getElementById('text-right').scrollTop > 0"))
    at_rest(page)
    share = page.locator("#text-right").evaluate("(field) => field.scrollTop / field.scrollHeight")
    assert 0.4 < share < 0.6, "the third of four parts of its own length"


def test_whoever_meets_anothers_draft_chooses_and_both_are_kept(at_desk, project):
    lina = join(person("lina@example.org", "Lina Aziz"), project, "lead")
    save(project, "", "Lina's.", "", "2.0", lina)
    page = at_desk
    page.fill("#text-left", "Nour's.")
    dialog = page.locator("dialog")
    dialog.wait_for()
    assert "Lina Aziz has saved this language meanwhile" in dialog.inner_text()
    assert dialog.locator("textarea").input_value() == "Lina's."
    page.get_by_role("button", name="Go on with mine").click()
    until(page, lambda: sheet(project, "").text == "Nour's.")
    aside = GuidelinesSetAside.objects.get()
    assert (aside.text, aside.written_by) == ("Lina's.", lina)


def test_whoever_is_signed_out_signs_in_on_the_page_and_goes_on(at_desk, project, nour):
    page = at_desk
    Session.objects.all().delete()
    page.fill("#text-left", "Written while signed out.")
    page.wait_for_selector("dialog.signin[open]")
    frame = page.frame_locator(".signin__frame")
    frame.locator("input[name=login]").fill(nour.email)
    frame.locator("input[name=password]").fill(PASSWORD)
    frame.get_by_role("button", name="Sign in", exact=True).click()
    until(page, lambda: sheet(project, "").text == "Written while signed out.")
    page.fill("#text-left", "And with the token of the new session.")
    until(page, lambda: sheet(project, "").text == "And with the token of the new session.")


def test_without_a_connection_a_button_leaves_the_text_where_it_is(at_desk, project):
    page = at_desk
    page.context.set_offline(True)
    page.fill("#text-left", "Written in the metro.")
    page.get_by_role("button", name="Save the drafts").click()
    until(
        page,
        lambda: page.evaluate("document.getElementById('guidelines-saved').textContent.startsWith('No connection')"),
    )
    page.wait_for_timeout(300)
    assert page.input_value("#text-left") == "Written in the metro."
    page.context.set_offline(False)
    page.get_by_role("button", name="Save the drafts").click()
    page.get_by_text("The drafts are saved.").wait_for()
    assert sheet(project, "").text == "Written in the metro."


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("ar", "dark")])
def test_below_each_other_on_a_phone_without_a_barrier(browser, bundle, live_server, project, nour, language, scheme):  # noqa: F811
    publish(project, ENGLISH, "", None, language="en", translations={"bn": Written("# ভুল\n\nযা ভুল তা।")})
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme=scheme)
    page = at_rest(opened(context.new_page(), live_server, nour, language))
    left, right = (page.locator(f"#text-{side}").bounding_box() for side in ("left", "right"))
    assert left["y"] + left["height"] <= right["y"]
    without_a_barrier(page)
    save(project, "bn", "# ভুল\n\nসব।", "সব।", "2.0.bn", nour)
    save(project, "", "# Errors\n\nAll.", "All.", "2.0", nour)
    for path in ("edit/review/", "?language=bn"):
        page.goto(f"{live_server.url}/p/feasts/guidelines/{path}")
        without_a_barrier(at_rest(page))
    context.close()


def without_a_barrier(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    found = Axe().run(page).response["violations"]
    assert [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found] == []
