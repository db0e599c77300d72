// Choosing words with a pointer. Mouse: drag. Touch and pen: tap the first word, tap the last; a native long-press
// selection can be taken over too. Words by default; graphemes with Shift held or `byLetters` switched on.
//
// Events: "mark" {start, end, keyboard}, "point" {position, touch}, "pending" {range} with a range or null,
// "offered" {range} while a touch selection could be taken over. Positions are UTF-16.

const MOVED = 8; // pixels a finger may slip and still have tapped
const HELD = 600; // milliseconds after which a touch is a long press and belongs to the browser

export class Selector extends EventTarget {
  /** @param {import("./text-view.js").TextView} view @param {import("./highlight.js").Painter} painter */
  constructor(view, painter) {
    super();
    this.view = view;
    this.painter = painter;
    this.byLetters = false;
    this.pending = null;
    this.enabled = true;
    this.press = null;
    this.release = null; // what is still to be done of a mouse's release
    this.tapped = false;
    this.lastWasTouch = false;
    view.root.addEventListener("pointerdown", (event) => this.#down(event));
    document.addEventListener("pointerup", (event) => this.#up(event));
    document.addEventListener("pointercancel", () => { this.press = null; });
    // A tap is handled on click, not on release: what opens under the finger must not receive the click instead.
    view.root.addEventListener("click", (event) => {
      if (this.tapped) this.#tap(event);
      this.tapped = false;
    });
    document.addEventListener("selectionchange", () => this.#selectionChanged());
    // Whoever presses a key right after a drag means the mark that comes of it.
    document.addEventListener("keydown", () => this.#finishRelease(), { capture: true });
  }

  /** Whole words or whole graphemes around [start, end); null where there is nothing to mark. */
  snap(start, end, byLetters = this.byLetters) {
    if (end <= start) return null;
    const { index } = this.view;
    const words = byLetters ? null : index.snapToWords(start, end);
    if (words) return words;
    // Punctuation is marked by itself, as it was chosen; blanks around it are not.
    const chosen = index.text.slice(start, end);
    const bare = byLetters ? chosen : chosen.trim();
    if (!bare.trim()) return null;
    const from = start + chosen.indexOf(bare);
    return index.snapToGraphemes(from, from + bare.length);
  }

  /** The unit (word or grapheme) under a position. */
  unitAt(position, byLetters = this.byLetters) {
    return this.snap(position, position + 1, byLetters);
  }

  /** Sets the visible start marker; the next finish() marks from there. */
  begin(unit) {
    this.pending = unit;
    this.painter.show("pending", unit);
    this.#emit("pending", { range: unit });
  }

  /** Shows what would be marked if the mark ended at this unit. */
  preview(unit) {
    if (this.pending) this.painter.show("pending", this.#span(unit));
  }

  finish(unit, { keyboard = false } = {}) {
    const range = this.#span(unit);
    this.cancel();
    this.#emit("mark", { start: range[0], end: range[1], keyboard });
  }

  /** Forgets a pending start; true when there was one. */
  cancel() {
    const had = this.pending !== null;
    this.pending = null;
    this.painter.show("pending", null);
    if (had) this.#emit("pending", { range: null });
    return had;
  }

  /** Marks what the browser's own selection covers, as after a long press. */
  takeSelection(byLetters = this.byLetters) {
    const selected = this.view.selected(document.getSelection());
    document.getSelection().removeAllRanges();
    this.painter.show("pending", this.pending);
    const range = selected && this.snap(selected[0], selected[1], byLetters);
    if (range) this.#emit("mark", { start: range[0], end: range[1], keyboard: false });
    return Boolean(range);
  }

  #span(unit) {
    return [Math.min(this.pending[0], unit[0]), Math.max(this.pending[1], unit[1])];
  }

  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #down(event) {
    this.lastWasTouch = event.pointerType !== "mouse";
    if (!event.isPrimary || event.button !== 0) return;
    this.press = { x: event.clientX, y: event.clientY, at: event.timeStamp, touch: this.lastWasTouch,
      boundary: this.view.boundaryUnder(event.clientX, event.clientY) };
  }

  #up(event) {
    const press = this.press;
    this.press = null;
    this.tapped = false;
    if (!press || !this.enabled) return;
    const moved = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    if (press.touch) {
      this.tapped = moved <= MOVED && event.timeStamp - press.at <= HELD;
      return;
    }
    // The selection of a drag or double click is complete only after the browser has handled the event.
    clearTimeout(this.waiting);
    this.release = () => this.#released(event, press, moved);
    this.waiting = setTimeout(() => this.#finishRelease(), 0);
  }

  /** Does what a release led to, once: when the browser has handled it, or before the key that already follows it. */
  #finishRelease() {
    const { release } = this;
    this.release = null;
    release?.();
  }

  #released(event, press, moved) {
    const position = this.view.positionUnder(event.clientX, event.clientY);
    const selected = this.view.selected(document.getSelection());
    const clicked = moved <= MOVED / 2;
    // A double click on a mark means the mark, not a second one on the same word.
    const onMark = clicked && position !== null && this.#marksAt(position).length > 0;
    const byLetters = this.byLetters || event.shiftKey;
    if (selected && !onMark && this.takeSelection(byLetters)) return;
    if (!selected && !clicked && this.#dragged(press, event, byLetters)) return;
    document.getSelection().removeAllRanges();
    this.painter.show("pending", this.pending);
    if (clicked) this.#emit("point", { position, touch: false });
  }

  /** A drag too quick for the browser to have selected anything yet. */
  #dragged(press, event, byLetters) {
    const places = [press.boundary, this.view.boundaryUnder(event.clientX, event.clientY)];
    if (places.includes(null)) return false;
    const range = this.snap(Math.min(...places), Math.max(...places), byLetters);
    if (range) this.#emit("mark", { start: range[0], end: range[1], keyboard: false });
    return Boolean(range);
  }

  #marksAt(position) {
    return this.painter.document.order.at(this.view.index.toCodePoint(position));
  }

  #tap(event) {
    if (!document.getSelection().isCollapsed) return;
    const position = this.view.positionUnder(event.clientX, event.clientY);
    const unit = position === null ? null : this.unitAt(position);
    if (this.pending && unit) this.finish(unit);
    else if (!this.pending) this.#emit("point", { position, touch: true });
  }

  #selectionChanged() {
    if (!this.enabled) return;
    const dragging = this.press && !this.press.touch;
    if (!dragging && !this.lastWasTouch) return;
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      const selected = this.view.selected(document.getSelection());
      const range = selected && this.snap(selected[0], selected[1]);
      if (this.press && !this.press.touch) this.painter.show("pending", range ?? this.pending);
      else if (this.lastWasTouch) this.#emit("offered", { range });
    });
  }
}
