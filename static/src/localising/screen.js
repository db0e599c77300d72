// The localising screen: a field for the translation, one for each local value, and the prompt as it will be asked.
// What is written lives in LocalisationDocument; how it is kept and sent, in the Sync of the marking screen.
import { GrowingText } from "../authoring/growing-text.js";
import { Field } from "../authoring/section.js";
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { skipButton, submitButton } from "../task_kit/actions.js";
import { announce } from "../task_kit/announce.js";
import { SectionSheet } from "../task_kit/sheet.js";
import { LocalisationDocument } from "./document.js";
import { filledParts, namesIn } from "./placeholders.js";

const inBrackets = (name) => `[${name}]`;

export class LocalisingScreen extends EventTarget {
  /** @param {object} task the JSON block of the page @param {HTMLElement} root filled */
  constructor(task, root) {
    super();
    this.task = task;
    this.document = new LocalisationDocument(task.draft);
    this.text = new GrowingText({
      id: "localised-text", lang: task.lang, dir: task.dir, rows: 4, longest: task.longest_text,
      attributes: { readonly: task.read_only }, write: (value) => this.document.write(value),
    });
    this.translation = new Field({
      name: "text", label: gettext("Translation"), control: this.text.field, root: this.text.root,
      help: task.names.length && !task.read_only ? gettext("Keep every placeholder where the local value belongs, in its brackets as it is.") : "",
    });
    this.inserts = new Map(task.names.map((name, at) => [name, this.#insert(name, at < 9 ? `Alt+${at + 1}` : null)]));
    this.fields = new Map(task.names.map((name) => [name, this.#valueField(name)]));
    this.preview = element("p", { class: "prompt-text localising__preview", lang: task.lang, dir: task.dir });
    this.missing = element("div", { class: "error-summary", role: "alert", tabindex: "-1", hidden: true });
    root.append(...this.#content());
    if (!task.read_only) this.sheet = new SectionSheet(root);
    this.document.addEventListener("state", () => this.refresh());
    this.refresh();
  }

  #content() {
    const { task } = this;
    const section = (title, ...content) => element("section", { class: "surface stack", "aria-label": title }, element("h2", { text: title }), ...content);
    const inserts = task.read_only || !task.names.length ? "" : element("div", { class: "localising__inserts", role: "group", "aria-label": gettext("Put a placeholder in") },
      ...this.inserts.values());
    const values = task.names.length ? section(gettext("Local values"),
      task.read_only ? "" : element("p", { class: "muted", text: gettext("What stands in each place for people who read this: as it is written here, with the ending the sentence asks for.") }),
      ...[...this.fields.values()].map(({ root }) => root)) : "";
    this.submitButton = submitButton(() => this.submit());
    this.skipButton = skipButton(() => this.skip());
    this.asideButton = element("button", { type: "button", class: "btn btn-secondary", on: { click: () => this.putAside() } }, gettext("Put the draft aside"));
    return [
      section(gettext("Your translation"), inserts, this.translation.root), values,
      section(gettext("The prompt as it will be asked"), this.preview), this.missing,
      task.read_only ? "" : element("div", { class: "panel__actions" }, this.submitButton, ...(task.drafted ? [this.asideButton] : []), this.skipButton),
    ];
  }

  #insert(name, key) {
    return element("button", { type: "button", class: "btn btn-secondary btn-sm localising__insert", ...(key ? { "aria-keyshortcuts": key } : {}), on: { click: () => this.insert(name) } },
      element("span", { class: "localising__sign", "aria-hidden": "true" }), element("code", { dir: "ltr", text: inBrackets(name) }),
      element("span", { class: "visually-hidden" }));
  }

  #valueField(name) {
    const { task } = this;
    const control = element("input", {
      type: "text", class: "form-control", id: `value-${name}`, lang: task.lang, dir: task.dir, maxlength: task.longest_value,
      readonly: task.read_only, autocomplete: "off", on: { input: ({ target }) => this.document.give(name, target.value) },
    });
    return new Field({ name, label: `\u2066${inBrackets(name)}\u2069`, control });
  }

  /** Puts a placeholder where the cursor stands in the translation. */
  insert(name) {
    if (this.locked || this.task.read_only) return;
    const { field } = this.text;
    this.sheet.show(this.translation.root.closest("section"));
    field.focus();
    field.setRangeText(inBrackets(name), field.selectionStart, field.selectionEnd, "end");
    this.document.write(field.value, { typing: false });
    announce(interpolate(gettext("%(name)s was put in."), { name: inBrackets(name) }));
  }

  /** Begins with empty fields; what the model wrote comes back with undo. */
  putAside() {
    if (this.locked || this.task.read_only) return;
    this.document.reject();
    this.text.field.focus();
    announce(gettext("The draft was put aside. Undo brings it back."));
  }

  refresh() {
    const { document: draft, task } = this;
    this.asideButton.hidden = Boolean(draft.state.rejected);
    this.text.show(draft.text);
    this.text.mark(namesIn(draft.text).map(inBrackets));
    const there = new Set(namesIn(draft.text));
    for (const [name, button] of this.inserts) {
      button.classList.toggle("localising__insert--done", there.has(name));
      button.firstChild.textContent = there.has(name) ? "✓" : "+";
      button.lastChild.textContent = there.has(name) ? gettext("stands in the translation") : gettext("still missing");
    }
    for (const [name, { control }] of this.fields) if (control.value !== draft.value(name)) control.value = draft.value(name);
    this.#preview();
    if (!task.read_only && !this.missing.hidden) this.#forget();
  }

  #preview() {
    const { document: draft } = this;
    const parts = filledParts(draft.text, draft.values).map(({ text, name, filled }) =>
      (name ? element("mark", { class: filled ? "local-place local-place--filled" : "local-place" }, filled ? text : element("bdi", { dir: "ltr", text })) : text));
    this.preview.replaceChildren(...parts);
    this.preview.classList.toggle("muted", !draft.text.trim());
    if (!draft.text.trim()) this.preview.textContent = "–";
  }

  submit() {
    if (!this.locked && !this.task.read_only) this.dispatchEvent(new CustomEvent("submit"));
  }

  skip() {
    this.dispatchEvent(new CustomEvent("skip"));
  }

  /** Names what the server found missing, beside its field and together, and goes to the first of it. */
  showProblems(problems) {
    for (const field of [this.translation, ...this.fields.values()]) field.showProblem("");
    for (const problem of [...problems].reverse()) this.#fieldOf(problem)?.showProblem(problem.message);
    const items = problems.map((problem) => element("li", { text: problem.message }));
    this.missing.replaceChildren(element("h3", { text: gettext("Not submitted yet. Nothing is lost; this is still missing:") }), element("ul", {}, ...items));
    this.missing.hidden = false;
    const first = this.#fieldOf(problems[0]);
    this.sheet.show(first?.root.closest("section"));
    if (first) first.focus();
    else this.missing.focus();
    announce(problems[0].message);
  }

  /** Once something is changed, what was said of it no longer holds for sure. */
  #forget() {
    this.missing.hidden = true;
    for (const field of [this.translation, ...this.fields.values()]) field.showProblem("");
  }

  #fieldOf({ field, span }) {
    return field === "values" ? this.fields.get(span) : field === "text" ? this.translation : null;
  }

  undo() {
    this.#returned(!this.locked && this.document.undo(), gettext("Undone"));
  }

  redo() {
    this.#returned(!this.locked && this.document.redo(), gettext("Done again"));
  }

  #returned(step, said) {
    if (step) announce(said);
  }

  lock(locked) {
    this.locked = locked;
    for (const field of [this.text.field, ...[...this.fields.values()].map(({ control }) => control)]) field.readOnly = locked || this.task.read_only;
    for (const button of [this.submitButton, this.skipButton, this.asideButton, ...this.inserts.values()]) button.disabled = locked;
  }
}
