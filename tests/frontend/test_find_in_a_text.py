"""Mona looks for words in a long text: what she types is found however it is written there, and she loses no place."""

import pytest

from annotation.models import Marking
from tests.annotation.rated import make_ratings_project, pair_of, question_type
from tests.annotation.rating import rating_stage, turn_of
from tests.frontend.settling import at_rest, until
from tests.people import add_response, join, person, signed_in
from tests.workflow.working import marking_stage
from workflow.claims import claim_next

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FILLER = "\n".join("سطر من الكلام عن الأكل في رمضان والعيد، مع الشاي بالنعناع والكعك." for _ in range(40))
LONG = f"# الكُشَري\n\nقال أحمد إن **الكشري** أكلة 👩‍👧 لذيذة.\n{FILLER}\nوسأل إحمـــد عن المدرسة.\n{FILLER}\nثم آحمد."
#: The words that the highlights of a name lie on.
PAINTED = """(name) => [...(CSS.highlights.get(name) ?? [])]
  .map(({ startContainer, startOffset, endOffset }) => startContainer.data.slice(startOffset, endOffset))"""
CURRENT_IS_IN_SIGHT = """() => [...CSS.highlights.get("found-current")].every((one) => {
  const range = document.createRange();
  range.setStart(one.startContainer, one.startOffset);
  range.setEnd(one.endContainer, one.endOffset);
  const box = range.getBoundingClientRect();
  const bar = document.querySelector(".find").getBoundingClientRect();
  return box.height > 0 && box.top >= bar.bottom && box.bottom <= innerHeight;
})"""


@pytest.fixture
def opened(page, bundle, live_server):
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)

    def open_for(user, turn, ready="span-editor", language="en"):
        cookies = {"sessionid": signed_in(user).cookies["sessionid"].value, "django_language": language}
        page.context.add_cookies(
            [{"name": name, "value": value, "url": live_server.url} for name, value in cookies.items()]
        )
        page.goto(f"{live_server.url}/tasks/{turn.uuid}/")
        page.wait_for_selector(f"html[data-{ready}=ready]")
        return page

    yield open_for
    assert errors == []


@pytest.fixture
def marking(opened, project, mona):
    """A long text in Arabic; the screen is in a language."""

    def open_in(language="en", text=LONG):
        type(add_response(project, "long", text, "ar-EG")).objects.exclude(text=text).delete()
        return opened(mona, claim_next(mona.raters.get(), marking_stage(project)), language=language)

    return open_in


def find(page, words, *, key="/"):
    page.keyboard.press(key)
    field = page.get_by_role("search").get_by_role("searchbox")
    field.wait_for()
    until(page, lambda: page.evaluate("document.activeElement.matches('.find input')"))
    field.fill(words)
    return page.locator(".find__count")


@pytest.fixture
def bar_on_its_way():
    """The bar is asked for on a page, and comes when the story says so."""

    def ask(page):
        held = []
        page.route("**/static/find.js*", lambda route: held.append(route))
        with page.expect_request("**/static/find.js*"):
            page.keyboard.press("/")
        return lambda: held[0].continue_()

    return ask


def test_what_is_typed_before_the_bar_has_come_is_looked_for_and_no_verdict(marking, bar_on_its_way):
    page = marking()
    before = page.evaluate("document.activeElement.id")
    comes = bar_on_its_way(page)
    page.keyboard.type("s0")  # alone, `s` would skip the item and `0` say that there are no errors
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.type("أحمد")
    comes()
    page.get_by_text("1 of 3").wait_for()
    assert page.get_by_role("searchbox").input_value() == "أحمد"
    assert page.locator("dialog[open]").count() == 0
    assert not page.evaluate("mizanSpans.document.serialise()")["no_errors"]
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == before


def test_one_may_change_ones_mind_before_the_bar_has_come(marking, bar_on_its_way):
    page = marking()
    before = page.evaluate("document.activeElement.id")
    comes = bar_on_its_way(page)
    page.keyboard.press("Escape")
    comes()
    until(page, lambda: page.evaluate("Boolean(window.mizanFind)"))
    assert page.evaluate("document.activeElement.id") == before
    assert page.locator("body > input, .find").count() == 0


