"""A person who marks item after item in one tab, and what the tab costs meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from operator import ne

from playwright.sync_api import CDPSession, Page

READY = "html[data-span-editor=ready]"
SAVED = "#save-state[data-state=saved]"
# What stays on the device of drafts and of untold time, and how many nodes, attributes
# among them as the browser counts, the strip of one's items has.
KEPT = """async () => {
  const database = await new Promise((opened, failed) => {
    const request = indexedDB.open("mizan-drafts");
    request.onsuccess = () => opened(request.result);
    request.onerror = () => failed(request.error);
  });
  const count = (name) => new Promise((told) => {
    database.transaction(name).objectStore(name).count().onsuccess = ({ target }) => told(target.result);
  });
  const [drafts, copies] = [await count("drafts"), await count("copies")];
  database.close();
  const strip = document.createTreeWalker(document.querySelector(".strip"));
  let nodes = 0;
  while (strip.nextNode()) nodes += 1 + (strip.currentNode.attributes?.length ?? 0);
  return [drafts + copies, Object.keys(localStorage).length, nodes];
}"""


@dataclass(frozen=True)
class Cost:
    """Of a tab at an item, after its garbage was collected. `nodes` are all that the browser holds, those of pages that
    were left and are still held too, without those of the strip, which shows one's latest 60 items; `seconds` are what
    the page worked for one mark, in time of the processor."""

    item: int
    heap_kb: float
    nodes: int
    listeners: int
    documents: int
    drafts_kept: int
    stored_keys: int
    seconds: float


class Tab:
    """The tab of a person who stands at their first item."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.item = 1
        self.browser: CDPSession = page.context.new_cdp_session(page)
        for domain in ("Performance", "HeapProfiler", "DOM"):
            self.browser.send(f"{domain}.enable")
        page.wait_for_selector(READY)

    def work_until(self, item: int) -> None:
        """Hand in what is there and go on, by two keys, until this item stands."""
        while self.item < item:
            address = self.page.url
            self.page.keyboard.press("0")
            self.page.keyboard.press("Control+Enter")
            self.page.wait_for_url(partial(ne, address), timeout=60_000)
            self.page.wait_for_selector(READY)
            self.item += 1

    def cost(self) -> Cost:
        """Marks a word, measures, and takes the mark back."""
        before = self._worked()
        for key in ("Enter", "Enter", "1", "Escape", "Escape"):
            self.page.keyboard.press(key)
        self.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        seconds = self._worked() - before
        self.page.keyboard.press("Control+z")
        self.page.keyboard.press("Control+z")
        self.page.wait_for_function("mizanSpans.document.size === 0")
        self.page.wait_for_selector(SAVED)
        kept, stored, strip = self.page.evaluate(KEPT)
        self.browser.send("HeapProfiler.collectGarbage")
        counted = self.browser.send("Memory.getDOMCounters")
        return Cost(
            item=self.item,
            heap_kb=round(self._metrics()["JSHeapUsedSize"] / 1024, 1),
            nodes=counted["nodes"] - strip,
            listeners=counted["jsEventListeners"],
            documents=counted["documents"],
            drafts_kept=kept,
            stored_keys=stored,
            seconds=round(seconds, 4),
        )

    def _worked(self) -> float:
        metrics = self._metrics()
        return metrics["ScriptDuration"] + metrics["LayoutDuration"] + metrics["RecalcStyleDuration"]

    def _metrics(self) -> dict[str, float]:
        return {each["name"]: each["value"] for each in self.browser.send("Performance.getMetrics")["metrics"]}
