// The table of keys of the marking screen.
import { gettext } from "../site/text.js";
import { digitOf, isDigit, isPlace, isZero, leaveCommand, letter, plain, skipCommand, submitCommand, undoCommands, withHelp } from "../task_kit/keys.js";
import { plainCommand } from "../task_kit/plain.js";

/** Keys the focused text handles itself (caret.js), for the help dialog. */
export const textKeys = () => [
  { keys: ["←", "→"], label: gettext("Word by word") },
  { keys: ["Shift+←", "Shift+→"], label: gettext("Letter by letter") },
  { keys: ["↑", "↓", "Home", "End"], label: gettext("Line by line; to the start or end of the paragraph") },
  { keys: ["Enter", "Space"], label: gettext("Set the start of an error, then its end") },
  { keys: ["Esc"], label: gettext("Take the start back") },
];

/** E moves the end of the selected error on, B its beginning back; with Shift the other way. */
export function stretchCommands(editor) {
  const command = (key, label, edge, step) => ({ keys: [key], label, single: true, matches: letter(key), run: () => editor.stretch(edge, step) });
  return [
    command("E", gettext("Grow the error at its end"), "end", 1),
    command("Shift+E", gettext("Shrink it at its end"), "end", -1),
    command("B", gettext("Grow the error at its beginning"), "start", -1),
    command("Shift+B", gettext("Shrink it at its beginning"), "start", 1),
  ];
}

/** R leads through the other places of the selected words, N says that they are no error there. */
function repeatCommands(editor) {
  if (!editor.task.repeats) return [];
  return [
    { keys: ["R"], label: gettext("The same words again"), single: true, once: true, matches: letter("R"), run: () => editor.repeatSelected() },
    { keys: ["N"], label: gettext("Not here"), single: true, once: true, matches: letter("N"), run: () => editor.repeating.answer(false) },
  ];
}

/** A: the words chosen next are a further part of the selected error. */
const addCommand = (editor) => ({ keys: ["A"], label: gettext("Add words elsewhere"), single: true, once: true, matches: letter("A"), run: () => editor.addToSelected() });

/** In a question that is asked beside the marks, a digit chooses what it is printed on. */
function digitCommands(editor) {
  if (!editor.questions || editor.task.read_only) return [];
  return [{ keys: ["0 – 9"], label: gettext("In an answer: choose what stands beside the digit"), single: true, once: true, matches: isDigit, run: (event) => editor.questions.choose(digitOf(event)) }];
}

/** G leads to what is asked of the whole: the score, the questions. */
function gradeCommands(editor) {
  if (editor.task.read_only || !(editor.score || editor.questions)) return [];
  const run = () => (editor.questions ? editor.questions.next() : editor.goToScore());
  return [{ keys: ["G"], label: gettext("Grade"), single: true, once: true, matches: letter("G"), run }];
}

/** @param {import("./editor.js").Editor} editor @returns {import("../task_kit/keys.js").Command[]} */
export function commandsFor(editor) {
  const last = Math.min(9, editor.task.types.length + editor.task.criticalities.length);
  const rightToLeft = document.documentElement.dir === "rtl";
  const [forward, backward] = rightToLeft ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
  // On a radio button the arrows change the choice; that is the browser's business.
  const onRadio = (event) => !event.shiftKey && event.target.matches?.('input[type="radio"]');
  return withHelp([
    ...digitCommands(editor),
    ...(last ? [{ keys: [`1 – ${last}`], label: gettext("Choose the type and how critical it is"), single: true, once: true,
      matches: isPlace, run: (event) => editor.form.chooseDigit(Number(digitOf(event))) }] : []),
    { keys: ["0"], label: gettext("There are no errors"), single: true, once: true, matches: isZero, run: () => editor.toggleNoErrors() },
    { keys: ["M"], label: gettext("Something is missing"), single: true, once: true, matches: letter("M"),
      run: () => { if (!editor.locked && !editor.task.read_only) editor.addOmission(); } },
    { keys: ["L"], label: gettext("Mark letters instead of whole words"), single: true, once: true, matches: letter("L"), run: () => editor.toggleLetters?.() },
    ...(editor.task.read_only ? [] : [...stretchCommands(editor), addCommand(editor), ...repeatCommands(editor)]),
    plainCommand(editor),
    { keys: ["↓", "Shift+↓", rightToLeft ? "←" : "→"], label: gettext("Next error"), single: true,
      matches: (event) => plain("ArrowDown", forward)(event), run: (event) => !onRadio(event) && editor.step(1) },
    { keys: ["↑", "Shift+↑", rightToLeft ? "→" : "←"], label: gettext("Back to the error before"), single: true,
      matches: (event) => plain("ArrowUp", backward)(event), run: (event) => !onRadio(event) && editor.step(-1) },
    { keys: ["Backspace"], label: gettext("Delete the selected error"), single: true,
      matches: plain("Backspace", "Delete"), run: () => !editor.questions?.focused && editor.removeSelected() },
    ...gradeCommands(editor),
    ...skipCommand(editor),
    ...undoCommands(editor),
    leaveCommand(editor),
    submitCommand(editor),
  ], textKeys());
}
