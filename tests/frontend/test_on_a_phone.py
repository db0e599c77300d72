"""A phone, 360 pixels wide: marking by tapping, and nothing that scrolls sideways."""

import pytest

from tests.frontend.settling import at_rest

pytestmark = pytest.mark.browser

ARABIC = "الكشري أكلة مصرية مشهورة.\n\nالأصل بتاعه من إيطاليا، وده مش صحيح."


@pytest.fixture
def phone(screen_on_a_phone):
    return screen_on_a_phone(text=ARABIC, lang="ar-EG", dir="rtl", page_lang="ar", page_dir="rtl")


def test_tap_the_first_word_then_the_last(phone):
    phone.tap(1)
    assert phone.page.locator(".pending-hint").is_visible()
    assert phone.count() == 0
    phone.tap(ARABIC.index("مصرية"))
    assert phone.quotes() == ["الكشري أكلة مصرية"]
    # The sheet that opens must not catch the very tap that opened it.
    assert phone.spans()[0]["type"] == ""


def test_a_start_can_be_cancelled(phone):
    phone.tap(1)
    phone.page.get_by_role("button", name="Cancel").tap()
    phone.tap(ARABIC.index("مصرية"))
    assert phone.count() == 0
    assert phone.page.locator(".pending-hint").is_visible()


def test_a_tap_on_a_mark_selects_it_and_a_second_one_begins_inside(phone):
    phone.tap(1)
    phone.tap(ARABIC.index("مصرية"))
    phone.page.locator(".span-form .btn-close").tap()
    phone.tap(1)
    assert phone.page.locator(".span-form").is_visible()
    phone.tap(1)
    phone.tap(1)
    assert phone.quotes() == ["الكشري أكلة مصرية", "الكشري"]


def test_a_start_inside_a_mark_puts_the_sheet_away(phone):
    phone.tap(1)
    phone.tap(ARABIC.index("مصرية"))
    at_rest(phone.page)  # the marked words above the sheet
    phone.tap(1)  # begins anew within the mark whose form is open
    assert phone.page.locator(".pending-hint").is_visible()
    assert not phone.page.locator(".span-form").is_visible()


def test_letters_can_be_marked_by_finger(phone):
    phone.page.get_by_role("button", name="Letters").tap()
    phone.tap(0)
    phone.tap(2)
    assert phone.quotes() == [ARABIC[:3]]


def test_the_sheet_leaves_the_marked_words_in_view(phone):
    at = ARABIC.index("إيطاليا")
    phone.tap(at)
    phone.tap(at)
    at_rest(phone.page)
    _, y = phone.point(at)
    top = phone.page.locator(".span-form").bounding_box()["y"]
    assert 60 < y < top


def test_nothing_scrolls_sideways(phone):
    def width():
        return phone.page.evaluate("document.documentElement.scrollWidth")

    assert width() == 360
    phone.tap(1)
    assert width() == 360
    phone.tap(1)
    assert width() == 360
    phone.page.locator(".span-form .btn-close").tap()
    phone.page.get_by_role("button", name="Something is missing").tap()
    assert width() == 360


def test_the_strip_opens_at_the_item_one_is_at(phone):
    strip = phone.page.locator(".strip__items").bounding_box()
    item = phone.page.locator(".strip__item[aria-current]").bounding_box()
    assert strip["x"] <= item["x"]
    assert item["x"] + item["width"] <= strip["x"] + strip["width"]
    wider = "document.querySelector('.strip__items').scrollWidth > document.querySelector('.strip__items').clientWidth"
    assert phone.page.evaluate(wider), "else there is nothing to scroll"


def test_what_one_taps_is_as_large_as_a_thumb(phone):
    def too_small() -> list[str]:
        return phone.page.evaluate(
            """() => [...document.querySelectorAll("a, button, summary, textarea, label.choice, label.option")]
                .filter((one) => one.checkVisibility() && !one.matches(".skip-link, .visually-hidden *"))
                .map((one) => [one.className || one.tagName, one.getBoundingClientRect()])
                .filter(([, box]) => Math.min(box.width, box.height) < 43.5)
                .map(([name, box]) => `${name} ${box.width}x${box.height}`)"""
        )

    assert too_small() == []
    phone.tap(1)
    assert too_small() == []
    phone.tap(1)
    assert phone.page.locator(".span-form").is_visible()
    assert too_small() == []
    phone.page.locator(".span-form .btn-close").tap()
    phone.page.get_by_role("button", name="Something is missing").tap()
    assert too_small() == []


def test_a_long_press_marks_nothing_and_the_words_the_browser_chose_by_it_can_be_taken_over(phone):
    start = ARABIC.index("مصرية")
    phone.long_press(start + 1)
    assert not phone.page.locator(".pending-hint").is_visible(), "a long press is no tap, and begins nothing"
    phone.choose(start, start + len("مصرية"))
    button = phone.page.get_by_role("button", name="Mark selected words")
    button.wait_for()
    assert phone.count() == 0
    button.tap()
    assert phone.quotes() == ["مصرية"]
    assert phone.page.evaluate("getSelection().isCollapsed")


def test_a_short_press_of_the_same_finger_is_a_tap(phone):
    x, y = phone.point(1)
    touches = phone.page.context.new_cdp_session(phone.page)
    touches.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    touches.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    phone.page.locator(".pending-hint").wait_for()
