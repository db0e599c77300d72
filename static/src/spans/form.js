// The form beside the text for the one span that is selected. Built once; selecting another span refills it.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { keyedButton } from "../task_kit/actions.js";
import { partsOf, wordsOf } from "./parts.js";
import { alwaysNeeds } from "./rules.js";
import { wordChoices } from "./word-choices.js";
import { coveredBy } from "./words.js";

const LONGEST = 10_000; // the server's own limit

const optional = () => element("span", { class: "field__optional", text: ` ${gettext("(optional)")}` });

/** "Part 2 of 3": how a part is told to those who do not see it. */
export const partName = (number, count) => interpolate(gettext("Part %(number)s of %(count)s"), { number: number + 1, count });

export class SpanForm {
  /**
   * @param {object} task @param {import("./document.js").SpanDocument} document
   * @param {{remove: Function, close: Function, reselect: Function, again: Function, repeat: ?Function, add: Function, removePart: (id: string, number: number) => void}} actions
   * @param {{lang: string, dir: string}} reading
   */
  constructor(task, document, actions) {
    this.task = task;
    this.document = document;
    this.actions = actions;
    this.span = null;
    this.fields = {};
    this.root = this.#build();
    document.addEventListener("change", ({ detail }) => {
      if (detail.before && detail.before.id === this.span?.id && detail.after) this.#fill(detail.after);
    });
  }

  /** Shows a span, or nothing. `title` says which one it is. */
  show(span, title = "") {
    this.root.hidden = !span;
    this.span = null;
    if (!span) return;
    this.clearProblems();
    this.say("");
    this.title.textContent = title;
    this.#fill(span);
  }

  /** On a narrow screen the form is a sheet over the text. */
  get coversText() {
    return getComputedStyle(this.root).position === "fixed";
  }

  get top() {
    return this.root.getBoundingClientRect().top;
  }

  /** A word on what was just asked for, until another span is shown. */
  say(words) {
    this.said.textContent = words;
    this.said.hidden = !words;
  }

  focus() {
    this.root.focus({ preventScroll: true });
  }

  focusField(name) {
    const target = name === "type" || name === "criticality"
      ? this.root.querySelector(`input[name="span-${name}"]`) : this.fields[name];
    (target ?? this.root).focus();
    (target?.closest(".field") ?? this.root).scrollIntoView({ block: "nearest" });
  }

  /** Chooses by the digit printed on a control; true when that digit is on one. */
  chooseDigit(digit) {
    const { types, criticalities } = this.task;
    const [name, choice] = digit <= types.length
      ? ["type", types[digit - 1]] : ["criticality", criticalities[digit - types.length - 1]];
    if (!choice || !this.span || this.task.read_only) return false;
    this.#set({ [name]: choice.value });
    const { asks } = this.document;
    if ((this.span.type || !asks.type) && (this.span.criticality || !asks.criticality) && !this.span.explanation) this.focusField("explanation");
    return true;
  }

  showProblems(problems) {
    this.clearProblems();
    for (const { field, message } of problems) {
      const box = this.root.querySelector(`[data-field="${field}"]`);
      if (!box) continue;
      box.classList.add("field--invalid");
      box.querySelector(".field__error").textContent = message;
      this.fields[field]?.setAttribute("aria-invalid", "true");
    }
  }

  clearProblems() {
    for (const box of this.root.querySelectorAll(".field--invalid")) this.#clear(box);
  }

