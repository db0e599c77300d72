"""What axe finds on a page. Its own wrapper takes four times as long for the same answers.

Whether a text stands out enough from what is behind it is most of axe's time, and it is the same for every text of one
look: the same parts of a page around it, by their names, classes and backgrounds, and the same letters. So one text of
each look is weighed. All other rules are put to the whole page.
"""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# Marks the texts to be weighed, and tells their looks: one text of each look that is not among those known.
LOOKS = """(known) => {
  const seen = new Set(known), chains = new WeakMap(), found = [];
  const hash = (words) => {
    let one = 0xdeadbeef, other = 0x41c6ce57;
    for (let at = 0; at < words.length; at += 1) {
      const code = words.charCodeAt(at);
      one = Math.imul(one ^ code, 2654435761);
      other = Math.imul(other ^ code, 1597334677);
    }
    return `${(one >>> 0).toString(36)} ${(other >>> 0).toString(36)}`;
  };
  const chain = (each) => {
    if (!each) return "";
    if (!chains.has(each)) {
      const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(each);
      const off = each.matches(":disabled, [aria-disabled]");
      const parts = [chain(each.parentElement), each.tagName, each.getAttribute("class"), off];
      chains.set(each, hash([...parts, backgroundColor, backgroundImage, opacity, position].join("|")));
    }
    return chains.get(each);
  };
  const says = (each) => each.matches("input, select, textarea")
    || [...each.childNodes].some((part) => part.nodeType === Node.TEXT_NODE && part.data.trim());
  for (const each of document.body.querySelectorAll("*")) {
    each.removeAttribute("data-weighed-by-axe");
    if (!says(each) || !each.checkVisibility()) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(each);
    const look = hash([chain(each), color, fontSize, fontWeight, textShadow].join("|"));
    if (seen.has(look)) continue;
    seen.add(look);
    found.push(look);
    each.setAttribute("data-weighed-by-axe", "");
  }
  return found;
}"""
RUN = """() => {
  axe.configure({ rules: [{ id: "color-contrast", selector: "[data-weighed-by-axe]" }] });
  return axe.run({ resultTypes: ["violations"], selectors: false }).then(({ violations }) => violations);
}"""


def barriers(page: Page, known: set[str] | None = None) -> list[str]:
    """The rules that the page breaks, and where. Looks that are known were weighed on another page, in the same colours
    at the same width; those of this page become known."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    known = set() if known is None else known
    known |= set(page.evaluate(LOOKS, list(known)))
    return [f"{each['id']}: {node['html'][:120]}" for each in page.evaluate(RUN) for node in each["nodes"]]


def too_wide(page: Page) -> list[str]:
    """How far the page reaches, where that is beyond the window."""
    assert page.viewport_size
    reached = page.evaluate("document.documentElement.scrollWidth")
    return [f"{reached} px wide"] if reached > page.viewport_size["width"] else []
