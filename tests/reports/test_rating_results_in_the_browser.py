"""The results of ratings as Nour meets them: no barrier, nothing wider than a phone, and down to one pair."""

from threading import Event, Thread

import pytest
from django.core.cache import cache
from django.db import connections
from playwright.sync_api import expect

from annotation.models import Rating
from jobs.models import Job
from jobs.working import work_on
from reports import warming
from reports.ratings.measures import judging
from tests.barriers import barriers
from tests.frontend.conftest import bundle  # noqa: F401
from tests.people import join, person, signed_in
from tests.reports.menlo import a_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DRAWN = ("ratings-by-dimension", "ratings-by-variety", "judges-against-gold", "judges-by-variety", "wins")


@pytest.fixture
def drawn(transactional_db):
    return a_study(share=0.045)


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
        page.goto(f"{live_server.url}/p/menlo/rating-results/{address}")
        return page

    yield open_page
    assert complaints == []


def test_from_a_judge_to_what_was_said_of_a_pair(visit):
    for name in DRAWN:
        page = visit(f"{name}/")
        page.wait_for_selector(f"#{name}-chart svg path", state="attached")
    page = visit()
    page.get_by_role("link", name="Judges against gold").click()
    page.wait_for_selector("#judges-against-gold-chart svg path", state="attached")
    rows = page.locator("#judges-against-gold")
    rows.get_by_role("link", name="Show").first.click()
    expect(page.get_by_role("heading", name="Rated pairs")).to_be_visible()
    page.locator("tbody th a").first.click()
    expect(page.get_by_role("heading", name="First response")).to_be_visible()
    expect(page.get_by_text("Gold", exact=False).first).to_be_visible()
    page.get_by_role("link", name="Show all judges").click()
    page.get_by_role("navigation", name="Way back").get_by_role("link").click()
    expect(page.get_by_role("heading", name="Rated pairs")).to_be_visible()


def test_figures_that_are_computed_meanwhile_appear_by_themselves(visit, monkeypatch):
    cache.clear()
    monkeypatch.setattr(warming, "FEW_ANSWERS", 0)
    page = visit()
    expect(page.get_by_role("heading", name="The figures are being computed")).to_be_visible()
    expect(page.get_by_text("none has been seen")).to_be_visible()
    expect(page.get_by_role("heading", name="Judges and gold")).to_be_visible()
    page.evaluate("window.isTheSamePage = true")
    assert work_on(Job.objects.get(kind=warming.FIGURES).pk)
    page.wait_for_selector("#wins svg circle", state="attached")
    expect(page.get_by_role("heading", name="The figures are being computed")).to_have_count(0)
    expect(page.get_by_text("being computed")).to_have_count(0)
    expect(page.get_by_label("At a glance")).to_be_visible()
    assert page.evaluate("window.isTheSamePage"), "nothing was loaded anew: who reads stays where they are"
    expect(page.locator("[hx-get]")).to_have_count(0)


def test_a_group_appears_while_the_next_is_computed(visit, monkeypatch):
    """The worker computes in a thread of its own and is held before the figures of judges."""
    cache.clear()
    monkeypatch.setattr(warming, "FEW_ANSWERS", 0)
    held, figures = Event(), judging.figures

    def when_let_go(*arguments, **options):
        assert held.wait(60)
        return figures(*arguments, **options)

    monkeypatch.setattr(judging, "figures", when_let_go)
    page = visit()

    def work() -> None:
        try:
            work_on(Job.objects.get(kind=warming.FIGURES).pk)
        finally:
            connections.close_all()

    worker = Thread(target=work)
    worker.start()
    try:
        page.wait_for_selector("#ratings-by-dimension svg circle", state="attached")
        expect(page.locator("#group-judges")).to_contain_text("being computed")
        assert page.locator("#judges-against-gold").count() == 0
    finally:
        held.set()
        worker.join(60)
    page.wait_for_selector("#judges-against-gold svg circle", state="attached")


def test_the_map_of_judges_and_varieties_shows_the_measure_that_is_chosen(visit):
    page = visit("judges-by-variety/")
    page.wait_for_selector("#judges-by-variety-chart svg path", state="attached")
    picker = page.locator("#judges-by-variety").get_by_label("Measure")
    assert picker.locator("option").all_text_contents() == ["Preference accuracy", "Macro-F1", "Signed error"]
    before = page.locator("#judges-by-variety-chart svg text").all_text_contents()
    picker.select_option("signed error")
    after = page.locator("#judges-by-variety-chart svg text").all_text_contents()
    assert before != after