  #clear(box) {
    box.classList.remove("field--invalid");
    box.querySelector(".field__error").textContent = "";
    this.fields[box.dataset.field]?.removeAttribute("aria-invalid");
  }

  #build() {
    this.title = element("h2", { id: "span-form-title" });
    this.quote = element("p", { class: "span-form__quote", lang: this.task.lang, dir: this.task.dir });
    const button = (label, act, kind = "btn-quiet btn-sm") =>
      element("button", { type: "button", class: `btn ${kind}`, text: label, on: { click: () => act(this.span.id) } });
    this.parts = element("ol", { class: "span-form__parts", hidden: true });
    this.repeat = this.actions.repeat && keyedButton(gettext("The same words again"), "R", () => this.actions.repeat(this.span.id), "btn-quiet btn-sm");
    this.wordActions = element("div", { class: "cluster" },
      button(gettext("Change the words"), this.actions.reselect),
      keyedButton(gettext("Add words elsewhere"), "A", () => this.actions.add(this.span.id), "btn-quiet btn-sm"),
      button(gettext("Another error here"), this.actions.again),
      this.repeat);
    this.said = element("p", { class: "small muted", hidden: true });
    const close = element("button", { type: "button", class: "btn-close", "aria-label": gettext("Close this error"), on: { click: this.actions.close } });
    const root = element("section", { class: "span-form surface", tabindex: "-1", "aria-labelledby": "span-form-title", hidden: true },
      element("div", { class: "span-form__header" }, this.title, close),
      this.quote,
      this.parts,
      this.task.types.length ? this.#choices("type", gettext("Type of error"), this.task.types, 1) : null,
      this.task.criticalities.length ? this.#choices("criticality", gettext("How critical is it?"), this.task.criticalities, this.task.types.length + 1) : null,
      this.task.categories.length ? this.#category() : null,
      this.#textarea("explanation", gettext("What is wrong?"), 2, this.#always("explanation")),
      this.#textarea("correction", gettext("Correction"), 1, this.#always("correction")),
      this.task.read_only ? null : element("div", { class: "span-form__footer" }, this.wordActions, this.said,
        button(gettext("Delete"), this.actions.remove, "btn-outline-danger btn-sm")));
    if (this.task.read_only) for (const control of root.querySelectorAll("input, textarea, select")) control.disabled = true;
    return root;
  }

  #always(need) {
    return alwaysNeeds(this.document.rules, need);
  }

  #error(name) {
    return element("p", { class: "field__error", id: `span-${name}-error`, role: "alert" });
  }

  #choices(name, label, options, firstDigit) {
    const attributes = { name: `span-${name}`, "aria-describedby": `span-${name}-error` };
    return element("fieldset", { class: "field", "data-field": name }, element("legend", { text: label }),
      wordChoices(name, options, firstDigit, attributes, (value) => this.#set({ [name]: value })), this.#error(name));
  }

  #category() {
    this.fields.category = element("select", { class: "form-select", id: "span-category", "aria-describedby": "span-category-error", on: { change: ({ target }) => this.#set({ category: target.value }) } });
    return element("div", { class: "field", "data-field": "category" },
      element("label", { for: "span-category", text: gettext("Category") }), this.fields.category, this.#error("category"));
  }

  #textarea(name, label, rows, required) {
    this.fields[name] = element("textarea", {
      class: "form-control", id: `span-${name}`, rows, dir: "auto", maxlength: LONGEST, "aria-required": String(required), "aria-describedby": `span-${name}-error`,
      on: { input: ({ target }) => this.#set({ [name]: target.value }, `${this.span.id}:${name}`) },
    });
    return element("div", { class: "field", "data-field": name },
      element("label", { for: `span-${name}` }, label, required ? null : optional()), this.fields[name], this.#error(name));
  }

  /** Categories that fit a type; those of one that covers others are theirs. */
  categoriesFor(type) {
    const wanted = coveredBy(this.task, type);
    return this.task.categories.filter((category) => !category.type || !type || wanted.includes(category.type));
  }

  #set(values, typing = null) {
    if (!this.span) return;
    if ("type" in values && this.span.category
        && !this.categoriesFor(values.type).some(({ value }) => value === this.span.category)) values = { ...values, category: "" };
    this.document.update(this.span.id, values, { typing });
    for (const field of Object.keys(values)) {
      const box = this.root.querySelector(`.field--invalid[data-field="${field}"]`);
      if (box && values[field]) this.#clear(box);
    }
  }

  #fill(span) {
    const typeChanged = !this.span || this.span.type !== span.type;
    this.span = span;
    for (const name of ["type", "criticality"]) {
      for (const input of this.root.querySelectorAll(`input[name="span-${name}"]`)) input.checked = input.value === span[name];
    }
    for (const name of ["explanation", "correction"]) {
      if (this.fields[name].value !== span[name]) this.fields[name].value = span[name];
    }
    if (this.fields.category && typeChanged) this.#offerCategories(span.type);
    if (this.fields.category) this.fields.category.value = span.category;
    const onWords = span.anchor === "words";
    // The words are the response's, in its language; that something is missing is said in the page's.
    this.quote.textContent = onWords ? wordsOf(span) : SpanForm.name(span, this.task);
    this.quote.lang = onWords ? this.task.lang : document.documentElement.lang;
    this.quote.dir = onWords ? this.task.dir : document.documentElement.dir;
    this.wordActions.hidden = !onWords;
    if (this.repeat) this.repeat.hidden = Boolean(span.more);
    this.#listParts(span);
  }

  /** The parts of an error in several places, each with a button that takes it out. */
  #listParts(span) {
    const parts = partsOf(span);
    this.parts.hidden = parts.length < 2;
    this.parts.replaceChildren(...(parts.length < 2 ? [] : parts.map(({ quote }, number) => element("li", {},
      element("span", { class: "visually-hidden", text: `${partName(number, parts.length)}: ` }),
      element("bdi", { lang: this.task.lang, text: quote }),
      this.task.read_only ? null : element("button", { type: "button", class: "btn-close",
        "aria-label": `${gettext("Remove this part")}: ${quote}`, on: { click: () => this.actions.removePart(this.span.id, number) } })))));
  }

  #offerCategories(type) {
    const options = this.categoriesFor(type);
    this.fields.category.replaceChildren(element("option", { value: "", text: gettext("Choose…") }),
      ...options.map(({ value, label }) => element("option", { value, text: label })));
    this.fields.category.closest(".field").hidden = !options.length;
  }

  /** What a span is called where it is listed and announced. */
  static name(span, task) {
    if (span.anchor === "response") return gettext("Missing from the whole response");
    if (span.anchor === "paragraph") return interpolate(gettext("Missing from paragraph %(number)s"), { number: span.paragraph + 1 });
    const words = wordsOf(span);
    const characters = Array.from(words);
    return characters.length > 60 ? `${characters.slice(0, 57).join("")}…` : words;
  }
}
