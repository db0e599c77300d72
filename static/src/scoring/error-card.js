// One error of the grader's own, a negative criterion in the making: what is wrong, where, of which type, how heavy.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { showButton } from "./criterion-card.js";
import { unfinished } from "./problems.js";
import { weightFrom } from "./score.js";

const LONGEST = 10_000; // the server's own limit

export class ErrorCard {
  /** @param {string} key @param {import("./screen.js").GradeScreen} screen */
  constructor(key, screen) {
    Object.assign(this, { key, screen, fields: {}, radios: {} });
    this.root = this.#build();
    this.show();
  }

  get negative() {
    return this.screen.document.negative(this.key);
  }

  /** The words it points at in code points, or null. */
  get words() {
    const { start, end } = this.negative;
    return start === null ? null : [start, end];
  }

  setNumber(number) {
    this.title.textContent = interpolate(gettext("Error %(number)s"), { number });
  }

  /** Shows the error as it stands. Never touches a field being typed into. */
  show() {
    const { negative } = this;
    const isOmission = this.screen.document.missing.includes(negative.failure_type);
    const points = negative.start !== null;
    this.quote.hidden = !points;
    this.quote.textContent = negative.quote;
    this.nowhere.hidden = points;
    this.shown.hidden = !points;
    this.nowhere.textContent = isOmission
      ? gettext("What is missing has no words to point at.") : gettext("Points at no words.");
    this.point.hidden = isOmission;
    this.point.textContent = points ? gettext("Change the words") : gettext("Point at words");
    this.unpoint.hidden = !points;
    for (const name of ["failure_type", "objectivity", "explicitness"]) {
      for (const input of this.radios[name] ?? []) input.checked = input.value === negative[name];
    }
    this.#fill(this.fields.text, negative.text);
    this.#fill(this.fields.weight, negative.weight === null ? "" : String(-negative.weight));
    this.state.hidden = unfinished(negative, this.screen.task.failure_types).length === 0;
  }

  /** Chooses the failure type by the digit printed on it. */
  choose(printed) {
    const type = this.screen.task.failure_types[Number(printed) - 1];
    if (!type) return null;
    this.#set({ failure_type: type.value });
    return type.label;
  }

  showProblems(problems) {
    for (const box of this.root.querySelectorAll("[data-field]")) {
      const problem = problems.find(({ field }) => field === box.dataset.field);
      box.classList.toggle("field--invalid", Boolean(problem));
      box.querySelector(".field__error").textContent = problem?.message ?? "";
      const control = this.fields[box.dataset.field];
      if (problem) control?.setAttribute("aria-invalid", "true");
      else control?.removeAttribute("aria-invalid");
    }
  }

  focusField(name) {
    const target = this.fields[name] ?? this.radios[name]?.[0] ?? this.root;
    target.focus({ preventScroll: true });
    (target.closest("[data-field]") ?? this.root).scrollIntoView({ block: "center" });
  }

