"""Mona's session ends while she writes. She signs in where she is, nothing she typed is lost, and saving goes on."""

import base64
import hmac
import time

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.contrib.sessions.models import Session

from tests.frontend.application import at_item  # noqa: F401
from tests.people import PASSWORD, signed_in
from tests.workflow.working import marking_stage
from workflow.models import Draft

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SAVED = "#save-state[data-state=saved]"


@pytest.fixture
def typing(at_item, mona, project, koshari):  # noqa: F811
    """Mona's page with one mark saved, its explanation begun, and her session gone."""
    page = at_item(mona, marking_stage(project))
    page.focus("#span-text")
    for key in ("ArrowLeft", "Enter", "Enter", "1", "5"):
        page.keyboard.press(key)
    page.keyboard.type("It is eaten")
    page.wait_for_selector(SAVED)
    Session.objects.all().delete()
    page.keyboard.type(" at noon, not at dawn.")
    return page


def explanation_stored() -> str:
    return Draft.objects.get().body["spans"][0]["explanation"]


def enter_pass_phrase(page):
    page.wait_for_selector("dialog.signin[open]")
    assert "kept on this device" in page.locator("#save-state").inner_text()
    frame = page.frame_locator(".signin__frame")
    frame.locator("input[name=login]").fill("mona@example.org")
    frame.locator("input[name=password]").fill(PASSWORD)
    frame.get_by_role("button", name="Sign in", exact=True).click()
    return frame


def goes_on_saving(page):
    page.wait_for_selector(SAVED)
    assert page.locator("dialog[open]").count() == 0
    assert page.input_value("#span-explanation") == "It is eaten at noon, not at dawn."
    assert explanation_stored() == "It is eaten at noon, not at dawn."
    page.locator("#span-explanation").press_sequentially(" Ask anyone.")
    page.wait_for_selector("#save-state:not([data-state=saved])")
    page.wait_for_selector(SAVED)
    assert explanation_stored() == "It is eaten at noon, not at dawn. Ask anyone."


def test_mona_signs_in_in_place(typing):
    enter_pass_phrase(typing)
    goes_on_saving(typing)


def test_a_wrong_pass_phrase_is_said_in_the_frame(typing):
    typing.wait_for_selector("dialog.signin[open]")
    frame = typing.frame_locator(".signin__frame")
    frame.locator("input[name=login]").fill("mona@example.org")
    frame.locator("input[name=password]").fill("a guess that is wrong")
    frame.get_by_role("button", name="Sign in", exact=True).click()
    frame.get_by_text("not correct").wait_for()
    enter_pass_phrase(typing)
    goes_on_saving(typing)


def test_with_a_second_factor_too(typing, mona, settings):
    settings.MFA_TOTP_TOLERANCE = 1  # a code stays good while the half minute that it is of ends
    secret = base64.b32encode(b"twenty bytes of her.").decode()
    Authenticator.objects.create(user=mona, type="totp", data={"secret": get_adapter().encrypt(secret)})
    frame = enter_pass_phrase(typing)
    frame.locator("input[name=code]").wait_for()
    frame.locator("input[name=code]").fill(code_of(secret))
    frame.locator("input[name=code]").press("Enter")
    goes_on_saving(typing)


def code_of(secret: str) -> str:
    """The six digits an authenticator app shows now (RFC 6238: SHA-1, steps of 30 seconds)."""
    digest = hmac.digest(base64.b32decode(secret), int(time.time() // 30).to_bytes(8, "big"), "sha1")
    place = digest[-1] & 15
    number = int.from_bytes(digest[place : place + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**6:06}"


def sign_in_elsewhere(page, live_server, mona):
    """As another tab of the same browser would: the session's cookie is the browser's, not the tab's."""
    session = signed_in(mona).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])


def test_back_from_another_tab_where_she_signed_in_nothing_more_is_asked(typing, live_server, mona):
    typing.wait_for_selector("dialog.signin[open]")
    typing.frame_locator(".signin__frame").locator("input[name=login]").wait_for()
    sign_in_elsewhere(typing, live_server, mona)
    typing.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    goes_on_saving(typing)


def test_who_is_signed_in_already_is_led_on_by_the_sign_in_page(page, live_server, mona):
    sign_in_elsewhere(page, live_server, mona)
    page.goto(f"{live_server.url}/accounts/login/?next=/session/signed-in/")
    assert page.url == f"{live_server.url}/session/signed-in/"
    page.goto(f"{live_server.url}/accounts/login/")
    assert page.url == f"{live_server.url}/p/feasts/my-work/"
    page.goto(f"{live_server.url}/accounts/login/?next=https://example.com/")
    assert page.url == f"{live_server.url}/p/feasts/my-work/"
