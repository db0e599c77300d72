// The authoring screen: joins the steps of a rubric on one page. What is written lives in RubricDocument; how it is kept
// and sent, in the Sync of the marking screen; what the wording check and the difficulty check say, in Linter and Checks.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { announce } from "../task_kit/announce.js";
import { signInHere } from "../task_kit/signin.js";
import { Checks } from "./checks.js";
import { Criteria, remarksInWords } from "./criteria.js";
import { Difficulty } from "./difficulty.js";
import { RubricDocument } from "./document.js";
import { Findings } from "./findings.js";
import { confirmFreeze, Freeze } from "./freeze.js";
import { Linter } from "./linter.js";
import { Rail } from "./rail.js";
import { Review } from "./review.js";
import { Section } from "./section.js";
import { openFindings, stepsOf } from "./steps.js";
import { goldField, promptField, scopeField } from "./texts.js";

const SECTION_OF = {
  scope: "scope", prompt: "prompt", difficulty: "difficulty", model: "difficulty", outcome: "difficulty",
  gold_answer: "gold", criteria: "criteria", review: "review",
};

export class AuthoringScreen extends EventTarget {
  /** @param {object} task the JSON block of the page @param {{rail: HTMLElement, steps: HTMLElement}} slots */
  constructor(task, slots) {
    super();
    this.task = task;
    this.locked = false;
    this.document = new RubricDocument(task.draft);
    this.checks = new Checks(task.checks, task.draft.prompt, task.difficulty);
    this.linter = new Linter(task.read_only ? null : task.urls.lint, this.document);
    this.#build(slots);
    this.#listen();
    this.refresh();
  }

  /** Nothing can be written: it was handed in, or is being handed in. */
  get fixed() {
    return this.locked || this.task.read_only;
  }

