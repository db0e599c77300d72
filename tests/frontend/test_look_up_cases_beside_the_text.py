"""Mona has handed in her answer and looks up settled cases beside it: the text stays where it is."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone

from projects.models import Rater
from tests.annotation.test_look_up_settled_cases import open_book, settle
from tests.frontend.settling import at_rest
from tests.frontend.task_screens import LONG, SCREENS, open_item
from tests.people import add_response
from workflow.models import Assignment, Status

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BOX = "(selector) => document.querySelector(selector).getBoundingClientRect().toJSON()"
CASE = "#cases-found article"


def handed_in(page, live_server, project, mona, screen: str, size, language: str = "en"):
    """The page of an answer of Mona's, read again after she handed it in; in the book is one case, about fish."""
    make, ready, text = SCREENS[screen]
    stage = make(project)
    project.areas = sorted({*project.areas, "spans"})
    project.save()
    open_book(project)
    settle(add_response(project, "fish", "أكلة الفسيخ في شم النسيم عادة فرعونية", "ar-EG"), "الفسيخ")
    page.set_viewport_size(size)
    open_item(page, live_server.url, mona, stage, ready, language)
    turn = Assignment.objects.get(rater=Rater.objects.get(user=mona, project=project), stage=stage)
    assert page.locator("#cases-beside").count() == 0, "before one's own answer there is no book"
    Assignment.objects.filter(pk=turn.pk).update(
        status=Status.SUBMITTED, submitted_at=timezone.now(), lease_expires_at=None
    )
    page.reload()
    page.wait_for_selector(f"html[data-{ready}=ready]")
    return at_rest(page), turn, text


@pytest.mark.parametrize("screen", SCREENS)
def test_beside_every_answer_with_the_text_in_its_place(page, bundle, live_server, project, mona, screen):
    page, _turn, text = handed_in(page, live_server, project, mona, screen, {"width": 1280, "height": 800})
    before = page.evaluate(BOX, text)
    page.locator(".notice--finished [data-opens]").click()
    assert page.evaluate("document.activeElement.parentElement.id") == "cases-beside"
    page.wait_for_selector("#cases-found:not(:has([role=status]))")
    page.fill("#cases-words", "الفِسيخ")
    page.keyboard.press("Enter")
    page.locator(CASE, has_text="الفسيخ").wait_for()
    at_rest(page)
    assert page.evaluate(BOX, text) == before
    assert page.url.endswith("/"), "one has not left the answer"


@pytest.mark.parametrize("language", ["en", "ar"])
def test_on_a_phone_it_is_a_sheet_and_escape_leads_back(page, bundle, live_server, project, mona, language):
    page, _turn, text = handed_in(page, live_server, project, mona, "marking", {"width": 360, "height": 740}, language)
    link = page.locator(".notice--finished [data-opens]")
    link.scroll_into_view_if_needed()
    before = page.evaluate(BOX, text)
    link.click()
    page.locator("#cases-found a").last.wait_for()
    found = Axe().run(at_rest(page)).response["violations"]
    assert [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.keyboard.press("Escape")
    assert not page.locator("#drawer").is_visible()
    assert page.evaluate("document.activeElement.dataset.opens") == "cases-beside"
    assert page.evaluate(BOX, text) == before


def test_from_what_is_done_lately_it_opens_by_itself(page, bundle, live_server, project, mona):
    page, turn, _text = handed_in(page, live_server, project, mona, "marking", {"width": 1280, "height": 800})
    page.goto(f"{live_server.url}/p/feasts/my-work/")
    page.get_by_role("link", name="Settled cases like this one").click()
    page.wait_for_url(f"**/tasks/{turn.uuid}/#cases-beside")
    page.locator("#cases-found a").last.wait_for()
    assert page.locator("#cases-beside").get_attribute("open") is not None


@pytest.mark.parametrize("width", [1280, 360])
def test_it_is_narrowed_by_keys_and_by_touch_and_remembered(page, bundle, live_server, project, mona, width):
    page, _turn, text = handed_in(page, live_server, project, mona, "marking", {"width": width, "height": 740})
    settle(add_response(project, "bread", "الخبز من القمح", "ar-EG"), "القمح", verdict="reject")
    link = page.locator(".notice--finished [data-opens]")
    link.scroll_into_view_if_needed()
    before = page.evaluate(BOX, text)
    link.click()
    page.wait_for_selector("#cases-found:not(:has([role=status]))")
    outcome = page.locator("#cases-outcome")
    outcome.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert outcome.input_value() == "rejected"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator(CASE, has_text="القمح").wait_for()
    assert page.locator(CASE).count() == 1
    assert page.evaluate(BOX, text) == before
    small = "(all) => all.filter((one) => one.offsetParent && one.getBoundingClientRect().height < 24).length"
    assert page.locator(".drawer select, .drawer button").evaluate_all(small) == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.reload()
    page.wait_for_selector(f"html[data-{SCREENS['marking'][1]}=ready]")
    assert page.locator("#cases-outcome").input_value() == "rejected"
    assert page.evaluate("JSON.parse(localStorage.getItem('mizan-choices-cases-spans')).outcome") == "rejected"


def test_like_this_one_stays_in_the_drawer(page, bundle, live_server, project, mona):
    page, _turn, _text = handed_in(page, live_server, project, mona, "marking", {"width": 1280, "height": 800})
    settle(add_response(project, "again", "الفسيخ برضه في الغيط", "ar-EG"), "الفسيخ برضه", explanation="-")
    page.locator(".notice--finished [data-opens]").click()
    page.locator("#cases-found a").last.wait_for()
    page.fill("#cases-words", "الفسيخ")
    page.keyboard.press("Enter")
    page.locator(CASE).nth(1).wait_for()
    page.locator(CASE, has_text="برضه").get_by_role("link", name="Like this one").click()
    page.wait_for_selector("#cases-found:not(:has(article + article))")
    assert "برضه" not in page.locator("#cases-found").inner_text()
    assert page.evaluate("document.activeElement.id") == "cases-found", "the link that had the focus is gone"
    assert LONG[:20] in page.locator("#span-text").inner_text()
