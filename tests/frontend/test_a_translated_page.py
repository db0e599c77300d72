"""Mona's browser translates the page by itself: she is told, marks nothing in a machine's words, and goes on after."""

import json

import pytest

from annotation.models import Marking
from projects.anchors import sha256
from tests.people import signed_in
from tests.workflow.working import marking_stage
from workflow.as_shown import shown_hash
from workflow.claims import claim_next
from workflow.models import Draft

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SAVED = "#save-state[data-state=saved]"
#: What a page draws otherwise than it is stored, and what it does not.
ODD = (
    "الكشري \u200fأكلة👨\u200d👩\u200d👧 \t مصرية\r\n\u3000\n\u0085<b>&amp;</b> ক্ষ\u00a0한국어\u2028e\u0301 "
    "\u202eabc\u202c\ufeff\n\nآخر."
)
TRANSLATE = """() => {
  document.documentElement.classList.add("translated-rtl");
  const paragraph = document.querySelector("#span-text p");
  window.original = paragraph.firstChild;
  const words = document.createElement("font");
  words.textContent = "Koshari is an Egyptian dish";
  paragraph.replaceChildren(words);
}"""
SHOW_ORIGINAL = """() => {
  document.querySelector("#span-text p").replaceChildren(window.original);
  document.documentElement.classList.remove("translated-rtl");
}"""


@pytest.fixture
def at_work(page, bundle, live_server, project, koshari, mona):
    type(koshari).objects.filter(pk=koshari.pk).delete()
    koshari.pk, koshari.text, koshari.text_sha256 = None, ODD, sha256(ODD)
    koshari.save(force_insert=True)
    turn = claim_next(mona.raters.get(), marking_stage(project))
    session = signed_in(mona).cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    page.goto(f"{live_server.url}/tasks/{turn.uuid}/")
    page.wait_for_selector("html[data-span-editor=ready]")
    return page


def test_each_save_carries_the_hash_of_the_text_as_shown(at_work):
    with at_work.expect_request(lambda request: request.url.endswith("/draft")) as sent:
        at_work.get_by_role("button", name="There are no errors").click()
    assert json.loads(sent.value.post_data)["shown"] == shown_hash(ODD)
    at_work.wait_for_selector(SAVED)
    assert Draft.objects.get().body["no_errors"] is True


def test_a_translated_page_stops_the_marking_until_it_is_shown_in_its_own_language(at_work):
    assert at_work.locator("#span-text").get_attribute("translate") == "no"
    no_errors = at_work.get_by_role("button", name="There are no errors")
    at_work.evaluate(TRANSLATE)
    notice = at_work.get_by_role("alert").filter(has_text="translated this page")
    notice.wait_for()
    assert notice.count() == 1
    assert no_errors.is_disabled()
    at_work.keyboard.press("Control+Enter")
    at_work.evaluate(SHOW_ORIGINAL)
    notice.wait_for(state="detached")
    no_errors.click()
    at_work.wait_for_selector(SAVED)
    assert Draft.objects.get().body["no_errors"] is True
    assert not Marking.objects.exists()


def test_words_that_something_rewrites_in_place_are_noticed_too(at_work):
    at_work.evaluate('() => { document.querySelector("#span-text p").firstChild.data = "Other words"; }')
    at_work.get_by_role("alert").filter(has_text="translated this page").wait_for()
    assert at_work.get_by_role("button", name="There are no errors").is_disabled()
