"""Mona works through 60 items in one tab: the last costs the browser what the tenth did.

`make bench ARGS=one_tab` is its long form: 1,000 items as in production.
"""

import pytest

from tests.frontend.application import at_item  # noqa: F401
from tests.frontend.one_tab import Tab
from tests.people import EGYPTIAN, add_response
from tests.workflow.working import marking_stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ITEMS = 62
# The heap of a page of some 5 MB varies so much from one collection to the next.
HEAP_SLACK_KB = 600


def test_neither_memory_nor_nodes_nor_what_is_kept_grow_with_the_items(at_item, project, mona):  # noqa: F811
    for number in range(ITEMS):
        add_response(project, f"item-{number}", f"{EGYPTIAN}\n\n{number}", "ar-EG")
    tab = Tab(at_item(mona, marking_stage(project)))
    costs = []
    for item in (10, 35, 60):
        tab.work_until(item)
        costs.append(tab.cost())
    early, _middle, late = costs
    told = "\n".join(map(str, costs))
    assert late.documents <= early.documents, told
    assert late.listeners <= early.listeners, told
    # A page that is left and still held would be hundreds of nodes each.
    assert late.nodes <= early.nodes + 30, told
    assert late.heap_kb <= early.heap_kb + HEAP_SLACK_KB, told
    assert late.drafts_kept == 0, told
    assert late.stored_keys <= 3, told  # what is not told yet of this item


def test_what_a_page_leaves_behind_is_seen(at_item, project, mona):  # noqa: F811
    """The measure itself: nodes and listeners that are held are counted, and garbage is not."""
    add_response(project, "item", EGYPTIAN, "ar-EG")
    page = at_item(mona, marking_stage(project))
    tab = Tab(page)
    before = tab.cost()
    page.evaluate("Array.from({ length: 5000 }, () => document.createElement('p')) && null")
    assert tab.cost().nodes < before.nodes + 1000
    page.evaluate(
        "window.held = Array.from({ length: 5000 }, () => {"
        " const one = document.createElement('p'); one.addEventListener('click', () => one); return one; })"
    )
    after = tab.cost()
    assert after.nodes >= before.nodes + 5000
    assert after.listeners >= before.listeners + 5000
