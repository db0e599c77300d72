"""Times the marking screen in Chromium, slowed four times: a text of 20,000 characters with 300 marks, one in ten of
them in two places, one interaction at a time.

Run from the project's root: `python -m speed.spans_browser_bench`. Prints; never passes or fails.
Script and layout are what the browser's own counters add up to from the first event of an interaction to the frame
after it; a long task is one that kept the page from answering for more than 50 ms.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import CDPSession, Page, sync_playwright

from speed.results import report
from tests.conftest import BROWSER_ARGUMENTS
from tests.frontend.harness import CRITICALITIES, TYPES, Harness
from tests.servers import chromium_program

CHARACTERS = 20_000
SPANS = 300
SLOWER = 4  # than this machine, as laptops of people are
MEDIAN, WORST = 50, 150  # ms of script, style and layout
REPEATS = 15
TEXT = "الكشري أكلة مصرية شعبية مشهورة جدًا بيتعمل من الرز والعدس والمكرونة وبيتقدّم في كل بيت"
WORDS = TEXT.split()
COUNTERS = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration", "TaskDuration")


def text_of(length: int, rng: random.Random) -> str:
    """Arabic words in paragraphs of about 60."""
    parts: list[str] = []
    size = 0
    while size < length:
        parts.append(rng.choice(WORDS) + ("\n\n" if len(parts) % 60 == 59 else " "))
        size += len(parts[-1])
    return "".join(parts)[:length].rstrip()


def spans_of(text: str, count: int, rng: random.Random) -> Iterator[dict]:
    """Marks of one to eight words, overlapping and nested as they fall."""
    words, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        words.append((at, at + len(word)))
        at += len(word)
    for number in range(count):
        first = rng.randrange(len(words) - 8)
        start, end = words[first][0], words[first + rng.randrange(8)][1]
        yield {
            "id": f"00000000-0000-4000-8000-{number:012d}",
            "anchor": "words",
            "start": start,
            "end": end,
            "quote": text[start:end],
            "paragraph": None,
            "type": rng.choice(TYPES)[0],
            "criticality": rng.choice(CRITICALITIES)[0],
            "category": "",
            "explanation": "A reason of ordinary length, as people write them.",
            "correction": "",
        } | ({} if number % 10 or first + 12 >= len(words) else elsewhere(text, *words[first + 12]))


def elsewhere(text: str, start: int, end: int) -> dict:
    return {"more": [{"start": start, "end": end, "quote": text[start:end]}]}


class Stopwatch:
    def __init__(self, page: Page) -> None:
        self.page = page
        self.cdp: CDPSession = page.context.new_cdp_session(page)
        self.cdp.send("Performance.enable")
        self.cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})

    def counters(self) -> dict[str, float]:
        metrics = self.cdp.send("Performance.getMetrics")["metrics"]
        return {metric["name"]: metric["value"] * 1000 for metric in metrics if metric["name"] in COUNTERS}

    def time(self, act: Callable[[], object]) -> dict[str, float]:
        """Milliseconds of one interaction, up to the second frame after it."""
        before = self.counters()
        act()
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        after = self.counters()
        return {name: after[name] - before[name] for name in COUNTERS}


def interactions(page: Page, text: str, rng: random.Random) -> dict[str, Callable[[], object]]:
    """What a person does, on whatever part of the text is in view."""

    def visible_word() -> list[float]:
        return page.evaluate(
            """seed => {
              const { view } = mizanSpans;
              const found = [];
              for (let n = 0; n < view.index.wordCount; n += 3) {
                const box = view.rectangles(...view.index.word(n))[0];
                if (box && box.top > 160 && box.bottom < innerHeight - 40) {
                  found.push([(box.left + box.right) / 2, (box.top + box.bottom) / 2]);
                } else if (found.length) break;
              }
              return found[Math.floor(seed * found.length)];
            }""",
            rng.random(),
        )

    places = [visible_word() for _ in range(200)]

    def drag() -> None:
        (x, y), (x2, y2) = rng.choice(places), rng.choice(places)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x2, y2)
        page.mouse.up()

    return {
        "add a span by drag": drag,
        "choose its type": lambda: page.keyboard.press("1"),
        "type a letter in the explanation": lambda: page.keyboard.type("a"),
        "undo": lambda: page.evaluate("mizanSpans.undo()"),
        "redo": lambda: page.evaluate("mizanSpans.redo()"),
        "select by click": lambda: page.mouse.click(*rng.choice(places)),
        "next span by arrow": lambda: page.keyboard.press("ArrowDown"),
        "hover": lambda: page.mouse.move(*rng.choice(places)),
        "delete": lambda: page.evaluate("mizanSpans.remove(mizanSpans.document.list()[40].id)"),
        "move the caret a word": lambda: page.keyboard.press("ArrowLeft"),
        "move the caret a line": lambda: page.keyboard.press("ArrowDown"),
    }


BEFORE = {
    "choose its type": "mizanSpans.select(mizanSpans.document.list()[30].id)",
    "type a letter in the explanation": "mizanSpans.select(mizanSpans.document.list()[30].id), "
    "document.getElementById('span-explanation').focus()",
    "next span by arrow": "mizanSpans.select(mizanSpans.document.list()[30].id)",
    "move the caret a word": "mizanSpans.view.root.focus()",
    "move the caret a line": "mizanSpans.view.root.focus()",
}


@contextmanager
def marking_screen(harness: Harness) -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_program(), args=BROWSER_ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.add_init_script(
            "window.longTasks = []; new PerformanceObserver((list) => {"
            "for (const entry of list.getEntries()) window.longTasks.push(entry.duration);"
            "}).observe({ type: 'longtask', buffered: true });"
        )
        page.goto(f"{harness.url}/task/3")
        page.wait_for_selector("html[data-span-editor=ready]")
        yield page
        browser.close()


def main() -> None:
    rng = random.Random(7)
    text = text_of(CHARACTERS, rng)
    draft = {"no_errors": False, "spans": list(spans_of(text, SPANS, rng))}
    harness = Harness(text=text, lang="ar-EG", dir="rtl", draft=draft)
    with marking_screen(harness) as page:
        page.wait_for_timeout(1000)
        print(f"{len(text)} characters, {SPANS} spans; long tasks while loading: {long_tasks(page)}")
        print(f"{'interaction':34} {'script ms':>18} {'style+layout ms':>18} {'task ms':>16}  long tasks")
        stopwatch = Stopwatch(page)
        acts = interactions(page, text, rng)
        cost: list[float] = []
        for name, act in acts.items():
            long_tasks(page)
            taken = []
            for _ in range(REPEATS):
                if name in BEFORE:
                    page.evaluate(f"() => {{ {BEFORE[name]}; }}")
                page.wait_for_timeout(30)
                taken.append(stopwatch.time(act))
            show(name, taken, long_tasks(page))
            cost += [sum(each[name] for name in COUNTERS if name != "TaskDuration") for each in taken]
    harness.close()
    size = f"{CHARACTERS:,} characters, {SPANS} spans"
    figure = f"{statistics.median(cost):.1f} ms, most {max(cost):.1f}"
    report(f"one interaction slowed {SLOWER} times, {size}", figure, bar=f"median {MEDIAN} ms, worst {WORST}")


def long_tasks(page: Page) -> str:
    durations = page.evaluate("window.longTasks.splice(0)")
    return ", ".join(f"{duration:.0f} ms" for duration in durations) or "none"


def show(name: str, taken: list[dict[str, float]], long: str) -> None:
    def median_and_most(*counters: str) -> str:
        values = [sum(each[counter] for counter in counters) for each in taken]
        return f"{statistics.median(values):6.1f}, most {max(values):5.1f}"

    print(
        f"{name:34} {median_and_most('ScriptDuration')} {median_and_most('LayoutDuration', 'RecalcStyleDuration')} "
        f"{median_and_most('TaskDuration')}  {long}"
    )


if __name__ == "__main__":
    main()