  #build(slots) {
    this.fields = { scope: scopeField(this), prompt: promptField(this), gold_answer: goldField(this) };
    this.goldFindings = new Findings(this, "");
    this.criteria = new Criteria(this);
    this.difficulty = new Difficulty(this);
    this.review = new Review(this);
    this.freeze = new Freeze(this);
    const { settings } = this.task;
    const contents = {
      scope: [gettext("A rubric is about one of the two, never both."), this.fields.scope.root],
      prompt: [gettext("What a person of your community would ask, in their own words."), this.fields.prompt.root],
      difficulty: [gettext("The prompt is sent to a model once, in a clean session. What it answers is thrown away; how it did, which model it was and when are kept."), this.difficulty.root],
      gold: [gettext("The answer you would give: complete, correct, in the same variety. Every part of it should be covered by a criterion."),
        element("div", { class: "with-findings" }, this.fields.gold_answer.root, this.goldFindings.root)],
      criteria: [gettext("What a good answer contains, each thing once, checkable without looking anything up. No response has been seen yet."), this.criteria.root],
      review: [settings.needs_review ? gettext("A second author reads it before the freeze.") : gettext("If you like, a second author reads it before the freeze."), this.review.root],
      freeze: [gettext("Frozen, the rubric gets its hash and its time. Only then are responses shown."), this.freeze.root],
    };
    const shown = this.#shownSteps();
    this.sections = Object.fromEntries(shown.map(({ id, title }, number) => [id, new Section(id, number + 1, title, this.task.read_only ? "" : contents[id][0], contents[id][1])]));
    slots.steps.append(...Object.values(this.sections).map(({ root }) => root));
    this.rail = new Rail(slots.rail, shown, (id) => this.focusStep(id));
    this.summary = element("p", { class: "rail__summary small muted num" });
    slots.rail.append(this.summary);
  }

  #listen() {
    this.document.addEventListener("change", ({ detail }) => {
      if (detail.before.prompt !== detail.after.prompt) this.checks.follow(detail.after.prompt);
    });
    this.document.addEventListener("state", () => this.refresh());
    this.checks.addEventListener("state", () => this.refresh());
    this.linter.addEventListener("findings", ({ detail }) => this.#checked(detail));
    this.linter.addEventListener("state", () => this.#showRemarks());
    // Back on the page: the reviewer may have answered meanwhile, and that comes with the check.
    globalThis.document.addEventListener("visibilitychange", () => {
      if (!globalThis.document.hidden && !this.fixed) this.linter.soon();
    });
    // The step in sight is the one a third down the window.
    const watcher = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) this.rail.setCurrent(target.id);
    }, { rootMargin: "-30% 0px -65% 0px" });
    for (const { root } of Object.values(this.sections)) watcher.observe(root);
  }

  /** @returns {import("./steps.js").Step[]} */
  steps() {
    const { settings } = this.task;
    return stepsOf(this.document.state, {
      check: this.checks.current, checkedBefore: this.checks.last !== null, findings: this.linter.findings,
      needsCheck: settings.needs_difficulty_check,
      review: { needed: settings.needs_review, state: this.review?.standing ?? "" },
    });
  }

  /** What is only read is not frozen from here, and was perhaps never reviewed. */
  #shownSteps() {
    const { read_only: onlyRead, review } = this.task;
    return this.steps().filter(({ id }) => !onlyRead || (id !== "freeze" && (id !== "review" || review)));
  }

  /** Whether anything but the review still stands in the way of the freeze: a reviewer reads what could be frozen. */
  lacksBeforeReview() {
    return this.steps().some(({ id, done, optional }) => !["review", "freeze"].includes(id) && !done && !optional);
  }

  refresh() {
    const { state } = this.document;
    for (const [name, field] of Object.entries(this.fields)) {
      field.show(state[name]);
      if (state[name].trim()) field.showProblem("");
    }
    this.criteria.show();
    this.difficulty.show();
    this.review.show();
    this.fields.gold_answer.mark(this.goldFindings.show());
    const steps = this.#shownSteps();
    for (const step of steps) this.sections[step.id].show(step, (lack) => this.placeName(lack));
    this.rail.show(steps);
    this.summary.textContent = this.criteria.summary();
    this.#showRemarks();
    if (!this.freeze.missing.hidden) this.freeze.showMissing(steps.at(-1).lacks);
  }

  #checked({ difficulty, review, limits, of }) {
    if (difficulty) this.checks.put(difficulty);
    else if (!this.difficulty.answered) this.checks.withdraw(of.prompt);
    this.review.heard(review, of);
    this.criteria.showLimits(limits ?? "");
    this.refresh();
    // Said when it became another number, not at every pause and not for what one finds when one comes.
    if (this.said !== undefined && this.said !== this.remarks) announce(remarksInWords(this.remarks));
    this.said = this.remarks;
  }

  #showRemarks() {
    this.remarks = openFindings(this.linter.findings, this.document.state).length;
    this.criteria.showLint(this.linter.state, this.remarks);
  }

  announceMaximum() {
    announce(this.criteria.summary());
  }

  focusStep(id) {
    const { heading, root } = this.sections[id];
    heading.focus({ preventScroll: true });
    root.scrollIntoView({ block: "start" });
  }

  /** What the place of a problem is called. */
  placeName({ field, criterion }) {
    const card = criterion && this.criteria.cards.get(criterion);
    if (card) return interpolate(gettext("Criterion %(number)s"), { number: card.number });
    return this.steps().find(({ id }) => id === (SECTION_OF[field] ?? "criteria")).title;
  }

  /** Leads to a problem's field, or to its step where it has none. */
  goTo({ field, criterion = null }) {
    const card = criterion && this.criteria.cards.get(criterion);
    if (card) return card.focus(field);
    if (this.fields[field]) return this.fields[field].focus();
    if (field === "difficulty" || field === "review") return this[field].focus();
    if (field === "findings") return this.#goToFinding();
    return this.focusStep(SECTION_OF[field] ?? "criteria");
  }

  #goToFinding() {
    const [first] = openFindings(this.linter.findings, this.document.state);
    if (!first) return;
    if (first.criterion) this.criteria.cards.get(first.criterion).focus("findings");
    else this.goldFindings.focus();
  }

  /** Leads to the first thing that is missing. */
  nextMissing() {
    if (this.task.read_only) return null;
    const [first] = this.steps().at(-1).lacks;
    if (!first) return announce(gettext("Nothing is missing: the rubric can be frozen."));
    announce(first.message);
    return this.goTo(first);
  }

  undo() {
    if (!this.fixed) this.#returned(this.document.undo(), gettext("Undone"));
  }

  redo() {
    if (!this.fixed) this.#returned(this.document.redo(), gettext("Done again"));
  }

  #returned(place, said) {
    if (!place) return;
    const root = this.criteria.cards.get(place.criterion)?.root ?? this.sections[SECTION_OF[place.field] ?? "criteria"].root;
    root.scrollIntoView({ block: "nearest" });
    announce(said);
  }

  /** Names what is missing and goes to the first of it, or asks once more and hands in. */
  async submit() {
    if (this.fixed) return;
    const { lacks } = this.steps().at(-1);
    if (lacks.length) return this.showProblems(lacks);
    this.freeze.showMissing([]);
    if (!(await confirmFreeze(this.document.state, this.task)) || this.fixed) return;
    this.dispatchEvent(new CustomEvent("submit"));
  }

  skip() {
    if (!this.fixed) this.dispatchEvent(new CustomEvent("skip"));
  }

  /** @param {{field: string, criterion?: ?string, span?: ?string, message: string}[]} problems ours or the server's */
  showProblems(problems) {
    const placed = problems.map((problem) => ({ ...problem, criterion: problem.criterion ?? problem.span ?? null }));
    for (const { field, criterion, code, message } of placed) {
      const card = criterion && this.criteria.cards.get(criterion);
      if (card && field !== "findings") card.showProblem(field, message);
      else if (this.fields[field]) this.fields[field].showProblem(message);
      else if ((field === "review" || field === "difficulty") && code) this[field].showProblem(message); // the server's alone: ours stand there
      else if (field === "criteria") this.criteria.error.textContent = message;
    }
    this.freeze.showMissing(placed);
    this.goTo(placed[0]);
    announce(placed[0].message);
  }

  /** After a call was refused because nobody was signed in: asks to sign in; true when the call can be made again. */
  async signedInFor({ kind }) {
    if (kind !== "signed-out" && kind !== "csrf") return false;
    const signedIn = await signInHere(this.task.urls.login, { silent: kind === "csrf" });
    return Boolean(signedIn) && (!signedIn.owner || signedIn.owner === this.task.owner);
  }

  lock(locked) {
    this.locked = locked;
    for (const { root, id } of Object.values(this.sections)) if (id !== "freeze") root.toggleAttribute("inert", locked);
    this.freeze.lock(locked);
    if (locked) this.linter.pause();
    else this.linter.soon();
  }
}
