// Above the text: undo, redo, letter precision, keys; and the line at the bottom while a start is set.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";

export class Toolbar {
  /** @param {HTMLElement} root @param {import("./editor.js").Editor} editor @param {() => void} help */
  constructor(root, editor, help) {
    this.editor = editor;
    const button = (label, symbol, run, attributes = {}) => element("button", {
      type: "button", class: "btn btn-quiet btn-sm tool", title: label, "aria-label": label, on: { click: run }, ...attributes,
    }, symbol);
    this.undo = button(gettext("Undo"), icon("M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6"), () => editor.undo(), { class: "btn btn-quiet btn-sm tool tool--directed" });
    this.redo = button(gettext("Redo"), icon("m15 7 5 5-5 5M20 12H10a6 6 0 0 0-6 6"), () => editor.redo(), { class: "btn btn-quiet btn-sm tool tool--directed" });
    this.letters = element("button", { type: "button", class: "btn btn-quiet btn-sm tool", "aria-pressed": "false", text: gettext("Letters"), title: gettext("Mark letters instead of whole words"), on: { click: () => this.#toggleLetters() } });
    const keys = button(gettext("Keys"), element("kbd", { text: "?" }), help, { class: "btn btn-quiet btn-sm tool when-mouse" });
    if (editor.task.read_only) root.append(keys);
    else root.append(this.undo, this.redo, this.letters, keys);
    this.hint = this.#hint();
    document.body.append(this.hint);
    editor.document.addEventListener("state", () => this.refresh());
    editor.selector.addEventListener("pending", ({ detail }) => this.#pending(detail.range));
    editor.selector.addEventListener("offered", ({ detail }) => this.#offered(detail.range));
    this.refresh();
  }

  refresh() {
    this.undo.disabled = !this.editor.document.canUndo;
    this.redo.disabled = !this.editor.document.canRedo;
  }

  #toggleLetters() {
    const { selector } = this.editor;
    selector.byLetters = !selector.byLetters;
    this.letters.setAttribute("aria-pressed", String(selector.byLetters));
  }

  #hint() {
    this.hintText = element("span", {});
    this.hintMark = element("button", { type: "button", class: "btn btn-sm btn-primary", text: gettext("Mark selected words"), on: { click: () => { this.editor.selector.takeSelection(); this.#offered(null); } } });
    this.hintCancel = element("button", { type: "button", class: "btn btn-sm btn-secondary", text: gettext("Cancel"), on: { click: () => this.editor.selector.cancel() } });
    return element("div", { class: "pending-hint", role: "status", hidden: true }, this.hintText, this.hintMark, this.hintCancel);
  }

  #pending(range) {
    this.hint.hidden = !range;
    this.hintMark.hidden = true;
    this.hintCancel.hidden = false;
    if (!range) return;
    const quote = this.editor.view.index.text.slice(...range);
    this.hintText.textContent = interpolate(gettext("Starts at “%(word)s”. Now choose the last word."), { word: `\u2068${quote}\u2069` });
  }

  #offered(range) {
    if (this.editor.selector.pending) return;
    this.hint.hidden = !range;
    this.hintMark.hidden = false;
    this.hintCancel.hidden = true;
    this.hintText.textContent = "";
  }
}

function icon(path) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  for (const [name, value] of Object.entries({ viewBox: "0 0 24 24", width: "20", height: "20", fill: "none", stroke: "currentColor", "stroke-width": "2", "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" })) svg.setAttribute(name, value);
  const shape = document.createElementNS(space, "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}
