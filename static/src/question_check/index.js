// Entry of the screen of a question check.
import { chooseVersion } from "../task_kit/conflict.js";
import { digitOf, isPlace, leaveCommand, letter, skipCommand, submitCommand, undoCommands, withHelp } from "../task_kit/keys.js";
import { plainCommand, plainTool } from "../task_kit/plain.js";
import { startTask } from "../task_kit/start.js";
import { addTools } from "../task_kit/toolbar.js";
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { combine, sameDraft } from "./document.js";
import { CheckScreen } from "./screen.js";

const version = (task) => (title, draft) => element("section", { class: "surface" }, element("h3", { text: title }),
  element("p", { class: "prompt-text", dir: "auto", text: [draft.answer, task.decisions.find(({ value }) => value === draft.decision)?.label, draft.instruction, draft.input, draft.reference, draft.note].filter(Boolean).join("\n\n") || "–" }));

function commandsFor(screen) {
  if (screen.task.read_only) return withHelp([], []);
  return withHelp([
    { keys: ["1 – 3"], label: gettext("Keep, repair or drop the question"), single: true, matches: (event) => isPlace(event) && Number(digitOf(event)) < 4, run: (event) => screen.chooseDigit(Number(digitOf(event))) },
    { keys: ["4 – 8"], label: gettext("Name the fault"), single: true, matches: isPlace, run: (event) => screen.chooseDigit(Number(digitOf(event))) },
    { keys: ["Y"], label: gettext("Question and reference fit each other"), single: true, matches: letter("Y"), run: () => screen.align(true) },
    { keys: ["N"], label: gettext("They do not fit each other"), single: true, matches: letter("N"), run: () => screen.align(false) },
    plainCommand(screen),
    ...skipCommand(screen),
    ...undoCommands(screen),
    leaveCommand(screen, gettext("Leave the text field")),
    submitCommand(screen, gettext("Show the reference, then submit")),
  ], []);
}

startTask({
  name: "question-check",
  build: (task, slot) => new CheckScreen(task, slot("fields")),
  saving: (screen, task) => ({
    same: sameDraft,
    combine,
    decide: (mine, theirs) => chooseVersion(mine, theirs, version(task)),
    showInvalid: ({ problems, message }) => screen.showProblems(problems.length ? problems : [{ field: "", message }]),
    notSkipped: gettext("The item could not be skipped just now. What you wrote is kept; please try again."),
  }),
  commands: commandsFor,
  tools(toolbar, screen, { help }) {
    addTools(toolbar, screen, help, plainTool(screen));
  },
  ready: "questionCheck",
  publish(screen) { window.mizanQuestionCheck = screen; },
});
