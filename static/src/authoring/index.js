// Entry of the authoring screen: reads the task from the page and starts the screen and its saving.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { listen } from "../spans/keys.js";
import { startSaving } from "../spans/saving.js";
import { commandsFor, showKeys } from "./commands.js";
import { chooseVersion } from "./conflict.js";
import { combine, sameDraft } from "./document.js";
import { icon } from "./icons.js";
import { AuthoringScreen } from "./screen.js";

async function start() {
  const task = JSON.parse(document.getElementById("authoring-task").textContent);
  const slot = (name) => document.getElementById(`authoring-${name}`);
  const screen = new AuthoringScreen(task, { rail: slot("rail"), steps: slot("steps") });
  const commands = commandsFor(screen);
  const toolbar = slot("toolbar");
  if (!task.read_only) {
    const sync = await startSaving({
      task, screen, notices: slot("notices"), toolbar, same: sameDraft, combine,
      decide: (mine, theirs) => chooseVersion(mine, theirs, task),
      showInvalid: ({ problems, message }) => screen.showProblems(problems.length ? problems : [{ field: "freeze", message }]),
      onwards: { href: task.urls.rubrics, text: gettext("Your rubrics") },
      notSkipped: gettext("The rubric could not be discarded just now. It is kept; please try again."),
      skipWords: {
        title: gettext("Discard this rubric?"), go: gettext("Discard"),
        explanation: gettext("It is taken out of your work for good. What you wrote stays on record as discarded."),
      },
    });
    screen.save = async () => {
      await sync.push();
      return !sync.unsent;
    };
  }
  toolbar.hidden = task.read_only;
  addTools(toolbar, screen, () => showKeys(commands));
  listen(commands);
  document.documentElement.dataset.authoring = "ready";
  return screen;
}

function addTools(toolbar, screen, help) {
  const button = (label, symbol, run) => element("button", {
    type: "button", class: "btn btn-quiet btn-sm tool tool--directed", title: label, "aria-label": label, on: { click: run },
  }, icon(symbol));
  const undo = button(gettext("Undo"), "undo", () => screen.undo());
  const redo = button(gettext("Redo"), "redo", () => screen.redo());
  const keys = element("button", { type: "button", class: "btn btn-quiet btn-sm tool when-mouse", "aria-label": gettext("Keys"), title: gettext("Keys"), on: { click: help } }, element("kbd", { text: "?" }));
  const refresh = () => {
    undo.disabled = !screen.document.canUndo;
    redo.disabled = !screen.document.canRedo;
  };
  screen.document.addEventListener("state", refresh);
  refresh();
  toolbar.append(undo, redo, keys);
}

if (document.getElementById("authoring-task")) {
  // Kept reachable for people who script their own tools, and for measuring.
  start().then((screen) => { window.mizanAuthoring = screen; });
}
