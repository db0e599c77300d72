// The answer to one question on the page: fields that a key can choose in, each with its problem. What the fields are is
// said by those who build on this. What stands above them (what is asked, what grades mean) is the page's.
import { element } from "../site/dom.js";

export class AnswerCard {
  /** @param {object} question as of the task, with its `slug` @param {import("./screen.js").RatingScreen} screen */
  constructor(question, screen) {
    Object.assign(this, { question, screen, slug: question.slug });
    this.root = document.getElementById(`question-${question.slug}`);
    this.place = this.root.querySelector(".question__answer");
    this.fieldsets = new Map();
    this.problems = new Map();
    this.scales = new Map();
  }

  /** The fields a key can choose in, in the order of the screen. */
  get places() {
    return [...this.fieldsets.keys()];
  }

  /** Whether nothing is said there, required or not. */
  isEmpty(field) {
    return this.isMissing(field);
  }

  setCurrent(field) {
    for (const [name, fieldset] of this.fieldsets) fieldset.classList.toggle("answer--current", name === field);
  }

  focusField(field) {
    if (this.scales.has(field)) this.scales.get(field).focus();
    else this.controlOf(field)?.focus({ preventScroll: true });
    this.reveal(field);
  }

  /** Brings a place into view, whoever has the focus. */
  reveal(field) {
    (this.fieldsets.get(field) ?? this.place).scrollIntoView({ block: "nearest" });
  }

  /** Answers by pointer or finger, which goes on, or by arrow keys within the choices, which stay. */
  answer(field, give, pointed) {
    if (pointed) this.screen.point(this.slug, field, give);
    else give();
  }

  showProblems(problems) {
    for (const field of this.problems.keys()) this.say(field, problems.find((one) => one.field === field)?.message ?? "");
  }

  /** What was said to be missing is said no longer once it is there. */
  forgetAnswered() {
    for (const [field, problem] of this.problems) if (problem.textContent && !this.isMissing(field)) this.say(field, "");
  }

  lock(locked) {
    this.place.toggleAttribute("inert", locked);
  }

  say(field, message) {
    this.problems.get(field).textContent = message;
    this.fieldsets.get(field)?.classList.toggle("field--invalid", Boolean(message));
  }

  fieldset(field, legend, ...content) {
    const fieldset = element("fieldset", { class: "field answer", "data-field": field }, element("legend", {}, ...legend), ...content, this.problems.get(field));
    fieldset.addEventListener("focusin", () => this.screen.setCurrent(this.slug, field));
    this.fieldsets.set(field, fieldset);
    return fieldset;
  }

  /** @returns {string} the id of the place where the field's problem is said */
  problem(field) {
    const problem = element("p", { class: "field__error", id: `${this.slug}-${field}-problem`, role: "alert" });
    this.problems.set(field, problem);
    return problem.id;
  }
}

/** A choice with its key printed on it, where there is one. */
export function keyedChoice(input, key, label) {
  return element("label", { class: "choice" }, input,
    element("span", {}, key ? element("kbd", { "aria-hidden": "true", text: key }) : null, element("bdi", { text: label })));
}

export const optional = (text) => element("span", { class: "field__optional", text });
