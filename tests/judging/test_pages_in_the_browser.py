"""Nour watches a run in her browser: the numbers move by themselves, and the pages are open to everybody."""

import threading

import pytest
from django.db import connection

from judging.engine import runs, shards
from projects.models import LanguageVariety
from tests.people import add_response, signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def nours_browser(nour, page, live_server):
    """A page that is signed in as Nour; what breaks the content security policy is kept in `page.refused`."""
    cookie = signed_in(nour).cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    page.refused = []
    page.on("console", lambda message: page.refused.append(message.text) if "Policy" in message.text else None)
    page.on("pageerror", lambda error: page.refused.append(str(error)))
    return page


@pytest.fixture
def texts(project):
    tags = LanguageVariety.objects.filter(tag__in=["en-US", "ar-EG"]).values_list("tag", flat=True)
    return [add_response(project, f"{tag}-{n}", f"A fair in May {n}.\n\nIt closes.", tag) for tag in tags for n in "ab"]


def work_elsewhere(run) -> threading.Thread:
    """A worker beside the web server."""

    def work() -> None:
        try:
            for shard in run.shards.values_list("pk", flat=True):
                shards.work_through(shard)
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_a_run_is_watched_to_its_end(nours_browser, live_server, provider, texts, judge, fake_provider, settings):
    fake_provider.tell(latency_ms=400)
    provider.concurrency = 2
    provider.save()
    run = runs.create_run(judge, judge.project.responses.all())
    runs.start_here(run)
    nours_browser.goto(f"{live_server.url}/p/feasts/judges/runs/{run.uuid}/")
    assert "0 of 8 calls" in nours_browser.inner_text("#progress")
    worker = work_elsewhere(run)
    nours_browser.get_by_role("heading", name="Done").wait_for()  # without a reload
    worker.join()
    assert "8 of 8 calls" in nours_browser.inner_text("#progress")
    assert nours_browser.locator("#progress[hx-trigger]").count() == 0
    assert nours_browser.refused == []


def test_the_laboratory_appears_while_nour_types(nours_browser, live_server, provider):
    nours_browser.goto(f"{live_server.url}/p/feasts/judges/add/")
    nours_browser.get_by_label("Provider").select_option(label="simulated")
    nours_browser.get_by_label("Model").press_sequentially("claude-x")
    nours_browser.get_by_text("manage.py map_model claude-x").wait_for()  # the endpoint serves another laboratory
    nours_browser.get_by_label("Model").fill("simulated-1")
    nours_browser.get_by_text("Laboratory: Simulated").wait_for()
    assert nours_browser.refused == []


def test_what_concerns_one_kind_of_judging_is_asked_for_that_kind_alone(nours_browser, live_server, provider):
    nours_browser.goto(f"{live_server.url}/p/feasts/judges/add/")
    granularity, target = (nours_browser.locator(f"input[name={name}]").first for name in ("granularity", "target"))
    assert (granularity.is_visible(), target.is_visible()) == (True, False)
    nours_browser.get_by_label("Grades by rubric").check()
    assert (granularity.is_visible(), target.is_visible()) == (False, True)
    assert nours_browser.refused == []


def test_whoever_walks_the_form_of_a_judge_by_the_keyboard_sees_where_they_are(nours_browser, live_server, provider):
    """Every field, tick boxes too: a style of theirs that takes the outline away would leave a shade of the edge."""
    nours_browser.goto(f"{live_server.url}/p/feasts/judges/add/")
    outlined = {}
    for _press in range(80):
        nours_browser.keyboard.press("Tab")
        place, width = nours_browser.evaluate(
            """() => { const at = document.activeElement, style = getComputedStyle(at);
            const width = style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth);
            return [at.closest("main") && (at.name || at.tagName), width]; }"""
        )
        if place:
            outlined[place] = width
        elif outlined:
            break
    assert {"kind", "provider", "model", "granularity", "with_taxonomy", "asks_by", "name"} <= set(outlined)
    assert [name for name, width in outlined.items() if width < 2] == []
