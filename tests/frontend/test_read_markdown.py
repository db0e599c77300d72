"""Mona marks a response written in markdown: she reads it rendered or plain, and what she marks is the same text."""

import json

import pytest
from axe_playwright_python.sync_playwright import Axe

from projects.anchors import drawn
from projects.reading.blocks import blocks, lines
from tests.frontend.settling import at_rest
from tests.people import add_response, signed_in
from tests.workflow.working import marking_stage
from workflow.as_shown import shown_hash
from workflow.claims import claim_next
from workflow.models import Draft

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SAVED = "#save-state[data-state=saved]"
TEXT = (
    "## الكشري 👨‍👩‍👧\r\n\r\nهو **أكلة مصرية** لذيذة، من:\n\n- الأرز\n- *العدس*، و`dukkah`\n\n"
    "| المكوّن | الكمية بالجرام | الوقت | السعر | ملاحظات |\n|---|--:|---|---|---|\n"
    "| أرز | ~~كوب~~ كوبان | ساعة | جنيه | من النوع المصري القصير |\n\n"
    '> قال: "لذيذ".\n\n```\nmix(rice)\n```\n[وصفة](https://a.example/b) ثم ![صحن](x.png) &amp; خل.'
)  # fmt: skip
# The words of the highlights of marks, in the order of the text.
MARKED = """() => [...CSS.highlights].filter(([name]) => /^mark-(unset|both|cultural|linguistic|logical)/.test(name))
  .flatMap(([, parts]) => [...parts])
  .map(({ startContainer, startOffset, endOffset }) => startContainer.data.slice(startOffset, endOffset))"""
MARK = """([start, end]) => {
  const { index } = mizanSpans.view;
  mizanSpans.mark({ start: index.toUtf16(start), end: index.toUtf16(end) });
}"""
TOP = """(place) => {
  const at = mizanSpans.view.index.toUtf16(place);
  return mizanSpans.view.rectangles(at, at + 1)[0].top;
}"""
SHOW = """(offset) => {
  const at = mizanSpans.view.index.toUtf16(offset);
  mizanSpans.view.scrollTo(at, at + 1);
}"""
MIDDLE = """(offset) => {
  const { view } = mizanSpans;
  const [start, end] = view.index.graphemeAt(view.index.toUtf16(offset));
  const [box] = view.rectangles(start, end);
  return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
}"""


@pytest.fixture
def open_page(page, bundle, live_server, project, mona):
    add_response(project, "markdown", TEXT, "ar-EG")
    turn = claim_next(mona.raters.get(), marking_stage(project))
    page.context.add_cookies(
        [{"name": "sessionid", "value": signed_in(mona).cookies["sessionid"].value, "url": live_server.url}]
    )
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if "Content Security Policy" in said.text else None)

    def reopen():
        page.goto(f"{live_server.url}/tasks/{turn.uuid}/")
        page.wait_for_selector("html[data-span-editor=ready]")
        return page

    yield reopen
    assert errors == []


def drag(page, quote: str) -> tuple[int, int]:
    """From the middle of the first letter of a quote to the middle of its last."""
    start = TEXT.index(quote)
    count = page.evaluate("mizanSpans.document.size")
    page.evaluate(SHOW, start)
    at_rest(page)
    page.mouse.move(*page.evaluate(MIDDLE, start))
    page.mouse.down()
    page.mouse.move(*page.evaluate(MIDDLE, start + len(quote) - 1), steps=5)
    page.mouse.up()
    at_rest(page)
    assert page.evaluate("mizanSpans.document.size") == count + 1
    return start, start + len(quote)


def places(page) -> list[tuple[int, int]]:
    return [
        tuple(place) for place in page.evaluate("mizanSpans.document.serialise().spans.map((s) => [s.start, s.end])")
    ]


def plain(page):
    page.keyboard.press("v")
    return page


def test_what_is_marked_in_one_view_stands_in_the_other(open_page):
    page = open_page()
    assert page.locator("#span-text strong").inner_text() == "أكلة مصرية"
    assert "**" not in page.locator("#span-text").inner_text()
    rendered = drag(page, "أكلة مصرية")
    page.keyboard.press("Escape")
    plain(page)
    assert "**" in page.locator("#span-text").inner_text()
    assert "".join(page.evaluate(MARKED)) == "أكلة مصرية"
    written = drag(page, "العدس")
    page.keyboard.press("Escape")
    page.wait_for_selector(SAVED)
    plain(page)
    assert "**" not in page.locator("#span-text").inner_text()
    assert "".join(page.evaluate(MARKED)) == "أكلة مصريةالعدس"
    assert places(page) == [rendered, written]
    for span in Draft.objects.get().body["spans"]:
        assert TEXT[span["start"] : span["end"]] == span["quote"]


