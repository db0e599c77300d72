"""Times the marking screen in Chromium, slowed four times: a text of 20,000 characters with 300 marks, one in ten of
them in two places, one interaction at a time.

Run from the project's root: `python -m speed.spans_browser_bench`. Prints, and says whether the bars are met; never
passes or fails. Script, style and layout are what the browser's own counters add up to from the first event of an
interaction to the frame after it, in processor time of the page's thread, without painting; the whole task, with it,
is printed beside them. All interactions take turns in several rounds, and the bars are held to the round that other
programs disturbed least.
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
ROUNDS = 6
REPEATS = 4  # of each interaction in a round
TEXT = "الكشري أكلة مصرية شعبية مشهورة جدًا بيتعمل من الرز والعدس والمكرونة وبيتقدّم في كل بيت"
WORDS = TEXT.split()
COUNTERS = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration", "TaskDuration")
CATEGORIES = [{"value": f"category-{number}", "label": f"Accuracy/Kind {number}"} for number in range(8)]


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
        self.cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
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
        "choose its category": lambda: page.select_option("#span-category", value=rng.choice(CATEGORIES)["value"]),
        "grow it by a word": lambda: page.keyboard.press("e"),
        "shrink it by a word": lambda: page.keyboard.press("Shift+E"),
        "type a letter in the explanation": lambda: page.keyboard.type("a"),
        "undo": lambda: page.evaluate("mizanSpans.undo()"),
        "redo": lambda: page.evaluate("mizanSpans.redo()"),
        "select by click": lambda: page.mouse.click(*rng.choice(places)),
        "next span by arrow": lambda: page.keyboard.press("ArrowDown"),
        "scroll by a window": lambda: page.evaluate(
            f"scrollTo({{ top: {rng.random()} * document.body.scrollHeight, behavior: 'instant' }})"
        ),
        "hover": lambda: page.mouse.move(*rng.choice(places)),
        "delete": lambda: page.evaluate("mizanSpans.remove(mizanSpans.document.list()[40].id)"),
        "move the caret a word": lambda: page.keyboard.press("ArrowLeft"),
        "move the caret a line": lambda: page.keyboard.press("ArrowDown"),
    }


Round = dict[str, list[dict[str, float]]]  # what each time of each interaction took, by counter
SELECT = "mizanSpans.select(mizanSpans.document.list()[30].id)"
TOP = "scrollTo({ top: 0, behavior: 'instant' }), mizanSpans.deselect()"
BEFORE = {
    "add a span by drag": TOP,
    "select by click": TOP,
    "hover": TOP,
    "undo": "mizanSpans.document.canUndo || mizanSpans.remove(mizanSpans.document.list()[40].id)",
    "redo": "mizanSpans.document.canRedo || mizanSpans.undo()",
    "choose its type": SELECT,
    "choose its category": SELECT,
    "grow it by a word": SELECT,
    "shrink it by a word": f"{SELECT}, mizanSpans.stretch('end', 1)",
    "type a letter in the explanation": f"{SELECT}, document.getElementById('span-explanation').focus()",
    "next span by arrow": SELECT,
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
    harness = Harness(text=text, lang="ar-EG", dir="rtl", draft=draft, categories=CATEGORIES)
    with marking_screen(harness) as page:
        page.wait_for_timeout(1000)
        print(f"{len(text)} characters, {SPANS} spans; long tasks while loading: {long_tasks(page)}")
        rounds = list(timed(page, interactions(page, text, rng)))
    harness.close()
    quietest = min(rounds, key=lambda one: max(costs(one)))
    print(f"{'interaction':34} {'script ms':>18} {'style+layout ms':>18} {'task ms':>18}")
    for name, taken in quietest.items():
        show(name, taken)
    judge(rounds, quietest)


def timed(page: Page, acts: dict[str, Callable[[], object]]) -> Iterator[Round]:
    """What each interaction took, round by round; a first round, in which the page warms up, is left out."""
    stopwatch = Stopwatch(page)
    for number in range(ROUNDS + 1):
        taken: Round = {name: [] for name in acts}
        for name, act in acts.items():
            for _ in range(REPEATS):
                if name in BEFORE:
                    page.evaluate(f"() => {{ {BEFORE[name]}; }}")
                page.wait_for_timeout(30)
                taken[name].append(stopwatch.time(act))
        if number:
            yield taken


def costs(taken: Round) -> list[float]:
    """Milliseconds of script, style and layout of every interaction of a round."""
    return [sum(each[name] for name in COUNTERS if name != "TaskDuration") for acts in taken.values() for each in acts]


def judge(rounds: list[Round], quietest: Round) -> None:
    median = statistics.median(costs(quietest))
    worst = max(costs(quietest))
    work = f"one interaction slowed {SLOWER} times, {CHARACTERS:,} characters, {SPANS} spans"
    for kind, figure, bar in (("median", median, MEDIAN), ("worst", worst, WORST)):
        verdict = "met" if figure <= bar else "not met"
        report(f"{work}: {kind}", f"{figure:.1f} ms", bar=f"{bar} ms: {verdict}")
    print(f"worst of each round: {', '.join(f'{max(costs(one)):.0f}' for one in rounds)} ms")


def long_tasks(page: Page) -> str:
    durations = page.evaluate("window.longTasks.splice(0)")
    return ", ".join(f"{duration:.0f} ms" for duration in durations) or "none"


def show(name: str, taken: list[dict[str, float]]) -> None:
    def median_and_most(*counters: str) -> str:
        values = [sum(each[counter] for counter in counters) for each in taken]
        return f"{statistics.median(values):6.1f}, most {max(values):5.1f}"

    print(
        f"{name:34} {median_and_most('ScriptDuration')} {median_and_most('LayoutDuration', 'RecalcStyleDuration')} "
        f"{median_and_most('TaskDuration')}"
    )


if __name__ == "__main__":
    main()
