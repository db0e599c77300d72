"""A day in one tab: a person works through 1,000 items in Chromium, against Mizan as in production.

At item 10, and then at every hundredth, a word is marked and the tab measured after its garbage was collected
(tests/frontend/one_tab.py, whose test is the short form of this). The floor is item 10 of the same run: a ratio that
grows with the items is a leak.

    make bench ARGS=one_tab
    make bench ARGS="one_tab --items 300"
"""

from __future__ import annotations

import argparse
import os
import statistics

from playwright.sync_api import sync_playwright

from speed import workload
from speed.results import report
from speed.servers import installation
from tests.conftest import BROWSER_ARGUMENTS
from tests.frontend.one_tab import Cost, Tab
from tests.servers import chromium_program

ITEMS = 1000
FIRST = 10
STEP = 100
# Marks are timed so often at a place; the median counts.
REPEATS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=ITEMS)
    items = parser.parse_args().items
    with installation() as mizan:
        os.environ.update(mizan.environment)
        import django

        django.setup()
        stage = workload.build()
        workload.lengthen_queue(stage, items + 10)
        with mizan.web() as address:
            tell(worked_through(address, stage, items))


def worked_through(address: str, stage: int, items: int) -> list[Cost]:
    site = f"http://{workload.HOST}:{address.rpartition(':')[2]}"
    cookies = [cookie.split("=", 1) for cookie in workload.sign_in(address, 0)["Cookie"].split("; ")]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_program(), args=BROWSER_ARGUMENTS)
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.add_cookies([{"name": name, "value": value, "url": site} for name, value in cookies])
        page = context.new_page()
        page.goto(f"{site}/p/{workload.SLUG}/my-work/")
        page.locator(f"form[action$='/my-work/{stage}/next'] button").first.click()
        tab, costs = Tab(page), []
        for item in (FIRST, *range(STEP, items + 1, STEP)):
            tab.work_until(item)
            measured = [tab.cost() for _repeat in range(REPEATS)]
            costs.append(Cost(**{**vars(measured[-1]), "seconds": statistics.median(one.seconds for one in measured)}))
            print(costs[-1], flush=True)
        browser.close()
    return costs


def tell(costs: list[Cost]) -> None:
    first, last = costs[0], costs[-1]
    at = f"one tab, item {last.item}: "
    compared(at + "JavaScript heap after garbage", first.heap_kb, last.heap_kb, "kB", "ratio under 1.1")
    compared(at + "nodes without the strip", first.nodes, last.nodes, "", "ratio under 1.1")
    compared(at + "listeners", first.listeners, last.listeners, "", "ratio 1.0")
    compared(at + "a word marked, work of the page", first.seconds * 1000, last.seconds * 1000, "ms", "ratio under 1.2")
    kept = f"{last.drafts_kept} drafts, {last.stored_keys} keys"
    report(
        at + "kept on the device", kept, floor=f"{first.drafts_kept} drafts, {first.stored_keys} keys", bar="the same"
    )


def compared(work: str, early: float, late: float, unit: str, bar: str) -> None:
    report(work, f"{late:.1f} {unit}".strip(), floor=f"{early:.1f} {unit}".strip(), ratio=late / early, bar=bar)


if __name__ == "__main__":
    main()
