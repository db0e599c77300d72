"""Marking a sample of a quiz by hand: where its words stand in the window, and what is marked of it."""

import json

from playwright.sync_api import Locator, Page

from tests.frontend.settling import at_rest

# Middle of the character at a UTF-16 offset of the text, in the window.
MIDDLE = """(reading, offset) => {
  const walker = document.createTreeWalker(reading, NodeFilter.SHOW_TEXT);
  for (let at = offset; walker.nextNode(); at -= walker.currentNode.length) {
    if (at >= walker.currentNode.length) continue;
    const range = document.createRange();
    range.setStart(walker.currentNode, at);
    range.setEnd(walker.currentNode, at + 1);
    const box = range.getBoundingClientRect();
    return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  }
}"""


def point(sample: Locator, offset: int) -> tuple[float, float]:
    x, y = sample.locator(".reading").evaluate(MIDDLE, offset)
    return x, y


def in_sight(page: Page, sample: Locator) -> Page:
    # As high as it goes and no lower: beside the bar at the bottom of the window a drag scrolls the page along.
    sample.locator(".reading").evaluate(
        "(text) => scrollBy({ top: text.getBoundingClientRect().top - 150, behavior: 'instant' })"
    )
    return at_rest(page)


def drag(page: Page, sample: Locator, start: int, end: int, *, shift: bool = False) -> None:
    """Press on the first character of [start, end) of a text of one paragraph and release on the last."""
    in_sight(page, sample)
    page.mouse.move(*point(sample, start))
    page.mouse.down()
    page.mouse.move(*point(sample, end - 1), steps=5)
    if shift:
        page.keyboard.down("Shift")
    page.mouse.up()
    at_rest(page)
    if shift:
        page.keyboard.up("Shift")


def marks(sample: Locator) -> list[dict]:
    """What the question would send."""
    sent = sample.locator("input[type=hidden][name$=-marks]").input_value()
    return json.loads(sent) if sent else []


def places(sample: Locator) -> list[list[int]]:
    return [[mark["start"], mark["end"]] for mark in marks(sample)]