def test_parts_of_one_error_lie_in_a_cell_in_code_and_in_bold_in_either_view(open_page):
    page = open_page()
    words = ["أكلة مصرية", "كوبان", "mix(rice)"]
    for quote in reversed(words):
        start = TEXT.index(quote)
        page.evaluate(MARK, [start, start + len(quote)])
        page.keyboard.press("a")
    page.keyboard.press("Escape")
    for _view in range(2):
        assert "".join(page.evaluate(MARKED)) == "".join(words)
        page.locator("#span-text").focus()
        plain(page)
        at_rest(page)
    page.wait_for_selector(SAVED)
    [span] = Draft.objects.get().body["spans"]
    assert [TEXT[part["start"] : part["end"]] for part in (span, *span["more"])] == words


def test_the_same_drag_marks_the_same_in_both_views(open_page):
    """Over bold and code, over items, over cells: from the first word to the last, with the signs between them."""
    page = open_page()
    quotes = ["مصرية** لذيذة", "الأرز\n- *العدس", "أرز | ~~كوب~~ كوبان", "وصفة](https://a.example/b) ثم ![صحن"]
    for quote in quotes:
        drag(page, quote)
        page.keyboard.press("Escape")
    page.locator("#span-text").focus()
    found = places(page)
    plain(page)
    for quote in quotes:
        # What is marked already is selected instead of marked a second time.
        start = TEXT.index(quote)
        page.evaluate(
            MARK,
            [start, start + len(quote)],
        )
    assert places(page) == found == [(TEXT.index(quote), TEXT.index(quote) + len(quote)) for quote in quotes]


def test_any_selection_is_the_letters_between_its_ends(open_page):
    page = open_page()
    seen = [
        place
        for line in lines(blocks(TEXT))
        for cell in line.cells
        for segment in cell
        if segment.is_shown
        for place in range(segment.start, segment.end)
    ]
    found = page.evaluate(
        """([seen, pairs]) => pairs.map(([from, to]) => {
          const { view } = mizanSpans;
          const selection = document.getSelection();
          const put = (position, isEnd) => {
            const at = view.index.toUtf16(position);
            const number = [...view.reading.touched(at, at + 1)][0];
            return [view.reading.nodes[number], at - view.reading.starts[number]];
          };
          const [first, firstOffset] = put(from);
          const [last, lastOffset] = put(to);
          const width = view.index.toUtf16(to + 1) - view.index.toUtf16(to);
          selection.setBaseAndExtent(first, firstOffset, last, lastOffset + width);
          const range = view.selected(selection);
          selection.removeAllRanges();
          return range.map((at) => view.index.toCodePoint(at));
        })""",
        [seen, [[a, b] for number, a in enumerate(seen) for b in seen[number :: 7]]],
    )  # fmt: skip
    assert found == [[a, b + 1] for number, a in enumerate(seen) for b in seen[number::7]]


def test_a_selection_of_whole_elements_is_what_is_seen_of_them(open_page):
    page = open_page()
    found = page.evaluate("""() => ["strong", "li + li", "tbody td", "tbody", "blockquote", "pre"].map((name) => {
      const selection = document.getSelection();
      selection.selectAllChildren(document.querySelector(`#span-text ${name}`));
      const range = mizanSpans.view.selected(selection);
      selection.removeAllRanges();
      return mizanSpans.view.index.text.slice(...range);
    })""")
    assert found == [
        "أكلة مصرية",
        "العدس*، و`dukkah",
        "أرز",
        "أرز | ~~كوب~~ كوبان | ساعة | جنيه | من النوع المصري القصير",
        'قال: "لذيذ".',
        "mix(rice)",
    ]


def test_a_mark_on_signs_alone_is_seen(open_page):
    page = open_page()
    page.keyboard.press("v")
    stars, fence = TEXT.index("**"), TEXT.index("```")
    for start, end in ((stars, stars + 2), (fence, fence + 3)):
        page.evaluate(
            MARK,
            [start, end],
        )
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    assert page.locator("#span-text .reading__sign").all_inner_texts() == ["**", "```", "```"]
    assert page.locator("#span-text").inner_text().count("**") == 1, "those behind the words are not marked"
    page.mouse.click(*page.evaluate(MIDDLE, stars))
    at_rest(page)
    assert page.evaluate("mizanSpans.document.get(mizanSpans.selected).quote") == "**"
    page.keyboard.press("Escape")
    page.evaluate("for (const { id } of [...mizanSpans.document.spans.values()]) mizanSpans.remove(id)")
    assert page.locator("#span-text .reading__sign").count() == 0


