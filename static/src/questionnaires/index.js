// Entry of the screen of a questionnaire.
import { chooseVersion } from "../task_kit/conflict.js";
import { digitOf, isDigit, leaveCommand, letter, skipCommand, stepCommands, submitCommand, undoCommands, withHelp } from "../task_kit/keys.js";
import { plainCommand, plainTool } from "../task_kit/plain.js";
import { startTask } from "../task_kit/start.js";
import { standardTools } from "../task_kit/toolbar.js";
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { answersGiven } from "./conflict.js";
import { combine, sameDraft } from "./document.js";
import { QuestionnaireScreen } from "./screen.js";

const versionOf = (task) => (title, { answers }) => element("section", { class: "surface conflict__version" }, element("h3", { text: title }),
  answersGiven(task, answers));

const controlKeys = () => [
  { keys: ["Tab", "Shift+Tab"], label: gettext("To the next question") },
  { keys: ["←", "→", "↑", "↓"], label: gettext("Another answer") },
];

function commandsFor(screen) {
  return withHelp([
    { keys: ["0 – 9"], label: gettext("Choose what stands beside the digit, and go on"), single: true, once: true,
      matches: isDigit, run: (event) => screen.choose(digitOf(event)) },
    ...stepCommands(screen, { next: gettext("To the next question"), previous: gettext("To the question before"), keys: false }),
    { keys: ["N"], label: gettext("Next answer that is missing"), single: true, matches: letter("N"), run: () => screen.nextOpen() },
    plainCommand(screen),
    ...skipCommand(screen),
    ...undoCommands(screen),
    leaveCommand(screen),
    submitCommand(screen),
  ], controlKeys(), gettext("In an answer"));
}

startTask({
  name: "rate",
  build: (task, slot) => new QuestionnaireScreen(task, { root: slot("screen"), panel: slot("panel") }),
  saving: (screen, task) => ({
    same: sameDraft,
    combine,
    decide: (mine, theirs) => chooseVersion(mine, theirs, versionOf(task)),
    showInvalid: ({ problems, message }) => screen.showProblems(problems.length ? problems : [{ span: null, field: "", message }]),
    notSkipped: gettext("The item could not be skipped just now. What you wrote is kept; please try again."),
  }),
  commands: commandsFor,
  tools(toolbar, screen, { help }) {
    const { undo, redo, keys } = standardTools(screen, help);
    toolbar.append(...(screen.task.read_only ? [] : [undo, redo]), screen.sides.tool, plainTool(screen), keys, screen.sides.switch);
  },
  ready: "questionnaire",
  publish(screen) { window.mizanQuestionnaire = screen; },
});
