// Entry of the authoring screen.
import { startTask } from "../task_kit/start.js";
import { addTools } from "../task_kit/toolbar.js";
import { gettext } from "../site/text.js";
import { commandsFor } from "./commands.js";
import { chooseVersion } from "./conflict.js";
import { combine, sameDraft } from "./document.js";
import { AuthoringScreen } from "./screen.js";

startTask({
  name: "authoring",
  build: (task, slot) => new AuthoringScreen(task, { rail: slot("rail"), steps: slot("steps") }),
  saving: (screen, task) => ({
    same: sameDraft,
    combine,
    decide: (mine, theirs) => chooseVersion(mine, theirs, task),
    showInvalid: ({ problems, message }) => screen.showProblems(problems.length ? problems : [{ field: "freeze", message }]),
    onwards: { href: task.urls.rubrics, text: gettext("Your rubrics") },
    notSkipped: gettext("The rubric could not be discarded just now. It is kept; please try again."),
    skipWords: {
      title: gettext("Discard this rubric?"), go: gettext("Discard"),
      explanation: gettext("It is taken out of your work for good. What you wrote stays on record as discarded."),
    },
  }),
  commands: commandsFor,
  tools(toolbar, screen, { help }) {
    toolbar.hidden = screen.task.read_only;
    addTools(toolbar, screen, help);
  },
  ready: "authoring",
  publish(screen) { window.mizanAuthoring = screen; },
});
