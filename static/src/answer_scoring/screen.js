// The scoring screen: joins the points, the note and the person's gestures. What is said lives in ScoreDocument.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { announce } from "../task_kit/announce.js";
import { skipButton, submitButton } from "../task_kit/actions.js";
import { keyOf } from "../task_kit/keys.js";
import { ScoreDocument } from "./document.js";

// Digits give their own number of points; for ten, which is two of them, the Roman one.
const TEN = "X";

export class ScoringScreen extends EventTarget {
  /** @param {object} task the JSON block of the page @param {{root: HTMLElement, panel: HTMLElement, text: HTMLElement}} slots */
  constructor(task, { root, panel, text }) {
    super();
    Object.assign(this, { task, text });
    this.document = new ScoreDocument(task.draft);
    this.problem = element("p", { class: "field__error", id: "score-problem", role: "alert" });
    const points = Array.from({ length: task.highest - task.lowest + 1 }, (_, place) => task.lowest + place);
    this.inputs = points.map((score) => element("input", {
      type: "radio", name: "score", value: score, disabled: task.read_only, "aria-describedby": "score-problem",
      on: { change: () => this.document.give(score) },
    }));
    this.group = element("fieldset", { class: "field answer answer--current" },
      element("legend", { text: gettext("Points, from 0 to 10") }),
      element("div", { class: "scale" }, element("div", { class: "choices scale__grades" }, ...this.inputs.map(pointButton))), this.problem);
    this.note = element("textarea", {
      class: "form-control", id: "score-note", rows: 2, dir: "auto", maxlength: 10000, readonly: task.read_only,
      on: { input: ({ target }) => this.document.write(target.value) },
    });
    root.append(this.group, element("div", { class: "field answer__comment" },
      element("label", { for: "score-note" }, gettext("Note"), " ", element("span", { class: "field__optional", text: gettext("optional") })), this.note));
    this.buttons = task.read_only ? [] : this.#actions(panel);
    if (!task.read_only) panel.classList.add("panel-sheet");
    this.document.addEventListener("state", () => this.show());
    this.show();
  }

  #actions(panel) {
    const submit = submitButton(() => this.submit());
    const skip = skipButton(() => this.skip());
    this.state = element("p", { class: "answer-state small muted", role: "status" });
    panel.append(this.state, element("div", { class: "panel__actions" }, submit, skip));
    return [submit, skip];
  }

  /** The next item begins in its text. */
  begin() {
    this.text.focus({ preventScroll: true });
  }

  show() {
    const { score, note } = this.document.state;
    for (const input of this.inputs) input.checked = Number(input.value) === score;
    if (this.note !== document.activeElement) this.note.value = note;
    const state = score === null && !note ? gettext("Not begun") : gettext("Draft, not submitted yet");
    if (this.state && this.state.textContent !== state) this.state.textContent = state;
    if (score !== null) this.#say("");
  }

  /** Gives the points whose key this is. */
  choose(key) {
    const score = key === TEN ? this.task.highest : Number(key);
    if (this.locked || this.task.read_only) return false;
    this.document.give(score);
    announce(interpolate(gettext("Points: %(score)s"), { score }));
    return true;
  }

  /** From giving points or writing back to the answer. */
  leave() {
    this.text.focus();
  }

  undo() {
    if (!this.locked && this.document.undo()) this.#returned(gettext("Undone"));
  }

  redo() {
    if (!this.locked && this.document.redo()) this.#returned(gettext("Done again"));
  }

  #returned(said) {
    this.note.value = this.document.state.note;
    announce(said);
  }

  submit() {
    if (this.locked || this.task.read_only) return;
    if (this.document.state.score === null) this.showProblems([{ message: gettext("Give the points.") }]);
    else this.dispatchEvent(new CustomEvent("submit"));
  }

  skip() {
    this.dispatchEvent(new CustomEvent("skip"));
  }

  showProblems([problem]) {
    this.#say(problem.message);
    (this.inputs.find(({ checked }) => checked) ?? this.inputs[0]).focus();
    this.group.scrollIntoView({ block: "nearest" });
    announce(problem.message);
  }

  #say(message) {
    this.problem.textContent = message;
    this.group.classList.toggle("field--invalid", Boolean(message));
  }

  lock(locked) {
    this.locked = locked;
    this.group.toggleAttribute("inert", locked);
    this.note.readOnly = locked || this.task.read_only;
    for (const button of this.buttons) button.disabled = locked;
  }
}

function pointButton(input) {
  const isTen = input.value === "10";
  const printed = isTen
    ? [element("kbd", { "aria-hidden": "true", text: keyOf(TEN) }), element("bdi", { dir: "ltr", text: input.value })]
    : [element("b", { class: "scale__digit", text: input.value })];
  return element("label", { class: "choice scale__grade" }, input, element("span", {}, ...printed));
}
