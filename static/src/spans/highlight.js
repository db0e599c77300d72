// Paints marks over the text through the CSS Custom Highlight API: the text itself is never cut into elements, so
// offsets hold and marks may overlap and nest freely. Each mark gets a lane, the distance of its underline from the
// text, that no mark it overlaps with has.
import { sameAnchor } from "./document.js";
import { LANES, highlightName } from "./highlight-rules.mjs";
import { Nearby } from "./nearby.js";
import { partsOf } from "./parts.js";

export function canHighlight() {
  return typeof Highlight === "function" && Boolean(globalThis.CSS?.highlights);
}

/** Whether the elements of a text inherit the look of its highlights. */
function inherits(root) {
  const [child] = root.children;
  const look = (of) => getComputedStyle(of, "::highlight(mark-caret)").backgroundColor;
  return Boolean(child) && look(child) === look(root) && look(root) !== getComputedStyle(root).backgroundColor;
}

export class Painter {
  /**
   * @param {import("./text-view.js").TextView} view @param {import("./document.js").SpanDocument} document
   * @param {(value: string) => string} [look] how a type or a criticality is drawn
   */
  constructor(view, document, look = (value) => value) {
    this.view = view;
    this.look = look;
    this.document = document;
    this.available = canHighlight();
    this.painted = new Map(); // id -> what was painted of it, and where
    this.pieces = new Map(); // element of a paragraph -> the pieces of marks in it, {name, range}
    this.emphasis = new Map(); // "selected", "hover", "pending", "caret" -> {ranges, parts}
    if (!this.available) return;
    if (!inherits(view.root)) view.root.classList.add("reading--each");
    // At every step the browser goes through all highlights and draws anew whatever has one: so only what is near has.
    this.nearby = new Nearby((element) => this.#showOrHide(element));
    this.nearby.watch(view.elements);
    for (const span of document.list()) this.#paint(span);
    document.addEventListener("change", ({ detail }) => this.#change(detail));
    view.addEventListener("redrawn", () => this.#paintAnew());
  }

  /** The text stands in other nodes now; marks keep their lanes. */
  #paintAnew() {
    this.nearby.watch(this.view.elements);
    for (const [id, { span, lane }] of [...this.painted]) {
      this.#erase(id);
      this.#paint(span, lane);
    }
    for (const [role, shown] of [...this.emphasis]) this.show(role, ...shown.ranges);
  }

  /** Shows a range, or all those of one mark, in a passing role (selected, hover, pending, caret), or none. UTF-16 offsets. */
  show(role, ...ranges) {
    if (!this.available) return;
    const highlight = this.#highlight(`mark-${role}`, role);
    for (const part of this.emphasis.get(role)?.parts ?? []) highlight.delete(part);
    const parts = ranges.flatMap((range) => (range && range[1] > range[0] ? this.view.ranges(range[0], range[1]) : []));
    for (const part of parts) highlight.add(part);
    this.emphasis.set(role, { ranges, parts });
  }

  laneOf(id) {
    return this.painted.get(id)?.lane ?? 0;
  }

  #highlight(name, role = null) {
    let highlight = CSS.highlights.get(name);
    if (!highlight) {
      highlight = new Highlight();
      highlight.priority = { selected: 20, hover: 10, pending: 30, caret: 40 }[role] ?? 0;
      CSS.highlights.set(name, highlight);
    }
    return highlight;
  }

  #change({ before, after }) {
    const keptLane = before && after && sameAnchor(before, after) ? this.laneOf(before.id) : null;
    if (before) this.#erase(before.id);
    if (after) this.#paint(after, keptLane);
  }

  #showOrHide(element) {
    const isNear = this.nearby.has(element);
    for (const { name, range } of this.pieces.get(element) ?? []) {
      if (isNear) this.#highlight(name).add(range);
      else this.#highlight(name).delete(range);
    }
  }

  #erase(id) {
    const entry = this.painted.get(id);
    if (!entry) return;
    for (const piece of entry.pieces) {
      this.#highlight(piece.name).delete(piece.range);
      const beside = this.pieces.get(piece.element);
      beside.delete(piece);
      if (!beside.size) this.pieces.delete(piece.element);
    }
    for (const place of entry.places) entry.reading.showSigns(...place, -1);
    this.painted.delete(id);
  }

  #paint(span, keptLane = null) {
    if (span.anchor !== "words") return;
    const lane = keptLane ?? this.#freeLane(span);
    const name = highlightName(this.look(span.type), this.look(span.criticality), lane);
    const { reading, index } = this.view;
    const places = partsOf(span).map(({ start, end }) => [index.toUtf16(start), index.toUtf16(end)]);
    const pieces = places.flatMap((place) => this.view.ranges(...place))
      .map((range) => ({ name, range, element: this.view.elementOf(range.startContainer) }));
    for (const piece of pieces) this.#keep(piece);
    for (const place of places) reading.showSigns(...place, 1);
    this.painted.set(span.id, { span, pieces, lane, reading, places });
  }

  #keep(piece) {
    if (!this.pieces.has(piece.element)) this.pieces.set(piece.element, new Set());
    this.pieces.get(piece.element).add(piece);
    if (this.nearby.has(piece.element)) this.#highlight(piece.name).add(piece.range);
  }

  /** The lowest lane no overlapping mark uses; where all are taken, the one used least. */
  #freeLane(span) {
    const used = new Array(LANES).fill(0);
    const others = new Set(partsOf(span).flatMap(({ start, end }) => this.document.order.overlapping(start, end)));
    for (const other of others) {
      const entry = other.id === span.id ? null : this.painted.get(other.id);
      if (entry) used[entry.lane] += 1;
    }
    return used.indexOf(Math.min(...used));
  }
}
