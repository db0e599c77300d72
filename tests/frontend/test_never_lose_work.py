"""Saving, and every way in which it can fail: nothing a person marked or typed is lost on any of them."""

import uuid

import pytest

from tests.frontend.conftest import Screen
from tests.frontend.settling import at_rest, until
from tests.frontend.test_mark_errors import ENGLISH, place

pytestmark = pytest.mark.browser

BRAZIL = place(ENGLISH, "Brazil.")


def marked(one: Screen, explanation: str = "It is from Java.") -> None:
    one.drag(*BRAZIL)
    one.fill("cultural", "high", explanation)


def other_span(**values: object) -> dict:
    start, end = place(ENGLISH, "cold")
    return {
        "id": str(uuid.uuid4()), "anchor": "words", "start": start, "end": end, "quote": "cold",
        "paragraph": None, "type": "logical", "criticality": "low", "category": "",
        "explanation": "Hot.", "correction": "", **values,
    }  # fmt: skip


def test_everything_is_saved_by_itself(screen):
    one = screen(text=ENGLISH)
    marked(one)
    one.saved()
    assert one.page.locator("#save-state").inner_text().startswith("Saved ")
    assert one.server.draft["spans"][0]["explanation"] == "It is from Java."
    one.page.reload()
    one.ready()
    assert one.quotes() == ["Brazil"]


# As a full disk does: the write succeeds, and its transaction is taken back.
TAKEN_BACK = """() => {
  for (const name of ["put", "add", "delete"]) {
    const act = IDBObjectStore.prototype[name];
    IDBObjectStore.prototype[name] = function (...given) {
      const request = act.apply(this, given);
      request.addEventListener("success", () => this.transaction.abort());
      return request;
    };
  }
}"""


def test_what_the_device_took_back_is_not_said_to_be_kept(screen):
    one = screen(text=ENGLISH)
    one.page.evaluate(TAKEN_BACK)
    one.page.route("**/api/**", lambda route: route.abort("internetdisconnected"))
    marked(one)
    one.wait_for_state("offline")
    one.page.get_by_text("keep this page open, this browser cannot keep your work").first.wait_for()
    one.page.unroute("**/api/**")
    one.saved()
    assert one.server.draft["spans"][0]["explanation"] == "It is from Java."


def test_offline_work_survives_a_reload_and_is_sent(screen):
    one = screen(text=ENGLISH)
    one.page.route("**/api/**", lambda route: route.abort("internetdisconnected"))
    marked(one, "Typed without a connection")
    one.wait_for_state("offline")
    assert one.page.locator("#save-state").inner_text() == "Offline – kept on this device"
    one.page.reload()
    one.ready()
    assert one.spans()[0]["explanation"] == "Typed without a connection"
    assert one.server.draft["spans"] == []
    one.page.unroute("**/api/**")
    one.page.evaluate("window.dispatchEvent(new Event('online'))")
    one.page.wait_for_selector("#save-state[data-state=saved]")
    assert one.server.draft["spans"][0]["explanation"] == "Typed without a connection"


def test_the_last_keystroke_before_closing_is_kept(screen):
    one = screen(text=ENGLISH)
    marked(one)
    one.saved()
    one.server.refuse = [(503, {})] * 1000
    # Neither the server nor the database on the device gets its moment.
    one.page.evaluate("() => { IDBObjectStore.prototype.put = () => { throw new Error('closing'); }; }")
    one.page.locator("#span-explanation").press("End")
    one.page.keyboard.type(" Surely")
    one.page.reload()
    one.ready()
    assert one.spans()[0]["explanation"] == "It is from Java. Surely"


def test_nobody_else_on_the_device_sees_or_sends_it(screen):
    one = screen(text=ENGLISH)
    one.server.refuse = [(503, {})] * 1000
    marked(one)
    one.wait_for_state("waiting")
    one.page.goto(one.harness.url)  # away, before the page tries again
    one.server.owner = "owner-2"
    one.server.refuse = []
    one.open()
    one.page.wait_for_timeout(1500)
    assert one.spans() == []
    assert one.server.puts == []
    one.server.owner = "owner-1"
    one.page.reload()
    one.ready()
    assert one.quotes() == ["Brazil"]


