// Entry of the marking screen: reads the task from the page and starts the editor and its saving.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { commandsFor, textKeys } from "./commands.js";
import { chooseVersion } from "./conflict.js";
import { Editor } from "./editor.js";
import { listen, showHelp } from "./keys.js";
import { startSaving } from "./saving.js";
import { Toolbar } from "./toolbar.js";

async function start() {
  const task = JSON.parse(document.getElementById("span-task").textContent);
  const slot = (name) => document.getElementById(`span-${name}`);
  const notices = slot("notices");
  const editor = new Editor(task, { text: slot("text"), panel: slot("panel") });
  const commands = commandsFor(editor);
  const toolbar = slot("toolbar");
  if (!editor.painter.available) {
    notices.append(element("p", { class: "notice notice--warning", text: gettext("This browser cannot show marks inside the text. You can still mark words; they stand in the list beside the text. A current Chrome, Edge, Safari or Firefox shows them.") }));
  }
  if (!task.read_only) {
    await startSaving({
      task, screen: editor, notices, toolbar,
      decide: (mine, theirs) => chooseVersion(mine, theirs, task),
      showInvalid: ({ problems, message }) =>
        editor.checkComplete(problems.length ? problems : [{ span: null, field: null, code: "invalid", message }]),
      notSkipped: gettext("The item could not be skipped just now. Your marks are kept; please try again."),
    });
  }
  new Toolbar(toolbar, editor, () => showHelp(commands, textKeys()));
  listen(commands);
  document.documentElement.dataset.spanEditor = "ready";
  return editor;
}

if (document.getElementById("span-task")) {
  // Kept reachable for people who script their own tools, and for measuring.
  start().then((editor) => { window.mizanSpans = editor; });
}
