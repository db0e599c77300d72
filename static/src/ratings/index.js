// Entry of the rating screen: reads the task from the page and starts the screen and its saving.
import { ask, element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { listen, plain, showHelp, withControl } from "../spans/keys.js";
import { startSaving } from "../spans/saving.js";
import { combine, sameDraft } from "./document.js";
import { hasScale } from "./problems.js";
import { keysOf } from "./scale.js";
import { RatingScreen } from "./screen.js";

async function start() {
  const task = JSON.parse(document.getElementById("rate-task").textContent);
  const slot = (name) => document.getElementById(`rate-${name}`);
  const screen = new RatingScreen(task, { root: slot("screen"), panel: slot("panel") });
  const commands = commandsFor(screen);
  const toolbar = slot("toolbar");
  if (!task.read_only) {
    await startSaving({
      task, screen, notices: slot("notices"), toolbar, same: sameDraft, combine,
      decide: (mine, theirs) => chooseVersion(mine, theirs, task),
      showInvalid: ({ problems, message }) => screen.showProblems(problems.length ? problems : [{ span: null, field: "", message }]),
      notSkipped: gettext("The item could not be skipped just now. Your ratings are kept; please try again."),
    });
  }
  addTools(toolbar, screen, () => showHelp(commands, controlKeys(), gettext("In a scale")));
  listen(commands);
  document.documentElement.dataset.ratings = "ready";
  return screen;
}

/** @returns {Promise<"mine"|"theirs"|"both">} */
async function chooseVersion(mine, theirs, task) {
  const named = new Map(task.questions.map(({ slug, name }) => [slug, name]));
  const said = (rating) => {
    const grades = task.sides.map((side, place) => `${task.sides.length > 1 ? `${"AB"[place]} ` : ""}${rating[side] ?? "–"}`).join(", ");
    return element("li", {}, element("bdi", { text: `${named.get(rating.question) ?? rating.question}: ` }), element("bdi", { dir: "ltr", text: grades }),
      rating.comment ? element("p", { class: "small", dir: "auto", text: rating.comment }) : null);
  };
  const version = (title, { ratings }) => element("section", { class: "surface conflict__version" },
    element("h3", { text: title }), element("ol", {}, ...ratings.map(said)));
  const choice = await ask({
    title: gettext("This item was also changed elsewhere"),
    wide: true,
    closable: false,
    content: [
      element("p", { text: gettext("Another tab or device saved a different version. Choose what to go on with. Both are kept on this device, and Undo brings the other one back.") }),
      element("div", { class: "columns conflict" }, version(gettext("On this page"), mine), version(gettext("Saved elsewhere"), theirs)),
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
  toolbar.append(...(screen.task.read_only ? [] : [undo, redo]), ...screen.sides.tools, keys, screen.sides.switch);
}

const controlKeys = () => [
  { keys: ["Tab", "Shift+Tab"], label: gettext("To the other response, then to the preference, the comment and Submit") },
  { keys: ["←", "→", "↑", "↓"], label: gettext("Another grade") },
];

/** The range of keys that grade, as the help prints it; empty where every scale is a long one. */
function gradeKeys({ questions }) {
  const short = questions.filter((question) => hasScale(question) && question.highest - question.lowest < 10);
  if (!short.length) return questions.some((question) => !hasScale(question)) ? "1 – 3" : "";
  const keys = short.flatMap(({ lowest, highest }) => keysOf(lowest, highest).map(({ key }) => key)).sort();
  return `${keys[0]} – ${keys.at(-1)}`;
}

function commandsFor(screen) {
  // Where the keyboard writes another script, the key that carries the letter counts, and a digit is a digit.
  const isLatin = (key) => /^[a-z]$/i.test(key);
  const letter = (name) => (event) => plain(event.key)(event)
    && (isLatin(event.key) ? event.key.toUpperCase() === name : event.code === `Key${name}`);
  const digit = (event) => /^[0-9]$/.exec(event.key)?.[0] ?? /^(?:Digit|Numpad)([0-9])$/.exec(event.code)?.[1];
  const isDigit = (event) => plain(event.key)(event) && /^\p{Nd}$/u.test(event.key) && digit(event) !== undefined;
  const commands = [
    { keys: [gradeKeys(screen.task)].filter(Boolean), label: gettext("Choose what stands beside the digit, for the side that is marked"), single: true,
      matches: isDigit, run: (event) => screen.choose(digit(event)) },
    { keys: ["N"], label: gettext("Next grade that is missing"), single: true, matches: letter("N"), run: () => screen.nextOpen() },
    { keys: ["Ctrl+Z"], label: gettext("Undo"), matches: withControl("z"), run: () => screen.undo() },
    { keys: ["Ctrl+Shift+Z"], label: gettext("Redo"), matches: withControl("z", { shift: true }), run: () => screen.redo() },
    { keys: ["Esc"], label: gettext("Back to the response"), whileTyping: true, matches: plain("Escape"), run: () => screen.leave() },
    { keys: ["Ctrl+Enter"], label: gettext("Submit"), whileTyping: true, matches: withControl("enter"), run: () => { screen.submit(); } },
  ];
  commands.push({ keys: ["?"], label: gettext("Show this list"), single: true, matches: (event) => plain("?", "؟")(event), run: () => { showHelp(commands, controlKeys(), gettext("In a scale")); } });
  return commands;
}

if (document.getElementById("rate-task")) {
  // Kept reachable for people who script their own tools, and for measuring.
  start().then((screen) => { window.mizanRatings = screen; });
}
