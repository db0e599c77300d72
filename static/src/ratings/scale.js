// The grade of one side: radio buttons with their key printed on them, or, on a long scale, a number with a slider.
import { element } from "../site/dom.js";
import { onChoice } from "../task_kit/choosing.js";
import { gettext, interpolate } from "../site/text.js";

const MAX_BUTTONS = 10;

/** The key of each grade: its own digit where every grade has one, 0 for ten, else its place from the lowest. */
export function keysOf(lowest, highest) {
  const grades = Array.from({ length: highest - lowest + 1 }, (_, place) => lowest + place);
  const own = grades.every((grade) => grade >= 0 && grade <= 9) || (lowest === 1 && highest === 10);
  return grades.map((grade, place) => ({ grade, key: String(own ? grade % 10 : (place + 1) % 10) }));
}

/** @returns {RadioScale|NumberScale} with `inputs`, `show(grade)`, `choose(key)` and `focus()` */
export function scaleFor(question, options) {
  const isShort = question.highest - question.lowest < MAX_BUTTONS;
  return isShort ? new RadioScale(question, options) : new NumberScale(question, options);
}

class RadioScale {
  /** @param {object} question @param {{name: string, describedBy: string, disabled: boolean, give: (grade: ?number, how?: object) => void, point?: (answer: () => void) => void}} options `point` answers what was pointed at */
  constructor(question, { name, describedBy, disabled, give, point = (answer) => answer() }) {
    this.question = question;
    this.give = give;
    this.keys = keysOf(question.lowest, question.highest);
    this.inputs = this.keys.map(({ grade }) => element("input", {
      type: "radio", name, value: grade, disabled, "aria-describedby": describedBy,
    }));
    this.meaning = element("span", { class: "scale__meaning", "aria-hidden": "true" });
    this.root = element("div", { class: "scale" },
      element("div", { class: "choices scale__grades" }, ...this.inputs.map((input, place) => this.#button(input, this.keys[place]))), this.meaning);
    onChoice(this.root, (grade, { pointed }) => {
      if (pointed) point(() => give(Number(grade)));
      else give(Number(grade));
    });
  }

  #button(input, { grade, key }) {
    const label = this.question.labels[grade];
    // A grade that is its own key is printed once, also where there is no keyboard and keys are not shown.
    const digit = key === String(grade)
      ? [element("b", { class: "scale__digit", text: key })]
      : [element("kbd", { "aria-hidden": "true", text: key }), element("bdi", { dir: "ltr", text: grade })];
    return element("label", { class: "choice scale__grade", title: label ?? null }, input,
      element("span", {}, ...digit, label ? element("span", { class: "visually-hidden", text: ` ${label}` }) : null));
  }

  show(grade) {
    for (const input of this.inputs) input.checked = Number(input.value) === grade;
    this.meaning.textContent = this.question.labels[grade] ?? "";
  }

  /** @returns {?string} what was chosen, null where no control has this key */
  choose(key) {
    const place = this.keys.findIndex((each) => each.key === key);
    if (place < 0) return null;
    const { grade } = this.keys[place];
    this.give(grade);
    if (this.root.closest(".question").contains(document.activeElement)) this.inputs[place].focus({ preventScroll: true });
    return [grade, this.question.labels[grade]].filter(Boolean).join(", ");
  }

  focus() {
    (this.inputs.find(({ checked }) => checked) ?? this.inputs[0]).focus({ preventScroll: true });
  }
}

export class NumberScale {
  /** @param {object} question @param {{name: string, describedBy: string, disabled: boolean, give: (grade: ?number, how?: object) => void}} options */
  constructor(question, { name, describedBy, disabled, give }) {
    const { lowest, highest, labels = {} } = question;
    // Each bound with what it means, where that is said, however the words around them run.
    const bound = (grade) => `\u2068${[grade, labels[grade]].filter((part) => part !== undefined && part !== "").join(" ")}\u2069`;
    this.bounds = [lowest, highest];
    this.give = give;
    this.number = element("input", {
      type: "number", class: "form-control", id: name, min: lowest, max: highest, step: 1, inputmode: lowest < 0 ? null : "numeric",
      disabled, "aria-describedby": `${name}-range-of ${describedBy}`, "aria-label": gettext("Grade"),
      on: { input: () => this.#typed() },
    });
    this.slider = element("input", {
      type: "range", class: "scale__slider", min: lowest, max: highest, step: 1, disabled, "aria-label": gettext("Grade, on a slider"),
      on: { input: () => give(Number(this.slider.value), { typing: "slider" }) },
    });
    this.inputs = [this.number, this.slider];
    const bounds = interpolate(gettext("%(lowest)s to %(highest)s"), { lowest: bound(lowest), highest: bound(highest) });
    this.root = element("div", { class: "scale scale--wide" }, this.number, this.slider,
      element("span", { class: "scale__meaning", id: `${name}-range-of`, text: bounds }));
  }

  #typed() {
    const { value, validity } = this.number;
    const fits = value !== "" && validity.valid && Number.isInteger(Number(value));
    this.number.classList.toggle("is-invalid", !fits && (value !== "" || validity.badInput));
    this.give(fits ? Number(value) : null, { typing: "number" });
  }

  show(grade) {
    // What does not fit the scale stays where it is being typed, and counts as nothing.
    const isBeingTyped = document.activeElement === this.number && grade === null;
    if (!isBeingTyped && this.number.value !== String(grade ?? "")) this.number.value = grade ?? "";
    if (!isBeingTyped) this.number.classList.remove("is-invalid");
    this.slider.value = grade ?? Math.round((this.bounds[0] + this.bounds[1]) / 2);
    this.slider.classList.toggle("scale__slider--unset", grade === null);
  }

  choose() {
    return null;
  }

  focus() {
    this.number.focus({ preventScroll: true });
  }
}
