// Entry of the localising screen: reads the task from the page and starts the screen and its saving.
import { icon } from "../authoring/icons.js";
import { ask, element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { listen, plain, showHelp, withControl } from "../spans/keys.js";
import { startSaving } from "../spans/saving.js";
import { combine, sameDraft } from "./document.js";
import { LocalisingScreen } from "./screen.js";

async function start() {
  const task = JSON.parse(document.getElementById("localising-task").textContent);
  const slot = (name) => document.getElementById(`localising-${name}`);
  const screen = new LocalisingScreen(task, slot("fields"));
  const commands = commandsFor(screen);
  const toolbar = slot("toolbar");
  if (task.read_only) {
    toolbar.hidden = true;
  } else {
    await startSaving({
      task, screen, notices: slot("notices"), toolbar, same: sameDraft, combine,
      decide: (mine, theirs) => chooseVersion(mine, theirs, task),
      showInvalid: ({ problems, message }) => screen.showProblems(problems.length ? problems : [{ field: "", span: null, message }]),
      notSkipped: gettext("The item could not be skipped just now. What you wrote is kept; please try again."),
      skipWords: {
        explanation: gettext("It goes to someone else who speaks the language. What you wrote stays on record but is not used."),
      },
    });
    addTools(toolbar, screen, () => showHelp(commands, textKeys(screen), gettext("In the translation")));
    listen(commands);
  }
  document.documentElement.dataset.localising = "ready";
  return screen;
}

/** @returns {Promise<"mine"|"theirs"|"both">} */
async function chooseVersion(mine, theirs, task) {
  const version = (title, draft) => element("section", { class: "surface" }, element("h3", { text: title }),
    element("p", { class: "prompt-text", lang: task.lang, dir: task.dir, text: draft.text || "–" }),
    element("ul", {}, ...Object.entries(draft.values).map(([name, value]) =>
      element("li", {}, element("code", { dir: "ltr", text: `[${name}]` }), " ", element("bdi", { lang: task.lang, text: value })))));
  const choice = await ask({
    title: gettext("This item was also changed elsewhere"),
    wide: true,
    closable: false,
    content: [
      element("p", { text: gettext("Another tab or device saved a different version. Choose what to go on with. Both are kept on this device, and Undo brings the other one back.") }),
      element("div", { class: "columns" }, version(gettext("On this page"), mine), version(gettext("Saved elsewhere"), theirs)),
    ],
    buttons: [
      { value: "theirs", label: gettext("Use the one saved elsewhere") },
      { value: "both", label: gettext("Combine both") },
      { value: "mine", label: gettext("Keep the one on this page"), kind: "btn-primary" },
    ],
  });
  return choice || "mine";
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

const numbered = (screen) => Math.min(9, screen.task.names.length);

/** Keys that hold while typing, for the help dialog; the table below makes them work. */
const textKeys = (screen) => [
  { keys: ["Ctrl+Z"], label: gettext("Undo") },
  { keys: ["Ctrl+Shift+Z"], label: gettext("Redo") },
  ...(numbered(screen) ? [{ keys: [`Alt+1 – ${numbered(screen)}`], label: gettext("Put the placeholder of this number in") }] : []),
];

function commandsFor(screen) {
  const { names } = screen.task;
  // By its place on the keyboard: with Alt, or on an Arabic one, the key says something else than its digit.
  const digit = (event) => Number(/^Digit([1-9])$/.exec(event.code)?.[1] ?? 0);
  const isNumbered = (event) => event.altKey && !event.ctrlKey && !event.metaKey && digit(event) > 0 && digit(event) <= numbered(screen);
  const commands = [
    { keys: [], label: "", whileTyping: true, matches: withControl("z"), run: () => screen.undo() },
    { keys: [], label: "", whileTyping: true, matches: withControl("z", { shift: true }), run: () => screen.redo() },
    { keys: [], label: "", whileTyping: true, matches: isNumbered, run: (event) => screen.insert(names[digit(event) - 1]) },
    { keys: ["Ctrl+Enter"], label: gettext("Submit"), whileTyping: true, matches: withControl("enter"), run: () => { screen.submit(); } },
  ];
  commands.push({ keys: ["?"], label: gettext("Show this list"), single: true, matches: plain("?"), run: () => { showHelp(commands, textKeys(screen), gettext("In the translation")); } });
  return commands;
}

if (document.getElementById("localising-task")) {
  // Kept reachable for people who script their own tools, and for measuring.
  start().then((screen) => { window.mizanLocalising = screen; });
}
