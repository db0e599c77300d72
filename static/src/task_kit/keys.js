// Keys, as one table: what runs on a key is what the help dialog prints. Single-key commands never fire while typing
// and can be switched off, for people whose voice or switch software types stray letters. A key that is held down gives
// one verdict, not one after another.
import { ask, element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { openQuestions } from "./asking.js";

const SWITCH = "mizan-single-keys";

export function isTyping(target) {
  return Boolean(target.closest?.('textarea, select, input:not([type="radio"]):not([type="checkbox"]):not([type="button"]), [contenteditable="true"]'));
}

function singleKeysOn() {
  try {
    return localStorage.getItem(SWITCH) !== "off";
  } catch {
    return true;
  }
}

/**
 * @typedef {{keys: string[], label: string, run: (event: KeyboardEvent) => boolean|void, matches: (event: KeyboardEvent) => boolean,
 *   whileTyping?: boolean, single?: boolean, once?: boolean}} Command `run` returning false lets the key through; `once` is run by
 *   a press and not by its repetition
 */

/** Whether an input method is at work on this key: then it is part of a character, and no command. */
export const isComposing = (event) => event.isComposing || event.key === "Process" || event.keyCode === 229;

/** @param {Command[]} commands listened for on the whole page, in order */
export function listen(commands) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isComposing(event) || document.querySelector("dialog[open]")) return;
    const typing = isTyping(event.target);
    for (const command of commands) {
      if (!command.matches(event) || (typing && !command.whileTyping)) continue;
      if (command.single && !singleKeysOn()) continue;
      if (command.once && event.repeat) {
        event.preventDefault();
        return;
      }
      if (command.run(event) === false) continue;
      event.preventDefault();
      return;
    }
  });
}

const mac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

// Many keyboards write "[" or "@" by AltGr, which Windows tells as Ctrl and Alt together, Linux as neither, and a Mac, where
// it is Option, as Alt. What it writes is a sign; a letter that it writes ("ą") is no key of ours, nor is its place.
const IS_SIGN = /^[^\p{L}\p{M}\p{N}\s]$/u;
const isThird = (event) => Boolean(event.getModifierState?.("AltGraph")) || (mac && event.altKey && !event.ctrlKey);
const isBare = (event) => !event.ctrlKey && !event.metaKey && !event.altKey && !isThird(event);
const writesSign = (event) => isThird(event) && !event.metaKey && IS_SIGN.test(event.key);

export const plain = (...names) => (event) => (isBare(event) || writesSign(event)) && names.includes(event.key);

// Where the keyboard writes another script, the key that carries the letter counts, and a digit is a digit.
const IS_LETTER = /^(?:Shift\+)?[A-Z]$/;
const isLetter = (event, name) => (/^[a-z]$/i.test(event.key) ? event.key.toUpperCase() === name : event.code === `Key${name}`);

// Signs that are nobody's but a person's: "/" and "?" are the screen's, "'" finds in Firefox, "+" joins the names of keys.
const SIGNS = new Set("!\"#$%&()*,-.:;<=>@[\\]^_`{|}~");
// Where the keyboard writes another script there, the key that carries the sign on an English one.
const CARRIED = { Comma: ",", Period: ".", Semicolon: ";", BracketLeft: "[", BracketRight: "]", Backslash: "\\", Backquote: "`" };
const OTHER_SCRIPT = /^(?!\p{Script=Latin})[\p{L}\p{M}]+$/u;
const FUNCTIONS = new Set(["F2", "F4", "F8", "F9"]); // the others are browsers' own

let own = {}; // by the key that an act has at first, the person's own for it
let taken = new Set(); // the keys that acts have of the person's own
const shifted = new Set(); // the keys with Shift that have an act of their own on this screen

let page = null; // where they are changed

/** From now on acts have these keys of the person's own: `{S: "D"}` lets D skip. Before the table of keys is made. */
export function useOwnKeys(keys, changedAt = null) {
  own = keys ?? {};
  taken = new Set(Object.values(own));
  page = changedAt;
  shifted.clear();
}

/** The key that an act really has, which has this one at first: "K", or "Shift+K". */
export const keyOf = (key) => own[key] ?? key;

/** Whether an event is the key of an act that has `name` at first. Shift makes another key only where that is one, and a
 * sign that an act has is no letter: of an Arabic keyboard Shift and F write "[". */
export function letter(name) {
  const key = keyOf(name);
  if (!IS_LETTER.test(key)) return (event) => pressOf(event) === key;
  const [single, needsShift] = [key.at(-1), key.startsWith("Shift+")];
  if (needsShift) shifted.add(single);
  return (event) => isBare(event) && isLetter(event, single) && !(SIGNS.has(event.key) && taken.has(event.key)) && (needsShift ? event.shiftKey : !(event.shiftKey && shifted.has(single)));
}

/** What a press is called that can be the key of an act: "K", "Shift+K", "7", ";" or "F8"; null of all others. */
export function pressOf(event) {
  if (isComposing(event) || !plain(event.key)(event)) return null;
  if (SIGNS.has(event.key)) return event.key;
  if (!isBare(event)) return null;
  if (writesDigit(event)) return digitOf(event);
  if (FUNCTIONS.has(event.key)) return event.shiftKey ? null : event.key;
  if (!event.shiftKey && CARRIED[event.code] && OTHER_SCRIPT.test(event.key)) return CARRIED[event.code];
  const name = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((each) => isLetter(event, each));
  return name ? `${event.shiftKey ? "Shift+" : ""}${name}` : null;
}
export const withControl = (name, { shift = false } = {}) => (event) =>
  (event.ctrlKey || event.metaKey) && !event.altKey && event.shiftKey === shift
  && (name.length === 1 ? isLetter(event, name.toUpperCase()) : event.key.toLowerCase() === name);
