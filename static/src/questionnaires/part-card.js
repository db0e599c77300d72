// The answer to one part: a choice, several, a grade, a number, free text, or a rank for each response. The question
// above it is the page's.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { AnswerCard, keyedChoice, optional } from "../ratings/answer-card.js";
import { onChoice } from "../task_kit/choosing.js";
import { scaleFor } from "../ratings/scale.js";
import { ranked, toggled } from "./document.js";
import { isOpen } from "./open.js";

const LONGEST_TEXT = 10_000;
const KEYS = 9; // of digits that choose
const capOf = (place) => (place < KEYS ? String(place + 1) : "");

export class PartCard extends AnswerCard {
  /** @param {object} part as of the task @param {import("./screen.js").QuestionnaireScreen} screen */
  constructor(part, screen) {
    super(part, screen);
    this.place.append(...this.#fields());
    this.show();
  }

  get #document() {
    return this.screen.document;
  }

  get #disabled() {
    return Boolean(this.screen.task.read_only);
  }

  get value() {
    return this.#document.get(this.slug);
  }

  /** Whether more than one press belongs to this part, so that the first does not lead on. */
  get stays() {
    return this.question.type === "choices";
  }

  isMissing(field) {
    return !this.question.optional && this.isEmpty(field);
  }

  isEmpty(field) {
    return this.question.type === "ranking" ? !this.value?.[field] : isOpen(this.value);
  }

  nameOf(field) {
    const place = this.question.type === "ranking" ? this.screen.task.sides.indexOf(field) : -1;
    return place >= 0 ? this.screen.sides.nameOf(place) : gettext("Answer");
  }

  give(value, how) {
    this.#document.give(this.slug, value, how);
  }

  show() {
    const { value, question } = this;
    for (const [field, scale] of this.scales) scale.show((question.type === "ranking" ? value?.[field] : value) ?? null);
    for (const input of this.inputs ?? []) input.checked = question.type === "choices" ? (value ?? []).includes(input.value) : input.value === value;
    if (this.field && !this.typing) this.#write(value ?? "");
    if (this.clear) this.clear.hidden = isOpen(value);
    this.forgetAnswered();
  }

  /** What comes from elsewhere, an undo or another tab, is shown also where the person stands in the field. */
  #write(value) {
    if (this.field.value !== String(value)) this.field.value = value;
    this.field.classList.remove("is-invalid");
  }

  /** Chooses what has this key printed on it; null where nothing has. */
  choose(field, key) {
    if (this.scales.has(field)) return this.scales.get(field).choose(key);
    const input = key === "0" ? null : this.inputs?.[Number(key) - 1];
    if (!input) return null;
    this.#chosen(input.value);
    if (this.root.contains(document.activeElement)) input.focus({ preventScroll: true });
    return input.value;
  }

  controlOf() {
    return this.field ?? this.inputs?.find(({ checked }) => checked) ?? this.inputs?.[0];
  }

  focusField(field) {
    super.focusField(this.fieldsets.has(field) ? field : this.places[0]);
  }

  showProblems(problems) {
    // The server names the part; of a ranking the first response without a rank stands for it.
    const own = problems.map((problem) => (this.problems.has(problem.field) ? problem
      : { ...problem, field: this.places.find((field) => this.isMissing(field)) ?? this.places[0] }));
    super.showProblems(own);
  }

  #fields() {
    switch (this.question.type) {
      case "choice": return [this.#choices("radio")];
      case "choices": return [this.#choices("checkbox")];
      case "scale": return [this.#scale(this.slug, this.#legend(), (grade, how) => this.give(grade, how))];
      case "ranking": return this.screen.task.sides.map((name, place) => this.#rank(name, place));
      default: return [this.#written()];
    }
  }

  #legend() {
    return [element("span", { class: "visually-hidden", text: this.question.name }), ...(this.question.optional ? [optional(gettext("optional"))] : [])];
  }

  #choices(type) {
    const describedBy = this.problem(this.slug);
    this.inputs = this.question.options.map((option) => element("input", {
      type, name: this.slug, value: option, disabled: this.#disabled, "aria-describedby": describedBy,
      on: type === "checkbox" ? { change: () => this.#chosen(option) } : {},
    }));
    const mayClear = type === "radio" && this.question.optional && !this.#disabled;
    this.clear = mayClear ? element("button", { type: "button", class: "btn btn-quiet btn-sm answer__clear", hidden: true, text: gettext("Take back"),
      on: { click: () => { this.give(null); this.focusField(this.slug); } } }) : null;
    const fieldset = this.fieldset(this.slug, this.#legend(), element("div", { class: "choices choices--words" },
      ...this.inputs.map((input, place) => keyedChoice(input, capOf(place), input.value))), this.clear);
    onChoice(fieldset, (option, { pointed }) => this.answer(this.slug, () => this.#chosen(option), pointed));
    return fieldset;
  }

  #chosen(option) {
    this.give(this.stays ? toggled(this.value, option, this.question.options) : option);
    if (this.stays) this.show(); // the same state again leaves the box as the browser drew it
  }

  #scale(field, legend, give, question = this.question) {
    const scale = scaleFor(question, { name: `${this.slug}-${field}`, describedBy: this.problem(field), disabled: this.#disabled, give,
      point: (answer) => this.answer(field, answer, true) });
    this.scales.set(field, scale);
    return this.fieldset(field, legend, scale.root);
  }

  #rank(name, place) {
    const legend = [element("span", { class: "visually-hidden", text: `${this.question.name}: ` }), this.screen.sides.nameOf(place)];
    return this.#scale(name, legend, (rank) => this.give(ranked(this.value, name, rank, this.question)));
  }

  #written() {
    const describedBy = this.problem(this.slug);
    const isNumber = this.question.type === "number";
    const common = { class: "form-control", id: `${this.slug}-field`, readonly: this.#disabled, "aria-describedby": describedBy, "aria-label": this.question.name };
    this.field = isNumber
      ? element("input", { ...common, type: "number", step: "any", min: this.question.lowest, max: this.question.highest, on: { input: () => this.#typedNumber() } })
      : element("textarea", { ...common, rows: 3, dir: "auto", maxlength: LONGEST_TEXT, on: { input: ({ target }) => this.#typed(target.value, "text") } });
    return this.fieldset(this.slug, this.#legend(), this.field);
  }

  /** What does not fit stays where it is being typed, and counts as nothing. */
  #typedNumber() {
    const { value, validity } = this.field;
    const fits = value !== "" && validity.valid;
    this.field.classList.toggle("is-invalid", !fits && (value !== "" || validity.badInput));
    this.#typed(fits ? Number(value) : null, "number");
  }

  /** The field is left as it is being written in. */
  #typed(value, typing) {
    this.typing = true;
    this.give(value, { typing });
    this.typing = false;
  }
}
