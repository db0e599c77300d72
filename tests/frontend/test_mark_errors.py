"""Marking by mouse, by finger and by keyboard alone, in scripts of both directions."""

import pytest
from playwright.sync_api import expect

from tests.frontend.conftest import Screen
from tests.frontend.settling import at_rest

pytestmark = pytest.mark.browser

ENGLISH = "Kopi luwak comes from Brazil.\n\nIt is drunk cold at weddings."
ARABIC = "الكشري أكلة مصرية مشهورة 👨‍👩‍👧.\n\nالأصل بتاعه من إيطاليا."
BENGALI = "পান্তা ভাত পহেলা বৈশাখের খাবার।\n\nক্ষীর আর দুর্গাপূজা।"


def place(text: str, part: str) -> tuple[int, int]:
    start = text.index(part)
    return start, start + len(part)


def test_a_drag_snaps_to_words(screen):
    one = screen(text=ENGLISH)
    start, end = place(ENGLISH, "uwak come")
    one.drag(start, end)
    assert one.quotes() == ["luwak comes"]
    assert (one.spans()[0]["start"], one.spans()[0]["end"]) == place(ENGLISH, "luwak comes")


def test_a_key_that_comes_with_the_release_of_the_mouse_acts_on_the_new_mark(screen):
    one = screen(text=ENGLISH)
    start, end = place(ENGLISH, "luwak comes")
    one.page.evaluate(
        """addEventListener("click", () => document.activeElement.dispatchEvent(new KeyboardEvent("keydown",
            { key: "2", code: "Digit2", bubbles: true, cancelable: true })), { once: true })"""
    )
    one.drag(start, end)
    assert one.quotes() == ["luwak comes"]
    assert one.spans()[0]["type"] == one.page.evaluate("mizanSpans.task.types[1].value")


def test_what_a_drag_will_mark_is_seen_before_it_ends(screen):
    one = screen(text=ENGLISH)
    start, end = place(ENGLISH, "uwak come")
    one.page.mouse.move(*one.point(start))
    one.page.mouse.down()
    one.page.mouse.move(*one.point(end - 1), steps=5)
    at_rest(one.page)
    seen = """[...CSS.highlights.get('mark-pending') ?? []].map((place) => {
      const range = document.createRange();
      range.setStart(place.startContainer, place.startOffset);
      range.setEnd(place.endContainer, place.endOffset);
      return range.toString();
    })"""
    assert one.page.evaluate(seen) == ["luwak comes"]
    assert one.count() == 0
    one.page.mouse.up()
    at_rest(one.page)
    assert one.quotes() == ["luwak comes"]
    assert one.page.evaluate(seen) == []


def test_shift_marks_letters_but_never_half_a_grapheme(screen):
    one = screen(text=ENGLISH)
    start, end = place(ENGLISH, "uwak com")
    # The pointer presses and releases on the middle of a letter; what lies under it decides, not the exact pixel.
    one.drag(start, end, shift=True)
    quote = one.quotes()[0]
    assert quote in "luwak comes"
    assert quote != "luwak comes"


def test_a_quick_drag_across_paragraphs_keeps_the_text_between(screen):
    one = screen(text=ENGLISH)
    start, _ = place(ENGLISH, "Brazil")
    _, end = place(ENGLISH, "It is")
    one.drag(start, end)
    assert one.quotes() == ["Brazil.\n\nIt is"]
    one.saved()


def test_double_click_marks_a_word_and_on_a_mark_selects_it(screen):
    one = screen(text=ENGLISH)
    x, y = one.point(6)
    one.page.mouse.dblclick(x, y)
    at_rest(one.page)
    assert one.quotes() == ["luwak"]
    one.page.mouse.dblclick(x, y)
    at_rest(one.page)
    assert one.quotes() == ["luwak"]


def test_marks_may_overlap_and_nest_and_each_can_be_reached(screen):
    one = screen(text=ENGLISH)
    one.drag(*place(ENGLISH, "Kopi luwak comes"))
    one.drag(*place(ENGLISH, "comes from"))
    one.drag(*place(ENGLISH, "luwak"))
    assert one.quotes() == ["Kopi luwak comes", "luwak", "comes from"]
    lanes = one.page.evaluate("mizanSpans.document.list().map(({ id }) => mizanSpans.painter.laneOf(id))")
    assert lanes[0] != lanes[1]
    assert lanes[0] != lanes[2]
    one.press("Escape")
    at, _ = place(ENGLISH, "luwak")
    one.click(at)
    assert selected_quote(one) == "luwak"
    one.click(at)  # again: the mark beneath
    assert selected_quote(one) == "Kopi luwak comes"


