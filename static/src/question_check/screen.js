// The screen of a question check: one's own answer first; then the reference, the models' answers and the decision.
// What is written lives in CheckDocument; how it is kept and sent, in the Sync that all task screens share.
import { GrowingText } from "../authoring/growing-text.js";
import { Choices, Field } from "../authoring/section.js";
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { skipButton, submitButton } from "../task_kit/actions.js";
import { announce } from "../task_kit/announce.js";
import { SectionSheet } from "../task_kit/sheet.js";
import { send } from "../task_kit/transport.js";
import { CheckDocument, WORDING } from "./document.js";

const LABELS = () => ({ instruction: gettext("Instruction"), input: gettext("Input"), reference: gettext("Reference answer") });
const section = (title, ...content) => element("section", { class: "surface stack", "aria-label": title }, element("h2", { text: title, tabindex: "-1" }), ...content);

export class CheckScreen extends EventTarget {
  /** @param {object} task the JSON block of the page @param {HTMLElement} root filled */
  constructor(task, root) {
    super();
    Object.assign(this, { task, root, locked: false, revealed: null, fields: new Map() });
    this.document = new CheckDocument(task.draft);
    this.missing = element("div", { class: "error-summary", role: "alert", tabindex: "-1", hidden: true });
    this.submitButton = submitButton(() => this.submit(), "");
    this.skipButton = skipButton(() => this.skip());
    this.answer = this.#text("answer", gettext("Your answer"), { longest: task.longest_text, help: gettext("As you would answer it yourself. It can no longer be changed once the reference is shown.") });
    if (!task.is_gone || task.revealed) root.append(section(gettext("Answer the question yourself"), this.answer.root));
    root.append(this.missing, task.read_only ? "" : element("div", { class: "panel__actions" }, this.submitButton, this.skipButton));
    if (!task.read_only) this.sheet = new SectionSheet(root);
    if (task.revealed) this.#reveal(task.revealed, task.wording);
    this.document.addEventListener("state", () => this.refresh());
    this.refresh();
  }

  skip() {
    this.dispatchEvent(new CustomEvent("skip"));
  }

