"""The board in a browser: a table, and on a phone a card for each model; nothing stands in anybody's way."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from benchmark.models import Board, Configuration, SpeedMeasurement, SpeedSample
from tests.benchmark.boards import answers, configuration, frozen_set, judge, judged, open_questions
from tests.frontend.conftest import bundle  # noqa: F401
from tests.frontend.test_looks_and_weight import violations
from tests.people import signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 360, "height": 740}


@pytest.fixture
def opened(feasts, board):
    for at, name in enumerate(("Nile", "Tigris", "Jordan")):
        row = feasts.configurations.get(name=name)
        one = SpeedMeasurement.objects.create(
            configuration=row, is_local=False, began_at=timezone.now(), ended_at=timezone.now()
        )
        for place in range(8):
            SpeedSample.objects.create(
                measurement=one, position=place, words=10 + 20 * at + place, characters=60, seconds=1
            )
    return Board.objects.create(project=feasts, slug="arabic", title="Feasts", is_open=True)


@pytest.fixture
def visit(page, bundle, live_server):  # noqa: F811
    """Opens an address in a language, as this person or signed out."""

    def opened_at(name, *args, user=None, language="en", query=""):
        cookies = {"django_language": language}
        if user is not None:
            cookies["sessionid"] = signed_in(user).cookies["sessionid"].value
        page.context.add_cookies(
            [{"name": name, "value": value, "url": live_server.url} for name, value in cookies.items()]
        )
        page.set_extra_http_headers({"Accept-Language": language})  # open pages look at no cookie
        page.goto(f"{live_server.url}{reverse(name, args=args)}{query}")
        page.evaluate("document.fonts.ready.then(() => null)")
        return page

    return opened_at


def is_as_wide_as_the_screen(page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("language", ["en", "ar", "bn"])
def test_signed_out_on_a_phone_each_model_is_a_card(page, visit, opened, language, shown):
    page.set_viewport_size(PHONE)
    visit("open-board", "arabic", language=language)
    first = page.get_by_role("row").filter(has_text="Nile")
    expect(first).to_be_visible()
    name, score = first.get_by_role("rowheader").bounding_box(), first.locator(".board__score").bounding_box()
    assert name["y"] < score["y"]  # the name stands above its numbers
    bar = first.locator(".score-bar").bounding_box()
    assert 0 < bar["width"] <= score["width"]
    assert first.bounding_box()["height"] <= 130, "few lines, so that many models are few screens"
    assert is_as_wide_as_the_screen(page)
    assert violations(page) == []
    shown(page, f"open-{language}-phone")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_accessibility_violation_on_any_page_of_the_board(page, visit, lead, opened, theme, shown):
    page.emulate_media(reduced_motion="reduce")
    pages = {
        "leaderboard": ((), ""),
        "board-radar": ((), "?model=nile&model=tigris&model=jordan"),
        "board-compare": ((), "?first=nile&second=jordan"),
        "board-configuration": (("tigris",), ""),
        "board-settings": ((), ""),
    }
    for name, (args, query) in pages.items():
        visit(name, "feasts", *args, user=lead, query=query)
        page.evaluate(f"mizanTheme.set('{theme}')")
        for drawing in page.locator(".board-speed > summary").all():
            drawing.click()
        assert violations(page) == [], name
        shown(page, f"{name}-{theme}")


def test_in_arabic_on_a_phone_from_the_board_to_an_answer_in_two_taps(page, visit, lead, opened, shown):
    page.set_viewport_size(PHONE)
    visit("leaderboard", "feasts", user=lead, language="ar")
    assert is_as_wide_as_the_screen(page)
    shown(page, "leaderboard-ar-phone")
    page.get_by_role("link", name="Tigris").first.click()
    expect(page.get_by_text("Simba says 5").first).to_be_visible()
    assert is_as_wide_as_the_screen(page)
    assert violations(page) == []
    shown(page, "configuration-ar-phone")


def test_the_skills_of_a_model_are_read_on_a_phone_without_scrolling_sideways(page, visit, lead, opened):
    page.set_viewport_size(PHONE)
    visit("board-configuration", "feasts", "nile", user=lead, language="ar")
    table = page.locator(".table-wrap").first
    assert table.evaluate("wrap => wrap.scrollWidth <= wrap.clientWidth")
    expect(table.get_by_role("row").nth(1).get_by_role("rowheader")).to_be_visible()
    ranked = page.locator(".page-header__lead").inner_text()
    assert re.search("\u2066\\d+\u2069|\u2066\\d+–\\d+\u2069", ranked), "a range of ranks keeps its order"


def test_names_without_a_space_leave_a_phone_as_wide_as_it_is(page, visit, lead, feasts):
    """Models are named as files are, and a skill may be one long word."""
    page.set_viewport_size(PHONE)
    skills = [letter * 100 for letter in "طعغ"]
    question_set = frozen_set(feasts, *open_questions(9, skill=[skills[at % 3] for at in range(9)]))
    simba = judge(feasts)
    for name in ("first", "second"):
        row = configuration(feasts, name)
        judged(simba, answers(row, question_set), question_set, [5.0] * 9)
        Configuration.objects.filter(pk=row.pk).update(name=f"{name}_{'x' * 150}")
    visit("leaderboard", "feasts", user=lead)
    assert is_as_wide_as_the_screen(page)
    pages = {
        "board-radar": ((), "?model=first&model=second"),
        "board-compare": ((), "?first=first&second=second"),
        "board-configuration": (("first",), ""),
        "board-probes": ((), ""),
        "leaderboard-finding": (("scores",), ""),
    }
    for name, (args, query) in pages.items():
        page.goto(page.url.split("/p/")[0] + reverse(name, args=["feasts", *args]) + query)
        assert is_as_wide_as_the_screen(page), name


def test_the_report_is_searched_without_a_server(page, lead, opened, tmp_path):
    from django.core.management import call_command

    file = tmp_path / "nile.html"
    call_command("leaderboard", "feasts", report="nile", output=str(file))
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    expect(page.locator("article:visible")).to_have_count(40)
    page.get_by_role("searchbox").fill("nile q17")
    expect(page.locator("article:visible")).to_have_count(1)
    assert asked == [file.as_uri()], "it stands alone"
    assert violations(page) == []


@pytest.fixture
def shown():
    """Keeps what is seen, where somebody wants to look at it."""
    import os
    from pathlib import Path

    folder = os.environ.get("MIZAN_SCREENSHOTS")

    def keep(page, name):
        if folder:
            page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)

    return keep


def test_going_back_shows_the_filters_that_the_board_is_read_under(page, visit, lead, opened):
    """A browser fills in again what was chosen: then a board of all skills would stand under the name of one."""
    visit("leaderboard", "feasts", user=lead)
    chosen = page.get_by_label("Format")
    chosen.select_option(index=1)
    page.get_by_role("button", name="Apply").click()
    page.wait_for_url("**format=*")
    expect(chosen).not_to_have_value("")
    page.go_back()
    page.wait_for_url("**/leaderboard/")
    expect(chosen).to_have_value("")
    page.go_forward()
    page.wait_for_url("**format=*")
    expect(chosen).not_to_have_value("")