def test_marking_the_same_words_again_selects_the_mark(screen):
    one = screen(text=ENGLISH)
    one.drag(*place(ENGLISH, "Brazil."))
    one.drag(*place(ENGLISH, "Brazil."))
    assert one.quotes() == ["Brazil"]
    one.page.get_by_role("button", name="Another error here").click()
    assert one.quotes() == ["Brazil", "Brazil"]


def test_the_words_of_a_mark_can_be_changed(screen):
    one = screen(text=ENGLISH)
    one.drag(*place(ENGLISH, "Brazil."))
    one.fill("cultural", "high", "It is from Java.")
    one.page.get_by_role("button", name="Change the words").click()
    one.drag(*place(ENGLISH, "from Brazil."))
    assert one.quotes() == ["from Brazil"]
    assert one.spans()[0]["explanation"] == "It is from Java."


@pytest.mark.parametrize(
    ("text", "lang", "direction"), [(ARABIC, "ar-EG", "rtl"), (BENGALI, "bn-BD", "ltr")], ids=["Arabic", "Bengali"]
)
def test_a_mark_grows_and_shrinks_by_key_and_its_form_stays(screen, text, lang, direction):
    one = screen(text=text, lang=lang, dir=direction, page_lang=lang[:2], page_dir=direction)
    words = text.split()
    one.drag(*place(text, words[1]))
    one.press("1", "5")
    one.page.keyboard.type("Be")  # what is typed is text
    one.press("Escape", "Shift+ArrowDown")  # and back to the error, out of the field
    one.page.locator('.span-form input[type="radio"]:checked').first.focus()
    one.press("e", "b")
    assert one.quotes() == [" ".join(words[:3])]
    one.press("Shift+E", "Shift+B")
    assert one.quotes() == [words[1]]
    one.press("Shift+E", "Shift+B")  # nothing of it would be left
    assert one.quotes() == [words[1]]
    one.press("l", "e", "e")  # by letters
    [quote] = one.quotes()
    assert quote.startswith(f"{words[1]} ")
    assert len(quote) < len(f"{words[1]} {words[2]}")
    span = one.spans()[0]
    assert (span["type"], span["criticality"], span["explanation"]) == ("cultural", "high", "Be")
    one.press("Control+z")
    assert one.quotes() == [words[1]]
    one.saved()


@pytest.mark.parametrize(
    ("sentence", "word", "lang", "direction"),
    [
        ("Cold tea is drunk here. ", "tea", "en", "ltr"),
        ("الكشري أكلة مصرية. ", "أكلة", "ar-EG", "rtl"),
        ("পান্তা ভাত খাই। ", "ভাত", "bn-BD", "ltr"),
        ("찬 김치와 밥 👩‍👧. ", "김치와", "ko-KR", "ltr"),
    ],
    ids=["English", "Arabic", "Bengali", "Korean"],
)
def test_the_same_words_are_marked_again_one_by_one(screen, sentence, word, lang, direction):
    text = (sentence * 4).strip()
    one = screen(text=text, lang=lang, dir=direction, page_lang=lang[:2], page_dir=direction)
    one.drag(*place(text, word))
    one.press("1", "5")
    one.page.keyboard.type("Be")
    one.press("Escape", "Shift+ArrowDown")
    one.page.locator('.span-form input[type="radio"]:checked').first.focus()
    one.press("r", "n")  # not at the second place
    one.page.keyboard.press("Enter")  # at the third
    one.page.keyboard.press("Escape")  # and the fourth is left
    expect(one.page.get_by_role("group", name="The same words again")).to_be_hidden()
    first, third = one.spans()
    assert third["quote"] == first["quote"] == word
    assert third["start"] - first["start"] == 2 * len(sentence)
    assert third["origin"] == first["id"]
    assert "origin" not in first
    said = ("type", "criticality", "explanation")
    assert [third[field] for field in said] == [first[field] for field in said] == ["cultural", "high", "Be"]
    expect(one.page.locator(".span-form h2")).to_have_text("Error 1")  # back where one came from
    one.press("r")  # the places that are left are two
    expect(one.page.get_by_role("group", name="The same words again")).to_contain_text("1 of 2")
    one.page.keyboard.press("Escape")
    one.press("Control+z")
    assert one.count() == 1
    one.saved()


