// A text as it stands in the page, once rendered and once plain. Both hold the text character by character, so a
// position in one is the same position in the other; they differ in what is seen, and in how lines are laid out.
import { element } from "../site/dom.js";
import { lastAtMost } from "./offsets.js";

/** Elements of which the text is more than lines one below the other. */
const STRUCTURE = "h3, h4, h5, h6, ul, ol, pre, table, blockquote";

/** Text nodes in the order of the text, each from a UTF-16 position on, and an element for each paragraph. */
class Reading {
  constructor(children, nodes, starts, elements) {
    this.children = children;
    this.nodes = nodes;
    this.starts = Int32Array.from(starts);
    this.numbers = new Map(nodes.map((node, number) => [node, number]));
    this.elements = elements;
    this.signs = nodes.map(hiddenAround);
    this.isStructured = children.some((child) => child.matches?.(STRUCTURE) || child.querySelector?.(STRUCTURE));
    this.marked = new Map(); // hidden element -> how many marks lie on signs alone and in it
  }

  endOf(number) {
    return this.starts[number] + this.nodes[number].length;
  }

  /** UTF-16 ranges of what is not seen. */
  get hidden() {
    return this.nodes.flatMap((_, number) => (this.signs[number] ? [[this.starts[number], this.endOf(number)]] : []));
  }

  /** Numbers of the nodes that [start, end) touches. */
  *touched(start, end) {
    const first = Math.max(0, lastAtMost(this.starts, start));
    for (let number = first; number < this.nodes.length && this.starts[number] < end; number += 1) {
      if (this.endOf(number) > start) yield number;
    }
  }

  /** What is seen of [start, end), from its first to its last shown character; null where nothing is. */
  shown(start, end) {
    let first = null;
    let last = null;
    for (const number of this.touched(start, end)) {
      if (this.signs[number]) continue;
      first ??= Math.max(start, this.starts[number]);
      last = Math.min(end, this.endOf(number));
    }
    return first === null ? null : [first, last];
  }

  /** A mark that lies on signs alone shows them while it is there. */
  showSigns(start, end, by) {
    if (this.shown(start, end)) return;
    for (const number of this.touched(start, end)) {
      for (const sign of this.signs[number]) {
        const marks = (this.marked.get(sign) ?? 0) + by;
        this.marked.set(sign, marks);
        sign.hidden = marks === 0;
        sign.classList.toggle("reading__sign", marks > 0);
      }
    }
  }
}

/** The hidden elements that a text node stands in; null where it is seen. */
function hiddenAround(node) {
  const found = [];
  for (let each = node.parentElement.closest("[hidden]"); each; each = each.parentElement?.closest("[hidden]")) found.push(each);
  return found.length ? found : null;
}

/**
 * One element per paragraph, whose single text node is exactly the raw text of that paragraph.
 * @param {(utf16: number) => number} toCodePoint
 */
export function plainReading(text, paragraphs, toCodePoint) {
  const nodes = paragraphs.map(([start, end]) => document.createTextNode(text.slice(start, end)));
  const elements = nodes.map((node, number) => {
    // Lines of one list or one poem stand close; where the text leaves a line empty, so does the page.
    const isApart = number > 0 && text.slice(paragraphs[number - 1][1], paragraphs[number][0]).split("\n").length > 2;
    return element("p", { class: isApart ? "follows-empty-line" : null, "data-start": toCodePoint(paragraphs[number][0]) }, node);
  });
  return new Reading(elements, nodes, paragraphs.map(([start]) => start), elements);
}

/**
 * What the server rendered into the page (projects/reading/markup.py), or null where it is not the text's paragraphs
 * character by character: then the text is shown plain.
 */
export function renderedReading(root, text, paragraphs) {
  const lines = [...root.querySelectorAll("[data-start]")];
  if (!lines.length || lines.length !== paragraphs.length) return null;
  const nodes = [];
  const starts = [];
  for (const [number, line] of lines.entries()) {
    const [start, end] = paragraphs[number];
    if (line.textContent !== text.slice(start, end)) return null;
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let at = start; walker.nextNode(); at += walker.currentNode.length) {
      nodes.push(walker.currentNode);
      starts.push(at);
    }
  }
  let seen = lines.find((line) => !line.hidden) ?? lines[0];
  const elements = lines.map((line) => (seen = line.hidden ? seen : line));
  return new Reading([...root.childNodes], nodes, starts, elements);
}
