// The response on the page: one element per paragraph whose single text node is exactly the raw text of that
// paragraph. Translates between positions in the whole text (UTF-16) and places in the page.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { TextIndex, lastAtMost } from "./offsets.js";

export class TextView {
  /**
   * @param {HTMLElement} root emptied and filled
   * @param {{text: string, lang: string, dir: string, paragraphs: [number, number][]}} task paragraphs in code points
   */
  constructor(root, task) {
    this.root = root;
    this.index = new TextIndex(task.text, task.lang);
    this.rightToLeft = task.dir === "rtl";
    root.lang = task.lang;
    root.dir = task.dir;
    this.paragraphs = (task.paragraphs.length ? task.paragraphs : [[0, this.index.codePoints]])
      .map(([start, end]) => [this.index.toUtf16(start), this.index.toUtf16(end)]);
    this.starts = Int32Array.from(this.paragraphs, ([start]) => start);
    this.nodes = this.paragraphs.map(([start, end]) => document.createTextNode(task.text.slice(start, end)));
    this.elements = this.nodes.map((node, number) => element("p", { "data-paragraph": number }, node));
    // Lines of one list or one poem stand close; where the text leaves a line empty, so does the page.
    this.elements.forEach((node, number) => node.classList.toggle("follows-empty-line", number > 0 && this.#isApart(number)));
    root.replaceChildren(...this.elements);
  }

  #isApart(number) {
    const between = this.index.text.slice(this.paragraphs[number - 1][1], this.paragraphs[number][0]);
    return between.split("\n").length > 2;
  }

  /** Number of the paragraph a UTF-16 position lies in; a position between two belongs to the one before. */
  paragraphAt(position) {
    return Math.max(0, lastAtMost(this.starts, position));
  }

  /** A place in the page for a UTF-16 position. */
  place(position) {
    const number = this.paragraphAt(position);
    const node = this.nodes[number];
    return { node, offset: Math.min(position - this.paragraphs[number][0], node.length) };
  }

  /** The UTF-16 position of a place in the page, or null outside the text. */
  position(node, offset) {
    if (!this.root.contains(node)) return null;
    const paragraph = (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest("[data-paragraph]");
    if (paragraph) {
      const [start, end] = this.paragraphs[Number(paragraph.dataset.paragraph)];
      if (node.nodeType === Node.TEXT_NODE) return start + Math.min(offset, node.length);
      return offset === 0 ? start : end;
    }
    // Between paragraphs: the browser then counts paragraphs as children of the root.
    if (node === this.root) return offset < this.paragraphs.length ? this.paragraphs[offset][0] : this.index.length;
    return null;
  }

  /** The part of a selection that lies within the text, as UTF-16 [start, end], or null. */
  selected(selection) {
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(this.root)) return null;
    const start = this.position(range.startContainer, range.startOffset) ?? 0;
    const end = this.position(range.endContainer, range.endOffset) ?? this.index.length;
    return end > start ? [start, end] : null;
  }

  /** Static ranges for [start, end), one per paragraph touched. */
  ranges(start, end) {
    const found = [];
    for (let number = this.paragraphAt(start); number < this.nodes.length && this.starts[number] < end; number += 1) {
      const node = this.nodes[number];
      const from = Math.max(0, Math.min(start - this.starts[number], node.length));
      const to = Math.max(0, Math.min(end - this.starts[number], node.length));
      if (to > from) found.push(new StaticRange({ startContainer: node, startOffset: from, endContainer: node, endOffset: to }));
    }
    return found;
  }

  /** UTF-16 position of the boundary between characters nearest to a point of the window, or null outside the text. */
  boundaryUnder(x, y) {
    let node;
    let offset;
    if (document.caretPositionFromPoint) {
      const caret = document.caretPositionFromPoint(x, y);
      node = caret?.offsetNode;
      offset = caret?.offset;
    } else {
      const caret = document.caretRangeFromPoint?.(x, y);
      node = caret?.startContainer;
      offset = caret?.startOffset;
    }
    return node ? this.position(node, offset) : null;
  }

  /** UTF-16 position of the character under a point of the window, or null where there is none. */
  positionUnder(x, y) {
    const near = this.boundaryUnder(x, y);
    if (near === null) return null;
    // The caret lies between two characters: take the one whose box holds the point.
    for (const candidate of [near, near - 1]) {
      if (candidate >= 0 && candidate < this.index.length && this.#holds(candidate, x, y)) return candidate;
    }
    return null;
  }

  #holds(position, x, y) {
    const [start, end] = this.index.graphemeAt(position);
    return this.rectangles(start, end).some((box) =>
      x >= box.left - 2 && x <= box.right + 2 && y >= box.top - 6 && y <= box.bottom + 6);
  }

  /** Boxes of a range in the window, one per line. */
  rectangles(start, end) {
    const from = this.place(start);
    const to = this.place(end);
    const range = document.createRange();
    range.setStart(from.node, from.offset);
    range.setEnd(to.node, to.offset);
    return [...range.getClientRects()];
  }

  /** Puts the focus on the text without moving the page: what is read first stays where it stands. */
  focus() {
    this.isStill = true;
    this.root.focus({ preventScroll: true });
    this.isStill = false;
  }

  /** Scrolls a range into view, clear of the bars above and of whatever covers the page from `floor` down. */
  scrollTo(start, end, floor = window.innerHeight * 0.85) {
    if (this.isStill) return;
    const [box] = this.rectangles(start, end);
    const bar = this.root.previousElementSibling;
    const ceiling = 8 + (bar ? bar.getBoundingClientRect().height + (parseFloat(getComputedStyle(bar).top) || 0) : 0);
    if (!box || (box.top > ceiling && box.bottom < floor)) return;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    window.scrollBy({ top: box.top - ceiling - (floor - ceiling) / 3, behavior });
  }

  paragraphName(number) {
    return interpolate(gettext("Paragraph %(number)s"), { number: number + 1 });
  }
}
