"""The results of rubrics as Nour meets them: no barrier, nothing wider than a phone, and down to a judge's reason."""

import pytest
from playwright.sync_api import expect

from tests.barriers import barriers
from tests.frontend.conftest import bundle  # noqa: F401
from tests.people import join, person, signed_in
from tests.reports.perle import study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DRAWN = ("human-scores", "judges-against-people", "score-spread", "criterion-types", "failure-types", "rater-severity")


@pytest.fixture
def drawn(transactional_db):
    return study(prompts=4, calibrated=2, regraded=2, errors=2)


@pytest.fixture
def visit(page, bundle, live_server, drawn):  # noqa: F811
    """Opens a page of the results as Nour would; whatever the browser complains about fails the test."""
    nour = join(person("nour@example.org", "Nour Haddad"), drawn.project, "lead")
    session = signed_in(nour).cookies["sessionid"].value
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)

    def open_page(address: str = "", language: str = "en", scheme: str = "light", width: int = 1200):
        cookies = {"sessionid": session, "django_language": language}
        page.context.add_cookies(
            [{"name": name, "value": value, "url": live_server.url} for name, value in cookies.items()]
        )
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{live_server.url}/p/perle/rubric-results/{address}")
        return page

    yield open_page
    assert complaints == []


def test_from_the_widest_miss_to_the_reason_of_a_judge(visit):
    for name in DRAWN:
        visit(f"{name}/").wait_for_selector(f"#{name}-chart svg path", state="attached")
    page = visit()
    page.get_by_role("link", name="Where judges miss most").click()
    page.locator("#widest-misses tr", has_text="lenient").first.get_by_role("link", name="Show").click()
    expect(page.get_by_role("heading", name="Scores")).to_be_visible()
    expect(page.get_by_text("verdicts differ").first).to_be_visible()
    expect(page.get_by_text("As it reads.").first).to_be_visible()
    page.get_by_role("link", name="Show all judges").click()
    expect(page.locator(".judgement").first.get_by_text("even")).to_be_visible()
    page.get_by_role("navigation", name="Way back").get_by_role("link").click()
    expect(page.get_by_role("heading", name="Graded responses")).to_be_visible()


def test_the_chart_of_judges_begins_with_the_smallest_deviation_and_shows_another_measure(visit):
    page = visit("judges-against-people/")
    page.wait_for_selector("#judges-against-people-chart svg path", state="attached")
    heights = {
        name: page.locator("#judges-against-people-chart svg text", has_text=name).first.bounding_box()["y"]
        for name in ("strict", "even", "lenient")
    }
    assert heights["lenient"] == max(heights.values())
    picker = page.locator("#judges-against-people").get_by_label("Measure")
    assert picker.input_value() == "MAD"
    assert any("People" in text for text in page.locator("#judges-against-people-chart svg text").all_text_contents())
    picker.select_option("answered")
    assert "1.00" in page.locator("#judges-against-people-chart svg text").all_text_contents()


@pytest.mark.parametrize(("language", "scheme", "width"), [("en", "light", 1200), ("ar", "dark", 360)])
def test_no_barrier_and_nothing_wider_than_the_screen(visit, drawn, language, scheme, width):
    response = drawn.project.responses.filter(target_model__name="Reef-3").first()
    findings = [f"{name}/" for name in (*DRAWN, "widest-misses", "habits-in-grading")]
    for address in ("", "responses/", f"responses/{response.uuid}/", *findings):
        page = visit(address, language, scheme, width)
        if address.removesuffix("/") in DRAWN:
            page.wait_for_selector(f"#{address.removesuffix('/')}-chart svg path", state="attached")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert barriers(page) == [], address
