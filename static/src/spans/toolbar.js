// Above the text: the standard tools and letter precision; and the line at the bottom while a start is set.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { standardTools, switchTool } from "../task_kit/toolbar.js";
import { plainTool } from "../task_kit/plain.js";

export class Toolbar {
  /**
   * @param {HTMLElement} root @param {import("./editor.js").Editor} editor @param {() => void} help
   * @param {HTMLElement|""} [plain] the switch to the text as it was written, where the page has not one for all its texts
   */
  constructor(root, editor, help, plain = plainTool(editor)) {
    this.editor = editor;
    const { undo, redo, keys } = standardTools(editor, help);
    this.letters = switchTool(gettext("Letters"), "L", gettext("Mark letters instead of whole words"), false, (isOn) => { editor.selector.byLetters = isOn; });
    editor.toggleLetters = () => this.letters.click();
    if (editor.task.read_only) root.append(plain, keys);
    else root.append(undo, redo, this.letters, plain, keys);
    this.hint = this.#hint();
    document.body.append(this.hint);
    editor.selector.addEventListener("pending", ({ detail }) => this.#pending(detail.range));
    editor.selector.addEventListener("offered", ({ detail }) => this.#offered(detail.range));
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
    this.hintMark.textContent = this.editor.adding ? gettext("Add to this error") : gettext("Mark selected words");
    this.hintCancel.hidden = true;
    this.hintText.textContent = "";
  }
}