def test_a_mark_with_other_words_repeats_none_any_more(screen):
    text = "Tea is cold. Tea is hot."
    one = screen(text=text)
    one.drag(0, 3)
    one.page.get_by_role("button", name="The same words again").click()
    one.page.get_by_role("button", name="Mark here too").click()
    assert len(one.spans()) == 2
    one.page.get_by_role("button", name="The same words again").click()
    expect(one.page.locator(".span-form")).to_contain_text("These words stand nowhere else unmarked.")
    one.press("Shift+ArrowDown", "e")
    assert [span.get("origin") for span in one.spans()] == [None, None]
    one.press("Control+z")
    first, second = one.spans()
    assert second["origin"] == first["id"]
    one.saved()


def test_the_steps_end_where_their_origin_is_taken_back(screen):
    text = "Tea is cold. Tea is hot. Tea is sweet."
    one = screen(text=text)
    one.drag(0, 3)
    one.press("r")
    bar = one.page.get_by_role("group", name="The same words again")
    expect(bar).to_be_visible()
    one.press("Control+z")
    expect(bar).to_be_hidden()
    one.press("r", "n")  # nothing is selected, so these say nothing
    expect(bar).to_be_hidden()
    assert one.count() == 0


@pytest.mark.parametrize(
    ("text", "lang", "direction", "forward"),
    [(ARABIC, "ar-EG", "rtl", "ArrowLeft"), (BENGALI, "bn-BD", "ltr", "ArrowRight")],
    ids=["Arabic", "Bengali"],
)
def test_everything_works_by_keyboard_alone(screen, text, lang, direction, forward):
    one = screen(text=text, lang=lang, dir=direction, page_lang=lang[:2], page_dir=direction)
    words = text.split()
    one.page.locator("#span-text").focus()
    one.press(forward, "Enter", forward, "Enter")
    assert one.quotes() == [" ".join(words[1:3])]
    one.press("1", "5")  # cultural, high; the cursor is then in the explanation
    one.page.keyboard.type("No 1 reason")
    span = one.spans()[0]
    assert (span["type"], span["criticality"], span["explanation"]) == ("cultural", "high", "No 1 reason")
    one.press("Escape")  # back to the text, at the mark
    one.press(forward, "Space", "Space")
    assert one.quotes() == [" ".join(words[1:3]), words[2]]
    one.press("Backspace")
    assert one.count() == 1
    one.press("Control+z")
    assert one.count() == 2
    one.saved()


def test_shift_and_arrows_walk_by_grapheme(screen):
    one = screen(text=BENGALI, lang="bn-BD")
    one.page.locator("#span-text").focus()
    one.press("ArrowDown", "ArrowDown", "Home")  # the second paragraph begins with a conjunct
    one.press("Shift+ArrowRight", "Enter", "Enter")
    assert one.quotes() == ["ক্ষী"]  # never inside the conjunct


def test_escape_takes_a_start_back(screen):
    one = screen(text=ENGLISH)
    one.page.locator("#span-text").focus()
    one.press("Enter")
    assert one.page.locator(".pending-hint").is_visible()
    one.press("Escape")
    assert one.page.locator(".pending-hint").is_hidden()
    one.press("ArrowRight", "Enter", "Enter")
    assert one.quotes() == ["luwak"]


def test_digits_and_backspace_are_text_while_typing(screen):
    one = screen(text=ENGLISH)
    one.drag(*place(ENGLISH, "Brazil."))
    one.page.locator("#span-explanation").click()
    one.page.keyboard.type("12?")
    one.press("Backspace")
    span = one.spans()[0]
    assert (span["explanation"], span["type"]) == ("12", "")
    assert one.page.locator("dialog[open]").count() == 0


def test_arrows_move_between_errors(screen):
    one = screen(text=ENGLISH)
    one.drag(*place(ENGLISH, "Kopi"))
    one.drag(*place(ENGLISH, "cold"))
    one.press("ArrowUp")
    assert selected_quote(one) == "Kopi"
    one.press("ArrowRight")
    assert selected_quote(one) == "cold"


def test_arrows_are_visual_on_a_page_from_right_to_left(screen):
    one = screen(text=ARABIC, lang="ar-EG", dir="rtl", page_lang="ar", page_dir="rtl")
    one.drag(*place(ARABIC, "الكشري"))
    one.drag(*place(ARABIC, "مصرية"))
    one.press("ArrowRight")
    assert selected_quote(one) == "الكشري"
    one.press("ArrowLeft")
    assert selected_quote(one) == "مصرية"


def test_undo_and_redo_walk_back_through_everything(screen):
    one = screen(text=ENGLISH)
    one.drag(*place(ENGLISH, "Brazil."))
    one.press("1")
    one.page.fill("#span-explanation", "Java")
    one.press("Escape")
    for left in ("", None):
        one.press("Control+z")
        if left is not None:
            assert one.spans()[0]["explanation"] == left
    assert one.spans()[0]["type"] == ""
    one.press("Control+z")
    assert one.count() == 0
    one.press("Control+Shift+z", "Control+Shift+z", "Control+Shift+z")
    assert one.spans()[0]["explanation"] == "Java"
    assert one.spans()[0]["type"] == "cultural"