  focus() {
    this.root.focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "nearest" });
  }

  setCurrent(current) {
    this.root.classList.toggle("grade-card--current", current);
    if (current) this.root.setAttribute("aria-current", "true");
    else this.root.removeAttribute("aria-current");
  }

  #fill(field, value) {
    if (field !== document.activeElement && field.value !== value) field.value = value;
  }

  #set(values, typing = null) {
    this.screen.document.update(this.key, values, { typing });
    for (const field of Object.keys(values)) {
      const box = this.root.querySelector(`.field--invalid[data-field="${field}"]`);
      if (!box || unfinished(this.negative, this.screen.task.failure_types).some((problem) => problem.field === field)) continue;
      box.classList.remove("field--invalid");
      box.querySelector(".field__error").textContent = "";
      this.fields[field]?.removeAttribute("aria-invalid");
    }
  }

  #build() {
    const { screen, screen: { task } } = this;
    const id = `error-${this.key}`;
    this.title = element("h4", { id: `${id}-title` });
    this.state = element("span", { class: "tag tag--warning", text: gettext("unfinished") });
    this.quote = element("p", { class: "span-form__quote", lang: task.lang, dir: task.dir });
    this.nowhere = element("p", { class: "muted small" });
    this.shown = showButton(() => screen.showInText(this.key));
    const button = (label, run, kind = "btn-quiet btn-sm") => element("button", { type: "button", class: `btn ${kind}`, text: label, on: { click: run } });
    this.point = button("", () => screen.reselect(this.key));
    this.unpoint = button(gettext("Point at no words"), () => screen.document.update(this.key, { start: null, end: null, quote: "" }));
    const root = element("li", { class: "grade-card grade-card--error surface", id, tabindex: "-1", "aria-labelledby": `${id}-title` },
      element("div", { class: "surface__header" }, this.title, this.state),
      this.quote, this.nowhere, this.shown,
      task.failure_types.length ? this.#choices(id, "failure_type", gettext("Type of failure"), task.failure_types, true) : null,
      this.#text(id), this.#weight(id),
      element("div", { class: "grade-card__pair" },
        this.#choices(id, "objectivity", gettext("Objectivity"), task.objectivities),
        this.#choices(id, "explicitness", gettext("Explicitness"), task.explicitnesses)),
      task.read_only ? null : element("div", { class: "span-form__footer" }, element("div", { class: "cluster" }, this.point, this.unpoint),
        button(gettext("Delete"), () => screen.remove(this.key), "btn-outline-danger btn-sm")));
    if (task.read_only) for (const control of root.querySelectorAll("input, textarea")) control.disabled = true;
    root.addEventListener("focusin", () => screen.select(this.key, { focus: false }));
    root.addEventListener("click", () => screen.select(this.key, { focus: false }));
    return root;
  }

  #error(id, name) {
    return element("p", { class: "field__error", id: `${id}-${name}-error`, role: "alert" });
  }

  #choices(id, name, legend, options, numbered = false) {
    this.radios[name] = options.map(({ value }) => element("input", {
      type: "radio", name: `${id}-${name}`, value, "aria-describedby": `${id}-${name}-error`, on: { change: () => this.#set({ [name]: value }) },
    }));
    const labels = options.map(({ label }, at) => element("label", { class: "choice" }, this.radios[name][at],
      element("span", {}, numbered ? element("kbd", { "aria-hidden": "true", text: String(at + 1) }) : null, element("span", { text: label }))));
    return element("fieldset", { class: "field", "data-field": name }, element("legend", { text: legend }),
      element("div", { class: "choices" }, ...labels), this.#error(id, name));
  }

  #text(id) {
    const { task } = this.screen;
    this.fields.text = element("textarea", {
      class: "form-control", id: `${id}-text`, rows: 2, dir: "auto", lang: task.criteria_lang, maxlength: LONGEST, "aria-required": "true", "aria-describedby": `${id}-text-error`,
      on: { input: ({ target }) => this.#set({ text: target.value }, "text") },
    });
    return element("div", { class: "field", "data-field": "text" },
      element("label", { for: `${id}-text`, text: gettext("What is wrong?") }), this.fields.text, this.#error(id, "text"));
  }

  /** The minus sign stands before the box, so that a phone's number keys suffice. */
  #weight(id) {
    const most = -this.screen.task.heaviest;
    this.fields.weight = element("input", {
      type: "number", inputmode: "numeric", class: "form-control", id: `${id}-weight`, min: 1, max: most, step: 1, "aria-required": "true", "aria-describedby": `${id}-weight-error`,
      on: {
        input: ({ target }) => this.#set({ weight: weightFrom(target.value, most) }, "weight"),
        change: ({ target }) => { if (this.negative.weight !== null) target.value = String(-this.negative.weight); },
      },
    });
    return element("div", { class: "field", "data-field": "weight" },
      element("label", { for: `${id}-weight`, text: gettext("Points it takes away") }),
      element("div", { class: "grade-card__weight", dir: "ltr" }, element("span", { "aria-hidden": "true", text: "−" }), this.fields.weight), this.#error(id, "weight"));
  }
}
