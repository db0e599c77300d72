// The table of keys of the authoring screen.
import { gettext } from "../site/text.js";
import { digitOf, isPlace, letter, plain, submitCommand, undoCommands, withHelp } from "../task_kit/keys.js";

/** Keys that hold inside a criterion, for the help dialog; the table below makes them work. */
const criterionKeys = () => [
  { keys: ["Alt+↑", "Alt+↓"], label: gettext("Move the criterion you are in") },
  { keys: ["↑", "↓"], label: gettext("Move it too, on its handle") },
  { keys: ["Esc"], label: gettext("From a field back to its criterion") },
];

const withAlt = (name) => (event) => event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.key === name;

/** @param {import("./screen.js").AuthoringScreen} screen @returns {import("../task_kit/keys.js").Command[]} */
export function commandsFor(screen) {
  const { criteria, task } = screen;
  const here = (event) => criteria.keyAt(event.target);
  const move = (way) => (event) => {
    const key = here(event);
    if (!key) return false;
    criteria.move(key, way);
    return true;
  };
  const leave = (event) => {
    const key = here(event);
    if (!key) return false;
    criteria.cards.get(key).focus();
    return true;
  };
  const digits = task.objectivities.length + task.explicitnesses.length;
  return withHelp([
    { keys: [], label: "", whileTyping: true, matches: withAlt("ArrowUp"), run: move(-1) },
    { keys: [], label: "", whileTyping: true, matches: withAlt("ArrowDown"), run: move(1) },
    { keys: [], label: "", whileTyping: true, matches: plain("Escape"), run: leave },
    { keys: [`1 – ${digits}`], label: gettext("Choose the kind of the criterion you are in"), single: true,
      matches: isPlace, run: (event) => criteria.cards.get(here(event))?.chooseDigit(Number(digitOf(event))) ?? false },
    { keys: ["N"], label: gettext("Next thing that is missing"), single: true, matches: letter("N"), run: () => { screen.nextMissing(); } },
    { keys: ["A"], label: gettext("Add a criterion"), single: true, matches: letter("A"), run: () => criteria.add() },
    { keys: ["Backspace"], label: gettext("Delete the criterion you are on"), single: true, matches: plain("Backspace", "Delete"),
      run: (event) => (event.target.matches?.(".criterion, .criterion__grip") ? criteria.remove(here(event)) : false) },
    ...undoCommands(screen),
    submitCommand(screen, gettext("Freeze")),
  ], criterionKeys(), gettext("In a criterion"));
}
