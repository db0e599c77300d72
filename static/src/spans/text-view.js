// The response on the page, rendered or plain. Translates between positions in the whole text (UTF-16) and places in the
// page; what a mark points at is the same in both.
import { gettext, interpolate } from "../site/text.js";
import { plainText } from "../task_kit/plain.js";
import { TextIndex, lastAtMost } from "./offsets.js";
import { plainReading, renderedReading } from "./reading.js";

/** Says "redrawn" where the text has been put into the page anew. */
export class TextView extends EventTarget {
  /**
   * @param {HTMLElement} root with the rendered text, or empty
   * @param {{text: string, lang: string, dir: string, paragraphs: [number, number][]}} task paragraphs in code points
   */
  constructor(root, task) {
    super();
    this.root = root;
    this.index = new TextIndex(task.text, task.lang);
    this.rightToLeft = task.dir === "rtl";
    root.lang = task.lang;
    root.dir = task.dir;
    this.paragraphs = (task.paragraphs.length ? task.paragraphs : [[0, this.index.codePoints]])
      .map(([start, end]) => [this.index.toUtf16(start), this.index.toUtf16(end)]);
    this.paragraphStarts = Int32Array.from(this.paragraphs, ([start]) => start);
    this.rendered = renderedReading(root, task.text, this.paragraphs);
    this.#draw();
  }

  /** Whether the rendered text shows anything otherwise than it was written. */
  get hasSigns() {
    return Boolean(this.rendered && (this.rendered.isStructured || this.rendered.hidden.length));
  }

  /** Shows the text plain or rendered, as the person wants it now; what is read stays where it is in the window. */
  redraw() {
    const { left, width } = this.root.getBoundingClientRect();
    const heights = [0.3, 0.5, 0.15, 0.7].map((share) => window.innerHeight * share);
    const read = heights.map((y) => this.#seenNear(left + width / 2, y)).find((at) => at !== null) ?? null;
    const top = () => (read === null ? undefined : this.rectangles(read, read + 1)[0]?.top);
    const before = top();
    this.#draw();
    this.dispatchEvent(new Event("redrawn"));
    const after = top();
    if (before !== undefined && after !== undefined) window.scrollBy({ top: after - before, behavior: "instant" });
  }

  #seenNear(x, y) {
    const near = this.boundaryUnder(x, y);
    return near === null ? null : this.reading.shown(near, this.index.length)?.[0] ?? null;
  }