def test_a_lost_answer_is_not_mistaken_for_a_conflict(screen):
    one = screen(text=ENGLISH)
    one.lose_the_next_answer()
    marked(one)
    one.wait_for_state("offline")
    assert one.server.version == 2  # committed, and the page does not know
    one.page.fill("#span-explanation", "Changed since")
    one.page.wait_for_selector("#save-state[data-state=saved]", timeout=60_000)
    assert one.page.locator("dialog[open]").count() == 0
    assert one.server.draft["spans"][0]["explanation"] == "Changed since"


def test_a_lost_answer_is_recognised_after_a_reload_too(screen):
    one = screen(text=ENGLISH)
    one.lose_the_next_answer()
    marked(one)
    one.wait_for_state("offline")
    one.page.fill("#span-explanation", "Changed since")
    one.page.reload()
    one.ready()
    assert one.spans()[0]["explanation"] == "Changed since"
    one.saved()
    assert one.server.draft["spans"][0]["explanation"] == "Changed since"


@pytest.mark.parametrize(
    ("button", "kept"),
    [
        ("Keep the one on this page", ["Brazil"]),
        ("Use the one saved elsewhere", ["cold"]),
        ("Combine both", ["Brazil", "cold"]),
    ],
)
def test_a_conflict_shows_both_and_lets_the_person_choose(screen, button, kept):
    one = screen(text=ENGLISH)
    one.server.draft = {"no_errors": False, "spans": [other_span()]}
    one.server.version = 7
    marked(one)
    dialog = one.page.locator("dialog[open]")
    dialog.wait_for()
    assert "Brazil" in dialog.inner_text()
    assert "cold" in dialog.inner_text()
    dialog.get_by_role("button", name=button).click()
    one.saved()
    assert one.quotes() == kept
    if len(kept) == 1:
        one.press("Escape", "Control+z")
        if button.startswith("Use"):
            assert one.quotes() == ["Brazil"]  # undo brings the other version back


def test_enter_in_the_dialog_of_two_versions_keeps_ones_own(screen):
    """Whoever was typing when it opened presses Enter, and goes on."""
    one = screen(text=ENGLISH)
    one.server.draft = {"no_errors": False, "spans": [other_span()]}
    one.server.version = 7
    marked(one)
    dialog = one.page.locator("dialog[open]")
    dialog.wait_for()
    one.press("Enter")
    dialog.wait_for(state="detached")
    one.saved()
    assert one.quotes() == ["Brazil"]
    assert [span["quote"] for span in one.server.draft["spans"]] == ["Brazil"]


def test_session_expiry_is_mended_in_place_while_typing(screen):
    one = screen(text=ENGLISH)
    marked(one)
    one.saved()
    one.server.signed_in = False
    one.page.fill("#span-explanation", "Typed after the session ended")
    dialog = one.page.locator("dialog[open]")
    dialog.wait_for()
    one.page.frame_locator("iframe").get_by_role("button", name="Sign in here").click()
    dialog.wait_for(state="detached")
    one.saved()
    assert one.server.draft["spans"][0]["explanation"] == "Typed after the session ended"


def test_signing_in_can_wait_and_is_not_pressed_on_anyone(screen):
    one = screen(text=ENGLISH)
    one.server.signed_in = False
    marked(one)
    one.page.locator("dialog[open]").get_by_role("button", name="Later").click()
    one.wait_for_state("signed-out")
    one.page.fill("#span-explanation", "Going on")
    one.page.wait_for_timeout(1800)
    assert one.page.locator("dialog[open]").count() == 0
    one.page.locator("#save-state").get_by_role("button", name="Sign in").click()
    one.page.frame_locator("iframe").get_by_role("button", name="Sign in here").click()
    one.saved()


def test_someone_else_signing_in_does_not_take_the_work_over(screen):
    one = screen(text=ENGLISH)
    one.server.signed_in = False
    one.server.next_owner = "owner-2"
    marked(one)
    one.page.frame_locator("iframe").get_by_role("button", name="Sign in here").click()
    one.wait_for_state("blocked")
    assert "Someone else is signed in" in one.page.locator("#span-notices").inner_text()
    assert one.server.puts == []


