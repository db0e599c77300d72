"""Nour plans two judges in her browser, begins, pauses, goes on, and watches both come to their end."""

import pytest

from judging.judges import add_judge
from judging.models import RunSet, RunState
from tests.judging.test_pages_in_the_browser import nours_browser, texts, work_elsewhere

__all__ = ["nours_browser", "texts"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_plan_begin_pause_and_watch(nours_browser, live_server, project, provider, texts, fake_provider):
    for name in ("First reader", "Second reader"):
        add_judge(project, provider, "simulated-1", name=name)
    page = nours_browser
    page.set_viewport_size({"width": 360, "height": 780})
    page.goto(f"{live_server.url}/p/feasts/judges/")
    page.get_by_role("link", name="Run judges").click()
    page.get_by_label("First reader").check()
    page.get_by_label("Second reader").check()
    page.get_by_text("Which responses").click()
    page.get_by_role("group", name="Only these varieties").get_by_label("English (United States)").check()
    page.get_by_label("Limit in tokens").fill("1000000")
    page.get_by_role("button", name="Plan").click()
    page.get_by_role("heading", name="What this would ask").wait_for()
    assert page.get_by_label("First reader").is_checked(), "what was chosen stays chosen"
    assert page.evaluate("document.documentElement.scrollWidth") == 360

    page.get_by_role("button", name="Ask 8 questions").click()
    page.get_by_role("heading", name="Running").wait_for()
    page.get_by_role("button", name="Pause").click()
    page.get_by_text("Somebody paused this").wait_for()
    page.get_by_role("button", name="Resume").click()
    page.get_by_role("heading", name="Running").wait_for()

    run_set = RunSet.objects.get()
    workers = [work_elsewhere(run) for run in run_set.runs.all()]
    page.get_by_role("heading", name="Done").wait_for()  # without a reload
    for worker in workers:
        worker.join()
    assert "8 of 8 calls" in page.inner_text("#progress")
    assert {run.state for run in run_set.runs.all()} == {RunState.DONE}
    assert page.refused == []