@pytest.mark.parametrize("language", ["en", "ar"])
def test_each_place_is_stepped_to_and_told_and_escape_leads_back(language, marking):
    page = marking(language)
    page.evaluate("scrollTo({ top: 100, behavior: 'instant' })")
    at_rest(page)
    before = page.evaluate("[scrollY, document.activeElement.id]")
    count = find(page, "احمد")
    assert count.inner_text().split()[0] == "1"
    assert count.inner_text().split()[-1] == "3"
    assert page.evaluate(PAINTED, "found") == ["أحمد", "إحمـــد", "آحمد"]
    seen = [page.evaluate(PAINTED, "found-current")]
    status = page.get_by_role("search").get_by_role("status")
    assert "أكلة" in status.text_content(), "what stands about it is told"
    for key in ("Enter", "Enter", "Enter", "Shift+Enter"):
        page.keyboard.press(key)
        seen.append(page.evaluate(PAINTED, "found-current"))
        assert page.evaluate(CURRENT_IS_IN_SIGHT)
    assert seen == [["أحمد"], ["إحمـــد"], ["آحمد"], ["أحمد"], ["آحمد"]]
    page.keyboard.press("Escape")
    at_rest(page)
    assert page.evaluate("[scrollY, document.activeElement.id]") == before
    assert page.evaluate(PAINTED, "found") == []
    assert page.locator(".find").count() == 0


def test_read_on_here_and_the_keys_of_the_text_mark_what_was_found(marking):
    page = marking()
    find(page, "المدرسه")
    page.get_by_text("Not found").wait_for()
    page.get_by_label("Similar letters too").check()
    page.get_by_text("1 of 1").wait_for()
    page.get_by_role("searchbox").press("ArrowDown")
    assert page.evaluate("document.activeElement.id") == "span-text"
    for _ in range(2):
        page.keyboard.press("Enter")
    assert page.evaluate("mizanSpans.document.serialise().spans.map(({ quote }) => quote)") == ["المدرسة"]
    page.reload()
    page.wait_for_selector("html[data-span-editor=ready]")
    count = find(page, "المدرسه")
    assert count.inner_text() == "1 of 1", "the choice is remembered on this device"


def test_the_range_is_that_of_the_source_rendered_or_plain_and_the_text_stays(marking):
    page = marking()
    text = page.evaluate("document.querySelector('#span-text').textContent")
    count = find(page, "الكشري اكلة")
    assert count.inner_text() == "1 of 1"
    start = LONG.index("الكشري** أكلة")
    source = [[start, start + len("الكشري** أكلة")]]
    ranges = "mizanFind.open(mizanSpans).ranges"
    assert page.evaluate(ranges) == source
    assert page.evaluate("document.querySelector('#span-text').textContent") == text
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    count = find(page, "الكشري** اكلة")
    assert count.inner_text() == "1 of 1"
    assert page.evaluate(ranges) == source
    # What was drawn anew while the bar stands open is searched anew.
    page.locator(".find button[aria-keyshortcuts=Escape]").focus()
    page.evaluate("document.querySelector('.tool--plain').click()")
    page.get_by_role("search").get_by_role("searchbox").press("Enter")
    page.get_by_text("Not found").wait_for()


def test_keys_in_the_bar_give_no_verdict_and_hand_nothing_in(marking):
    page = marking()
    count = find(page, "0")
    for keys in ("Control+Enter", "0", "m", "?"):
        page.keyboard.press(keys)
    page.get_by_role("button", name="The next place").focus()
    for keys in ("0", "m", "Control+Enter"):
        page.keyboard.press(keys)
    assert page.locator("dialog[open]").count() == 0
    answer = page.evaluate("mizanSpans.document.serialise()")
    assert answer["spans"] == []
    assert not answer["no_errors"]
    assert not Marking.objects.exists()
    assert count.inner_text() == "Not found"