def test_only_the_sign_in_frame_can_say_that_someone_signed_in(screen):
    one = screen(text=ENGLISH)
    one.server.signed_in = False
    marked(one)
    one.page.locator("dialog[open]").wait_for()
    one.page.evaluate("window.postMessage({ mizan: 'signed-in', csrf: 'forged' }, location.origin)")
    one.page.wait_for_timeout(300)
    assert one.page.locator("dialog[open]").count() == 1
    assert one.page.locator("meta[name=csrf-token]").get_attribute("content") == "token-1"


# What networks answer in the server's place: nothing of it is taken for the server's.
PORTALS = {
    "a page": {"status": 200, "content_type": "text/html", "body": "<h1>Welcome to the hotel</h1>"},
    "a redirection": {"status": 302, "headers": {"Location": "https://portal.example/"}},
    "data of its own": {"status": 200, "json": {"login": "https://portal.example/"}},
    "a refusal": {"status": 403, "content_type": "text/html", "body": "<h1>Please pay</h1>"},
    "no such page": {"status": 404, "content_type": "text/html", "body": ""},
    "a question who one is": {"status": 401, "headers": {"WWW-Authenticate": "Basic"}, "body": ""},
    "that one must sign in": {"status": 511, "content_type": "text/html", "body": "<h1>Sign in</h1>"},
}


@pytest.mark.parametrize("portal", PORTALS)
def test_what_a_portal_answers_is_offline_whatever_the_browser_believes(screen, portal):
    one = screen(text=ENGLISH)
    one.page.route("**/api/**", lambda route: route.fulfill(**PORTALS[portal]))
    marked(one, "Typed in the train")
    one.wait_for_state("offline")
    assert one.page.evaluate("navigator.onLine")
    assert one.page.locator("#save-state").inner_text() == "Offline – kept on this device"
    assert one.page.locator("dialog[open]").count() == 0, "nobody is asked to sign in to a portal"
    one.press("Control+Enter")
    one.page.get_by_role("button", name="Go on editing").wait_for()
    one.page.reload()
    one.ready()
    assert one.spans()[0]["explanation"] == "Typed in the train"
    assert one.server.draft["spans"] == []
    one.page.unroute("**/api/**")
    one.page.wait_for_url("**/next", timeout=60_000)
    assert one.server.draft["spans"][0]["explanation"] == "Typed in the train"
    assert len(one.server.submissions) == 1


# The page waits a twentieth as long for an answer as it does for people.
IMPATIENT = """() => { const wait = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (milliseconds) => wait(milliseconds / 20); }"""


def test_a_request_that_hangs_is_offline_and_nobody_waits_for_it(screen):
    one = screen(text=ENGLISH)
    one.page.evaluate(IMPATIENT)
    held = []
    one.page.route("**/api/**", lambda route: held.append(route))
    marked(one, "Typed in a tunnel")
    one.page.wait_for_selector("#save-state[data-state=offline]", timeout=60_000)
    assert one.page.locator("#save-state").inner_text() == "Offline – kept on this device"
    one.page.unroute("**/api/**")
    one.page.evaluate("dispatchEvent(new Event('online'))")
    one.saved()
    assert held


def test_working_time_that_a_portal_swallowed_is_told_again(screen):
    one = screen(text=ENGLISH)
    one.page.route("**/api/signs", lambda route: route.fulfill(**PORTALS["a page"]))
    marked(one)
    one.saved()
    kept = "Object.keys(localStorage).some((key) => key.startsWith('mizan-time:'))"
    tell = "dispatchEvent(new Event('online'))"  # as every half minute
    with one.page.expect_response("**/api/signs"):
        one.page.evaluate(tell)
    at_rest(one.page)
    assert one.page.evaluate(kept)
    assert one.server.signs == []
    one.page.unroute("**/api/signs")
    one.page.evaluate(tell)
    until(one.page, lambda: bool(one.server.signs))
    first, last = one.server.signs[0]["signs"][0][0], one.server.signs[-1]["signs"][-1][1]
    assert last > first, "what was swallowed came with it"


def test_a_server_error_is_not_called_offline(screen):
    one = screen(text=ENGLISH)
    one.server.refuse = [(500, {})] * 1000
    marked(one)
    one.wait_for_state("offline")
    assert "The server has a problem" in one.page.locator("#save-state").inner_text()
    one.server.refuse = []
    one.saved()


