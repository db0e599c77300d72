"""What one step costs where a long text has many marks: that of what it changes.

Counted in Chromium's own trace, not timed.
"""

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from speed.spans_browser_bench import spans_of, text_of
from tests.frontend.settling import until

pytestmark = pytest.mark.browser

MARKS = 300
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))"
#: What styles all that stands after an element anew wherever one comes or goes.
AFTER_ANYTHING = "legend + * { clear: left }"


class Trace:
    """The browser's own account of what it did."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.browser = page.context.new_cdp_session(page)
        self.events: list[dict] = []
        self.ended = False
        self.browser.on("Tracing.dataCollected", lambda data: self.events.extend(data["value"]))
        self.browser.on("Tracing.tracingComplete", lambda _: setattr(self, "ended", True))

    def of(self, step: str | Callable[[], object]) -> list[dict]:
        """The events from a step to the second frame after it."""
        self.events.clear()
        self.ended = False
        categories = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
        self.browser.send("Tracing.start", {"traceConfig": {"includedCategories": categories}})
        if isinstance(step, str):
            self.page.evaluate(f"() => {{ {step}; return null; }}")
        else:
            step()
        self.page.evaluate(FRAMES)
        self.browser.send("Tracing.end")
        while not self.ended:
            self.page.evaluate("null")
        return list(self.events)

    def styled(self, step: str | Callable[[], object]) -> int:
        """Elements whose style was computed anew."""
        recalculations = (event["args"] for event in self.of(step) if event["name"] == "UpdateLayoutTree")
        return sum(arguments.get("elementCount", 0) for arguments in recalculations)


@pytest.fixture
def long_text(screen) -> Page:
    """20,000 characters with 300 marks."""
    chance = random.Random(7)
    text = text_of(20_000, chance)
    draft = {"no_errors": False, "spans": list(spans_of(text, MARKS, chance))}
    page = screen(text=text, lang="ar-EG", dir="rtl", page_lang="ar", page_dir="rtl", draft=draft).page
    page.evaluate(FRAMES)
    return page


REMOVE = "mizanSpans.remove(mizanSpans.document.list()[40].id)"
UNDO, REDO = "mizanSpans.undo()", "mizanSpans.redo()"


def test_a_step_styles_what_it_changes_and_none_of_the_other_marks(long_text):
    trace = Trace(long_text)
    styled = {step: trace.styled(step) for step in (REMOVE, UNDO, REDO)}
    assert max(styled.values()) < MARKS / 5, styled

    # A single rule of that kind is what this guards against.
    long_text.evaluate(
        "(rule) => { const other = new CSSStyleSheet(); other.replaceSync(rule);"
        " document.adoptedStyleSheets.push(other); }",
        AFTER_ANYTHING,
    )
    long_text.evaluate(FRAMES)
    assert trace.styled(UNDO) > MARKS


def test_selecting_typing_and_going_on_style_the_form_and_no_more(long_text):
    trace = Trace(long_text)
    trace.styled("mizanSpans.select(mizanSpans.document.list()[30].id)")
    steps: dict[str, str | Callable[[], object]] = {
        "go on": "mizanSpans.step(1)",
        "choose the type": lambda: long_text.keyboard.press("2"),
        "grow": "mizanSpans.stretch('end', 1)",
        "type": "document.getElementById('span-explanation').focus(); document.execCommand('insertText', false, 'a')",
        "leave": "mizanSpans.deselect()",
    }
    styled = {name: trace.styled(step) for name, step in steps.items()}
    assert max(styled.values()) < MARKS / 2, styled


PAINTED = """() => [...CSS.highlights].filter(([name]) => /-[0-9]$/.test(name))
  .reduce((sum, [, highlight]) => sum + highlight.size, 0)"""
PIECES = "[...mizanSpans.painter.painted.values()].flatMap(({ pieces }) => pieces).length"
#: Pieces of marks that are in the window without a highlight, and those that have one two windows away.
AMISS = """() => {
  const painted = new Set([...CSS.highlights].flatMap(([, highlight]) => [...highlight]));
  const pieces = [...mizanSpans.painter.pieces.values()].flatMap((each) => [...each]);
  const place = ({ element }) => element.getBoundingClientRect();
  const isSeen = (piece) => place(piece).bottom > 0 && place(piece).top < innerHeight;
  const isAway = (piece) => place(piece).bottom < -2 * innerHeight || place(piece).top > 3 * innerHeight;
  return [pieces.filter((piece) => isSeen(piece) && !painted.has(piece.range)).length,
    pieces.filter((piece) => isAway(piece) && painted.has(piece.range)).length];
}"""


def test_marks_are_painted_where_the_text_is_near_and_everywhere_in_print(long_text):
    until(long_text, lambda: long_text.evaluate(PAINTED) < MARKS * 0.8)
    painted = long_text.evaluate(PAINTED)
    for place in ("document.body.scrollHeight", "document.body.scrollHeight / 2", "0"):
        long_text.evaluate(f"scrollTo({{ top: {place}, behavior: 'instant' }})")
        until(long_text, lambda: long_text.evaluate(AMISS) == [0, 0])
    until(long_text, lambda: long_text.evaluate(PAINTED) == painted)

    long_text.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert long_text.evaluate(PAINTED) == long_text.evaluate(PIECES) > MARKS
    long_text.evaluate("dispatchEvent(new Event('afterprint'))")
    assert long_text.evaluate(PAINTED) == painted


def test_marks_made_and_deleted_out_of_sight_are_painted_when_one_comes_there(long_text):
    until(long_text, lambda: long_text.evaluate(PAINTED) < MARKS * 0.8)
    pieces = long_text.evaluate(PIECES)
    long_text.evaluate(
        "() => { const length = mizanSpans.view.index.length;"
        "mizanSpans.mark({ start: length - 40, end: length - 30 });"
        "mizanSpans.remove(mizanSpans.document.order.sorted.at(-3).id); scrollTo({ top: 0, behavior: 'instant' }); }"
    )
    long_text.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
    until(long_text, lambda: long_text.evaluate(AMISS) == [0, 0])
    long_text.evaluate("mizanSpans.undo(); mizanSpans.undo()")
    until(long_text, lambda: long_text.evaluate(AMISS) == [0, 0])
    assert long_text.evaluate(PIECES) == pieces
