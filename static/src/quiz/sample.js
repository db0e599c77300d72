// One sample to mark, on the surface of the work: the same text, gestures, keys and looks. What is said of a mark stands below
// the text; the answer goes along with its question as JSON in code points.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { announce } from "../task_kit/announce.js";
import { Caret } from "../spans/caret.js";
import { SpanDocument } from "../spans/document.js";
import { Painter } from "../spans/highlight.js";
import { SpanList } from "../spans/list.js";
import { MarkTags } from "../spans/mark-tags.js";
import { Selector } from "../spans/selection.js";
import { stretched } from "../spans/stretching.js";
import { TextView } from "../spans/text-view.js";
import { Toolbar } from "../spans/toolbar.js";
import { looksOf } from "../spans/words.js";
import { MarkBar } from "./mark-bar.js";

const BLANK = { anchor: "words", type: "", criticality: "", category: "", explanation: "", correction: "" };

export class Sample {
  /** @param {HTMLElement} place with the text and its JSON @param {object} words of the project @param {() => void} help */
  constructor(place, words, help) {
    this.place = place;
    this.question = place.closest(".quiz-question");
    this.task = { ...words, ...JSON.parse(place.querySelector("script").textContent) };
    this.view = new TextView(place.querySelector(".reading"), this.task);
    // Nothing but the words is asked for: no mark is unfinished.
    this.document = new SpanDocument({ no_errors: this.#noErrorsBox.checked, spans: this.task.marks.map((mark) => this.#asSpan(mark)) },
      { asks: { type: false, criticality: false }, rules: [] });
    this.painter = new Painter(this.view, this.document, looksOf(this.task));
    this.tags = new MarkTags(this.view, this.document, this.task);
    this.selector = new Selector(this.view, this.painter);
    this.caret = new Caret(this.view, this.selector);
    this.list = new SpanList(this.task, this.document, (id) => this.select(id, { scroll: true }));
    this.bar = new MarkBar(this.task, place.dataset.sample, {
      set: (values) => this.document.update(this.selected, values), remove: () => this.removeSelected(), close: () => this.leave(),
    });
    this.answer = element("input", { type: "hidden", name: `${place.dataset.sample}-marks` });
    this.#noErrorsBox.closest("label").before(this.bar.root, this.list.root, this.answer);
    this.toolbar = new Toolbar(place.querySelector(".marking__toolbar"), this, help, "");
    this.selected = null;
    this.#listen();
    this.#show();
  }

  get #noErrorsBox() {
    return this.question.querySelector("[data-none]");
  }

  #asSpan({ start, end, ...said }) {
    const { index } = this.view;
    const quote = index.text.slice(index.toUtf16(start), index.toUtf16(end));
    return { ...BLANK, ...said, id: crypto.randomUUID(), start, end, quote };
  }

  #listen() {
    this.selector.addEventListener("mark", ({ detail }) => this.#mark(detail));
    this.selector.addEventListener("point", ({ detail }) => this.#point(detail));
    this.selector.addEventListener("pending", ({ detail }) => detail.range && announce(gettext("Start set. Choose the end.")));
    this.caret.addEventListener("moved", ({ detail }) => announce(detail.text));
    this.#noErrorsBox.addEventListener("change", () => this.document.setNoErrors(this.#noErrorsBox.checked));
    this.document.addEventListener("change", ({ detail: { before, after } }) => {
      if (after && after.id === this.selected) this.#showSelected(after);
      if (!after && before?.id === this.selected) this.deselect();
    });
    this.document.addEventListener("state", () => {
      this.#show();
      this.answer.dispatchEvent(new Event("change", { bubbles: true }));
    });
  }

  /** The answer as it is sent, and the statement that nothing is wrong, which marks contradict. */
  #show() {
    const marks = this.document.list().map(({ start, end, type, criticality, category }) => ({ start, end, type, criticality, category }));
    this.answer.value = marks.length ? JSON.stringify(marks) : "";
    this.#noErrorsBox.checked = this.document.noErrors;
    this.#noErrorsBox.disabled = this.document.size > 0;
  }

  #range({ start, end }) {
    return [this.view.index.toUtf16(start), this.view.index.toUtf16(end)];
  }

  #words(start, end) {
    const { index } = this.view;
    return { start: index.toCodePoint(start), end: index.toCodePoint(end), quote: index.text.slice(start, end) };
  }

  #mark({ start, end }) {
    const words = this.#words(start, end);
    const known = this.document.order.overlapping(words.start, words.end).find((span) => span.start === words.start && span.end === words.end);
    this.select((known ?? this.document.add({ ...BLANK, ...words })).id);
  }

  #point({ position, touch }) {
    if (position !== null) this.caret.remember(position);
    const found = position === null ? [] : this.document.order.at(this.view.index.toCodePoint(position));
    const at = found.findIndex(({ id }) => id === this.selected);
    const unit = position === null ? null : this.selector.unitAt(position);
    // Tapped again, a mark gives way to a new one that begins on its words; clicked again, to the mark beneath it.
    if (touch && unit && (!found.length || at >= 0)) this.selector.begin(unit);
    else if (found.length) this.select(found[(at + 1) % found.length].id);
    else this.deselect();
  }

  select(id, { scroll = false } = {}) {
    const span = this.document.get(id);
    this.selector.cancel();
    this.selected = id;
    this.#showSelected(span);
    this.list.setSelected(id);
    if (scroll) this.view.scrollTo(...this.#range(span));
    else this.view.focus();
    announce(interpolate(gettext("Error %(number)s: %(name)s"), { number: this.document.order.indexOf(span) + 1, name: span.quote }));
  }

  #showSelected(span) {
    this.painter.show("selected", this.#range(span));
    this.bar.show(span, this.document.order.indexOf(span) + 1);
  }

  deselect() {
    this.selected = null;
    this.painter.show("selected", null);
    this.bar.show(null);
    this.list.setSelected(null);
  }

  /** Escape: one step back, from a start, then from a mark to the text. */
  leave() {
    if (this.selector.cancel()) return true;
    if (!this.selected) return false;
    this.deselect();
    this.view.focus();
    return true;
  }

  stretch(edge, step) {
    const span = this.document.get(this.selected);
    const moved = span && stretched(this.view.index, this.#range(span), edge, step, this.selector.byLetters);
    if (moved) this.document.update(span.id, this.#words(...moved), { typing: "words" });
    return Boolean(span);
  }

  chooseDigit(digit) {
    return Boolean(this.selected) && this.bar.chooseDigit(digit);
  }

  removeSelected() {
    const span = this.document.remove(this.selected);
    if (!span) return false;
    announce(interpolate(gettext("Deleted: %(name)s. Undo brings it back."), { name: span.quote }));
    this.view.focus();
    return true;
  }

  toggleNoErrors() {
    if (this.document.size) return false;
    this.document.setNoErrors(!this.document.noErrors);
    announce(this.document.noErrors ? gettext("No errors") : gettext("No errors marked yet"));
    return true;
  }

  undo() {
    if (this.document.undo()) announce(gettext("Undone"));
  }

  redo() {
    if (this.document.redo()) announce(gettext("Done again"));
  }
}
