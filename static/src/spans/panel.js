// What stands beside the text: the form of the selected error, or how to begin; the list; submit, no errors, skip.
import { element } from "../site/dom.js";
import { gettext, interpolate, ngettext } from "../site/text.js";
import { keyedButton, skipButton, submitButton } from "../task_kit/actions.js";
import { legend } from "./legend.js";
import { tagSwitch } from "./mark-tags.js";
import { isComplete } from "./validation.js";

export class Panel {
  /**
   * @param {HTMLElement} root emptied and filled
   * @param {import("./editor.js").Editor} editor with its form and list
   */
  constructor(root, editor) {
    this.editor = editor;
    const { task, form, list } = editor;
    this.count = element("h2", { class: "panel__count" });
    this.start = this.#start();
    this.missing = element("div", { class: "error-summary", role: "alert", tabindex: "-1", hidden: true });
    this.noErrors = keyedButton(gettext("There are no errors"), "0", () => editor.toggleNoErrors());
    this.noErrors.setAttribute("aria-pressed", "false");
    this.omission = keyedButton(gettext("Something is missing"), "M", () => editor.addOmission());
    this.submit = submitButton(() => editor.submit());
    this.skip = task.skip_reasons.length ? skipButton(() => editor.skip()) : null;
    const overview = element("section", { class: "panel__overview surface" },
      element("div", { class: "surface__header" }, this.count), this.start, legend(task), list.root, tagSwitch(),
      task.read_only ? null : element("div", { class: "panel__more" }, this.omission, this.noErrors));
    this.warning = element("div", { class: "notice notice--warning", role: "status", tabindex: "-1", hidden: true });
    const asked = editor.asked ? [editor.asked.root] : [editor.score?.root ?? "", ...(editor.questions?.roots ?? [])];
    const actions = task.read_only ? "" : element("div", { class: "panel__actions" }, editor.asked?.opener ?? null, this.submit, this.skip);
    root.replaceChildren(form.root, this.missing, this.warning, overview, ...asked, actions);
    editor.asked?.standOn(actions);
    editor.document.addEventListener("state", () => this.refresh());
    this.refresh();
  }

  refresh() {
    const { document, task } = this.editor;
    const { size, noErrors } = document;
    let unfinished = 0;
    for (const span of document.spans.values()) if (!isComplete(span, document)) unfinished += 1;
    const text = noErrors ? gettext("No errors") : size
      ? interpolate(ngettext("%(count)s error", "%(count)s errors", size), { count: size }) : gettext("No errors marked yet");
    const parts = [text];
    if (unfinished) parts.push(interpolate(ngettext("%(count)s unfinished", "%(count)s unfinished", unfinished), { count: unfinished }));
    const line = parts.join(" · ");
    if (this.count.textContent !== line) this.count.textContent = line;
    this.start.hidden = size > 0 || noErrors || task.read_only;
    this.noErrors.disabled = size > 0;
    this.noErrors.setAttribute("aria-pressed", String(noErrors));
    if (!this.warning.hidden) this.showWarnings(document.warnings());
    if (!this.missing.hidden) this.showMissing(document.problems());
  }

  /** Lists what is missing, each entry leading to its place; nothing where nothing is. */
  showMissing(problems) {
    this.warning.hidden = this.warning.hidden || problems.length > 0;
    this.#list(this.missing, gettext("Not submitted yet. Nothing is lost; this is still missing:"), problems);
  }

  /** Lists what looks like a slip and stops nobody. */
  showWarnings(warnings) {
    this.#list(this.warning, gettext("Please look at this once more, then submit again:"), warnings);
    if (warnings.length) this.warning.scrollIntoView({ block: "nearest" });
  }

  #list(root, heading, problems) {
    root.hidden = problems.length === 0;
    if (!problems.length) return;
    const bySpan = Map.groupBy ? Map.groupBy(problems, ({ span }) => span) : groupBySpan(problems);
    const link = (problem, name) => element("button", { type: "button", class: "btn btn-link", on: { click: () => this.editor.goTo(problem) } },
      element("bdi", { text: name }));
    const items = [...bySpan].slice(0, 20).map(([span, list]) => element("li", {},
      span && this.editor.document.get(span) ? link(list[0], this.editor.nameOf(span))
        : this.editor.questions?.has(span) ? link(list[0], this.editor.questions.nameOf(span))
        : list.filter(({ field }) => field === "score").map((problem) => link(problem, this.editor.task.score.name))[0] ?? null,
      element("span", { text: ` ${list.map(({ message }) => message).join(" ")}` })));
    root.replaceChildren(element("h2", { text: heading }), element("ul", {}, ...items));
  }

  lock(locked) {
    for (const button of [this.submit, this.skip, this.omission]) if (button) button.disabled = locked;
    this.noErrors.disabled = locked || this.editor.document.size > 0;
  }

  #start() {
    return element("div", { class: "panel__start" },
      element("p", { class: "when-mouse", text: gettext("Drag over the words that are wrong. Hold Shift for single letters.") }),
      element("p", { class: "when-touch", text: gettext("Tap the first word of an error, then its last word.") }),
      element("p", { class: "when-mouse muted small" }, gettext("By keyboard: go to the text with Tab, move with the arrows, Enter sets the start and the end. All keys:"), " ", element("kbd", { text: "?" })));
  }
}

function groupBySpan(problems) {
  const groups = new Map();
  for (const problem of problems) groups.set(problem.span, [...(groups.get(problem.span) ?? []), problem]);
  return groups;
}