def test_a_composed_enter_only_ends_the_composing(marking):
    page = marking()
    count = find(page, "أحمد")
    assert count.inner_text() == "1 of 3"
    page.get_by_role("searchbox").evaluate(
        """(field) => field.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }))"""
    )
    assert count.inner_text() == "1 of 3"


def test_an_arabic_keyboard_opens_it_by_the_key_of_the_sign(marking):
    page = marking("ar")
    page.evaluate(
        """document.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'ظ', code: 'Slash', bubbles: true, cancelable: true }))"""
    )
    page.get_by_role("search").wait_for()


def test_nothing_of_it_is_fetched_before_it_is_asked_for_and_a_server_that_is_away_is_told(marking):
    page = marking()
    assert page.locator("script[src*='find.js']").count() == 0
    page.route("**/static/find.js*", lambda route: route.abort(), times=1)
    button = page.get_by_role("button", name="Find in the text")
    button.click()
    page.get_by_role("alert").filter(has_text="could not be loaded").wait_for()
    button.click()
    page.get_by_role("search").wait_for()


def test_bengali_words_are_found_in_either_spelling_on_a_phone(opened, page, project):
    text = "\n".join(["উৎসবের সম\u09df মেলা বসে, আর সবাই নতুন জামা পরে ঘুরতে যায়।"] * 30) + "\nএই সম\u09af\u09bc।"
    add_response(project, "bengali", text, "bn-BD")
    reader = join(person("reader@example.org", "Reader"), project, "annotator", varieties=("bn-BD",))
    page.set_viewport_size({"width": 360, "height": 640})
    opened(reader, claim_next(reader.raters.get(), marking_stage(project)), language="bn")
    page.locator("button[aria-keyshortcuts='/']").click()
    page.get_by_role("searchbox").fill("সম\u09df")
    page.get_by_role("searchbox").press("Shift+Enter")
    assert page.evaluate(PAINTED, "found-current") == ["সম\u09af\u09bc"]
    assert page.evaluate(CURRENT_IS_IN_SIGHT)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    bar = page.locator(".find").bounding_box()
    assert bar["x"] >= 0
    assert bar["width"] <= 360
    tools = page.locator("#span-toolbar")
    assert tools.evaluate("(bar) => bar.scrollWidth <= bar.clientWidth"), "the tools still stand side by side"


def test_both_responses_and_the_prompt_are_searched_and_a_closed_prompt_opens(opened, project, mona):
    pair_of(project, "greeting", LONG, f"{FILLER}\nأحمد", question=question_type(make_ratings_project(project)))
    turn = turn_of(mona, rating_stage(project))
    page = opened(mona, turn, "ratings")
    page.locator("details[data-remember=prompt]").evaluate("(prompt) => { prompt.open = false; }")
    word = turn.item.pair.prompt.text.split()[0]
    count = find(page, "احمد")
    assert count.inner_text().endswith("of 4")
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Enter")
    at_rest(page)
    assert page.evaluate(CURRENT_IS_IN_SIGHT)
    page.get_by_role("searchbox").fill(word)
    page.locator("details[data-remember=prompt][open]").wait_for()
    page.keyboard.press("Escape")
    until(page, lambda: page.evaluate("!document.querySelector('details[data-remember=prompt]').open"))


def test_the_browsers_own_search_reaches_what_is_laid_out_late(marking):
    """Nothing is kept from it: content-visibility is `auto` wherever it is used."""
    page = marking()
    assert page.evaluate("window.find('آحمد')")
    styles = page.evaluate(
        """() => [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText)
          .filter((text) => /content-visibility:\\s*hidden/.test(text))"""
    )
    assert styles == []


def test_without_highlights_boxes_lie_over_the_place(marking, page):
    page.add_init_script("delete window.Highlight;")
    marking()
    find(page, "إحمد")
    box = page.locator(".find-box")
    box.wait_for()
    assert box.count() == 1
    page.keyboard.press("Escape")
    assert box.count() == 0