export const digitOf = (event) => /^[0-9]$/.exec(event.key)?.[0] ?? /^(?:Digit|Numpad)([0-9])$/.exec(event.code)?.[1];
const writesDigit = (event) => isBare(event) && /^\p{Nd}$/u.test(event.key) && digitOf(event) !== undefined;
/** A digit that no act has for its key. */
export const isDigit = (event) => writesDigit(event) && !taken.has(digitOf(event));
export const isPlace = (event) => isDigit(event) && digitOf(event) !== "0";
export const isZero = (event) => isDigit(event) && digitOf(event) === "0";

export const undoCommands = (screen) => [
  { keys: ["Ctrl+Z"], label: gettext("Undo"), matches: withControl("z"), run: () => screen.undo() },
  { keys: ["Ctrl+Shift+Z"], label: gettext("Redo"), matches: withControl("z", { shift: true }), run: () => screen.redo() },
];
// On a radio button the arrows change the choice, which is the browser's business; with Shift they go on and back everywhere.
const walksChoices = (event) => !event.shiftKey && event.target.matches?.('input[type="radio"]');
/** On and back among what is asked: with arrows, and with Shift from anywhere, the text too. */
export const stepCommands = (screen, { next, previous, keys = true }) => [
  { keys: [...(keys ? ["↓"] : []), "Shift+↓"], label: next, single: true,
    matches: (event) => plain("ArrowDown")(event) && (keys || event.shiftKey), run: (event) => !walksChoices(event) && screen.step(1) },
  { keys: [...(keys ? ["↑"] : []), "Shift+↑"], label: previous, single: true,
    matches: (event) => plain("ArrowUp")(event) && (keys || event.shiftKey), run: (event) => !walksChoices(event) && screen.step(-1) },
];
export const skipCommand = (screen) => (screen.task.read_only || !screen.task.skip_reasons?.length ? []
  : [{ keys: ["S"], label: gettext("Skip"), single: true, once: true, matches: letter("S"), run: () => { if (!screen.locked) screen.skip(); } }]);
export const leaveCommand = (screen, label = gettext("Back to the text")) =>
  ({ keys: ["Esc"], label, whileTyping: true, matches: plain("Escape"), run: () => screen.leave() });
export const submitCommand = (screen, label = gettext("Submit")) =>
  ({ keys: ["Ctrl+Enter"], label, whileTyping: true, once: true, matches: withControl("enter"), run: () => { screen.submit(); } });

/** Of every screen whose page has a place to ask. */
const askCommand = () => (globalThis.document?.querySelector(".ask")
  ? [{ keys: ["Q"], label: gettext("Ask about this item"), single: true, once: true, matches: letter("Q"), run: openQuestions }] : []);

/** Of every screen whose page has what belongs to the text (drawer.js). */
const drawerCommand = () => (globalThis.document?.querySelector("#drawer > *")
  ? [{ keys: ["D"], label: gettext("Background"), single: true, once: true, matches: letter("D"), run: () => document.querySelector(".tool--drawer")?.click() }] : []);

/** The commands, and the one that shows them all beside the keys of the text (or of another place of that `title`). */
export function withHelp(commands, textKeys, title) {
  const help = () => { showHelp(all, textKeys, title); };
  const all = [...commands, ...drawerCommand(), ...askCommand(), { keys: ["?"], label: gettext("Show this list"), single: true, matches: plain("?", "؟"), run: help }];
  return Object.assign(all, { help });
}

function keyCaps(keys) {
  return keys.flatMap((key, number) => [
    ...(number ? [document.createTextNode(" ")] : []),
    element("kbd", { text: mac ? keyOf(key).replace("Ctrl", "⌘") : keyOf(key) }),
  ]);
}

/** The help dialog: every command with its keys, those of the text (or another place of that `title`) first. */
async function showHelp(commands, textKeys, title = gettext("In the text")) {
  const row = ({ keys, label }) => element("tr", {}, element("td", {}, ...keyCaps(keys)), element("td", { text: label }));
  const table = (title, rows) => element("section", {}, element("h3", { text: title }),
    element("table", { class: "table keys-table" }, element("tbody", {}, ...rows.map(row))));
  const box = element("input", { type: "checkbox", class: "form-check-input", id: "single-keys", checked: singleKeysOn() });
  box.addEventListener("change", () => {
    try {
      localStorage.setItem(SWITCH, box.checked ? "on" : "off");
    } catch {
      box.checked = true; // cannot be remembered, so it is not promised either
    }
  });
  await ask({
    title: gettext("Keys"),
    wide: true,
    read: true,
    content: [
      element("div", { class: "columns" }, table(title, textKeys), table(gettext("Everywhere"), commands.filter(({ label }) => label))),
      element("div", { class: "form-check" }, box, element("label", { class: "form-check-label", for: "single-keys", text: gettext("Use single keys (digits, arrows, Backspace)") })),
      ...(page ? [element("p", {}, element("a", { href: page, text: gettext("Change keys") }))] : []),
    ],
    buttons: [{ value: "", label: gettext("Close"), kind: "btn-primary" }],
  });
}
