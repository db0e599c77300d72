// Entry of the review screen.
import { chooseVersion } from "../task_kit/conflict.js";
import { digitOf, isPlace, leaveCommand, letter, skipCommand, stepCommands, submitCommand, undoCommands, withHelp } from "../task_kit/keys.js";
import { startTask } from "../task_kit/start.js";
import { addTools } from "../task_kit/toolbar.js";
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { plainCommand, plainTool } from "../task_kit/plain.js";
import { combine, isDecided, sameDraft } from "./document.js";
import { ReviewScreen } from "./screen.js";

const version = (title, { reviews }) => element("li", {},
  interpolate(gettext("%(title)s: %(decided)s of %(total)s decided"), { title, decided: reviews.filter(isDecided).length, total: reviews.length }));

const textKeys = () => [
  { keys: ["←", "→"], label: gettext("Word by word") },
  { keys: ["Enter", "Space"], label: gettext("While words are chosen anew: set the start, then the end") },
  { keys: ["Esc"], label: gettext("Leave the words as they are") },
];

function commandsFor(screen) {
  return withHelp([
    { keys: [`1 – ${screen.task.verdicts.length}`], label: gettext("Decide about the current error and go on to the next"), single: true, once: true,
      matches: isPlace, run: (event) => screen.chooseDigit(Number(digitOf(event))) },
    ...stepCommands(screen, { next: gettext("Next error"), previous: gettext("Back to the error before") }),
    { keys: ["N"], label: gettext("Next undecided"), single: true, matches: letter("N"), run: () => screen.nextUndecided() },
    { keys: ["C"], label: gettext("Comment on the current error"), single: true, once: true, matches: letter("C"), run: () => screen.comment() },
    plainCommand(screen),
    ...skipCommand(screen),
    ...undoCommands(screen),
    leaveCommand(screen),
    submitCommand(screen),
  ], textKeys());
}

startTask({
  name: "review",
  build: (task, slot) => new ReviewScreen(task, { text: slot("text"), panel: slot("panel") }),
  saving: (screen) => ({
    same: sameDraft,
    combine,
    decide: (mine, theirs) => chooseVersion(mine, theirs, version),
    showInvalid: ({ problems, message }) => screen.showProblems(problems.length ? problems : [{ span: null, message }]),
    notSkipped: gettext("The item could not be skipped just now. Your verdicts are kept; please try again."),
  }),
  commands: commandsFor,
  tools: (toolbar, screen, { help }) => addTools(toolbar, screen, help, plainTool(screen)),
  ready: "reviews",
  publish(screen) { window.mizanReviews = screen; },
});