  #draw() {
    const isPlain = !this.rendered || plainText.on;
    this.reading = isPlain ? (this.plain ??= plainReading(this.index.text, this.paragraphs, (utf16) => this.index.toCodePoint(utf16))) : this.rendered;
    this.index.hide(this.reading.hidden);
    this.root.replaceChildren(...this.reading.children);
    // Within a text field assistive technology tells of no table and no heading.
    const isField = !this.reading.isStructured;
    this.root.setAttribute("role", isField ? "textbox" : "group");
    for (const name of ["aria-readonly", "aria-multiline"]) {
      if (isField) this.root.setAttribute(name, "true");
      else this.root.removeAttribute(name);
    }
  }

  /** The elements of the paragraphs, as they stand now. */
  get elements() {
    return this.reading.elements;
  }

  /** The element of the paragraph that a text node of the text stands in. */
  elementOf(node) {
    const { elements, numbers, starts } = this.reading;
    return elements[this.paragraphAt(starts[numbers.get(node)])];
  }

  /** Number of the paragraph a UTF-16 position lies in; a position between two belongs to the one before. */
  paragraphAt(position) {
    return Math.max(0, lastAtMost(this.paragraphStarts, position));
  }

  /** What is seen of a paragraph, as UTF-16 [start, end]; null where nothing is. */
  shownOf(number) {
    return this.reading.shown(...this.paragraphs[number]);
  }

  /** The UTF-16 position of a place in the page, or null outside the text. */
  position(node, offset) {
    if (!this.root.contains(node)) return null;
    const { nodes, starts, numbers } = this.reading;
    const number = numbers.get(node);
    if (number !== undefined) return starts[number] + Math.min(offset, node.length);
    if (!nodes.length) return null;
    // Between elements: the browser then counts children.
    const place = document.createRange();
    place.setStart(node, offset);
    let low = 0;
    let high = nodes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (place.comparePoint(nodes[middle], 0) < 0) low = middle + 1;
      else high = middle;
    }
    if (low === nodes.length) return this.reading.endOf(low - 1);
    return offset < node.childNodes.length || low === 0 ? starts[low] : this.reading.endOf(low - 1);
  }

  /** The part of a selection that is seen in the text, as UTF-16 [start, end], or null. */
  selected(selection) {
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    if (!range.intersectsNode(this.root)) return null;
    const start = this.position(range.startContainer, range.startOffset) ?? 0;
    const end = this.position(range.endContainer, range.endOffset) ?? this.index.length;
    return end > start ? this.reading.shown(start, end) : null;
  }

  /** Static ranges for [start, end), one per text node touched. */
  ranges(start, end) {
    return Array.from(this.#parts(start, end), ([node, from, to]) =>
      new StaticRange({ startContainer: node, startOffset: from, endContainer: node, endOffset: to }));
  }

  *#parts(start, end) {
    const { nodes, starts } = this.reading;
    for (const number of this.reading.touched(start, end)) {
      yield [nodes[number], Math.max(0, start - starts[number]), Math.min(end - starts[number], nodes[number].length)];
    }
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
    for (const candidate of [near, near - 1, ...this.#besideSigns(near)]) {
      if (candidate >= 0 && candidate < this.index.length && this.#holds(candidate, x, y)) return candidate;
    }
    return null;
  }

  /** The nearest characters that are seen after and before a position between signs. */
  #besideSigns(position) {
    const { signs } = this.reading;
    const at = lastAtMost(this.reading.starts, position);
    const found = [];
    let next = Math.max(at, 0);
    while (next < signs.length && signs[next]) next += 1;
    if (next < signs.length && next > at) found.push(this.reading.starts[next]);
    let last = at;
    while (last >= 0 && (signs[last] || this.reading.starts[last] === position)) last -= 1;
    if (last >= 0 && last < at) found.push(this.reading.endOf(last) - 1);
    return found;
  }

  #holds(position, x, y) {
    const [start, end] = this.index.graphemeAt(position);
    return this.rectangles(start, end).some((box) =>
      x >= box.left - 2 && x <= box.right + 2 && y >= box.top - 6 && y <= box.bottom + 6);
  }

  /** Boxes of a range in the window, one per line and text node. */
  rectangles(start, end) {
    const range = document.createRange();
    const boxes = [];
    for (const [node, from, to] of this.#parts(start, end)) {
      range.setStart(node, from);
      range.setEnd(node, to);
      boxes.push(...range.getClientRects());
    }
    return boxes;
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
    if (box) this.#scrollTable(start, box);
    const bar = this.root.previousElementSibling;
    const ceiling = 8 + (bar ? bar.getBoundingClientRect().height + (parseFloat(getComputedStyle(bar).top) || 0) : 0);
    if (!box || (box.top > ceiling && box.bottom < floor)) return;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    window.scrollBy({ top: box.top - ceiling - (floor - ceiling) / 3, behavior });
  }

  /** A table that is wider than the page scrolls by itself. */
  #scrollTable(position, box) {
    const [[node]] = this.#parts(position, position + 1);
    const table = node.parentElement.closest(".reading__table");
    if (!table) return;
    const { left, right } = table.getBoundingClientRect();
    if (box.left < left) table.scrollLeft += box.left - left - 8;
    else if (box.right > right) table.scrollLeft += box.right - right + 8;
  }

  paragraphName(number) {
    return interpolate(gettext("Paragraph %(number)s"), { number: number + 1 });
  }
}
