// Spans in reading order, and which of them cover a position: both by binary search, so that a page with hundreds of
// marks answers as fast as one with three. Further parts, which few marks have, are looked through one by one.
import { partsOf } from "./parts.js";

const RANK = { words: 0, paragraph: 1, response: 2 };

function compare(a, b) {
  return RANK[a.anchor] - RANK[b.anchor]
    || (a.start ?? a.paragraph ?? 0) - (b.start ?? b.paragraph ?? 0)
    || (b.end ?? 0) - (a.end ?? 0)
    || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

export class SpanOrder {
  constructor(spans) {
    this.sorted = [...spans].sort(compare);
    this.reach = []; // reach[i]: the furthest end among sorted[0..i]
    this.divided = new Map(this.sorted.filter(({ more }) => more?.length).map((span) => [span.id, span]));
    this.#extendReach(0);
  }

  get ids() {
    return this.sorted.map(({ id }) => id);
  }

  /** Place the span has, or would take, in reading order. */
  indexOf(span) {
    let low = 0;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(this.sorted[middle], span) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  insert(span) {
    if (span.more?.length) this.divided.set(span.id, span);
    else this.divided.delete(span.id);
    const at = this.indexOf(span);
    const replaces = this.sorted[at]?.id === span.id ? 1 : 0;
    this.sorted.splice(at, replaces, span);
    if (!replaces) this.#extendReach(at);
  }

  /** Takes a span out, unless its successor with the same anchor is about to take its place (`replacing`). */
  remove(span, replacing = false) {
    if (replacing) return;
    const at = this.indexOf(span);
    if (this.sorted[at]?.id !== span.id) return;
    this.divided.delete(span.id);
    this.sorted.splice(at, 1);
    this.#extendReach(at);
  }

  /** Spans on words that overlap [start, end), in reading order. */
  overlapping(start, end) {
    const found = [];
    let low = 0;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const span = this.sorted[middle];
      if (span.anchor === "words" && span.start < end) low = middle + 1;
      else high = middle;
    }
    for (let i = low - 1; i >= 0 && this.reach[i] > start; i -= 1) {
      if (this.sorted[i].end > start) found.push(this.sorted[i]);
    }
    found.reverse();
    const further = [...this.divided.values()].filter((span) => !(span.start < end && span.end > start)
      && span.more.some((part) => part.start < end && part.end > start));
    return further.length ? [...found, ...further].sort(compare) : found;
  }

  /** Spans covering a code-point position, the shortest first: what a pointer there means. */
  at(position) {
    const length = (span) => partsOf(span).reduce((sum, { start, end }) => sum + end - start, 0);
    return this.overlapping(position, position + 1).sort((a, b) => length(a) - length(b));
  }

  #extendReach(from) {
    this.reach.length = this.sorted.length;
    for (let i = from; i < this.sorted.length; i += 1) {
      this.reach[i] = Math.max(i ? this.reach[i - 1] : 0, this.sorted[i].end ?? 0);
    }
  }
}
