// The rating screen: joins the responses, the questions beside them and the person's gestures. What is said lives in
// RatingDocument; how it is kept and sent, in the Sync of the marking screen.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { announce } from "../task_kit/announce.js";
import { RatingDocument } from "./document.js";
import { problemsOf } from "./problems.js";
import { QuestionCard } from "./question-card.js";
import { Sides } from "./sides.js";

export class RatingScreen extends EventTarget {
  /** @param {object} task the JSON block of the page @param {{root: HTMLElement, panel: HTMLElement}} slots */
  constructor(task, { root, panel }) {
    super();
    this.task = task;
    this.document = new RatingDocument(task.draft, task.questions, task.sides.length > 1);
    this.sides = new Sides(root, panel, (place) => this.#read(place));
    this.cards = new Map(task.questions.map((question) => [question.slug, new QuestionCard(question, this)]));
    this.#addActions(panel);
    this.document.addEventListener("change", ({ detail }) => this.#changed(detail.touched));
    const [first] = this.#open();
    const card = this.cards.values().next().value;
    if (first) this.setCurrent(first.slug, first.field);
    else if (card) this.setCurrent(card.slug, card.places[0]);
  }

  /** What the next digit decides about: a question, and in it a side or the preference. */
  setCurrent(slug, field) {
    this.current = { slug, field };
    for (const card of this.cards.values()) card.setCurrent(card.slug === slug ? field : null);
    this.sides.setCurrent(this.task.sides.indexOf(field));
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
    const said = card.choose(field, key);
    if (said) announce(`${card.nameOf(field)}: ${said}`);
    return Boolean(said);
  }

  #open() {
    return [...this.cards.values()].flatMap((card) => card.places.filter((field) => card.isMissing(field)).map((field) => ({ slug: card.slug, field })));
  }

  nextOpen() {
    const open = this.#open();
    const order = [...this.cards.values()].flatMap((card) => card.places.map((field) => `${card.slug} ${field}`));
    const at = order.indexOf(`${this.current?.slug} ${this.current?.field}`);
    const next = open.find(({ slug, field }) => order.indexOf(`${slug} ${field}`) > at) ?? open[0];
    if (next) this.cards.get(next.slug).focusField(next.field);
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
    const problems = problemsOf(this.task, this.document.serialise());
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
    if (!this.missing.hidden) this.#showMissing(problemsOf(this.task, this.document.serialise()));
  }

  #addActions(panel) {
    const button = (label, run, kind) => element("button", { type: "button", class: `btn ${kind}`, on: { click: run } }, element("span", { text: label }));
    this.missing = element("div", { class: "error-summary", role: "alert", tabindex: "-1", hidden: true });
    this.buttons = [];
    if (this.task.read_only) return;
    const submit = button(gettext("Submit"), () => this.submit(), "btn-primary");
    submit.append(element("kbd", { "aria-hidden": "true", text: /Mac/.test(navigator.platform) ? "⌘⏎" : "Ctrl ⏎" }));
    this.buttons.push(submit);
    if (this.task.skip_reasons?.length) this.buttons.push(button(gettext("Skip"), () => this.skip(), "btn-quiet"));
    panel.append(this.missing, element("div", { class: "panel__actions" }, ...this.buttons));
  }
}
