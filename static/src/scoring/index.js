// Entry of the grading screen.
import { chooseVersion } from "../task_kit/conflict.js";
import { digitOf, isPlace, leaveCommand, letter, plain, skipCommand, stepCommands, submitCommand, undoCommands, withHelp } from "../task_kit/keys.js";
import { startTask } from "../task_kit/start.js";
import { element } from "../site/dom.js";
import { gettext, interpolate, ngettext } from "../site/text.js";
import { plainCommand } from "../task_kit/plain.js";
import { Toolbar } from "../spans/toolbar.js";
import { combine, sameDraft } from "./document.js";
import { score, signed } from "./score.js";
import { GradeScreen } from "./screen.js";

const versionOf = (task) => (title, draft) => {
  const decided = task.criteria.filter(({ key }) => draft.verdicts[key]).length;
  const errors = interpolate(ngettext("%(count)s error", "%(count)s errors", draft.negatives.length), { count: draft.negatives.length });
  return element("li", {}, interpolate(gettext("%(title)s: %(decided)s of %(total)s decided"), { title, decided, total: task.criteria.length }),
    `, ${errors}, `, element("bdi", { dir: "ltr", text: signed(score(task.criteria, draft).raw) }), ` ${gettext("points")}`);
};

const textKeys = () => [
  { keys: ["←", "→"], label: gettext("Word by word") },
  { keys: ["Shift+←", "Shift+→"], label: gettext("Letter by letter") },
  { keys: ["↑", "↓", "Home", "End"], label: gettext("Line by line; to the start or end of the paragraph") },
  { keys: ["Enter", "Space"], label: gettext("Set the start of the words, then their end; once more adds the error") },
  { keys: ["Esc"], label: gettext("Take the start back") },
];

function commandsFor(screen) {
  return withHelp([
    { keys: ["P"], label: gettext("The current criterion passes"), single: true, once: true, matches: letter("P"), run: () => screen.choose("P") },
    { keys: ["F"], label: gettext("The current criterion fails"), single: true, once: true, matches: letter("F"), run: () => screen.choose("F") },
    { keys: ["1 – 6"], label: gettext("Choose what stands beside the digit on the current error"), single: true, once: true,
      matches: isPlace, run: (event) => screen.choose(digitOf(event)) },
    ...stepCommands(screen, { next: gettext("Next criterion or error"), previous: gettext("Back to the criterion or error before") }),
    { keys: ["N"], label: gettext("Next undecided"), single: true, matches: letter("N"), run: () => screen.nextUndecided() },
    { keys: ["A"], label: gettext("Add an error on the chosen words, or on none"), single: true, once: true, matches: letter("A"), run: () => screen.addError() },
    { keys: ["L"], label: gettext("Mark letters instead of whole words"), single: true, once: true, matches: letter("L"), run: () => screen.toggleLetters?.() },
    { keys: ["Backspace"], label: gettext("Delete the current error"), single: true, matches: plain("Backspace", "Delete"), run: () => screen.removeSelected() },
    { keys: ["C"], label: gettext("Comment"), single: true, once: true, matches: letter("C"), run: () => screen.comment() },
    plainCommand(screen),
    ...skipCommand(screen),
    ...undoCommands(screen),
    leaveCommand(screen),
    submitCommand(screen),
  ], textKeys());
}

startTask({
  name: "grade",
  build(task, slot) {
    const screen = new GradeScreen(task, { text: slot("text"), panel: slot("panel") });
    if (!screen.painter.available) {
      slot("notices").append(element("p", { class: "notice notice--warning", text: gettext("This browser cannot show marks inside the text. The words an error points at stand on its card.") }));
    }
    return screen;
  },
  saving: (screen, task) => ({
    same: sameDraft,
    combine,
    decide: (mine, theirs) => chooseVersion(mine, theirs, versionOf(task)),
    showInvalid: ({ problems, message }) => screen.showProblems(problems.length ? problems : [{ span: null, field: "", message }]),
    notSkipped: gettext("The item could not be skipped just now. Your verdicts are kept; please try again."),
  }),
  commands: commandsFor,
  tools: (toolbar, screen, { help }) => new Toolbar(toolbar, screen, help),
  ready: "scoring",
  publish(screen) { window.mizanScoring = screen; },
});
