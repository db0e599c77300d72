// Finding in the texts of a task screen. Fetched when somebody first asks for it (task_kit/find.js).
import { FindBar } from "./bar.js";
import { FoldedText, foldedQuery, hasSimilar } from "./folding.js";
import { FoundPainter } from "./painter.js";
import { placesOf } from "./places.js";
import { bringIntoView } from "./scrolling.js";

const LONGEST_PREFILLED = 80;
const AROUND = 30; // characters told on either side of a place

class Finder {
  constructor(screen) {
    this.screen = screen;
    this.bar = new FindBar({ changed: () => this.#search(), step: (by) => this.step(by), stay: () => this.stay(), close: () => this.close() });
    this.painter = new FoundPainter();
    this.places = [];
    this.found = [];
    this.current = -1;
    this.folded = new WeakMap(); // place -> its folded text, strict and loose
    this.opened = new Set(); // closed parts of the page that were opened to show a place
    this.follow = () => { if (this.isOpen) this.painter.show(this.found, this.current); };
    if (!this.painter.hasHighlights) for (const kind of ["scroll", "resize"]) addEventListener(kind, this.follow, { passive: true, capture: true });
  }

  get isOpen() {
    return this.bar.root.isConnected;
  }

  /** @param {{focus: Element, chosen: string, words: string}} [asked] where one was, what was chosen there and what was typed since, where the bar came later */
  open({ focus = document.activeElement, chosen = String(document.getSelection() ?? ""), words = "" } = {}) {
    if (!this.isOpen) {
      this.before = { focus, scrolled: scrolledNow() };
      document.body.append(this.bar.root);
      this.places = placesOf(this.places);
      this.bar.option.hidden = !this.places.some(({ language }) => hasSimilar(language));
      this.anchor = null;
      if (chosen.trim() && chosen.length <= LONGEST_PREFILLED && !chosen.includes("\n")) this.bar.field.value = chosen;
    }
    if (words) this.bar.field.value = words;
    this.bar.field.focus({ preventScroll: true });
    if (!words) this.bar.field.select();
    this.#search();
  }

  /** Back to where one was: the focus, and every scroll. */
  close() {
    if (!this.isOpen) return;
    this.#end();
    for (const details of this.opened) details.open = false;
    this.opened.clear();
    this.before.focus?.focus?.({ preventScroll: true });
    for (const { of, left, top } of this.before.scrolled) of.scrollTo({ left, top, behavior: "instant" });
  }

  /** On with the text at the place that is shown; the keys of the text go on from there. */
  stay() {
    const shown = this.found[this.current];
    if (!shown) return;
    this.#end();
    this.opened.clear();
    const { view, caret } = this.screen;
    if (view?.root !== shown.place.root) {
      const focusable = shown.place.root.closest("[tabindex]");
      focusable?.focus({ preventScroll: true });
      return;
    }
    const [start] = this.#source(shown);
    caret?.remember(view.index.toUtf16(start));
    view.focus();
  }

  step(by) {
    this.#renew();
    if (!this.found.length) return;
    this.#show((this.current + by + this.found.length) % this.found.length);
  }

  /** Ranges of the sources, in code points, as they were found. */
  get ranges() {
    return this.found.map((each) => this.#source(each));
  }

  #source({ place, start, end }) {
    return place.seen.source(start, end);
  }

  #end() {
    this.painter.clear();
    this.bar.root.remove();
  }

  /** What is seen may be drawn otherwise by now: plain or rendered, a part opened. */
  #renew() {
    const places = placesOf(this.places);
    if (places.length === this.places.length && places.every((place, number) => place === this.places[number])) return;
    this.places = places;
    this.#search();
  }

  #search() {
    const query = this.bar.field.value;
    const isLoose = this.bar.similar.on;
    this.found = this.places.flatMap((place, number) => {
      if (!this.folded.has(place)) this.folded.set(place, []);
      const folded = (this.folded.get(place)[Number(isLoose)] ??= new FoldedText(place.seen.text, place.language, isLoose));
      return folded.places(foldedQuery(query, place.language, isLoose)).map(([start, end]) => ({ place, number, start, end }));
    });
    if (this.found.length) this.#show(Math.max(this.found.findIndex((each) => this.#isAhead(each)), 0));
    else {
      this.current = -1;
      this.painter.show([], -1);
      this.bar.tell(-1, 0, "");
    }
  }

  /** Whether a place comes at or after the one shown before; before any was, after what is read. */
  #isAhead({ place, number, start, end }) {
    if (!this.anchor) return (place.boxes(start, end)[0]?.bottom ?? 0) > 0;
    return number > this.anchor.number || (number === this.anchor.number && start >= this.anchor.start);
  }

  #show(number) {
    this.current = number;
    const shown = this.found[number];
    this.anchor = shown;
    for (let details = shown.place.root.closest("details:not([open])"); details; details = details.parentElement.closest("details:not([open])")) {
      details.open = true;
      this.opened.add(details);
    }
    this.bar.tell(number, this.found.length, this.#around(shown)); // first: the bar may grow, and what it covers with it
    this.#bring(shown);
    // One of two responses follows the other a moment later, and would take the place out of sight again.
    requestAnimationFrame(() => {
      if (this.isOpen && this.anchor === shown) this.#bring(shown);
    });
    this.painter.show(this.found, number);
  }

  #bring({ place, start, end }) {
    bringIntoView(place.root, () => place.boxes(start, end), this.#ceiling());
  }

  #ceiling() {
    const bars = [...document.querySelectorAll(".marking__toolbar")].map((bar) => parseFloat(getComputedStyle(bar).top) + bar.offsetHeight || 0);
    return Math.max(this.bar.root.getBoundingClientRect().bottom, ...bars);
  }

  #around({ place, start, end }) {
    const { text } = place.seen;
    return text.slice(Math.max(0, start - AROUND), end + AROUND).toWellFormed?.().replaceAll("\n", " ") ?? text.slice(start, end);
  }
}

/** Where everything on the page that scrolls stands. */
function scrolledNow() {
  const scrolled = [...document.querySelectorAll(".side__text, .reading__table")].map((each) => ({ of: each, left: each.scrollLeft, top: each.scrollTop }));
  return [...scrolled, { of: window, left: scrollX, top: scrollY }];
}

const finders = new WeakMap();

window.mizanFind = {
  open(screen, asked) {
    if (!finders.has(screen)) finders.set(screen, new Finder(screen));
    finders.get(screen).open(asked);
    return finders.get(screen);
  },
};
