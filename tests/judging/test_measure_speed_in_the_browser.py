"""Nour has speed measured and sees who has seen a question, in her browser; the pages have no barrier."""

import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse

from benchmark import exposure
from benchmark.models import Board, ExposureKind
from jobs.models import Job
from judging.speed.measuring import How, chosen, measure
from projects.models import Laboratory
from tests.judging.test_measure_speed import on_the_board, provider, row, server, simulated
from tests.judging.test_pages_in_the_browser import nours_browser

__all__ = ["nours_browser", "provider", "row", "server", "simulated"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LOOKS = [("en", "light", 1280), ("ar", "dark", 360)]
# A folder for screenshots of what was looked at, if somebody wants to look as well.
SHOTS = os.environ.get("SCREENSHOTS", "")


@pytest.fixture
def pages(project, row, provider) -> dict[str, str]:
    """What was measured, by API and locally; a question that two laboratories have seen, where two are too many."""
    target = chosen(project, [row.slug])[0]
    measure(target, How(calls=3, warm_up=0))
    measure(target, How(calls=3, warm_up=0, is_local=True, hardware="بطاقة رسوم واحدة"))
    on_the_board(project, provider, "simulated-2")
    own = project.question_sets.get()
    Board.objects.create(project=project, slug="board", title="Board", max_exposures=2)
    secret = own.questions.get(key="secret")
    for name in ("Oryx", "Leo"):
        lab = Laboratory.objects.create(slug=name.lower(), name=name)
        exposure.record([secret.prompt_id], lab, f"{name.lower()}-1@here", ExposureKind.JUDGING)
    place = [project.slug, own.slug, own.version]
    return {
        "speed": reverse("speed", args=[project.slug]),
        "set": reverse("question-set", args=place),
        "question": reverse("benchmark-question", args=[*place, secret.pk]),
        "settings": reverse("board-settings", args=[project.slug]),
    }


@pytest.mark.parametrize(("language", "scheme", "width"), LOOKS)
def test_the_pages_have_no_barrier(language, scheme, width, nours_browser, live_server, pages):
    page = nours_browser
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    page.context.add_cookies([{"name": "django_language", "value": language, "url": live_server.url}])
    for name, address in pages.items():
        page.goto(live_server.url + address)
        if SHOTS:
            page.screenshot(path=Path(SHOTS) / f"{name}-{language}-{width}.png", full_page=True)
        found = Axe().run(page)
        assert found.violations_count == 0, f"{name}: {found.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
    assert page.refused == []


def test_a_pass_is_begun_by_keyboard(nours_browser, live_server, pages):
    page = nours_browser
    page.goto(live_server.url + pages["speed"])
    page.get_by_label("simulated-2").focus()
    page.keyboard.press("Space")  # not this one
    page.get_by_label("Calls", exact=True).fill("2")
    page.get_by_label("Calls", exact=True).press("Enter")
    page.wait_for_url("**/jobs/**")
    assert "Measuring speed" in page.inner_text("main")
    assert Job.objects.get().options["configurations"] == ["simulated-1"]
