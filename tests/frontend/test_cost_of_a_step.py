"""What one step costs where a long text has many marks: that of what is in sight."""

import random
import statistics

import pytest

from speed.spans_browser_bench import COUNTERS, spans_of, text_of

pytestmark = pytest.mark.browser

ALL_LAID_OUT = ".span-list > li { content-visibility: visible }"


def test_the_marks_out_of_sight_cost_a_step_nothing(screen):
    """20,000 characters with 300 marks, in one run with and without what spares the entries out of sight."""
    chance = random.Random(7)
    text = text_of(20_000, chance)
    draft = {"no_errors": False, "spans": list(spans_of(text, 300, chance))}
    one = screen(text=text, lang="ar-EG", dir="rtl", page_lang="ar", page_dir="rtl", draft=draft)
    browser = one.page.context.new_cdp_session(one.page)
    browser.send("Performance.enable")

    def styled() -> float:
        metrics = {each["name"]: each["value"] for each in browser.send("Performance.getMetrics")["metrics"]}
        return sum(metrics[name] for name in COUNTERS if name in ("LayoutDuration", "RecalcStyleDuration"))

    one.page.evaluate("window.other = new CSSStyleSheet(); document.adoptedStyleSheets.push(other); null")
    one.page.evaluate("mizanSpans.remove(mizanSpans.document.list()[40].id); null")
    costs: dict[str, list[float]] = {"": [], ALL_LAID_OUT: []}
    for _round in range(8):
        for rule, taken in costs.items():
            drawn = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))"
            one.page.evaluate(f"other.replaceSync({rule!r}); {drawn}")
            before = styled()
            one.page.evaluate(f"mizanSpans.undo(); mizanSpans.redo(); {drawn}")
            taken.append(styled() - before)
    spared, whole = map(statistics.median, costs.values())
    assert spared < whole / 2, (spared, whole)
