// "The same words again": whoever has marked words is led through their other places, and confirms each. Nothing is
// marked that nobody looked at; what is marked so names its origin.
import { element } from "../site/dom.js";
import { gettext, interpolate, ngettext } from "../site/text.js";
import { announce } from "../task_kit/announce.js";
import { keyOf } from "../task_kit/keys.js";
import { partsOf } from "./parts.js";

/**
 * Other places of the words in [start, end), in reading order, each as UTF-16 [start, end]: written alike, on whole words
 * where these are whole words, never within a grapheme, neither overlapping these nor one another.
 * @param {import("./offsets.js").TextIndex} index
 */
export function otherPlaces(index, [start, end]) {
  const quote = index.text.slice(start, end);
  if (!quote) return [];
  const { starts, ends } = index.words;
  const has = (places, place) => at(places, place) >= 0;
  const isWhole = has(starts, start) && has(ends, end);
  const found = [];
  for (let from = index.text.indexOf(quote); from >= 0;) {
    const to = from + quote.length;
    const fits = index.isGraphemeBoundary(from) && (to === index.length || index.isGraphemeBoundary(to))
      && (!isWhole || (has(starts, from) && has(ends, to))) && (to <= start || from >= end);
    if (fits) found.push([from, to]);
    from = index.text.indexOf(quote, fits ? to : from + 1);
  }
  return found;
}

/** Where a value stands in an ascending array, or -1. */
function at(ascending, value) {
  let low = 0;
  let high = ascending.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] === value) return middle;
    if (ascending[middle] < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The steps through these places, with the bar that asks at each. Its buttons take Enter; N and Escape are commands. */
export class Repeating {
  /** @param {import("./editor.js").Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.places = null;
    this.label = element("span", {});
    this.confirm = element("button", { type: "button", class: "btn btn-sm btn-primary", text: gettext("Mark here too"), on: { click: () => this.answer(true) } });
    const pass = element("button", { type: "button", class: "btn btn-sm btn-secondary", "aria-keyshortcuts": keyOf("N"), text: gettext("Not here"), on: { click: () => this.answer(false) } });
    const stop = element("button", { type: "button", class: "btn btn-sm btn-quiet", text: gettext("Stop"), on: { click: () => this.stop() } });
    this.root = element("div", { class: "pending-hint pending-hint--repeating", role: "group", "aria-label": gettext("The same words again") },
      this.label, this.confirm, pass, stop);
    editor.document.addEventListener("state", () => {
      if (this.places && !editor.document.get(this.origin)) this.stop();
    });
  }

  get runs() {
    return this.places !== null;
  }

  /** Begins with the mark of this id; says so where its words stand nowhere else unmarked. */
  begin(id) {
    const span = this.editor.document.get(id);
    const range = this.editor.range(span);
    if (!range) return;
    if (span.more) {
      announce(gettext("Only an error in one place can be looked for again."));
      this.editor.form.say(gettext("Only an error in one place can be looked for again."));
      return;
    }
    const places = otherPlaces(this.editor.view.index, range).filter((place) => !this.#isMarked(place));
    if (!places.length) {
      announce(gettext("These words stand nowhere else unmarked."));
      this.editor.form.say(gettext("These words stand nowhere else unmarked."));
      return;
    }
    this.editor.deselect();
    Object.assign(this, { origin: id, places, number: 0, marked: 0 });
    document.body.append(this.root);
    this.#show();
  }

  /** @param {boolean} isError whether the words are the same error at the place shown */
  answer(isError) {
    if (!this.runs) return false;
    const place = this.places[this.number];
    if (isError && !this.editor.locked && !this.#isMarked(place)) {
      this.marked += 1;
      this.editor.repeat(this.origin, place);
    }
    this.number += 1;
    if (this.number < this.places.length) this.#show();
    else this.stop();
    return true;
  }

  /** Ends where it stands; the person is back at the mark they came from. */
  stop() {
    if (!this.runs) return false;
    const { origin, marked } = this;
    this.places = null;
    this.root.remove();
    this.editor.painter.show("pending", null);
    if (this.editor.document.get(origin)) this.editor.select(origin, { scroll: true });
    else this.editor.view.focus();
    announce(interpolate(ngettext("Marked at %(count)s more place", "Marked at %(count)s more places", marked), { count: marked }));
    return true;
  }

  #isMarked([start, end]) {
    const { document, view } = this.editor;
    const [from, to] = [view.index.toCodePoint(start), view.index.toCodePoint(end)];
    return document.order.overlapping(from, to).some((span) => partsOf(span).some((part) => part.start === from && part.end === to));
  }

  #show() {
    const { painter, view } = this.editor;
    const place = this.places[this.number];
    painter.show("pending", place);
    view.scrollTo(...place, this.root.getBoundingClientRect().top - 16);
    this.label.textContent = interpolate(gettext("Place %(number)s of %(count)s: an error here too?"), { number: this.number + 1, count: this.places.length });
    this.confirm.focus({ preventScroll: true });
    announce(`${this.label.textContent} ${this.#around(place)}`);
  }

  /** The words with what stands around them, for those who cannot see the place. */
  #around([start, end]) {
    const { index } = this.editor.view;
    return index.text.slice(...index.snapToGraphemes(Math.max(0, start - 30), Math.min(index.length, end + 30))).replaceAll("\n", " ");
  }
}
