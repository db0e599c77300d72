// Entry of the review screen: reads the task from the page and starts the screen and its saving.
import { ask, element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { listen, plain, showHelp, withControl } from "../spans/keys.js";
import { startSaving } from "../spans/saving.js";
import { combine, isDecided, sameDraft } from "./document.js";
import { ReviewScreen } from "./screen.js";

async function start() {
  const task = JSON.parse(document.getElementById("review-task").textContent);
  const slot = (name) => document.getElementById(`review-${name}`);
  const screen = new ReviewScreen(task, { text: slot("text"), panel: slot("panel") });
  const commands = commandsFor(screen);
  const toolbar = slot("toolbar");
  if (!task.read_only) {
    await startSaving({
      task, screen, notices: slot("notices"), toolbar, decide: chooseVersion, same: sameDraft, combine,
      showInvalid: ({ problems, message }) => screen.showProblems(problems.length ? problems : [{ span: null, message }]),
      notSkipped: gettext("The item could not be skipped just now. Your verdicts are kept; please try again."),
    });
  }
  addTools(toolbar, screen, () => showHelp(commands, textKeys()));
  listen(commands);
  document.documentElement.dataset.reviews = "ready";
  return screen;
}

/** @returns {Promise<"mine"|"theirs"|"both">} */
async function chooseVersion(mine, theirs) {
  const line = (title, { reviews }) => element("li", {},
    interpolate(gettext("%(title)s: %(decided)s of %(total)s decided"), { title, decided: reviews.filter(isDecided).length, total: reviews.length }));
  const choice = await ask({
    title: gettext("This item was also changed elsewhere"),
    closable: false,
    content: [
      element("p", { text: gettext("Another tab or device saved a different version. Choose what to go on with. Both are kept on this device, and Undo brings the other one back.") }),
      element("ul", {}, line(gettext("On this page"), mine), line(gettext("Saved elsewhere"), theirs)),
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
  const button = (label, run) => element("button", { type: "button", class: "btn btn-quiet btn-sm tool", text: label, on: { click: run } });
  const undo = button(gettext("Undo"), () => screen.undo());
  const redo = button(gettext("Redo"), () => screen.redo());
  const keys = element("button", { type: "button", class: "btn btn-quiet btn-sm tool when-mouse", "aria-label": gettext("Keys"), on: { click: help } }, element("kbd", { text: "?" }));
  const refresh = () => {
    undo.disabled = !screen.document.canUndo;
    redo.disabled = !screen.document.canRedo;
  };
  screen.document.addEventListener("state", refresh);
  refresh();
  if (screen.task.read_only) toolbar.append(keys);
  else toolbar.append(undo, redo, keys);
}

const textKeys = () => [
  { keys: ["←", "→"], label: gettext("Word by word") },
  { keys: ["Enter", "Space"], label: gettext("While words are chosen anew: set the start, then the end") },
  { keys: ["Esc"], label: gettext("Leave the words as they are") },
];

function commandsFor(screen) {
  const onRadio = (event) => event.target.matches?.('input[type="radio"]');
  const commands = [
    { keys: [`1 – ${screen.task.verdicts.length}`], label: gettext("Decide about the current error"), single: true,
      matches: (event) => plain(event.key)(event) && /^[1-9]$/.test(event.key), run: (event) => screen.chooseDigit(Number(event.key)) },
    { keys: ["↓"], label: gettext("Next error"), single: true, matches: plain("ArrowDown"), run: (event) => !onRadio(event) && screen.step(1) },
    { keys: ["↑"], label: gettext("Previous error"), single: true, matches: plain("ArrowUp"), run: (event) => !onRadio(event) && screen.step(-1) },
    { keys: ["N"], label: gettext("Next undecided"), single: true, matches: plain("n", "N"), run: () => screen.nextUndecided() },
    { keys: ["Ctrl+Z"], label: gettext("Undo"), matches: withControl("z"), run: () => screen.undo() },
    { keys: ["Ctrl+Shift+Z"], label: gettext("Redo"), matches: withControl("z", { shift: true }), run: () => screen.redo() },
    { keys: ["Esc"], label: gettext("Back to the text"), whileTyping: true, matches: plain("Escape"), run: () => screen.leave() },
    { keys: ["Ctrl+Enter"], label: gettext("Submit"), whileTyping: true, matches: withControl("enter"), run: () => { screen.submit(); } },
  ];
  commands.push({ keys: ["?"], label: gettext("Show this list"), single: true, matches: plain("?"), run: () => { showHelp(commands, textKeys()); } });
  return commands;
}

if (document.getElementById("review-task")) {
  // Kept reachable for people who script their own tools, and for measuring.
  start().then((screen) => { window.mizanReviews = screen; });
}