  #text(name, label, { longest, help = "", rows = 3, dir = this.task.dir, lang = this.task.lang }) {
    const text = new GrowingText({
      id: `check-${name}`, lang, dir, rows, longest, attributes: { readonly: this.task.read_only }, write: (value) => this.document.write(name, value),
    });
    const field = new Field({ name, label, control: text.field, root: text.root, help });
    this.fields.set(name, Object.assign(field, { show: (value) => text.show(value) }));
    return field;
  }

  #choices(name, label, options, firstDigit, choose) {
    const choices = new Choices({ name, id: `check-${name}`, label, options, firstDigit, disabled: this.task.read_only, choose });
    this.fields.set(name, choices);
    return choices;
  }

  /** Adds what is shown after the own answer. */
  #reveal(revealed, wording) {
    const { task } = this;
    Object.assign(this, { revealed, wording });
    this.answer.control.readOnly = true;
    const text = (value, lang) => element("p", { class: "prompt-text", lang: lang || false, dir: "auto", text: value || "–" });
    const answers = revealed.answers.map(({ label, text: words }) => element("details", { class: "surface", open: revealed.answers.length < 3 },
      element("summary", { text: interpolate(gettext("Answer %(label)s"), { label }) }), text(words)));
    const reference = section(gettext("Reference answer"), text(revealed.reference, revealed.reference_lang));
    const aligned = this.#choices("is_aligned", gettext("Do question and reference answer fit each other?"),
      [{ value: "true", label: gettext("Yes") }, { value: "false", label: gettext("No") }], 0, (value) => this.align(value === "true"));
    const decision = this.#choices("decision", gettext("Decision"), task.decisions, 1, (value) => this.document.decide(value, wording));
    const fault = this.#choices("fault", gettext("Fault"), task.faults, 4, (value) => this.document.choose("fault", value));
    const labels = LABELS();
    this.repair = section(gettext("New wording"), ...WORDING.map((part) => element("div", { class: "columns" },
      element("div", {}, element("p", { class: "muted small", text: interpolate(gettext("%(part)s, as it stands"), { part: labels[part] }) }), text(wording[part])),
      this.#text(part, labels[part], { longest: task.longest_text, dir: "auto" }).root)));
    const note = this.#text("note", gettext("Note"), { longest: task.longest_note, rows: 2, dir: "auto", lang: false });
    this.missing.before(reference,
      section(gettext("Answers of models"), ...(answers.length ? answers : [element("p", { class: "muted", text: gettext("No model has answered yet.") })])),
      section(gettext("Is the question fit for the set?"), aligned.root, decision.root, fault.root, note.root), this.repair);
    this.reference = reference;
  }

  /** Keeps the own answer on the server, which shows the rest only after that. */
  async show() {
    const text = this.document.state.answer.trim();
    if (!text) return this.showProblems([{ field: "answer", message: gettext("Write your own answer first.") }]);
    this.lock(true);
    await this.save?.();
    const outcome = await send("POST", this.task.urls.reveal, { text });
    this.lock(false);
    if (outcome.kind !== "ok") {
      const message = outcome.problems?.[0]?.message || outcome.message || gettext("The reference could not be shown just now. What you wrote is kept; please try again.");
      return this.showProblems([{ field: "answer", message }]);
    }
    this.missing.hidden = true;
    this.#reveal(outcome.data.revealed, outcome.data.wording);
    this.refresh();
    this.sheet.show(this.reference);
    this.reference.querySelector("h2").focus();
    announce(gettext("The reference answer is shown."));
  }

  align(value) {
    if (this.#works()) this.document.choose("is_aligned", value);
  }

  /** A digit printed on a control: 1 to 3 decide, those after it name the fault. */
  chooseDigit(digit) {
    const { decisions, faults } = this.task;
    if (!this.#works()) return false;
    if (decisions[digit - 1]) this.document.decide(decisions[digit - 1].value, this.wording);
    else if (faults[digit - 4] && this.document.state.decision !== "keep") this.document.choose("fault", faults[digit - 4].value);
    else return false;
    announce((decisions[digit - 1] ?? faults[digit - 4]).label);
    return true;
  }

  #works() {
    return Boolean(this.revealed) && !this.locked && !this.task.read_only;
  }

  refresh() {
    const { state } = this.document;
    for (const [name, field] of this.fields) field.show(name === "answer" && this.revealed ? this.revealed.own : String(state[name] ?? ""));
    this.submitButton.firstElementChild.textContent = this.revealed ? gettext("Submit") : gettext("Save and show the reference");
    if (this.revealed) {
      this.repair.hidden = state.decision !== "repair";
      this.fields.get("fault").root.hidden = state.decision === "" || state.decision === "keep";
    }
    this.sheet?.refresh();
    this.submitButton.hidden = this.task.is_gone;
    if (!this.missing.hidden) this.#forget();
  }

  submit() {
    if (this.locked || this.task.read_only || this.task.is_gone) return;
    if (this.revealed) this.dispatchEvent(new CustomEvent("submit"));
    else this.show();
  }

  /** Names what is missing, beside its field and together, and goes to the first of it. */
  showProblems(problems) {
    this.#forget();
    for (const { field, message } of [...problems].reverse()) this.fields.get(field)?.showProblem?.(message);
    this.missing.replaceChildren(element("h3", { text: gettext("Not submitted yet. Nothing is lost; this is still missing:") }),
      element("ul", {}, ...problems.map(({ message }) => element("li", { text: message }))));
    this.missing.hidden = false;
    const field = this.fields.get(problems[0].field);
    this.sheet?.show(field?.root.closest("section"));
    (field ?? this.missing).focus();
    announce(problems[0].message);
  }

  #forget() {
    this.missing.hidden = true;
    for (const field of this.fields.values()) field.showProblem?.("");
  }

  leave() {
    document.activeElement?.blur();
    return true;
  }

  undo() {
    if (!this.locked && this.document.undo()) announce(gettext("Undone"));
  }

  redo() {
    if (!this.locked && this.document.redo()) announce(gettext("Done again"));
  }

  lock(locked) {
    this.locked = locked;
    this.root.toggleAttribute("inert", locked);
  }
}
