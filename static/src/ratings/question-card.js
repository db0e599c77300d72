// What is answered to one question: a grade a side, which one is better, a comment. The rubric above it is the page's.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { AnswerCard } from "./answer-card.js";
import { contradiction, hasScale } from "./problems.js";
import { keyCap } from "../task_kit/actions.js";
import { onChoice } from "../task_kit/choosing.js";
import { scaleFor } from "./scale.js";

const LETTERS = ["A", "B"];

export class QuestionCard extends AnswerCard {
  /** @param {object} question as of the task @param {import("./screen.js").RatingScreen} screen */
  constructor(question, screen) {
    super(question, screen);
    const { task } = screen;
    const graded = hasScale(question) ? task.sides.map((side, place) => this.#grade(side, place)) : [];
    const asksPreference = task.sides.length > 1 && (task.asks_preference || !hasScale(question));
    this.warning = element("p", { class: "notice notice--warning question__warning", role: "status", hidden: true });
    this.place.append(
      ...graded, ...(asksPreference ? [this.#preference()] : []), this.warning, ...(task.asks_comment ? [this.#comment()] : []));
    this.show();
  }

  get isMissing() {
    const rating = this.screen.document.get(this.slug);
    return (field) => (field === "comment" ? !rating.comment.trim()
      : field === "preference" ? !hasScale(this.question) && !rating.preference : rating[field] === null);
  }

  nameOf(field) {
    const place = this.screen.task.sides.indexOf(field);
    if (place >= 0) return this.screen.sides.nameOf(place);
    return field === "preference" ? gettext("Which one is better?") : gettext("Comment");
  }

  show() {
    const rating = this.screen.document.get(this.slug);
    for (const [side, scale] of this.scales) scale.show(rating[side]);
    for (const input of this.preferences ?? []) input.checked = input.value === rating.preference;
    if (this.unprefer) this.unprefer.hidden = !rating.preference;
    if (this.comment && this.comment !== document.activeElement) this.comment.value = rating.comment;
    this.forgetAnswered();
    const warning = this.screen.task.read_only ? "" : contradiction(this.screen.task, rating);
    this.warning.hidden = !warning;
    if (this.warning.textContent !== warning) this.warning.textContent = warning;
  }

  /** Chooses what has this key printed on it; null where nothing has. */
  choose(field, key) {
    if (this.scales.has(field)) return this.scales.get(field).choose(key);
    const input = this.preferences?.[Number(key) - 1];
    if (!input) return null;
    this.#prefer(input.value);
    if (this.root.contains(document.activeElement)) input.focus({ preventScroll: true });
    return input.parentElement.textContent.slice(1).trim();
  }

  controlOf(field) {
    return field === "preference" ? this.preferences.find(({ checked }) => checked) ?? this.preferences[0] : this.comment;
  }

  #grade(side, place) {
    const scale = scaleFor(this.question, {
      name: `${this.slug}-${side}`, describedBy: this.problem(side), disabled: this.screen.task.read_only,
      point: (answer) => this.answer(side, answer, true),
      give: (grade, how) => this.screen.document.update(this.slug, { [side]: grade }, how && { typing: `${side}:${how.typing}` }),
    });
    this.scales.set(side, scale);
    const name = this.screen.sides.nameOf(place);
    return this.fieldset(side, [
      element("span", { class: "visually-hidden", text: `${this.question.name}: ` }), name,
    ], scale.root);
  }

  #preference() {
    const { task } = this.screen;
    const better = (letter) => interpolate(gettext("%(letter)s is better"), { letter });
    const choices = [[task.sides[0], better(LETTERS[0])], ["tie", gettext("Equally good")], [task.sides[1], better(LETTERS[1])]];
    const describedBy = this.problem("preference");
    this.preferences = choices.map(([value]) => element("input", {
      type: "radio", name: `${this.slug}-preference`, value, disabled: task.read_only, "aria-describedby": describedBy,
    }));
    const isOptional = hasScale(this.question);
    this.unprefer = isOptional && !task.read_only ? element("button", {
      type: "button", class: "btn btn-quiet btn-sm answer__clear", hidden: true, text: gettext("Take back"), "aria-label": gettext("Take the preference back"),
      on: { click: () => { this.#prefer(""); this.focusField("preference"); } },
    }) : null;
    const legend = [element("span", { class: "visually-hidden", text: `${this.question.name}: ` }), gettext("Which one is better?")];
    if (isOptional) legend.push(" ", element("span", { class: "field__optional", text: gettext("optional") }));
    const fieldset = this.fieldset("preference", legend, element("div", { class: "choices" },
      ...choices.map(([, label], place) => element("label", { class: "choice" }, this.preferences[place],
        element("span", {}, element("kbd", { "aria-hidden": "true", text: place + 1 }), element("span", { text: label })))), this.unprefer));
    onChoice(fieldset, (value, { pointed }) => this.answer("preference", () => this.#prefer(value), pointed));
    return fieldset;
  }

  #prefer(value) {
    this.screen.document.update(this.slug, { preference: value });
  }

  #comment() {
    const id = `${this.slug}-comment`;
    this.comment = element("textarea", {
      class: "form-control", id, rows: 2, dir: "auto", maxlength: 10000, readonly: this.screen.task.read_only, "aria-describedby": this.problem("comment"),
      on: { input: ({ target }) => this.screen.document.update(this.slug, { comment: target.value }, { typing: "comment" }) },
    });
    return element("div", { class: "field answer__comment", "data-field": "comment" },
      element("label", { for: id }, gettext("Comment"), " ", element("span", { class: "field__optional", text: gettext("optional") })), this.comment, this.problems.get("comment"));
  }
}