def test_two_judges_and_two_models_are_chosen_above(visit):
    page = visit()
    page.get_by_label("Compare judge").select_option(index=2)
    page.get_by_label("with judge").select_option(index=1)
    page.get_by_label("Compare target model").select_option("Post-trained")
    page.get_by_label("with target model").select_option("Baseline")
    page.get_by_role("button", name="Apply").or_(page.get_by_role("button", name="Show")).first.click()
    expect(page.get_by_role("heading", name="Post-trained against Baseline")).to_be_visible()


@pytest.mark.parametrize(("language", "scheme", "width"), [("en", "light", 1200), ("ar", "dark", 360)])
def test_no_barrier_and_nothing_wider_than_the_screen(visit, drawn, language, scheme, width):
    pair = Rating.objects.filter(is_of_both_orders=True).first().pair
    findings = [f"{name}/" for name in (*DRAWN, "habits-in-rating", "raters/raters")]
    for address in ("", "raters/", "pairs/", f"pairs/{pair.pk}/", *findings):
        page = visit(address, language, scheme, width)
        if address.removesuffix("/") in DRAWN:
            page.wait_for_selector(f"#{address.removesuffix('/')}-chart svg path", state="attached")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert barriers(page) == [], address


MENU = """() => {
  const menu = document.querySelector('.project-bar .topbar__nav');
  const [place, current] = [menu, menu.querySelector('[aria-current]')].map((part) => part.getBoundingClientRect());
  return {
    room: menu.clientWidth - menu.scrollWidth, scrolled: Math.abs(menu.scrollLeft), fades: [...menu.classList].slice(1),
    isSeen: current.left >= place.left && current.right <= place.right,
  };
}"""


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_menu_shows_the_current_entry_and_says_that_there_is_more(visit, language):
    wide = visit("", language, width=1600).evaluate(MENU)
    assert (wide["room"], wide["scrolled"], wide["fades"]) == (0, 0, [])
    page = visit("", language, width=420)
    page.wait_for_selector(".topbar__nav.has-more-before")
    narrow = page.evaluate(MENU)
    assert narrow["isSeen"]
    assert narrow["scrolled"] > 0
    page.evaluate("document.querySelector('.project-bar .topbar__nav').scrollLeft = 0")
    page.wait_for_selector(".topbar__nav.has-more-after:not(.has-more-before)")


def test_a_menu_is_scrolled_no_further_than_it_takes(visit):
    """Where the current entry is in sight from the start, so is the first."""
    page = visit(width=1600)
    needed = page.evaluate(
        """() => {
          const [bar, entry] =
            ['.project-bar', '.topbar__nav [aria-current]'].map((part) => document.querySelector(part));
          return Math.ceil(entry.getBoundingClientRect().right - bar.getBoundingClientRect().left);
        }"""
    )
    menu = visit(width=needed + 90).evaluate(MENU)
    assert (menu["room"] < 0, menu["isSeen"], menu["scrolled"], menu["fades"]) == (True, True, 0, ["has-more-after"])


@pytest.mark.parametrize(("language", "edge"), [("en", "left"), ("ar", "right")])
def test_number_and_interval_of_a_tile_begin_at_the_same_edge(visit, language, edge):
    page = visit("", language, width=360)
    edges = page.evaluate(
        """(edge) => [...document.querySelectorAll('.tile .figure')].map((figure) => {
          const parts = [figure.firstChild, ...figure.querySelectorAll('.figure__interval')].map((part) => {
            const range = document.createRange();
            range.selectNodeContents(part);
            return Math.round(range.getBoundingClientRect()[edge]);
          });
          return [Math.round(figure.parentElement.getBoundingClientRect()[edge]), ...parts];
        })""",
        edge,
    )
    assert [len(places) for places in edges].count(3), "a figure with an interval"
    assert all(max(places) - min(places) <= 2 for places in edges), edges


def test_columns_of_a_frame_stand_apart_from_the_buttons_above(visit):
    page = visit("../frames/")
    gap = page.evaluate(
        """() => {
          const details = document.querySelector('.page-header__actions + details');
          return details.getBoundingClientRect().top - details.previousElementSibling.getBoundingClientRect().bottom;
        }"""
    )
    assert gap == 16
