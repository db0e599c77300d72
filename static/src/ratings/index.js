// Entry of the rating screen.
import { chooseVersion } from "../task_kit/conflict.js";
import { digitOf, isDigit, leaveCommand, letter, skipCommand, stepCommands, submitCommand, undoCommands, withHelp } from "../task_kit/keys.js";
import { plainCommand, plainTool } from "../task_kit/plain.js";
import { startTask } from "../task_kit/start.js";
import { standardTools } from "../task_kit/toolbar.js";
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { combine, sameDraft } from "./document.js";
import { hasScale } from "./problems.js";
import { keysOf } from "./scale.js";
import { RatingScreen } from "./screen.js";

function versionOf(task) {
  const named = new Map(task.questions.map(({ slug, name }) => [slug, name]));
  const line = (rating) => {
    const grades = task.sides.map((side, place) => `${task.sides.length > 1 ? `${"AB"[place]} ` : ""}${rating[side] ?? "–"}`).join(", ");
    return element("li", {}, element("bdi", { text: `${named.get(rating.question) ?? rating.question}: ` }), element("bdi", { dir: "ltr", text: grades }),
      rating.comment ? element("p", { class: "small", dir: "auto", text: rating.comment }) : null);
  };
  return (title, { ratings }) => element("section", { class: "surface conflict__version" },
    element("h3", { text: title }), element("ol", {}, ...ratings.map(line)));
}

const controlKeys = () => [
  { keys: ["Tab", "Shift+Tab"], label: gettext("To the other response, then to the preference, the comment and Submit") },
  { keys: ["←", "→", "↑", "↓"], label: gettext("Another grade") },
];

/** The range of keys that grade, as the help prints it; empty where every scale is a long one. */
function gradeKeys({ questions }) {
  const short = questions.filter((question) => hasScale(question) && question.highest - question.lowest < 10);
  if (!short.length) return questions.some((question) => !hasScale(question)) ? "1 – 3" : "";
  const keys = short.flatMap(({ lowest, highest }) => keysOf(lowest, highest).map(({ key }) => key)).sort();
  return `${keys[0]} – ${keys.at(-1)}`;
}

function commandsFor(screen) {
  return withHelp([
    { keys: [gradeKeys(screen.task)].filter(Boolean), label: gettext("Choose what stands beside the digit, for the side that is marked, and go on"), single: true, once: true,
      matches: isDigit, run: (event) => screen.choose(digitOf(event)) },
    ...stepCommands(screen, { next: gettext("On to the next grade"), previous: gettext("Back to the grade before"), keys: false }),
    { keys: ["N"], label: gettext("Next grade that is missing"), single: true, matches: letter("N"), run: () => screen.nextOpen() },
    ...(screen.task.asks_comment ? [{ keys: ["C"], label: gettext("Comment"), single: true, once: true, matches: letter("C"), run: () => screen.comment() }] : []),
    ...(screen.sides.isPair ? [{ keys: ["T"], label: gettext("Both responses scroll at once"), single: true, once: true, matches: letter("T"), run: () => screen.sides.scrollTogether() }] : []),
    plainCommand(screen),
    ...skipCommand(screen),
    ...undoCommands(screen),
    leaveCommand(screen, gettext("Back to the response")),
    submitCommand(screen),
  ], controlKeys(), gettext("In a scale"));
}

startTask({
  name: "rate",
  build: (task, slot) => new RatingScreen(task, { root: slot("screen"), panel: slot("panel") }),
  saving: (screen, task) => ({
    same: sameDraft,
    combine,
    decide: (mine, theirs) => chooseVersion(mine, theirs, versionOf(task)),
    showInvalid: ({ problems, message }) => screen.showProblems(problems.length ? problems : [{ span: null, field: "", message }]),
    notSkipped: gettext("The item could not be skipped just now. Your ratings are kept; please try again."),
  }),
  commands: commandsFor,
  tools(toolbar, screen, { help }) {
    const { undo, redo, keys } = standardTools(screen, help);
    toolbar.append(...(screen.task.read_only ? [] : [undo, redo]), screen.sides.tool, plainTool(screen), keys, screen.sides.switch);
  },
  ready: "ratings",
  publish(screen) { window.mizanRatings = screen; },
});
