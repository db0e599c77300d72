// Entry of the marking screen: reads the task from the page and starts the editor and its saving.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { Activity } from "./activity.js";
import { commandsFor, textKeys } from "./commands.js";
import { chooseVersion } from "./conflict.js";
import { Editor } from "./editor.js";
import { listen, showHelp } from "./keys.js";
import { leftoverNotice, lostNotice } from "./notices.js";
import { askWhySkip } from "./questions.js";
import { SaveState } from "./save-state.js";
import { signInHere } from "./signin.js";
import { DraftStore, tabIdentity } from "./storage.js";
import { Sync } from "./sync.js";
import { Toolbar } from "./toolbar.js";
import { send } from "./transport.js";

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
  if (!task.read_only) await startSaving(task, editor, notices, toolbar);
  new Toolbar(toolbar, editor, () => showHelp(commands, textKeys()));
  listen(commands);
  document.documentElement.dataset.spanEditor = "ready";
  return editor;
}

async function startSaving(task, editor, notices, toolbar) {
  const store = await DraftStore.open(task.owner);
  const sync = new Sync({
    task, document: editor.document, store, activity: new Activity(), client: await tabIdentity(),
    decide: (mine, theirs) => chooseVersion(mine, theirs, task),
    signIn: (options) => signInHere(task.urls.login, options),
  });
  const state = new SaveState(toolbar, {
    signIn: async () => { if (await sync.signInAgain()) sync.push(); },
    takeBack: () => sync.takeBack(),
  });
  sync.addEventListener("status", ({ detail }) => {
    state.show(detail);
    if (detail.state === "blocked") notices.append(lostNotice(detail, editor, task));
  });
  sync.addEventListener("locked", ({ detail }) => editor.lock(detail.locked));
  sync.addEventListener("invalid", ({ detail }) => editor.checkComplete(detail.problems.length ? detail.problems
    : [{ span: null, field: null, code: "invalid", message: detail.message }]));
  sync.addEventListener("submitted", ({ detail }) => window.location.assign(detail.next));
  sync.addEventListener("leftover", ({ detail }) => notices.append(leftoverNotice(detail.pages)));
  editor.addEventListener("submit", () => sync.submit());
  editor.addEventListener("skip", () => skip(task, sync, notices));
  window.addEventListener("beforeunload", (event) => {
    if (sync.unsent && !store.available && !sync.stopped) event.preventDefault();
  });
  await sync.start();
}

async function skip(task, sync, notices) {
  const answer = await askWhySkip(task);
  if (!answer) return;
  await sync.push();
  const outcome = await send("POST", task.urls.skip, answer);
  if (outcome.kind === "ok") {
    sync.stopped = true;
    await sync.store.delete(sync.key);
    window.location.assign(outcome.data.next ?? task.urls.next);
  } else if (outcome.kind === "signed-out" || outcome.kind === "csrf") {
    if (await sync.signInAgain({ silent: outcome.kind === "csrf" })) await skip(task, sync, notices);
  } else {
    notices.append(element("p", { class: "notice notice--error", role: "alert", text: outcome.message || gettext("The item could not be skipped just now. Your marks are kept; please try again.") }));
  }
}

if (document.getElementById("span-task")) {
  // Kept reachable for people who script their own tools, and for measuring.
  start().then((editor) => { window.mizanSpans = editor; });
}
