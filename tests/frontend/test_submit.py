"""Submitting: what is missing is named, a resend is the same submission, a skip gives its reason."""

import pytest

from tests.frontend.test_mark_errors import ENGLISH, place
from tests.frontend.test_never_lose_work import marked

pytestmark = pytest.mark.browser


def test_a_submission_carries_an_id_and_leads_on(screen):
    one = screen(text=ENGLISH)
    marked(one)
    one.press("Control+Enter")
    one.page.wait_for_url("**/next")
    assert len(one.server.submissions) == 1
    assert one.server.posts[0]["body"]["spans"][0]["quote"] == "Brazil"


def test_a_blocked_submission_names_what_is_missing_and_goes_there(screen):
    one = screen(text=ENGLISH)
    one.drag(*place(ENGLISH, "Kopi"))
    one.drag(*place(ENGLISH, "cold"))
    one.press("1", "5")
    one.press("Control+Enter")
    summary = one.page.locator(".error-summary")
    assert "Choose the type of error." in summary.inner_text()
    assert summary.locator("li").count() == 2
    assert one.page.locator(".span-form__quote").inner_text() == "Kopi"
    assert one.page.evaluate("document.activeElement.name") == "span-type"
    one.fill("cultural", "high", "Because")
    assert summary.locator("li").count() == 1
    assert one.server.posts == []


def test_nothing_marked_is_not_an_answer(screen):
    one = screen(text=ENGLISH)
    one.page.get_by_role("button", name="Submit").click()
    assert "say that there are none" in one.page.locator(".error-summary").inner_text()
    assert one.server.posts == []
    one.page.get_by_role("button", name="There are no errors").click()
    one.page.get_by_role("button", name="Submit").click()
    one.page.wait_for_url("**/next")
    assert one.server.posts[0]["body"]["no_errors"] is True


def test_what_the_server_finds_missing_is_shown_at_its_field(screen):
    one = screen(text=ENGLISH)
    marked(one)
    one.saved()
    problem = {"span": one.spans()[0]["id"], "field": "explanation", "code": "vague", "message": "Say more."}
    one.server.refuse = [(422, {"error": {"code": "invalid", "message": "", "problems": [problem]}})]
    one.press("Control+Enter")
    one.page.locator(".error-summary", has_text="Say more.").wait_for()
    assert one.page.evaluate("document.activeElement.id") == "span-explanation"


def test_a_lost_answer_is_resent_as_the_same_submission(screen):
    one = screen(text=ENGLISH)
    marked(one)
    one.saved()
    one.lose_the_next_answer()
    one.press("Control+Enter")
    one.page.wait_for_url("**/next", timeout=60_000)
    assert len(one.server.posts) == 2
    assert len(one.server.submissions) == 1


def test_a_submission_begun_offline_survives_a_reload(screen):
    one = screen(text=ENGLISH)
    marked(one)
    one.saved()
    one.page.route("**/api/**", lambda route: route.abort("internetdisconnected"))
    one.press("Control+Enter")
    one.wait_for_state("offline")
    assert "submitted when you are back online" in one.page.locator("#save-state").inner_text()
    one.page.reload()
    one.ready()
    one.wait_for_state("offline")
    one.page.unroute("**/api/**")
    one.page.evaluate("window.dispatchEvent(new Event('online'))")
    one.page.wait_for_url("**/next")
    assert len(one.server.submissions) == 1


def test_a_waiting_submission_can_be_taken_back(screen):
    one = screen(text=ENGLISH)
    marked(one)
    one.saved()
    one.server.refuse = [(503, {})] * 1000
    one.press("Control+Enter")
    one.wait_for_state("waiting")
    one.page.get_by_role("button", name="Go on editing").click()
    one.server.refuse = []
    one.page.fill("#span-explanation", "Better said")
    one.saved()
    assert one.server.posts == []
    assert one.server.draft["spans"][0]["explanation"] == "Better said"


def test_an_item_is_skipped_with_a_reason(screen):
    one = screen(text=ENGLISH)
    one.page.get_by_role("button", name="Skip").click()
    one.page.get_by_label("Not my dialect").check()
    one.page.fill("#skip-note", "This is Moroccan")
    one.page.locator("dialog[open]").get_by_role("button", name="Skip").click()
    one.page.wait_for_url("**/next")
    assert one.server.skips == [{"reason": "dialect", "note": "This is Moroccan"}]


def test_another_reason_for_skipping_has_to_be_told(screen):
    one = screen(text=ENGLISH)
    one.page.get_by_role("button", name="Skip").click()
    dialog = one.page.locator("dialog[open]")
    dialog.get_by_label("Another reason").check()
    dialog.get_by_role("button", name="Skip").click()
    assert dialog.is_visible(), "nothing was told yet"
    dialog.locator("#skip-note").fill("I wrote this text myself.")
    dialog.get_by_role("button", name="Skip").click()
    one.page.wait_for_url("**/next")
    assert one.server.skips == [{"reason": "other", "note": "I wrote this text myself."}]
