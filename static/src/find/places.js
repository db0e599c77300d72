// The texts of a task screen as they are seen now, and the places in the page where a range of one stands.
import { SeenText, codePoints } from "./seen.js";

/** One text on the page: `root` is its element, `seen` what is seen of it. */
class Place {
  constructor(root, language, nodes, pieces) {
    Object.assign(this, { root, language, nodes, seen: new SeenText(pieces) });
  }

  /** Static ranges of UTF-16 [start, end) of what is seen, one for each text node. */
  ranges(start, end) {
    return this.seen.parts(start, end).map(([number, from, to]) =>
      new StaticRange({ startContainer: this.nodes[number], startOffset: from, endContainer: this.nodes[number], endOffset: to }));
  }

  /** Boxes in the window, one for each line. */
  boxes(start, end) {
    const range = document.createRange();
    return this.seen.parts(start, end).flatMap(([number, from, to]) => {
      range.setStart(this.nodes[number], from);
      range.setEnd(this.nodes[number], to);
      return [...range.getClientRects()];
    });
  }

  /** Whether these are the nodes that this was made of, as many and as they were. */
  isOf(nodes) {
    return nodes.length === this.nodes.length && nodes.every((node, number) => node === this.nodes[number] && node.data === this.seen.pieces[number].text);
  }
}

/**
 * The texts of a screen in the order of the page. What can be brought to be seen (a closed prompt) is among them.
 * @param {Place[]} [before] as it was: a text that is seen as before is handed back itself
 * @returns {Place[]}
 */
export function placesOf(before = []) {
  const roots = [...document.querySelectorAll("[data-as-shown]")].filter((root) => root.dataset.asShown !== "claim" && isReachable(root));
  return roots.map((root) => {
    const { nodes, pieces } = drawn([...root.querySelectorAll("[data-view]")].find((view) => !view.hidden) ?? root);
    const same = before.find((place) => place.root === root && place.isOf(nodes));
    return same ?? new Place(root, root.closest("[lang]")?.lang, nodes, pieces);
  });
}

function isReachable(root) {
  return Boolean(root.closest("details:not([open])")) || (root.checkVisibility?.() ?? root.getClientRects().length > 0);
}

const BLOCKS = "p, div, li, td, th, pre, h3, h4, h5, h6, blockquote, [data-start]";

/** The text nodes that are seen, and where each begins in the source, in code points. */
function drawn(root) {
  const nodes = [];
  const pieces = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let block = null;
  let line = null;
  let at = 0;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const isNewLine = block !== node.parentElement.closest(BLOCKS);
    if (isNewLine) block = node.parentElement.closest(BLOCKS);
    // A line says where in the source it begins (projects/reading/markup.py).
    const own = node.parentElement.closest("[data-start]");
    if (own && own !== line) at = Number(own.dataset.start);
    line = own;
    if (node.data && !node.parentElement.closest("[hidden]")) {
      nodes.push(node);
      pieces.push({ text: node.data, source: at, isNewLine });
    }
    at += codePoints(node.data);
  }
  return { nodes, pieces };
}
