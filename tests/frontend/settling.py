"""Waiting until a page has come to rest, however long this machine takes for it."""

import time
from collections.abc import Callable

from playwright.sync_api import Page

# Nothing scrolls, grows, fades or turns up from one frame to the next, several times over.
AT_REST = """async () => {
  // A face that comes late moves words within lines that stay as high. One that never comes is not waited for.
  await Promise.race([document.fonts.ready, new Promise((resolve) => setTimeout(resolve, 5000))]);
  const frame = () => new Promise(requestAnimationFrame);
  const shape = (each) => [each.scrollTop, each.scrollLeft, each.getAttribute("class"), each.clientHeight];
  const look = () => JSON.stringify([scrollX, scrollY, [...document.querySelectorAll("*")].map(shape)]);
  const running = () => document.getAnimations().some((each) => each.playState === "running"
    && each.effect?.getComputedTiming().endTime !== Infinity);
  let before = "";
  for (let same = 0; same < 5;) {
    await frame();
    const now = look();
    same = now === before && !running() ? same + 1 : 0;
    before = now;
  }
}"""


def at_rest(page: Page) -> Page:
    page.evaluate(AT_REST)
    return page


def until(page: Page, is_so: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for what the page does to its server."""
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends, "it did not become so"
        page.wait_for_timeout(50)
