"""Charts in a real browser: drawn under the strict policy, for every eye and hand, and taken away as pictures."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from reports.dashboard import dashboards
from reports.dashboard.figures import Look, Reading
from reports.dashboard.tables import Row, Table
from tests.barriers import barriers
from tests.frontend.conftest import bundle  # noqa: F401
from tests.people import signed_in
from tests.reports.tables_at_hand import JUDGES, all_tables, figure, people

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DRAWN = [
    "people",
    "judge-scores",
    "threshold-sweep",
    "category-recall",
    "stages",
    "spread",
    "signed-errors",
    "against-length",
]
# Of each text what it says, and where it begins and ends.
SIDES = """(texts) => texts.map((text) => {
  const { left, right } = text.getBoundingClientRect();
  return [text.textContent, left, right];
})"""


@pytest.fixture
def tables(monkeypatch):
    """The tables of every kind of chart in place of computed ones; page, links and files are the real ones."""
    show(monkeypatch, all_tables())


def show(monkeypatch, tables: Sequence[Table]) -> None:
    reading = Reading(tuple(tables), "at hand")
    look = Look("at hand", True, lambda *given: reading)
    at_hand = replace(dashboards.of_page("results"), own_look=lambda project, filters: look, tiles=lambda *given: [])
    monkeypatch.setitem(dashboards._dashboards, "results", at_hand)


@pytest.fixture
def read(page, bundle, live_server, nour, koshari, tables):  # noqa: F811
    """Opens a finding as Nour would; whatever the browser complains about fails the test."""
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)

    def open_page(finding: str, language: str = "en", scheme: str = "light", width: int = 1200):
        cookies = {"sessionid": signed_in(nour).cookies["sessionid"].value, "django_language": language}
        page.context.add_cookies(
            [{"name": name, "value": value, "url": live_server.url} for name, value in cookies.items()]
        )
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{live_server.url}/p/feasts/results/{finding}/")
        if finding in DRAWN:
            page.wait_for_selector(f"#{finding}-chart svg path", state="attached")
        return page

    yield open_page
    assert complaints == []


def words(page, name: str) -> list[str]:
    """The texts of a chart, lines of one label joined."""
    return page.locator(f"#{name}-chart svg text").all_text_contents()


def saved_picture(page) -> ElementTree.Element:
    with page.expect_download() as download:
        page.get_by_role("button", name="SVG").click()
    return ElementTree.fromstring(download.value.path().read_text(encoding="utf-8"))


def test_every_chart_is_drawn_and_says_what_it_shows(read):
    for name in DRAWN:
        page = read(name)
        assert page.locator(f"#{name}-chart").get_attribute("role") == "img"
        assert len(page.locator(f"#{name}-chart").get_attribute("aria-label")) > 40
    assert read("counts").locator("[data-chart]").count() == 0


@pytest.mark.parametrize(
    ("finding", "titles"),
    [
        ("people", {"Variety", "F1"}),
        ("judge-scores", {"Judge", "Precision, recall, f1"}),
        ("threshold-sweep", {"Threshold", "F1"}),
        ("category-recall", {"Judge", "Category", "Recall"}),
        ("stages", {"Variety", "Errors (per response)"}),
        ("spread", {"Rater", "Percent"}),
        ("signed-errors", {"Judge", "Signed error (percentage points)"}),
        ("against-length", {"Mean length", "Mean grade (grades)"}),
    ],
)
def test_axes_are_titled_and_say_their_units_also_in_the_saved_picture(read, finding, titles):
    page = read(finding)
    assert titles <= set(words(page, finding))
    saved = "".join(saved_picture(page).itertext())
    assert saved.startswith(page.locator("h1").inner_text().split("\n")[0].split(" simulated")[0])
    for title in titles:
        assert title in saved


def test_dots_print_their_figure_with_its_interval_and_why_one_is_missing(read):
    shown = words(read("people"), "people")
    assert "0.50 [0.46, 0.54]" in shown
    assert "undefined: n < 2" in shown


def test_dots_stand_in_ascending_order(read):
    page = read("people")
    heights = {
        name: page.locator("#people-chart svg text", has_text=name).bounding_box()["y"]
        for name in ("US-en", "KR-en", "ID-id", "BD-en")
    }
    assert heights == dict(sorted(heights.items(), key=lambda item: item[1]))
    assert list(heights) == ["US-en", "KR-en", "ID-id", "BD-en"]


def test_the_human_ceiling_is_a_labelled_line(read):
    for name in ("judge-scores", "threshold-sweep"):
        assert "People 0.44" in words(read(name), name)


def test_a_heat_map_prints_its_values_and_marks_those_that_are_undefined(read):
    shown = words(read("category-recall"), "category-recall")
    assert shown.count("–") == 2
    assert "0.80" in shown


def test_a_simulated_judge_is_called_so_in_the_chart(read):
    assert any("(simulated)" in text for text in words(read("judge-scores"), "judge-scores"))


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_scatter_places_each_row_by_two_measures(read, language):
    """The longer model is graded higher; what runs right to left has the longer one on the left. What has no place has
    no mark."""
    page = read("against-length", language)
    shown = words(page, "against-length")
    assert (shown.count("Nile-7B"), shown.count("Delta-9B"), shown.count("Reef-3")) == (2, 2, 0)
    assert "People" in shown, "the legend says whose grades these are"
    assert page.locator("#against-length").get_by_label("Measure").count() == 0, "it is made of two measures"
    short, long = (
        page.locator("#against-length-chart svg text", has_text=name).first.bounding_box()
        for name in ("Nile-7B", "Delta-9B")
    )
    assert (short["x"] < long["x"]) == (language == "en")
    assert short["y"] > long["y"]


def test_boxes_stand_beside_the_line_of_the_human_mean(read):
    page = read("spread")
    shown = words(page, "spread")
    assert "Mean of people 37.00" in shown
    assert "People" in shown
    # One box per row, and one value beyond the whiskers of each.
    assert page.locator("#spread").get_by_label("Measure").count() == 0, "a box is made of all its measures"
    outlined = page.eval_on_selector_all(
        "#spread-chart svg path[stroke-width='2']:not([stroke-dasharray])",
        "all => all.filter((one) => one.getAttribute('fill') !== 'none').length",
    )
    assert outlined == 3


def test_dots_go_both_ways_from_zero_and_their_labels_stay_at_the_edge(read):
    page = read("signed-errors")
    shown = words(page, "signed-errors")
    assert "\u22124.00 [\u22126.00, \u22122.00]" in shown
    assert page.locator("#signed-errors").get_by_label("Measure").input_value() == "signed error"
    chart = page.locator("#signed-errors-chart").bounding_box()
    label = page.locator("#signed-errors-chart svg text", has_text="Harbor judge 9B").bounding_box()
    assert label["x"] < chart["x"] + chart["width"] / 3


def test_series_are_told_apart_by_more_than_colour(read):
    # Dots by their shapes, which the legend shows as well; lines by dashes.
    page = read("judge-scores")
    shapes = page.eval_on_selector_all(
        "#judge-scores-chart svg path[fill]:not([fill='none']):not([fill='transparent'])",
        "all => all.map((one) => one.getAttribute('fill') + ' ' + one.getAttribute('d').replace(/[-\\d.\\s]+/g, ''))",
    )
    of_series = {shape.split(" ", 1)[1] for shape in shapes if not shape.startswith("#fff")}
    assert len(of_series) >= 3, of_series
    page = read("threshold-sweep")
    dashes = page.eval_on_selector_all(
        "#threshold-sweep-chart svg path[stroke-dasharray]",
        "all => all.map((one) => one.getAttribute('stroke-dasharray'))",
    )
    assert len(set(dashes)) >= 3


def test_another_measure_is_drawn_where_colour_tells_the_judges_apart(read):
    page = read("threshold-sweep")
    picker = page.locator("#threshold-sweep").get_by_label("Measure")
    assert picker.input_value() == "f1"
    before = page.inner_html("#threshold-sweep-chart svg")
    picker.select_option("precision")
    assert page.inner_html("#threshold-sweep-chart svg") != before
    assert "People 0.44" not in words(page, "threshold-sweep"), "the ceiling is of F1 alone"


def test_changing_the_theme_redraws_the_charts(read):
    page = read("people")
    text = page.locator("#people-chart svg text").first
    light = text.get_attribute("fill")
    assert light
    page.evaluate("mizanTheme.set('dark')")
    expect(text).not_to_have_attribute("fill", light)


def test_the_page_that_runs_right_to_left_turns_the_axis_round(read):
    page = read("people", language="ar")
    chart = page.locator("#people-chart").bounding_box()
    label = page.locator("#people-chart svg text", has_text="US-en").bounding_box()
    assert label["x"] > chart["x"] + chart["width"] / 2
    assert any("قاضي" in text for text in words(read("threshold-sweep", language="ar"), "threshold-sweep"))


@pytest.mark.parametrize("language", ["en", "ar"])
def test_nothing_leaves_a_narrow_screen(read, language):
    for name in DRAWN:
        page = read(name, language=language, width=360)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        box = page.locator(f"#{name}-chart").bounding_box()
        for text, left, right in page.eval_on_selector_all(f"#{name}-chart svg text", SIDES):
            assert left >= box["x"] - 2, (name, text)
            assert right <= box["x"] + box["width"] + 2, (name, text)


def test_a_chart_leaves_as_svg_on_white_whatever_the_theme(read):
    page = read("judge-scores", scheme="dark")
    with page.expect_download() as download:
        page.locator("#judge-scores").get_by_role("button", name="SVG").click()
    assert download.value.suggested_filename == "feasts-judge-scores.svg"
    root = ElementTree.fromstring(download.value.path().read_text(encoding="utf-8"))
    texts = "".join(root.itertext())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "0.61 [0.57, 0.65]" in texts
    assert "(simulated)" in texts
    assert "#ffffff" in download.value.path().read_text(encoding="utf-8")


def test_a_chart_leaves_as_png(read):
    page = read("category-recall")
    with page.expect_download() as download:
        page.locator("#category-recall").get_by_role("button", name="PNG").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


def test_a_click_on_a_row_opens_the_responses_behind_it(read):
    page = read("people")
    page.locator("#people-chart").scroll_into_view_if_needed()
    chart = page.locator("#people-chart").bounding_box()
    label = page.locator("#people-chart svg text", has_text="BD-en").bounding_box()
    with page.expect_navigation(url="**/responses/?variety=ar-EG"):
        page.mouse.click(chart["x"] + chart["width"] * 0.3, label["y"] + label["height"] / 2)
    expect(page.get_by_role("link", name="koshari").first).to_be_visible()


def test_tables_are_there_without_the_script(browser, read, live_server, nour):
    read("judge-scores")
    context = browser.new_context(java_script_enabled=False)
    session = signed_in(nour).cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page = context.new_page()
    page.goto(f"{live_server.url}/p/feasts/results/judge-scores/")
    assert page.locator("#judge-scores").get_by_text("0.61").is_visible()
    assert page.locator("#judge-scores").get_by_text(JUDGES[2], exact=True).is_visible()
    assert page.get_by_role("button", name="SVG").count() == 0
    context.close()


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("ar", "dark")])
def test_no_barrier_is_found_by_axe(read, language, scheme):
    for name in (*DRAWN, "counts"):
        assert barriers(read(name, language=language, scheme=scheme)) == [], name


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("ar", "dark")])
def test_what_is_printed_is_whole_and_within_the_paper(read, language, scheme):
    """At the width of A4 between margins: the chart inside it, the table unscrolled, the recipe open, on white."""
    for name in ("judge-scores", "category-recall", "threshold-sweep"):
        page = read(name, language=language, scheme=scheme)
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print", color_scheme=scheme)
        page.set_viewport_size({"width": 690, "height": 900})
        chart = page.locator(f"#{name}-chart svg").bounding_box()
        assert chart["width"] <= 690
        assert chart["height"] > 100
        sizes = page.evaluate(
            "(() => { const w = document.querySelector('.table-wrap'); return [w.scrollWidth, w.clientWidth]; })()"
        )
        assert sizes[0] <= sizes[1] + 1, name
        assert page.locator(".recipe dd").last.is_visible()
        assert not page.locator(".filters").is_visible()
        assert page.get_by_text("Feasts", exact=False).first.is_visible(), "of which project it is"
        assert not page.locator(".result__link").first.is_visible()
        assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--mz-paper')") == "#ffffff"
        assert len(page.pdf(format="A4")) > 10_000


@pytest.mark.parametrize("language", ["en", "ar"])
def test_what_is_of_all_stands_in_bold_and_is_not_cut(read, monkeypatch, language):
    """Bold letters are wider: where they are the longest label, the room beside the plot is made for them."""
    rows = (
        *(replace(row, drill={"variety": "ar-EG"}) for row in people().rows),
        Row(("All varieties",), (figure(0.4),)),
    )
    show(monkeypatch, [replace(people(), rows=rows)])
    page = read("people", language=language)
    chart = page.locator("#people-chart").bounding_box()
    label = page.locator("#people-chart svg text", has_text="All varieties").bounding_box()
    assert label["x"] >= chart["x"]
    assert label["x"] + label["width"] <= chart["x"] + chart["width"]


def test_a_finding_is_read_at_twice_the_size(read):
    """200 % of a window of 1280 pixels is a window of 640."""
    page = read("judge-scores", width=640)
    assert page.evaluate("document.documentElement.scrollWidth") <= 640


def test_the_index_is_walked_by_the_keyboard_and_old_anchors_lead_to_cards(read, live_server):
    page = read("people")
    page.goto(f"{live_server.url}/p/feasts/results/#judge-scores")
    assert page.locator("#judge-scores").evaluate("(card) => card.matches(':target')")
    page.locator("#judge-scores a").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('article').id") == "threshold-sweep"
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("F1 by threshold")
    page.get_by_role("link", name="Previous").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Judges against gold")
    page.get_by_role("navigation", name="Way back").get_by_role("link").click()
    expect(page).to_have_url(f"{live_server.url}/p/feasts/results/#judge-scores")


@pytest.mark.parametrize(
    ("language", "scheme", "width"), [("en", "light", 1280), ("ar", "dark", 360), ("bn", "light", 640)]
)
def test_no_barrier_on_the_index(read, live_server, language, scheme, width):
    page = read("people", language=language, scheme=scheme, width=width)
    page.goto(f"{live_server.url}/p/feasts/results/")
    assert page.locator("article svg.small-chart").count() >= 6
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert barriers(page) == []
