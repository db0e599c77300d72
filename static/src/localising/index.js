// Entry of the localising screen.
import { chooseVersion } from "../task_kit/conflict.js";
import { skipCommand, submitCommand, withControl, withHelp } from "../task_kit/keys.js";
import { startTask } from "../task_kit/start.js";
import { addTools } from "../task_kit/toolbar.js";
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { combine, sameDraft } from "./document.js";
import { LocalisingScreen } from "./screen.js";

const versionOf = (task) => (title, draft) => element("section", { class: "surface" }, element("h3", { text: title }),
  element("p", { class: "prompt-text", lang: task.lang, dir: task.dir, text: draft.text || "–" }),
  element("ul", {}, ...Object.entries(draft.values).map(([name, value]) =>
    element("li", {}, element("code", { dir: "ltr", text: `[${name}]` }), " ", element("bdi", { lang: task.lang, text: value })))));

const numbered = (screen) => Math.min(9, screen.task.names.length);

/** Keys that hold while typing, for the help dialog; the table below makes them work. */
const textKeys = (screen) => [
  { keys: ["Ctrl+Z"], label: gettext("Undo") },
  { keys: ["Ctrl+Shift+Z"], label: gettext("Redo") },
  ...(numbered(screen) ? [{ keys: [`Alt+1 – ${numbered(screen)}`], label: gettext("Put the placeholder of this number in") }] : []),
];

function commandsFor(screen) {
  if (screen.task.read_only) return withHelp([], []);
  const { names } = screen.task;
  // By its place on the keyboard: with Alt, or on an Arabic one, the key says something else than its digit.
  const digit = (event) => Number(/^Digit([1-9])$/.exec(event.code)?.[1] ?? 0);
  const isNumbered = (event) => event.altKey && !event.ctrlKey && !event.metaKey && digit(event) > 0 && digit(event) <= numbered(screen);
  return withHelp([
    { keys: [], label: "", whileTyping: true, matches: withControl("z"), run: () => screen.undo() },
    { keys: [], label: "", whileTyping: true, matches: withControl("z", { shift: true }), run: () => screen.redo() },
    { keys: [], label: "", whileTyping: true, matches: isNumbered, run: (event) => screen.insert(names[digit(event) - 1]) },
    ...skipCommand(screen),
    submitCommand(screen),
  ], textKeys(screen), gettext("In the translation"));
}

startTask({
  name: "localising",
  build: (task, slot) => new LocalisingScreen(task, slot("fields")),
  saving: (screen, task) => ({
    same: sameDraft,
    combine,
    decide: (mine, theirs) => chooseVersion(mine, theirs, versionOf(task)),
    showInvalid: ({ problems, message }) => screen.showProblems(problems.length ? problems : [{ field: "", span: null, message }]),
    notSkipped: gettext("The item could not be skipped just now. What you wrote is kept; please try again."),
    skipWords: {
      explanation: gettext("It goes to someone else who speaks the language. What you wrote stays on record but is not used."),
    },
  }),
  commands: commandsFor,
  tools(toolbar, screen, { help }) {
    addTools(toolbar, screen, help);
  },
  ready: "localising",
  publish(screen) { window.mizanLocalising = screen; },
});
