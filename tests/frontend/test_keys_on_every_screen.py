"""Every task screen by keyboard: the item begins in its text, which is one press from the top, and each button has a
key."""

import pytest

from tests.frontend.settling import at_rest
from tests.frontend.task_screens import SCREENS, open_item

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FROM_THE_TOP = """document.activeElement.blur(), document.body.tabIndex = -1, document.body.focus(),
  document.body.removeAttribute("tabindex")"""
IS_IN_TEXT = "(text) => document.activeElement.closest(text) !== null"
# The buttons among the tools and beside the text, each with whether it prints its key or names it.
BUTTONS = """["toolbar", "panel", "fields"]
  .flatMap((place) => [...document.querySelectorAll(`main [id$=-${place}] button`)])
  .filter((one) => one.checkVisibility() && !one.disabled)
  .map((one) => [one.innerText, one.querySelector("kbd") !== null || one.hasAttribute("aria-keyshortcuts")])"""


@pytest.mark.parametrize("screen", SCREENS)
def test_an_item_begins_in_its_text_and_what_can_be_done_has_a_key(page, bundle, live_server, project, mona, screen):
    make, ready, text = SCREENS[screen]
    at_rest(open_item(page, live_server.url, mona, make(project), ready))
    assert page.evaluate(IS_IN_TEXT, text)
    assert page.evaluate("scrollY") == 0
    buttons = page.evaluate(BUTTONS)
    assert len(buttons) >= 3
    assert [name for name, has_key in buttons if not has_key] == []
    page.evaluate(FROM_THE_TOP)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate(IS_IN_TEXT, text)
