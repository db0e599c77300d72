// Marking by keyboard alone. The text can be focused; arrows move word by word (with Shift, grapheme by grapheme),
// Up and Down by line, Home and End within the paragraph; Enter or Space sets the start, again the end; Escape
// takes a start back. Left and Right are visual: in a right-to-left text Left goes on.

export class Caret extends EventTarget {
  /** @param {import("./text-view.js").TextView} view @param {import("./selection.js").Selector} selector */
  constructor(view, selector) {
    super();
    this.view = view;
    this.selector = selector;
    this.unit = null;
    this.byLetters = false;
    view.root.addEventListener("keydown", (event) => this.#key(event));
    view.root.addEventListener("focus", () => { if (view.root.matches(":focus-visible")) this.moveTo(this.unit?.[0] ?? 0); });
    view.root.addEventListener("blur", () => selector.painter.show("caret", null));
  }

  /** Places the caret on the unit at a UTF-16 position. */
  moveTo(position, byLetters = this.byLetters) {
    const { index } = this.view;
    if (!index.wordCount) return;
    this.byLetters = byLetters;
    this.unit = byLetters ? index.graphemeAt(position) : index.word(index.wordNumberAt(position));
    this.selector.painter.show("caret", this.unit);
    this.selector.preview(this.unit);
    this.view.scrollTo(this.unit[0], this.unit[1]);
    this.dispatchEvent(new CustomEvent("moved", { detail: { text: index.text.slice(...this.unit) } }));
  }

  /** Remembers where a pointer was, so that the keyboard goes on from there; shows nothing. */
  remember(position) {
    this.byLetters = false;
    const number = this.view.index.wordNumberAt(position);
    if (number >= 0) this.unit = this.view.index.word(number);
  }

  #key(event) {
    if (event.ctrlKey && ["Home", "End"].includes(event.key)) {
      this.moveTo(event.key === "Home" ? 0 : this.view.index.length, false);
    } else if (event.ctrlKey || event.metaKey || event.altKey || !this.#handle(event)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #handle(event) {
    const forward = this.view.rightToLeft ? "ArrowLeft" : "ArrowRight";
    const backward = this.view.rightToLeft ? "ArrowRight" : "ArrowLeft";
    if (event.shiftKey && ["ArrowUp", "ArrowDown"].includes(event.key)) return false; // on and back among what is asked
    switch (event.key) {
      case forward: this.#step(1, event.shiftKey); return true;
      case backward: this.#step(-1, event.shiftKey); return true;
      case "ArrowDown": this.#line(1); return true;
      case "ArrowUp": this.#line(-1); return true;
      case "Home": this.#edge(0); return true;
      case "End": this.#edge(1); return true;
      case "Enter":
      case " ": return this.#set();
      case "Escape": return this.selector.cancel();
      default: return false;
    }
  }

  #step(direction, byLetters) {
    const { index } = this.view;
    if (!this.unit) return this.moveTo(0, byLetters);
    if (byLetters) {
      // From a word, Shift+arrow first narrows to its grapheme on that side, then walks on.
      const edge = direction > 0 ? this.unit[1] : this.unit[0] - 1;
      const wide = !this.byLetters && index.graphemeAt(this.unit[0])[1] < this.unit[1];
      const target = wide ? (direction > 0 ? this.unit[0] : this.unit[1] - 1) : edge;
      return this.moveTo(Math.max(0, Math.min(target, index.length - 1)), true);
    }
    const number = index.wordNumberAt(this.unit[0]) + direction;
    return this.moveTo(index.word(Math.max(0, Math.min(number, index.wordCount - 1)))[0], false);
  }

  #line(direction) {
    if (!this.unit) return this.moveTo(0);
    const [box] = this.view.rectangles(this.unit[0], this.unit[1]);
    const height = parseFloat(getComputedStyle(this.view.root).lineHeight) || box.height * 1.6;
    const x = (box.left + box.right) / 2;
    for (const step of [1, 1.5]) {
      const y = (box.top + box.bottom) / 2 + direction * height * step;
      for (const aside of [0, -24, 24, -60, 60]) {
        const found = this.view.positionUnder(x + aside, y);
        if (found !== null && (found - this.unit[0]) * direction > 0) return this.moveTo(found);
      }
    }
    const { paragraphs } = this.view;
    let number = this.view.paragraphAt(this.unit[0]) + direction;
    while (number >= 0 && number < paragraphs.length && !this.view.shownOf(number)) number += direction;
    if (number < 0) return this.moveTo(0);
    if (number >= paragraphs.length) return this.moveTo(this.view.index.length - 1);
    const [start, end] = this.view.shownOf(number);
    return this.moveTo(direction > 0 ? start : end - 1);
  }

  #edge(side) {
    const shown = this.view.shownOf(this.view.paragraphAt(this.unit?.[0] ?? 0));
    if (shown) this.moveTo(side ? shown[1] - 1 : shown[0], false);
  }

  #set() {
    if (!this.selector.enabled) return false;
    if (!this.unit) this.moveTo(0);
    if (!this.unit) return false;
    if (this.selector.pending) this.selector.finish(this.unit, { keyboard: true });
    else this.selector.begin(this.unit);
    return true;
  }
}
