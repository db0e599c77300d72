// Above the text: the standard tools and letter precision; and the line at the bottom while a start is set.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { keyCap } from "../task_kit/actions.js";
import { standardTools } from "../task_kit/toolbar.js";

export class Toolbar {
  /** @param {HTMLElement} root @param {import("./editor.js").Editor} editor @param {() => void} help */
  constructor(root, editor, help) {
    this.editor = editor;
    const { undo, redo, keys } = standardTools(editor, help);
    this.letters = element("button", { type: "button", class: "btn btn-quiet btn-sm tool", "aria-pressed": "false", "aria-keyshortcuts": "L", title: gettext("Mark letters instead of whole words"), on: { click: () => this.toggleLetters() } },
      element("span", { text: gettext("Letters") }), keyCap("L"));
    editor.toggleLetters = () => this.toggleLetters();
    if (editor.task.read_only) root.append(keys);
    else root.append(undo, redo, this.letters, keys);
    this.hint = this.#hint();
    document.body.append(this.hint);
    editor.selector.addEventListener("pending", ({ detail }) => this.#pending(detail.range));
    editor.selector.addEventListener("offered", ({ detail }) => this.#offered(detail.range));
  }

  toggleLetters() {
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
