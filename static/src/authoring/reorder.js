// Dragging criteria into another order, by mouse, pen or finger. While one is dragged all are folded to a line each, so
// that the whole list is within reach; the page is scrolled along so that the handle stays under the hand.

const BEGINS = 5; // pixels before a press becomes a drag
const EDGE = 72;
const STEP = 14;

export class Reorder {
  /**
   * @param {HTMLElement} list its children are the cards, each with a handle
   * @param {{handle: string, drop: (card: HTMLElement, to: number) => void, allowed: () => boolean}} options
   */
  constructor(list, { handle, drop, allowed }) {
    Object.assign(this, { list, drop, allowed, card: null });
    list.addEventListener("pointerdown", (event) => {
      const grip = event.target.closest(handle);
      if (grip && event.button === 0 && this.allowed()) this.#press(event, grip);
    });
  }

  #press(event, grip) {
    this.stop?.();
    const start = event.clientY;
    const card = [...this.list.children].find((each) => each.contains(grip));
    const listening = new AbortController();
    const on = (type, run) => grip.addEventListener(type, run, { signal: listening.signal });
    grip.setPointerCapture(event.pointerId);
    this.stop = () => {
      listening.abort();
      this.#end();
      this.stop = null;
    };
    on("pointermove", ({ clientY }) => {
      if (!this.card && Math.abs(clientY - start) < BEGINS) return;
      if (!this.card) this.#begin(card, grip, clientY);
      this.#follow(clientY);
    });
    on("pointerup", () => {
      const to = this.card ? this.place : null;
      this.stop();
      if (to !== null) this.drop(card, to);
    });
    on("pointercancel", () => this.stop());
    on("lostpointercapture", () => this.stop?.());
    document.addEventListener("keydown", (key) => {
      if (key.key !== "Escape" || !this.card) return;
      key.preventDefault();
      key.stopPropagation();
      this.stop();
    }, { signal: listening.signal, capture: true });
  }

  #begin(card, grip, pointer) {
    this.card = card;
    this.list.classList.add("criteria--sorting");
    card.classList.add("criterion--dragged");
    const middle = () => { const box = grip.getBoundingClientRect(); return (box.top + box.bottom) / 2; };
    window.scrollBy({ top: middle() - pointer, behavior: "instant" });
    this.offset = middle() - pointer; // what scrolling could not make up for at the ends of the page
    this.place = this.#places().indexOf(card);
  }

  #places() {
    return [...this.list.children];
  }

  #follow(pointer) {
    this.pointer = pointer;
    const others = this.#places().filter((each) => each !== this.card);
    const at = pointer + this.offset;
    const behind = others.findIndex((each) => { const box = each.getBoundingClientRect(); return at < (box.top + box.bottom) / 2; });
    this.place = behind < 0 ? others.length : behind;
    for (const [number, each] of others.entries()) {
      each.classList.toggle("criterion--drop-before", number === this.place);
      each.classList.toggle("criterion--drop-after", this.place === others.length && number === others.length - 1);
    }
    this.#scrollAlong();
  }

  /** Near the edge of the window the page goes on by itself as long as the pointer stays there. */
  #scrollAlong() {
    const way = this.pointer < EDGE ? -1 : this.pointer > window.innerHeight - EDGE ? 1 : 0;
    if (!way) {
      cancelAnimationFrame(this.frame);
      this.frame = null;
      return;
    }
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (!this.card) return;
      window.scrollBy({ top: way * STEP, behavior: "instant" });
      this.#follow(this.pointer);
    });
  }

  #end() {
    if (!this.card) return;
    cancelAnimationFrame(this.frame);
    this.frame = null;
    const { card } = this;
    this.card = null;
    this.list.classList.remove("criteria--sorting");
    for (const each of this.list.children) each.classList.remove("criterion--dragged", "criterion--drop-before", "criterion--drop-after");
    card.scrollIntoView({ block: "nearest" });
  }
}
