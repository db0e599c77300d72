"""The screen for everyone: no accessibility violation in either direction or theme, nothing told by colour alone."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.frontend.test_mark_errors import ARABIC, ENGLISH, place

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("text", "lang", "direction"), [(ENGLISH, "en", "ltr"), (ARABIC, "ar-EG", "rtl")], ids=["English", "Arabic"]
)
def test_no_accessibility_violation(screen, text, lang, direction, theme):
    one = screen(text=text, lang=lang, dir=direction, page_lang=lang[:2], page_dir=direction)
    one.page.emulate_media(reduced_motion="reduce")  # colours in transition are no colours to judge
    one.page.evaluate(f"mizanTheme.set('{theme}')")
    assert violations(one.page) == []
    one.drag(0, 4)
    one.press("1", "5")
    one.press("Control+Enter")  # with the explanation missing: the summary and the field's error are shown
    assert violations(one.page) == []
    one.page.get_by_role("button", name="Something is missing").click()
    assert violations(one.page) == []


def violations(page) -> list[str]:
    page.evaluate(
        """async () => {
          await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
          await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
        }"""
    )
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html'][:160]}" for each in found for node in each["nodes"]]


def test_a_face_of_its_own_for_each_script(screen):
    one = screen(text=ARABIC, lang="ar-EG", dir="rtl")
    one.page.evaluate("document.fonts.ready.then(() => null)")
    assert one.page.evaluate("document.fonts.check('16px \"Noto Sans Arabic\"', 'ك')")
    assert (
        one.page.locator("#span-text")
        .evaluate("(node) => getComputedStyle(node).fontFamily")
        .startswith('"Noto Sans Arabic"')
    )


def test_severity_and_type_are_not_told_by_colour_alone(screen):
    one = screen(text=ENGLISH)
    looks = set()
    for number, (kind, criticality) in enumerate([("cultural", "high"), ("cultural", "low"), ("linguistic", "high")]):
        one.drag(*place(ENGLISH, ["Kopi", "luwak", "comes"][number]))
        one.fill(kind, criticality, "Because")
        name = one.page.evaluate("[...mizanSpans.painter.painted.values()].at(-1).pieces[0].name")
        looks.add(
            tuple(
                one.page.locator("#span-text p").first.evaluate(
                    """(node, name) => {
                      const style = getComputedStyle(node, `::highlight(${name})`);
                      return [style.textDecorationStyle, style.textDecorationThickness];
                    }""",
                    name,
                )
            )
        )
    assert looks == {("solid", "4px"), ("solid", "1.25px"), ("wavy", "2.25px")}


def test_a_browser_without_highlights_says_so_and_still_marks(browser, serve):
    from tests.frontend.conftest import Screen

    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("delete window.Highlight;")
    one = Screen(page, serve(text=ENGLISH)).open()
    assert "cannot show marks" in page.locator("#span-notices").inner_text()
    one.drag(*place(ENGLISH, "Brazil."))
    assert one.quotes() == ["Brazil"]
    context.close()


def test_what_was_submitted_is_shown_and_cannot_be_changed(screen):
    span = {
        "id": "s1", "anchor": "words", "start": 0, "end": 4, "quote": "Kopi", "paragraph": None, "type": "cultural",
        "criticality": "high", "category": "", "explanation": "So.", "correction": "",
    }  # fmt: skip
    one = screen(text=ENGLISH, read_only=True, draft={"no_errors": False, "spans": [span]})
    one.drag(*place(ENGLISH, "Brazil."))
    one.click(1)
    one.press("2", "Backspace", "Control+z")
    assert one.spans() == [span]
    assert one.page.locator("#span-explanation").is_disabled()
    assert one.page.get_by_role("button", name="Submit").count() == 0
