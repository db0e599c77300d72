// The marking screen. What is asked beside the marks comes with an entry of its own (with-answers.js): most work asks for
// marks alone, and its first page is weighed.
import { startTask } from "../task_kit/start.js";
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { commandsFor } from "./commands.js";
import { chooseVersion } from "./conflict.js";
import { combine, sameDraft } from "./document.js";
import { Editor } from "./editor.js";
import { Toolbar } from "./toolbar.js";

/** @param {{Score?: Function, Questions?: Function, AskedSheet?: Function}} [beside] what shows the score of the whole and the other parts */
export function startMarking(beside = {}) {
  startTask({
    name: "span",
    build(task, slot) {
      const editor = new Editor(task, { text: slot("text"), panel: slot("panel") }, beside);
      if (!editor.painter.available) {
        slot("notices").append(element("p", { class: "notice notice--warning", text: gettext("This browser cannot show marks inside the text. You can still mark words; they stand in the list beside the text. A current Chrome, Edge, Safari or Firefox shows them.") }));
      }
      return editor;
    },
    saving: (editor, task) => ({
      same: sameDraft,
      combine,
      decide: (mine, theirs) => chooseVersion(mine, theirs, task),
      showInvalid: ({ problems, message }) =>
        editor.checkComplete(problems.length ? problems : [{ span: null, field: null, code: "invalid", message }]),
      notSkipped: gettext("The item could not be skipped just now. Your marks are kept; please try again."),
    }),
    commands: commandsFor,
    tools: (toolbar, editor, { help }) => new Toolbar(toolbar, editor, help),
    ready: "spanEditor",
    publish(editor) { window.mizanSpans = editor; },
  });
}
