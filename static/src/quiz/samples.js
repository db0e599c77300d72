// The samples of a quiz that are marked, and their keys: a key is for the sample that one is at.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { digitOf, isPlace, isZero, leaveCommand, letter, plain, undoCommands, useOwnKeys, withHelp } from "../task_kit/keys.js";
import { stretchCommands, textKeys } from "../spans/commands.js";
import { Sample } from "./sample.js";

const json = (id) => JSON.parse(document.getElementById(id).textContent);

/** @returns {{commands: import("../task_kit/keys.js").Command[], view: {hasSigns: boolean, redraw: () => void}}} of all samples */
export function startSamples() {
  useOwnKeys(json("own-keys"));
  let last = null; // where one was, while the focus is nowhere
  const samples = [];
  const current = () => {
    const { activeElement } = document;
    const at = samples.find(({ question }) => question.contains(activeElement));
    return at ?? (activeElement === document.body ? last : null);
  };
  // A start waits for its end in its own text: it would be forgotten there by whoever goes on to another.
  const goTo = (sample) => {
    last = sample;
    for (const other of samples) if (other !== sample) other.selector.cancel();
  };
  const commands = commandsFor(current);
  for (const place of document.querySelectorAll("[data-sample]")) {
    const sample = new Sample(place, json("quiz-words"), commands.help);
    samples.push(sample);
    for (const type of ["pointerdown", "focusin"]) sample.question.addEventListener(type, () => goTo(sample));
  }
  if (samples.length && !samples[0].painter.available) samples[0].place.prepend(element("p", { class: "notice notice--warning", text: gettext("This browser cannot show marks inside the text. You can still mark words; they stand in the list beside the text. A current Chrome, Edge, Safari or Firefox shows them.") }));
  const view = {
    get hasSigns() { return samples.some((sample) => sample.view.hasSigns); },
    redraw() { for (const sample of samples) sample.view.redraw(); },
  };
  return { commands, view };
}

function commandsFor(current) {
  const of = (act) => (...details) => current()?.[act](...details) ?? false;
  const screen = { stretch: of("stretch"), undo: of("undo"), redo: of("redo"), leave: of("leave") };
  return withHelp([
    { keys: ["1 – 9"], label: gettext("Choose the type and how critical it is"), single: true, once: true, matches: isPlace, run: (event) => of("chooseDigit")(Number(digitOf(event))) },
    { keys: ["0"], label: gettext("There are no errors"), single: true, once: true, matches: isZero, run: of("toggleNoErrors") },
    { keys: ["L"], label: gettext("Mark letters instead of whole words"), single: true, once: true, matches: letter("L"), run: of("toggleLetters") },
    ...stretchCommands(screen),
    { keys: ["Backspace"], label: gettext("Delete the selected error"), single: true, matches: plain("Backspace", "Delete"), run: of("removeSelected") },
    ...undoCommands(screen).map((command) => ({ ...command, run: command.keys[0] === "Ctrl+Z" ? screen.undo : screen.redo })),
    leaveCommand(screen),
  ], textKeys());
}