def test_a_mark_looks_the_same_on_all_that_is_rendered(open_page):
    page = open_page()
    look = """(name) => ["mark-selected", "mark-cultural-high-0", "mark-caret"].map((mark) => {
      const place = document.querySelector(name);
      const { backgroundColor, textDecorationStyle } = getComputedStyle(place, `::highlight(${mark})`);
      return [backgroundColor, textDecorationStyle];
    })"""
    whole = page.evaluate(look, "#span-text")
    assert len({background for background, _style in whole}) == 3
    for each in (False, True):
        # As in a browser in which elements do not inherit it.
        page.evaluate("(each) => document.querySelector('#span-text').classList.toggle('reading--each', each)", each)
        for name in ("p", "strong", "em", "code", "h3", "li p", "th", "tbody td", "blockquote p", "pre span"):
            assert page.evaluate(look, f"#span-text {name}") == whole, name


def test_the_keyboard_goes_from_word_to_word_without_the_signs(open_page):
    page = open_page()
    words = []
    page.locator("#span-text").focus()
    page.keyboard.press("Control+Home")
    for _step in range(60):
        words.append(page.evaluate("mizanSpans.view.index.text.slice(...mizanSpans.caret.unit)"))
        page.keyboard.press("ArrowLeft")
    last = words.index("خل")
    assert words[:9] == ["الكشري", "👨‍👩‍👧", "هو", "أكلة", "مصرية", "لذيذة", "من", "الأرز", "العدس"]
    assert words[last - 3 : last] == ["ثم", "صحن", "amp"], "neither the address nor the file"
    page.keyboard.press("Home")
    assert page.evaluate("mizanSpans.view.index.text.slice(...mizanSpans.caret.unit)") == "وصفة"
    for _step in range(3):
        page.keyboard.press("ArrowUp")
    assert page.evaluate("mizanSpans.view.index.text.slice(...mizanSpans.caret.unit)") in TEXT[: TEXT.index("```")]


def test_plain_is_remembered_and_both_views_carry_the_hash_of_the_stored_text(open_page):
    page = open_page()
    button = page.get_by_role("button", name="Plain text")
    for is_plain in ("false", "true"):
        assert button.get_attribute("aria-pressed") == is_plain
        with page.expect_request(lambda request: request.url.endswith("/draft")) as sent:
            page.get_by_role("button", name="There are no errors").click()
        assert json.loads(sent.value.post_data)["shown"] == shown_hash([drawn(TEXT)])
        page.wait_for_selector(SAVED)
        page.keyboard.press("v")
        assert page.locator("[role=alert]:visible").count() == 0
        page.keyboard.press("v")
        if is_plain == "false":
            page.keyboard.press("v")
            open_page()
    assert "**" in page.locator("#span-text").inner_text()


def test_what_is_read_stays_where_it_is_in_the_window(open_page):
    page = open_page()
    page.set_viewport_size({"width": 1000, "height": 420})
    place = TEXT.index("النوع")
    page.evaluate("(by) => window.scrollBy({ top: by, behavior: 'instant' })", page.evaluate(TOP, place) - 130)
    before = page.evaluate(TOP, place)
    page.keyboard.press("v")
    assert abs(page.evaluate(TOP, place) - before) < 80


def test_structure_is_told_and_a_wide_table_scrolls_by_itself(open_page):
    page = open_page()
    page.set_viewport_size({"width": 360, "height": 740})
    text = page.get_by_role("group", name="Response")
    assert text.get_by_role("heading", level=3).inner_text().startswith("الكشري")
    assert text.get_by_role("listitem").count() == 2
    assert text.get_by_role("columnheader").count() == 5
    assert text.get_by_role("cell").count() == 5
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    table = page.locator(".reading__table")
    assert table.evaluate("(table) => table.scrollWidth > table.clientWidth")
    text.focus()
    page.evaluate("(at) => mizanSpans.caret.moveTo(mizanSpans.view.index.toUtf16(at))", TEXT.index("القصير"))
    x, _y = page.evaluate(MIDDLE, TEXT.index("القصير"))
    box = table.bounding_box()
    assert box["x"] <= x <= box["x"] + box["width"], "the caret is brought into sight"
    assert Axe().run(page).violations_count == 0
    page.keyboard.press("v")
    assert page.get_by_role("textbox", name="Response").count() == 1