def test_something_missing_is_anchored_to_a_paragraph_or_the_response(screen):
    one = screen(text=ENGLISH)
    one.page.get_by_role("button", name="Something is missing").click()
    one.page.locator("dialog[open] label", has_text="Paragraph 2").click()
    one.page.get_by_role("button", name="Add", exact=True).click()
    expect(one.page.locator(".span-form")).to_be_visible()  # a dialog tells that it is closed a moment later
    one.fill("cultural", "low", "Does not say who drinks it.")
    one.page.get_by_role("button", name="Something is missing").click()
    one.page.get_by_role("button", name="Add", exact=True).click()
    at_rest(one.page)
    anchors = [(s["anchor"], s["paragraph"], s["start"], s["end"], s["quote"]) for s in one.spans()]
    assert anchors == [("paragraph", 1, None, None, ""), ("response", None, None, None, "")]
    assert one.page.locator(".span-form__quote").inner_text() == "Missing from the whole response"
    assert "has-omission" in one.page.locator("#span-text p").nth(1).get_attribute("class")


def test_no_errors_is_said_explicitly_and_withdrawn_by_the_first_mark(screen):
    one = screen(text=ENGLISH)
    one.page.get_by_role("button", name="There are no errors").click()
    one.saved()
    assert one.server.draft == {"no_errors": True, "spans": []}
    one.drag(*place(ENGLISH, "Brazil."))
    one.saved()
    assert one.server.draft["no_errors"] is False


def test_an_error_is_its_words_three_keys_and_one_to_submit(screen):
    """Select, type, criticality, what is wrong, submit. The cursor is in the explanation after the second key."""
    one = screen(text=ENGLISH)
    assert one.page.evaluate("document.activeElement.id") == "span-text"
    one.drag(*place(ENGLISH, "Brazil."))
    one.press("1", "5")
    one.page.keyboard.type("J")
    one.press("Control+Enter")
    one.page.wait_for_url("**/next")
    (span,) = one.server.posts[0]["body"]["spans"]
    assert (span["type"], span["criticality"], span["explanation"]) == ("cultural", "high", "J")


def test_there_are_no_errors_is_one_key_and_one_to_submit(screen):
    one = screen(text=ENGLISH)
    for name, key in (
        ("There are no errors", "0"),
        ("Something is missing", "M"),
        ("Submit", "Ctrl ⏎"),
        ("Letters", "L"),
    ):
        assert one.page.get_by_role("button", name=name).locator("kbd").inner_text() == key
    one.press("0")
    assert one.page.get_by_role("button", name="There are no errors").get_attribute("aria-pressed") == "true"
    one.press("Control+Enter")
    one.page.wait_for_url("**/next")
    assert one.server.posts[0]["body"] == {"no_errors": True, "spans": []}


def test_the_category_is_asked_where_the_project_asks_it(screen):
    food = {"value": "food", "label": "Food", "type": "cultural"}
    grammar = {"value": "grammar", "label": "Grammar", "type": "linguistic"}
    one = screen(text=ENGLISH, categories=[food, grammar])
    one.drag(*place(ENGLISH, "Brazil."))
    one.fill("cultural", "high", "Java")
    one.press("Control+Enter")
    assert "Choose a category" in one.page.locator(".error-summary").inner_text()
    assert one.page.locator("#span-category option").all_inner_texts() == ["Choose…", "Food"]
    one.page.select_option("#span-category", "food")
    one.press("Control+Enter")
    one.page.wait_for_url("**/next")
    assert one.server.posts[0]["body"]["spans"][0]["category"] == "food"


def test_the_keys_are_shown_and_can_be_switched_off(screen):
    one = screen(text=ENGLISH)
    one.press("?")
    dialog = one.page.locator("dialog[open]")
    assert "Word by word" in dialog.inner_text()
    expect(dialog.get_by_role("heading", name="Keys")).to_be_in_viewport()  # it is longer than many a window
    dialog.locator("#single-keys").uncheck()
    dialog.get_by_role("button", name="Close").click()
    one.drag(*place(ENGLISH, "Brazil."))
    one.press("1")
    assert one.spans()[0]["type"] == ""


def selected_quote(one: Screen) -> str:
    return one.page.locator(".span-list [aria-current=true] bdi").text_content()  # whether or not the entry is in sight
