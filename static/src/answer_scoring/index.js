// Entry of the screen on which people score answers of a benchmark.
import { chooseVersion } from "../task_kit/conflict.js";
import { digitOf, isDigit, leaveCommand, letter, skipCommand, submitCommand, undoCommands, withHelp } from "../task_kit/keys.js";
import { plainCommand, plainTool } from "../task_kit/plain.js";
import { startTask } from "../task_kit/start.js";
import { addTools } from "../task_kit/toolbar.js";
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { combine, sameDraft } from "./document.js";
import { ScoringScreen } from "./screen.js";

const version = (title, { score, note }) => element("section", { class: "surface conflict__version" },
  element("h3", { text: title }), element("p", {}, element("bdi", { dir: "ltr", text: score ?? "–" })),
  note ? element("p", { class: "small", dir: "auto", text: note }) : null);

function commandsFor(screen) {
  return withHelp([
    { keys: ["0 – 9"], label: gettext("Give so many points"), single: true, matches: isDigit, run: (event) => screen.choose(digitOf(event)) },
    { keys: ["X"], label: gettext("Give ten points"), single: true, matches: letter("X"), run: () => screen.choose("X") },
    plainCommand(screen),
    ...skipCommand(screen),
    ...undoCommands(screen),
    leaveCommand(screen, gettext("Back to the answer")),
    submitCommand(screen),
  ], [{ keys: ["←", "→", "↑", "↓"], label: gettext("Another number of points") }], gettext("In the points"));
}

startTask({
  name: "answer",
  build: (task, slot) => new ScoringScreen(task, { root: slot("score"), panel: slot("panel"), text: slot("text") }),
  saving: (screen) => ({
    same: sameDraft,
    combine,
    decide: (mine, theirs) => chooseVersion(mine, theirs, version),
    showInvalid: ({ problems, message }) => screen.showProblems(problems.length ? problems : [{ message }]),
    notSkipped: gettext("The item could not be skipped just now. Your points are kept; please try again."),
  }),
  commands: commandsFor,
  tools(toolbar, screen, { help }) {
    addTools(toolbar, screen, help, plainTool(screen));
  },
  ready: "answerScoring",
  publish(screen) { window.mizanAnswerScoring = screen; },
});
