// What is said of the selected mark of a sample, in the project's words.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { wordChoices } from "../spans/word-choices.js";
import { coveredBy } from "../spans/words.js";

export class MarkBar {
  /**
   * @param {object} task with the words for errors @param {string} name begins the names of the controls
   * @param {{set: (values: object) => void, remove: () => void, close: () => void}} actions
   */
  constructor(task, name, actions) {
    Object.assign(this, { task, name, actions, span: null });
    const { types, criticalities, categories } = task;
    this.title = element("h3", { id: `${name}-mark` });
    this.quote = element("p", { class: "span-form__quote", translate: "no", lang: task.lang, dir: task.dir });
    this.category = categories.length ? element("select", { class: "form-select", id: `${name}-category`, form: "",
      on: { change: ({ target }) => actions.set({ category: target.value }) } }) : null;
    this.root = element("section", { class: "span-form quiz-mark", "aria-labelledby": this.title.id, hidden: true },
      element("div", { class: "span-form__header" }, this.title,
        element("button", { type: "button", class: "btn-close", "aria-label": gettext("Close this error"), on: { click: actions.close } })),
      this.quote,
      types.length ? this.#choices("type", gettext("Type of error"), types, 1) : null,
      criticalities.length ? this.#choices("criticality", gettext("How critical is it?"), criticalities, types.length + 1) : null,
      this.category && element("div", { class: "field" }, element("label", { for: this.category.id, text: gettext("Category") }), this.category),
      element("div", {}, element("button", { type: "button", class: "btn btn-outline-danger btn-sm", text: gettext("Delete"), on: { click: actions.remove } })));
  }

  /** They belong to no form: what is said goes along with the marks. */
  #choices(field, label, options, firstDigit) {
    return element("fieldset", { class: "field" }, element("legend", { text: label }),
      wordChoices(field, options, firstDigit, { name: `${this.name}-mark-${field}`, form: "" }, (value) => this.#set({ [field]: value })));
  }

  #categoriesFor(type) {
    const wanted = coveredBy(this.task, type);
    return this.task.categories.filter((category) => !category.type || !type || wanted.includes(category.type));
  }

  #set(values) {
    const { category } = this.span;
    const isKept = !category || !("type" in values) || this.#categoriesFor(values.type).some(({ value }) => value === category);
    this.actions.set(isKept ? values : { ...values, category: "" });
  }

  /** @param {?import("../spans/document.js").Span} span @param {number} [number] its place among all, from 1 */
  show(span, number) {
    this.root.hidden = !span;
    this.span = span;
    if (!span) return;
    this.title.textContent = interpolate(gettext("Error %(number)s"), { number });
    this.quote.textContent = span.quote;
    for (const field of ["type", "criticality"]) {
      for (const input of this.root.querySelectorAll(`input[name$="-${field}"]`)) input.checked = input.value === span[field];
    }
    if (!this.category) return;
    const offered = this.#categoriesFor(span.type);
    this.category.replaceChildren(element("option", { value: "", text: gettext("Choose…") }), ...offered.map(({ value, label }) => element("option", { value, text: label })));
    this.category.value = span.category;
    this.category.closest(".field").hidden = !offered.length;
  }

  /** Chooses by the digit printed on a control; false where it is on none. */
  chooseDigit(digit) {
    const { types, criticalities } = this.task;
    const isType = digit <= types.length;
    const chosen = isType ? types[digit - 1] : criticalities[digit - types.length - 1];
    if (chosen) this.#set({ [isType ? "type" : "criticality"]: chosen.value });
    return Boolean(chosen);
  }
}
