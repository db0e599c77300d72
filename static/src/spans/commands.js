// The table of keys of the marking screen.
import { gettext } from "../site/text.js";
import { plain, showHelp, withControl } from "./keys.js";

/** Keys the focused text handles itself (caret.js), for the help dialog. */
export const textKeys = () => [
  { keys: ["←", "→"], label: gettext("Word by word") },
  { keys: ["Shift+←", "Shift+→"], label: gettext("Letter by letter") },
  { keys: ["↑", "↓", "Home", "End"], label: gettext("Line by line; to the start or end of the paragraph") },
  { keys: ["Enter", "Space"], label: gettext("Set the start of an error, then its end") },
  { keys: ["Esc"], label: gettext("Take the start back") },
];

/** @param {import("./editor.js").Editor} editor @returns {import("./keys.js").Command[]} */
export function commandsFor(editor) {
  const last = editor.task.types.length + editor.task.criticalities.length;
  const rightToLeft = document.documentElement.dir === "rtl";
  const [forward, backward] = rightToLeft ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
  // On a radio button the arrows change the choice; that is the browser's business.
  const onRadio = (event) => event.target.matches?.('input[type="radio"]');
  const commands = [
    { keys: [`1 – ${last}`], label: gettext("Choose the type and how critical it is"), single: true,
      matches: (event) => plain(event.key)(event) && /^[1-9]$/.test(event.key), run: (event) => editor.form.chooseDigit(Number(event.key)) },
    { keys: ["↓", rightToLeft ? "←" : "→"], label: gettext("Next error"), single: true,
      matches: (event) => plain("ArrowDown", forward)(event), run: (event) => !onRadio(event) && editor.step(1) },
    { keys: ["↑", rightToLeft ? "→" : "←"], label: gettext("Previous error"), single: true,
      matches: (event) => plain("ArrowUp", backward)(event), run: (event) => !onRadio(event) && editor.step(-1) },
    { keys: ["Backspace"], label: gettext("Delete the selected error"), single: true,
      matches: plain("Backspace", "Delete"), run: () => editor.removeSelected() },
    { keys: ["Ctrl+Z"], label: gettext("Undo"), matches: withControl("z"), run: () => editor.undo() },
    { keys: ["Ctrl+Shift+Z"], label: gettext("Redo"), matches: withControl("z", { shift: true }), run: () => editor.redo() },
    { keys: ["Esc"], label: gettext("Back to the text"), whileTyping: true, matches: plain("Escape"), run: () => editor.leave() },
    { keys: ["Ctrl+Enter"], label: gettext("Submit"), whileTyping: true, matches: withControl("enter"), run: () => { editor.submit(); } },
  ];
  commands.push({ keys: ["?"], label: gettext("Show this list"), single: true, matches: plain("?"),
    run: () => { showHelp(commands, textKeys()); } });
  return commands;
}
