// Entry of the grading screen: reads the task from the page and starts the screen and its saving.
import { ask, element } from "../site/dom.js";
import { gettext, interpolate, ngettext } from "../site/text.js";
import { listen, plain, showHelp, withControl } from "../spans/keys.js";
import { startSaving } from "../spans/saving.js";
import { Toolbar } from "../spans/toolbar.js";
import { combine, sameDraft } from "./document.js";
import { score, signed } from "./score.js";
import { GradeScreen } from "./screen.js";

async function start() {
  const task = JSON.parse(document.getElementById("grade-task").textContent);
  const slot = (name) => document.getElementById(`grade-${name}`);
  const notices = slot("notices");
  const screen = new GradeScreen(task, { text: slot("text"), panel: slot("panel") });
  const commands = commandsFor(screen);
  const toolbar = slot("toolbar");
  if (!screen.painter.available) {
    notices.append(element("p", { class: "notice notice--warning", text: gettext("This browser cannot show marks inside the text. The words an error points at stand on its card.") }));
  }
  if (!task.read_only) {
    await startSaving({
      task, screen, notices, toolbar, same: sameDraft, combine,
      decide: (mine, theirs) => chooseVersion(mine, theirs, task),
      showInvalid: ({ problems, message }) => screen.showProblems(problems.length ? problems : [{ span: null, field: "", message }]),
      notSkipped: gettext("The item could not be skipped just now. Your verdicts are kept; please try again."),
    });
  }
  new Toolbar(toolbar, screen, () => showHelp(commands, textKeys()));
  listen(commands);
  document.documentElement.dataset.scoring = "ready";
  return screen;
}

/** @returns {Promise<"mine"|"theirs"|"both">} */
async function chooseVersion(mine, theirs, task) {
  const line = (title, draft) => {
    const decided = task.criteria.filter(({ key }) => draft.verdicts[key]).length;
    const errors = interpolate(ngettext("%(count)s error", "%(count)s errors", draft.negatives.length), { count: draft.negatives.length });
    return element("li", {}, interpolate(gettext("%(title)s: %(decided)s of %(total)s decided"), { title, decided, total: task.criteria.length }),
      `, ${errors}, `, element("bdi", { dir: "ltr", text: signed(score(task.criteria, draft).raw) }), ` ${gettext("points")}`);
  };
  const choice = await ask({
    title: gettext("This item was also changed elsewhere"),
    closable: false,
    content: [
      element("p", { text: gettext("Another tab or device saved a different version. Choose what to go on with. Both are kept on this device, and Undo brings the other one back.") }),
      element("ul", {}, line(gettext("On this page"), mine), line(gettext("Saved elsewhere"), theirs)),
    ],
    buttons: [
      { value: "theirs", label: gettext("Use the one saved elsewhere") },
      { value: "both", label: gettext("Combine both") },
      { value: "mine", label: gettext("Keep the one on this page"), kind: "btn-primary" },
    ],
  });
  return choice || "mine";
}

const textKeys = () => [
  { keys: ["←", "→"], label: gettext("Word by word") },
  { keys: ["Shift+←", "Shift+→"], label: gettext("Letter by letter") },
  { keys: ["↑", "↓", "Home", "End"], label: gettext("Line by line; to the start or end of the paragraph") },
  { keys: ["Enter", "Space"], label: gettext("Set the start of the words, then their end; once more adds the error") },
  { keys: ["Esc"], label: gettext("Take the start back") },
];

function commandsFor(screen) {
  // Where the keyboard writes another script, the key that carries the letter counts.
  const isLatin = (key) => /^[a-z]$/i.test(key);
  const letter = (name) => (event) => plain(event.key)(event)
    && (isLatin(event.key) ? event.key.toUpperCase() === name : event.code === `Key${name}`);
  const commands = [
    { keys: ["P"], label: gettext("The current criterion passes"), single: true, matches: letter("P"), run: () => screen.choose("P") },
    { keys: ["F"], label: gettext("The current criterion fails"), single: true, matches: letter("F"), run: () => screen.choose("F") },
    { keys: ["1 – 6"], label: gettext("Choose what stands beside the digit on the current error"), single: true,
      matches: (event) => plain(event.key)(event) && /^[1-9]$/.test(event.key), run: (event) => screen.choose(event.key) },
    { keys: ["↓"], label: gettext("Next criterion or error"), single: true, matches: plain("ArrowDown"), run: () => screen.step(1) },
    { keys: ["↑"], label: gettext("Previous criterion or error"), single: true, matches: plain("ArrowUp"), run: () => screen.step(-1) },
    { keys: ["N"], label: gettext("Next undecided"), single: true, matches: letter("N"), run: () => screen.nextUndecided() },
    { keys: ["A"], label: gettext("Add an error on the chosen words, or on none"), single: true, matches: letter("A"), run: () => screen.addError() },
    { keys: ["Backspace"], label: gettext("Delete the current error"), single: true, matches: plain("Backspace", "Delete"), run: () => screen.removeSelected() },
    { keys: ["Ctrl+Z"], label: gettext("Undo"), matches: withControl("z"), run: () => screen.undo() },
    { keys: ["Ctrl+Shift+Z"], label: gettext("Redo"), matches: withControl("z", { shift: true }), run: () => screen.redo() },
    { keys: ["Esc"], label: gettext("Back to the text"), whileTyping: true, matches: plain("Escape"), run: () => screen.leave() },
    { keys: ["Ctrl+Enter"], label: gettext("Submit"), whileTyping: true, matches: withControl("enter"), run: () => { screen.submit(); } },
  ];
  commands.push({ keys: ["?"], label: gettext("Show this list"), single: true, matches: plain("?"), run: () => { showHelp(commands, textKeys()); } });
  return commands;
}

if (document.getElementById("grade-task")) {
  // Kept reachable for people who script their own tools, and for measuring.
  start().then((screen) => { window.mizanScoring = screen; });
}
