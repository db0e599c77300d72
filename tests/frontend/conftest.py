"""A marking screen on a real server, and hands to mark with: a mouse, a finger, a keyboard."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator

import pytest

from tests.frontend.harness import DIST, ROOT, Harness
from tests.frontend.settling import at_rest, until

SAVED = "#save-state[data-state=saved]"


@pytest.fixture(scope="session")
def bundle() -> None:
    """The built scripts. `make test` has built them before; alone, this does."""
    if not (DIST / "spans.js").is_file():
        subprocess.run(["node", "static/build.mjs"], cwd=ROOT, check=True)


@pytest.fixture
def serve(bundle: None) -> Iterator[Callable[..., Harness]]:
    started: list[Harness] = []

    def start(**values: object) -> Harness:
        started.append(Harness(**values))
        return started[-1]

    yield start
    for harness in started:
        harness.close()


class Screen:
    """The page as a person uses it. Offsets given to it are code points, as the server counts."""

    def __init__(self, page, harness: Harness) -> None:
        self.page, self.server = page, harness.state
        self.harness = harness
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._heard)

    def _heard(self, message) -> None:
        if "Content Security Policy" in message.text:
            self.errors.append(message.text)

    def open(self) -> Screen:
        self.page.goto(f"{self.harness.url}/task/3")
        return self.ready()

    def ready(self) -> Screen:
        self.page.wait_for_selector("html[data-span-editor=ready]")
        return self

    def point(self, offset: int) -> tuple[float, float]:
        """Middle of the character at a code-point offset."""
        x, y = self.page.evaluate(
            """offset => {
              const { view } = mizanSpans;
              const [start, end] = view.index.graphemeAt(view.index.toUtf16(offset));
              const box = view.rectangles(start, end)[0];
              return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
            }""",
            offset,
        )
        return x, y

    def drag(self, start: int, end: int, *, shift: bool = False) -> None:
        """Press on the first character of [start, end) and release on the last."""
        mouse = self.page.mouse
        count = self.count()
        mouse.move(*self.point(start))
        mouse.down()
        mouse.move(*self.point(end - 1), steps=5)
        if shift:
            self.page.keyboard.down("Shift")
        mouse.up()
        at_rest(self.page)
        if shift:
            self.page.keyboard.up("Shift")
        assert self.count() >= count

    def click(self, offset: int) -> None:
        self.page.mouse.click(*self.point(offset))
        at_rest(self.page)

    def tap(self, offset: int) -> None:
        self.page.touchscreen.tap(*self.point(offset))
        at_rest(self.page)

    def long_press(self, offset: int) -> None:
        """Real touch events of a finger that rests longer than a tap may."""
        x, y = self.point(offset)
        touches = self.page.context.new_cdp_session(self.page)
        self.page.evaluate("addEventListener('pointerdown', (event) => { window.pressed = event.timeStamp; }, true)")
        touches.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        until(self.page, lambda: self.page.evaluate("performance.now() - window.pressed > 700"), 30)
        touches.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        at_rest(self.page)

    def choose(self, start: int, end: int) -> None:
        """Select the words [start, end) as a phone does by a long press: Chromium without windows chooses none."""
        self.page.evaluate(
            """([start, end]) => { const [part] = mizanSpans.view.ranges(start, end);
              const { startContainer, startOffset, endContainer, endOffset } = part;
              getSelection().setBaseAndExtent(startContainer, startOffset, endContainer, endOffset); }""",
            [start, end],
        )

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def fill(self, kind: str, criticality: str, explanation: str) -> None:
        self.page.check(f"input[name=span-type][value={kind}]", force=True)
        self.page.check(f"input[name=span-criticality][value={criticality}]", force=True)
        self.page.fill("#span-explanation", explanation)

    def spans(self) -> list[dict]:
        return self.page.evaluate("mizanSpans.document.serialise().spans")

    def quotes(self) -> list[str]:
        return [span["quote"] for span in self.spans()]

    def count(self) -> int:
        return self.page.evaluate("mizanSpans.document.size")

    def saved(self) -> None:
        """Wait until what is on the page is what the server holds."""
        self.page.wait_for_selector(SAVED)
        assert self.server.draft["spans"] == self.spans()

    def lose_the_next_answer(self) -> None:
        """The next request is committed by the server, but its answer never reaches the page."""

        def handle(route) -> None:
            route.fetch()
            route.abort("connectionreset")

        self.page.route("**/api/**", handle, times=1)

    def wait_for_state(self, state: str) -> None:
        self.page.wait_for_selector(f"#save-state[data-state={state}]")


@pytest.fixture
def screen(page, serve) -> Iterator[Callable[..., Screen]]:
    opened: list[Screen] = []

    def open_screen(**values: object) -> Screen:
        opened.append(Screen(page, serve(**values)).open())
        return opened[-1]

    yield open_screen
    for one in opened:
        assert one.errors == []


@pytest.fixture
def screen_on_a_phone(browser, serve) -> Iterator[Callable[..., Screen]]:
    """360 pixels wide, moved by finger."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    opened: list[Screen] = []

    def open_screen(**values: object) -> Screen:
        opened.append(Screen(context.new_page(), serve(**values)).open())
        return opened[-1]

    yield open_screen
    for one in opened:
        assert one.errors == []
    context.close()
