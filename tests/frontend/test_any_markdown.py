"""Whatever a text holds, the browser shows exactly its letters, and any selection in it is exactly a range of them."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from projects.anchors import check_anchor, paragraphs
from projects.reading.blocks import blocks, lines
from projects.reading.markup import reading
from tests.frontend.conftest import Screen
from tests.frontend.harness import Harness
from tests.projects.test_read_markdown import texts

pytestmark = pytest.mark.browser

# For each pair of places that are seen: what a selection from the one to the other is, and what it is widened to.
READ = """([html, text, paragraphs, pairs]) => {
  const root = document.createElement("div");
  root.innerHTML = html;
  document.body.append(root);
  const view = new View(root, { text, lang: "ar", dir: "rtl", paragraphs });
  const { index, reading } = view;
  const put = (at, isEnd) => {
    const [number] = reading.touched(isEnd ? at - 1 : at, isEnd ? at : at + 1);
    return [reading.nodes[number], at - reading.starts[number]];
  };
  const selection = document.getSelection();
  const found = pairs.map(([from, to]) => {
    selection.setBaseAndExtent(...put(index.toUtf16(from), false), ...put(index.toUtf16(to), true));
    const range = view.selected(selection);
    selection.removeAllRanges();
    return range && { range: range.map((at) => index.toCodePoint(at)),
      letters: index.snapToGraphemes(...range).map((at) => index.toCodePoint(at)) };
  });
  const words = Array.from({ length: index.wordCount }, (_, number) => index.word(number))
    .map((word) => word.map((at) => index.toCodePoint(at)));
  const seen = words.map(([start, end]) => reading.shown(index.toUtf16(start), index.toUtf16(end)) !== null);
  root.remove();
  return { isRendered: view.rendered !== null, found, words, seen };
}"""


@pytest.fixture(scope="module")
def page_with_views(browser, bundle):
    harness, page = Harness(), browser.new_page()
    screen = Screen(page, harness).open()
    page.evaluate("() => { window.View = mizanSpans.view.constructor; }")
    yield page
    page.close()
    harness.close()
    assert screen.errors == []


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(texts, st.randoms(use_true_random=False))
def test_any_selection_is_the_letters_between_its_ends(page_with_views, text, chance):
    seen = [
        place
        for line in lines(blocks(text))
        if line.number is not None
        for cell in line.cells
        for segment in cell
        if segment.is_shown
        for place in range(segment.start, segment.end)
    ]
    pairs = [sorted((chance.choice(seen), chance.choice(seen))) for _number in range(20)] if seen else []
    pairs = [(first, last + 1) for first, last in pairs]
    told = page_with_views.evaluate(READ, [str(reading(text)), text, paragraphs(text), pairs])
    assert told["isRendered"] or not paragraphs(text)
    for (first, end), found in zip(pairs, told["found"], strict=True):
        assert tuple(found["range"]) == (first, end)
        start, stop = found["letters"]
        assert start <= first < end <= stop
        assert check_anchor(text, start, stop, text[start:stop])
    assert all(told["seen"]), "no word lies on signs alone"
    for start, stop in told["words"]:
        assert check_anchor(text, start, stop, None)
