"""One error in several places: marked by mouse, by keyboard alone and by finger, in scripts of both directions."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from annotation.models import SpanPart
from tests.frontend.application import at_item  # noqa: F401
from tests.frontend.conftest import SAVED
from tests.frontend.settling import at_rest, until
from tests.workflow.working import marking_stage
from workflow.models import Draft

pytestmark = pytest.mark.browser

ENGLISH = "She gave the whole idea up at once 👨‍👩‍👧, and he did too."
ARABIC = "البنات في القرية القديمة جميلة لعب الكرة كل يوم.\n\nالأصل بتاعه من إيطاليا."
BENGALI = "সে সকালে ক্ষীর রান্না করে ফেলল, তারপর ঘুমিয়ে পড়ল।"


def place(text: str, part: str) -> tuple[int, int]:
    start = text.index(part)
    return start, start + len(part)


def parts(one, number: int = 0) -> list[str]:
    span = one.spans()[number]
    return [span["quote"], *(part["quote"] for part in span.get("more", []))]


def painted(one) -> list[str]:
    """What is drawn as the selected mark, stretch by stretch."""
    return one.page.evaluate(
        "[...CSS.highlights.get('mark-selected')].map((range) => "
        "range.startContainer.data.slice(range.startOffset, range.endOffset))"
    )


@pytest.mark.parametrize(
    ("text", "lang", "direction", "words"),
    [
        (ENGLISH, "en-GB", "ltr", ("gave", "up", "👨‍👩‍👧, and")),
        (ARABIC, "ar-EG", "rtl", ("البنات", "لعب", "إيطاليا")),
        (BENGALI, "bn-BD", "ltr", ("সকালে", "ফেলল", "পড়ল")),
    ],
    ids=["English", "Arabic", "Bengali"],
)
def test_words_elsewhere_come_to_the_error_and_leave_it(screen, text, lang, direction, words):
    one = screen(text=text, lang=lang, dir=direction, page_lang=lang[:2], page_dir=direction)
    first, second, third = words
    one.drag(*place(text, second))
    one.press("a")
    one.drag(*place(text, third))
    one.press("a")
    one.drag(*place(text, first))  # what stands first in the text becomes the mark's own words
    assert parts(one) == [first, second, third]
    assert painted(one) == [first, second, third]
    for start, end, quote in [(span["start"], span["end"], span["quote"]) for span in one.spans()[0]["more"]]:
        assert text[start:end] == quote
    one.saved()
    expect(one.page.locator(".span-form__parts li").nth(1)).to_contain_text(f"Part 2 of 3: {second}")
    expect(one.page.locator(".span-list__quote")).to_have_text(f"{first} … {second} … {third}")
    one.page.get_by_role("button", name=f"Remove this part: {second}").click()
    assert parts(one) == [first, third]
    one.press("Control+z", "Control+z")  # each is one step
    assert parts(one) == [second, third]
    one.press("Control+z", "Control+z")
    assert one.count() == 0
    one.press("Control+Shift+z", "Control+Shift+z")
    assert parts(one) == [second, third]
    one.saved()


def test_any_of_its_words_leads_to_the_error(screen):
    one = screen(text=ENGLISH)
    one.drag(*place(ENGLISH, "gave"))
    one.press("a")
    one.drag(*place(ENGLISH, "up"))
    one.press("Escape")
    expect(one.page.locator(".span-form")).to_be_hidden()
    one.click(place(ENGLISH, "up")[0])
    expect(one.page.locator(".span-form__quote")).to_have_text("gave … up")
    one.press("Escape")
    one.click(place(ENGLISH, "whole")[0])  # between its parts there is no error
    expect(one.page.locator(".span-form")).to_be_hidden()
    one.drag(*place(ENGLISH, "up"))  # marked already
    assert one.count() == 1
    expect(one.page.locator(".span-form__quote")).to_have_text("gave … up")


def test_what_touches_or_overlaps_becomes_one_part(screen):
    one = screen(text=ENGLISH)
    one.drag(*place(ENGLISH, "gave"))
    one.press("a")
    one.drag(*place(ENGLISH, "up at"))
    one.press("a")
    one.drag(*place(ENGLISH, "idea up"))
    assert parts(one) == ["gave", "idea up at"]
    one.press("a")
    one.drag(*place(ENGLISH, "gave the whole idea"))
    assert parts(one) == ["gave the whole idea up at"]
    expect(one.page.locator(".span-form__parts")).to_be_hidden()
    one.saved()


def test_escape_leaves_the_error_as_it_is(screen):
    one = screen(text=ENGLISH)
    one.drag(*place(ENGLISH, "gave"))
    one.press("a", "Escape")
    one.drag(*place(ENGLISH, "up"))
    assert one.quotes() == ["gave", "up"]


def test_the_part_where_the_caret_is_grows_and_shrinks_and_may_reach_another(screen):
    one = screen(text=ENGLISH)
    one.drag(*place(ENGLISH, "gave"))
    one.press("a")
    one.drag(*place(ENGLISH, "up"))
    one.press("e", "e")
    assert parts(one) == ["gave", "up at once"]
    one.press("Shift+E", "b")
    assert parts(one) == ["gave", "idea up at"]
    one.click(place(ENGLISH, "gave")[0])
    one.press("e", "e")
    assert parts(one) == ["gave the whole", "idea up at"]
    one.press("e")  # grown into its other part
    assert parts(one) == ["gave the whole idea up at"]
    one.saved()


def test_only_an_error_in_one_place_is_looked_for_again(screen):
    one = screen(text="Tea is cold. Tea is hot.")
    one.drag(0, 3)
    expect(one.page.get_by_role("button", name="The same words again")).to_be_visible()
    one.press("a")
    one.drag(7, 11)
    expect(one.page.get_by_role("button", name="The same words again")).to_be_hidden()
    one.press("r")
    expect(one.page.locator(".span-form")).to_contain_text("Only an error in one place can be looked for again.")
    assert one.count() == 1


def test_two_errors_may_share_words(screen):
    one = screen(text=ENGLISH)
    one.drag(*place(ENGLISH, "gave the whole"))
    one.drag(*place(ENGLISH, "up"))
    one.press("a")
    one.drag(*place(ENGLISH, "whole idea"))
    assert [parts(one, 0), parts(one, 1)] == [["gave the whole"], ["whole idea", "up"]]
    lanes = one.page.evaluate("mizanSpans.document.list().map(({ id }) => mizanSpans.painter.laneOf(id))")
    assert lanes[0] != lanes[1]


@pytest.mark.parametrize(
    ("text", "lang", "direction", "forward"),
    [(ARABIC, "ar-EG", "rtl", "ArrowLeft"), (BENGALI, "bn-BD", "ltr", "ArrowRight")],
    ids=["Arabic", "Bengali"],
)
def test_by_keyboard_alone(screen, text, lang, direction, forward):
    one = screen(text=text, lang=lang, dir=direction, page_lang=lang[:2], page_dir=direction)
    words = text.replace(",", "").split()
    one.page.locator("#span-text").focus()
    one.press(forward, "Enter", "Enter")
    one.press("a", forward, forward, "Enter", "Enter")
    assert parts(one) == [words[1], words[3]]
    one.press("Tab")
    one.saved()


def test_a_draft_that_another_tab_has_changed_shows_both_versions_of_the_parts(screen):
    one = screen(text=ENGLISH)
    one.drag(*place(ENGLISH, "gave"))
    one.saved()
    start, end = place(ENGLISH, "up")
    theirs = {**one.spans()[0], "more": [{"end": end, "quote": "up", "start": start}]}
    one.server.draft = {"no_errors": False, "spans": [theirs]}
    one.server.version += 1
    one.press("a")
    one.drag(*place(ENGLISH, "at once"))
    dialog = one.page.get_by_role("dialog")
    expect(dialog).to_contain_text("gave … up")
    expect(dialog).to_contain_text("gave … at once")


# --- Without a connection, and in two tabs: on the application itself ------------------------------------------


@pytest.fixture
def stage(project, koshari):
    return marking_stage(project)


@pytest.fixture
def at_work(at_item, mona, stage):  # noqa: F811
    rater = mona.raters.get()
    rater.varieties.set([stage.items.first().variety])
    return at_item(mona, stage)


def mark_by_keys(tab, *keys: str) -> None:
    for key in keys:
        tab.keyboard.press(key)


def marks(tab) -> list[dict]:
    return tab.evaluate("mizanSpans.document.serialise().spans")


def words_of(mark: dict) -> list[str]:
    return [mark["quote"], *(part["quote"] for part in mark.get("more", []))]


def explain(tab) -> None:
    tab.check("input[name=span-type][value=cultural]", force=True)
    tab.check("input[name=span-criticality][value=high]", force=True)
    tab.fill("#span-explanation", "غلط في مكانين")


TEXT_FIRST, NEXT_WORD = ("Enter", "Enter"), ("ArrowLeft", "Enter", "Enter")


@pytest.mark.django_db(transaction=True)
def test_parts_marked_without_a_connection_outlive_a_reload_and_are_handed_in_later(at_work, stage):
    page = at_work
    page.route("**/api/**", lambda route: route.abort("internetdisconnected"))
    page.route("**/tasks/*/draft", lambda route: route.abort("internetdisconnected"))
    mark_by_keys(page, *TEXT_FIRST, "a", "ArrowLeft", *NEXT_WORD)
    explain(page)
    [mark] = marks(page)
    assert len(words_of(mark)) == 2
    page.wait_for_selector("#save-state[data-state=offline]")
    page.reload()
    page.wait_for_selector("html[data-span-editor=ready]")
    assert marks(page) == [mark], "kept on the device, part by part"
    assert not Draft.objects.exists()
    page.context.set_offline(True)
    page.unroute("**/api/**")
    page.unroute("**/tasks/*/draft")
    page.keyboard.press("Control+Enter")
    page.locator("#save-state").get_by_text("submitted when you are back online").wait_for()
    assert not SpanPart.objects.exists()
    with page.expect_navigation():
        page.context.set_offline(False)
    part = SpanPart.objects.select_related("span").get()
    assert [part.span.quote, part.quote] == words_of(mark)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("button", ["Combine both", "Keep the one on this page", "Use the one saved elsewhere"])
def test_of_two_tabs_that_each_brought_words_to_one_error_nothing_is_lost(at_work, button):
    page = at_work
    mark_by_keys(page, *TEXT_FIRST)
    page.wait_for_selector(SAVED)
    first = marks(page)[0]["quote"]
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("html[data-span-editor=ready]")
    for tab, steps in ((other, 2), (page, 4)):
        tab.evaluate("mizanSpans.select(mizanSpans.document.list()[0].id)")
        mark_by_keys(tab, "a", *["ArrowLeft"] * steps, "Enter", "Enter")
        if tab is other:
            tab.wait_for_selector(SAVED)
            until(tab, lambda: "more" in Draft.objects.get().body["spans"][0])
    theirs, mine = (words_of(marks(tab)[0])[1:] for tab in (other, page))
    assert theirs
    assert mine
    assert theirs != mine
    dialog = page.get_by_role("dialog")
    for [part] in (theirs, mine):
        expect(dialog).to_contain_text(f"{first} … {part}")
    dialog.get_by_role("button", name=button).click()
    page.wait_for_selector(SAVED)
    kept = {"Combine both": [first, *theirs, *mine], "Keep the one on this page": [first, *mine]}
    assert [words_of(each) for each in marks(page)] == [kept.get(button, [first, *theirs])]
    until(page, lambda: Draft.objects.get().body["spans"] == marks(page))
    mark_by_keys(page, "Escape", "Control+z")
    if button != "Keep the one on this page":
        assert [words_of(each) for each in marks(page)] == [[first, *mine]], "one step of undo"


# --- On a phone --------------------------------------------------------------------------------------------


@pytest.fixture
def phone(screen_on_a_phone):
    return screen_on_a_phone(text=ARABIC, lang="ar-EG", dir="rtl", page_lang="ar", page_dir="rtl")


def asked_for_words(phone):
    """An error on the first word, and the button that asks for words elsewhere."""
    phone.tap(1)
    phone.tap(1)
    phone.page.get_by_role("button", name="Add words elsewhere").tap()
    at_rest(phone.page)


def with_two_parts(phone):
    verb = ARABIC.index("لعب")
    asked_for_words(phone)
    phone.tap(verb)
    phone.tap(verb)
    assert parts(phone) == ["البنات", "لعب"]


def test_by_finger(phone):
    with_two_parts(phone)
    assert phone.page.evaluate("document.documentElement.scrollWidth") == 360
    remove = phone.page.get_by_role("button", name="Remove this part: لعب")
    box = remove.bounding_box()
    assert min(box["width"], box["height"]) >= 43.5
    remove.tap()
    assert parts(phone) == ["البنات"]
    phone.saved()


def test_words_chosen_by_a_long_press_come_to_the_error(phone):
    asked_for_words(phone)
    verb = ARABIC.index("لعب")
    phone.long_press(verb + 1)
    assert parts(phone) == ["البنات"], "the press itself is no tap"
    phone.choose(verb, verb + len("لعب"))
    phone.page.get_by_role("button", name="Add to this error").tap()
    assert parts(phone) == ["البنات", "لعب"]
    assert phone.page.evaluate("getSelection().isCollapsed")
    phone.saved()


def test_no_barrier_is_found_where_an_error_has_parts(phone):
    with_two_parts(phone)
    found = Axe().run(phone.page, ".span-form, .span-list")
    assert found.violations_count == 0, found.generate_report()