@pytest.mark.parametrize(("status", "words"), [(503, "Saved here"), (507, "The server's disk is full")])
def test_what_the_server_cannot_take_just_now_is_kept_and_sent_again(screen, status, words):
    one = screen(text=ENGLISH)
    one.server.refuse = [(status, {"error": {"code": "busy", "message": "Later."}})] * 1000
    marked(one)
    one.wait_for_state("waiting")
    assert words in one.page.locator("#save-state").inner_text()
    del one.server.refuse[1:]  # once more, and then no longer
    one.saved()
    assert one.server.refuse == []
    assert one.server.draft["spans"][0]["quote"] == "Brazil"


def test_a_save_whose_503_came_after_the_commit_is_no_conflict_with_itself(screen):
    """A database that dies between the commit and its answer: the browser sends the same again, and knows its own."""
    one = screen(text=ENGLISH)
    save = one.server.save

    def save_and_say_503(*arguments):
        one.server.save = save
        status, data = save(*arguments)
        assert status == 200, data
        one.server.refuse = [(503, {})] * 1000
        return 503, {"error": {"code": "database_away", "message": "Later."}}

    one.server.save = save_and_say_503
    marked(one)
    one.wait_for_state("waiting")
    one.server.refuse = []
    one.saved()
    assert one.page.locator("dialog[open]").count() == 0
    assert one.server.version == 2


def test_a_submission_answered_503_is_handed_in_once(screen):
    one = screen(text=ENGLISH)
    marked(one)
    one.saved()
    one.server.refuse = [(503, {"error": {"code": "busy", "message": "Later."}})]
    one.press("Control+Enter")
    one.page.wait_for_url("**/next")
    assert len(one.server.submissions) == 1


def test_a_stale_token_is_renewed_without_a_word(screen):
    one = screen(text=ENGLISH)
    one.server.csrf = "token-2"
    marked(one)
    one.saved()
    assert one.page.locator("dialog[open]").count() == 0


def test_a_busy_server_is_asked_again_when_it_says(screen):
    one = screen(text=ENGLISH)
    one.server.refuse = [(429, {"error": {"code": "throttled"}})] * 1000
    marked(one)
    one.wait_for_state("busy")
    one.server.refuse = []
    one.saved()


@pytest.mark.parametrize("code", ["lease_lost", "submitted", "reassigned"])
def test_an_item_taken_away_says_what_happened_and_keeps_the_marks(screen, code):
    one = screen(text=ENGLISH)
    one.server.refuse = [(409, {"error": {"code": code, "message": ""}})]
    marked(one)
    one.wait_for_state("blocked")
    notice = one.page.locator("#span-notices")
    assert "still on this device" in notice.inner_text()
    assert notice.get_by_role("link", name="Next item").get_attribute("href") == "/next"
    with one.page.expect_download() as download:
        notice.get_by_role("button", name="Save a copy of my work").click()
    assert "Brazil" in download.value.path().read_text(encoding="utf-8")


def test_what_another_item_left_behind_is_sent(screen):
    one = screen(text=ENGLISH)
    one.page.evaluate(
        """async () => {
          const open = indexedDB.open("mizan-drafts", 1);
          await new Promise((done) => { open.onsuccess = done; });
          const store = open.result.transaction("drafts", "readwrite").objectStore("drafts");
          const body = { no_errors: true, spans: [] };
          const left = (owner, assignment) => ({ key: [owner, assignment, "gone"].join("|"), owner, assignment,
            client: "gone", version: 1, body, unanswered: [], submission: null, seconds: 3, seq: 1, at: 1,
            urls: { draft: "/api/draft", submit: "/api/submit" }, page: "/task/2" });
          store.put(left("owner-1", "a0"));
          store.put(left("owner-2", "a9"));
          await new Promise((done) => { store.transaction.oncomplete = done; });
          open.result.close();
        }"""
    )
    one.page.reload()
    one.ready()
    until(one.page, lambda: one.server.puts != [])
    one.page.wait_for_timeout(300)
    assert [put["body"]["no_errors"] for put in one.server.puts] == [True]  # mine, not the other person's
