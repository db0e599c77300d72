// The rating screen: joins the responses, the questions beside them and the person's gestures. What is said lives in
// RatingDocument; how it is kept and sent, in the Sync of the marking screen.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { announce } from "../task_kit/announce.js";
import { skipButton, submitButton } from "../task_kit/actions.js";
import { Flow } from "../task_kit/flow.js";
import { SheetHead, showFromStart } from "../task_kit/sheet.js";
import { RatingDocument } from "./document.js";
import { problemsOf, warningsOf } from "./problems.js";
import { QuestionCard } from "./question-card.js";
import { Sides } from "./sides.js";

const keyOf = (slug, field) => JSON.stringify([slug, field]);

export class RatingScreen extends EventTarget {
  /** @param {object} task the JSON block of the page @param {{root: HTMLElement, panel: HTMLElement}} slots */
  constructor(task, { root, panel }) {
    super();
    Object.assign(this, { task, current: null });
    this.document = this.newDocument(task);
    this.sides = new Sides(root, (place) => this.#read(place));
    this.cards = new Map(task.questions.map((question) => [question.slug, this.newCard(question)]));
    this.panel = panel;
    this.#addActions(panel);
    if (!task.read_only) this.head = new SheetHead(panel, this, { previous: gettext("Back to the question before"), next: gettext("Next question") });
    this.#showAsked();
    this.document.addEventListener("change", ({ detail }) => this.#changed(detail.touched));
    this.flow = new Flow({
      order: () => this.#order, isOpen: (key) => this.#at(key, (card, field) => card.isMissing(field)),
      current: () => this.current && keyOf(this.current.slug, this.current.field), go: (key, said) => this.#go(key, said),
    });
    // Where one question is in front at a time, none is passed over, also if it need not be answered.
    const first = (this.#isSheet && this.#order.find((key) => this.#at(key, (card, field) => card.isEmpty(field)))) || this.flow.first;
    if (first) this.#at(first, (card, field) => this.setCurrent(card.slug, field));
  }

  newDocument(task) {
    return new RatingDocument(task.draft, task.questions, task.sides.length > 1, { rules: task.rules });
  }

  newCard(question) {
    return new QuestionCard(question, this);
  }

  /** What stands in the way of submitting this draft. */
  problemsOf(draft) {
    return problemsOf(this.task, draft);
  }

  /** What the rules find fault with and let pass. */
  warningsOf(draft) {
    return warningsOf(this.task, draft);
  }

  /** The next item begins in its text: in that of the side that is rated first. */
  begin() {
    const current = { ...this.current };
    this.sides.panes[Math.max(this.task.sides.indexOf(current.field), 0)].focus({ preventScroll: true });
    if (current.slug) this.setCurrent(current.slug, current.field);
  }

  /** Everything that a key can answer, in the order of the screen. */
  get #order() {
    const { hidden } = this.document;
    return [...this.cards.values()].filter(({ slug }) => !hidden.has(slug)).flatMap((card) => card.places.map((field) => keyOf(card.slug, field)));
  }

  #at(key, act) {
    const [slug, field] = JSON.parse(key);
    return act(this.cards.get(slug), field);
  }

  /** The focus goes along where it was beside the responses; in one of them, the person goes on reading. */
  #go(key, said = null) {
    this.#at(key, (card, field) => {
      const isReading = this.sides.panes.includes(document.activeElement);
      this.setCurrent(card.slug, field);
      if (this.#isSheet) showFromStart(this.panel);
      if (isReading) card.reveal(field);
      else card.focusField(field);
      announce([said, `${card.question.name}, ${card.nameOf(field)}`].filter(Boolean).join(". "));
    });
  }

  /** What the next digit decides about: a question, and in it a side or the preference. */
  setCurrent(slug, field) {
    this.current = { slug, field };
    for (const card of this.cards.values()) card.setCurrent(card.slug === slug ? field : null);
    this.#showPlace();
    this.sides.setCurrent(this.task.sides.indexOf(field));
  }

  get #isSheet() {
    return getComputedStyle(this.panel).position === "fixed";
  }

  #showPlace() {
    const order = this.#order;
    this.head?.show(Math.max(order.indexOf(this.current ? keyOf(this.current.slug, this.current.field) : ""), 0) + 1, order.length);
  }

  #read(place) {
    const card = this.cards.get(this.current?.slug);
    const side = this.task.sides[place];
    if (card?.places.includes(side)) this.setCurrent(card.slug, side);
  }

  /** Chooses by the key printed on a control of what is current; false where it stands on none. */
  choose(key) {
    const card = this.cards.get(this.current?.slug);
    if (!card || this.locked || this.task.read_only) return false;
    const { field } = this.current;
    const { said, moved } = this.flow.decide(() => card.choose(field, key));
    if (said && !moved) announce(`${card.nameOf(field)}: ${said}`);
    return Boolean(said);
  }

  /** An answer by pointer or finger goes on as one by key does. @param {() => *} give gives it */
  point(slug, field, give) {
    this.setCurrent(slug, field);
    this.flow.decide(() => {
      give();
      return this.cards.get(slug).nameOf(field);
    });
  }

  step(direction) {
    this.flow.step(direction);
  }

  nextOpen() {
    this.flow.nextUndecided();
  }

  comment() {
    const card = this.cards.get(this.current?.slug);
    if (!card?.comment || this.locked) return false;
    card.focusField("comment");
    return true;
  }

  /** From writing or choosing back to the response that is being judged. */
  leave() {
    this.sides.focus(this.task.sides.indexOf(this.current?.field));
  }

  undo() {
    this.#returned(!this.locked && this.document.undo(), gettext("Undone"));
  }

  redo() {
    this.#returned(!this.locked && this.document.redo(), gettext("Done again"));
  }

  #returned(step, said) {
    if (!step) return;
    this.cards.get(step.touched)?.root.querySelector(".question__answer").scrollIntoView({ block: "nearest" });
    announce(said);
  }

  submit() {
    if (this.locked || this.task.read_only) return;
    const problems = this.problemsOf(this.document.serialise());
    if (problems.length) this.showProblems(problems);
    else this.dispatchEvent(new CustomEvent("submit"));
  }

  skip() {
    this.dispatchEvent(new CustomEvent("skip"));
  }

  /** Names what stands in the way of submitting and goes to the first of it. */
  showProblems(problems) {
    this.#showMissing(problems);
    for (const [slug, card] of this.cards) card.showProblems(problems.filter(({ span }) => span === slug));
    this.#goTo(problems[0]);
    announce(`${this.#titleOf(problems[0])} ${problems[0].message}`);
  }

  lock(locked) {
    this.locked = locked;
    for (const card of this.cards.values()) card.lock(locked);
    for (const button of this.buttons) button.disabled = locked;
  }

  #goTo({ span, field }) {
    const card = this.cards.get(span);
    if (card) {
      this.setCurrent(span, card.places.includes(field) ? field : card.places[0]);
      card.focusField(field);
      return;
    }
    this.missing.focus();
    this.missing.scrollIntoView({ block: "nearest" });
  }

  #titleOf({ span, field }) {
    const card = this.cards.get(span);
    if (!card) return "";
    const name = card.nameOf(field);
    return this.cards.size > 1 ? `${card.question.name}, ${name}:` : `${name}:`;
  }

  #showMissing(problems) {
    this.missing.hidden = problems.length === 0;
    const items = problems.slice(0, 40).map((problem) => element("li", {},
      this.cards.has(problem.span)
        ? element("button", { type: "button", class: "btn btn-link", text: this.#titleOf(problem), on: { click: () => this.#goTo(problem) } }) : null,
      element("span", { text: ` ${problem.message}` })));
    this.missing.replaceChildren(
      element("h3", { text: gettext("Not submitted yet. Nothing is lost; this is still missing:") }), element("ul", {}, ...items));
  }

  #changed(touched) {
    if (touched) this.cards.get(touched)?.show();
    else for (const card of this.cards.values()) card.show();
    this.#showAsked();
    if (!this.missing.hidden) this.#showMissing(this.problemsOf(this.document.serialise()));
  }

  /** Shows the questions that are asked after what was answered, and what the rules find fault with and let pass. */
  #showAsked() {
    const { hidden } = this.document;
    for (const card of this.cards.values()) card.root.hidden = hidden.has(card.slug);
    if (this.task.read_only) return;
    this.#showPlace();
    const text = [...new Set(this.warningsOf(this.document.serialise()).map(({ message }) => message))].join(" ");
    this.warning.hidden = !text;
    if (this.warning.textContent !== text) this.warning.textContent = text;
  }

  #addActions(panel) {
    this.warning = element("div", { class: "notice notice--warning", role: "status", hidden: true });
    this.missing = element("div", { class: "error-summary", role: "alert", tabindex: "-1", hidden: true });
    this.buttons = [];
    if (this.task.read_only) return;
    this.buttons.push(submitButton(() => this.submit()));
    if (this.task.skip_reasons?.length) this.buttons.push(skipButton(() => this.skip()));
    panel.append(this.missing, this.warning, element("div", { class: "panel__actions" }, ...this.buttons));
  }
}
