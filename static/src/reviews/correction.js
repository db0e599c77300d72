// What an error should have been: other words, another type, category or weight, another explanation. Each field
// starts as marked; one that is set back to what was marked counts as unchanged.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { namesOf } from "../spans/words.js";

export class CorrectionForm {
  /**
   * @param {object} task @param {object} span as marked @param {import("../spans/offsets.js").TextIndex} index
   * @param {{update: (values: object, options?: object) => void, reselect: () => void}} actions
   */
  constructor(task, span, index, actions) {
    Object.assign(this, { task, span, index, actions });
    this.fields = {};
    this.root = element("div", { class: "review-card__correction stack", role: "group", "aria-label": gettext("What should be different") },
      span.anchor === "words" ? this.#boundaries() : null,
      element("div", { class: "review-card__selects" },
        task.types.length ? this.#select("type", gettext("Type of error"), this.#offered(task.types, span.type)) : null,
        task.criticalities.length ? this.#select("criticality", gettext("How critical is it?"), this.#offered(task.criticalities, span.criticality)) : null,
        task.categories.length ? this.#select("category", gettext("Category"), task.categories) : null),
      this.#textarea("explanation", gettext("What is wrong?"), 3),
      this.#textarea("correction", gettext("Correction"), 2));
  }

  /** Shows a review's values; what it leaves empty is shown as marked. Never touches a field being typed into. */
  show(review) {
    for (const [name, field] of Object.entries(this.fields)) {
      if (field !== document.activeElement) field.value = review[name] || this.span[name];
    }
    if (!this.quote) return;
    const [start, end] = this.range(review);
    this.quote.textContent = this.index.text.slice(start, end);
    this.quote.classList.toggle("review-card__quote--changed", review.start !== null);
    this.#allowSteps(start, end);
  }

  /** The boundaries of a review, as marked where it does not move them; UTF-16. */
  range(review) {
    const { start, end } = review.start === null ? this.span : review;
    return [this.index.toUtf16(start), this.index.toUtf16(end)];
  }

  /** Sets boundaries given in UTF-16. */
  setRange(start, end) {
    const moved = { start: this.index.toCodePoint(start), end: this.index.toCodePoint(end), quote: this.index.text.slice(start, end) };
    const asMarked = moved.start === this.span.start && moved.end === this.span.end;
    this.actions.update(asMarked ? { start: null, end: null, quote: "" } : moved);
  }

  /** The words a range covers, first and last, by number. */
  #words(start, end) {
    return [this.index.wordNumberAt(start), this.index.wordNumberAt(Math.max(start, end - 1))];
  }

  #step(side, direction) {
    const [start, end] = this.range(this.current());
    const [first, last] = this.#words(start, end);
    if (side === "start") this.setRange(this.index.word(first + direction)[0], end);
    else this.setRange(start, this.index.word(last + direction)[1]);
  }

  #allowSteps(start, end) {
    const [first, last] = this.#words(start, end);
    this.steps.startEarlier.disabled = first <= 0;
    this.steps.startLater.disabled = first >= last;
    this.steps.endEarlier.disabled = last <= first;
    this.steps.endLater.disabled = last >= this.index.wordCount - 1;
  }

  #boundaries() {
    const { lang, dir } = this.task;
    this.quote = element("p", { class: "span-form__quote", lang, dir, "aria-live": "polite" });
    const step = (label, symbol, side, direction) => element("button", { type: "button", class: "btn btn-sm btn-secondary", "aria-label": label, title: label, on: { click: () => this.#step(side, direction) } }, symbol);
    this.steps = {
      startEarlier: step(gettext("Begin one word earlier"), "+", "start", -1),
      startLater: step(gettext("Begin one word later"), "−", "start", 1),
      endEarlier: step(gettext("End one word earlier"), "−", "end", -1),
      endLater: step(gettext("End one word later"), "+", "end", 1),
    };
    const group = (label, ...buttons) => element("div", { class: "cluster", role: "group", "aria-label": label },
      element("span", { class: "small muted", text: label }), ...buttons);
    return element("div", { class: "stack" }, this.quote,
      element("div", { class: "cluster" },
        group(gettext("Beginning"), this.steps.startEarlier, this.steps.startLater),
        group(gettext("End"), this.steps.endEarlier, this.steps.endLater),
        element("button", { type: "button", class: "btn btn-sm btn-secondary", text: gettext("Choose the words anew"), on: { click: () => this.actions.reselect() } })));
  }

  #id(name) {
    return `correct-${this.span.id}-${name}`;
  }

  #field(name, label, control) {
    this.fields[name] = control;
    return element("div", { class: "field" }, element("label", { for: this.#id(name), text: label }), control);
  }

  /** The words to choose from, and the one that was marked where it is no longer offered. */
  #offered(words, marked) {
    if (!marked || words.some(({ value }) => value === marked)) return words;
    return [{ value: marked, label: namesOf(this.task)(marked) }, ...words];
  }

  #select(name, label, options) {
    const unset = this.span[name] ? [] : [{ value: "", label: gettext("Not stated") }];
    return this.#field(name, label, element("select", { class: "form-select form-select-sm", id: this.#id(name), on: { change: ({ target }) => this.#set(name, target.value) } },
      ...[...unset, ...options].map(({ value, label: text }) => element("option", { value, text }))));
  }

  #textarea(name, label, rows) {
    return this.#field(name, label, element("textarea", { class: "form-control", id: this.#id(name), rows, dir: "auto", maxlength: 10000, on: { input: ({ target }) => this.#set(name, target.value, `${this.span.id}:${name}`) } }));
  }

  #set(name, value, typing = null) {
    this.actions.update({ [name]: value === this.span[name] ? "" : value }, { typing });
  }

  current() {
    return this.actions.current();
  }
}
