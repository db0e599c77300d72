// The grading screen: joins the text, the marks on it, the cards beside it and the person's gestures. What is decided
// lives in GradeDocument; how it is kept and sent, in the Sync of the marking screen.
import { gettext, interpolate } from "../site/text.js";
import { announce } from "../task_kit/announce.js";
import { Flow } from "../task_kit/flow.js";
import { showFromStart } from "../task_kit/sheet.js";
import { Caret } from "../spans/caret.js";
import { Painter } from "../spans/highlight.js";
import { Selector } from "../spans/selection.js";
import { TextView } from "../spans/text-view.js";
import { Chosen } from "./chosen.js";
import { CriterionCard } from "./criterion-card.js";
import { GradeDocument } from "./document.js";
import { ErrorCard } from "./error-card.js";
import { Marks } from "./marks.js";
import { Panel } from "./panel.js";
import { problemsOf } from "./problems.js";

export class GradeScreen extends EventTarget {
  /** @param {object} task the JSON block of the page @param {{text: HTMLElement, panel: HTMLElement}} slots */
  constructor(task, slots) {
    super();
    this.task = task;
    this.selected = null;
    this.reselecting = null;
    this.view = new TextView(slots.text, task);
    this.document = new GradeDocument(task.draft, task.criteria, {
      missing: task.failure_types.filter(({ missing }) => missing).map(({ value }) => value),
    });
    this.marks = new Marks(this.document);
    this.painter = new Painter(this.view, this.marks);
    this.selector = new Selector(this.view, this.painter);
    this.caret = new Caret(this.view, this.selector);
    this.selector.enabled = !task.read_only;
    this.chosen = new Chosen(this);
    const counts = { true: 0, false: 0 };
    this.cards = new Map(task.criteria.map((one) => [one.key, new CriterionCard(one, (counts[one.positive] += 1), this)]));
    this.asked = counts.false;
    const isAsked = new Set(task.criteria.map(({ key }) => key));
    this.flow = new Flow({
      order: () => this.order, isOpen: (key) => isAsked.has(key) && !this.document.verdict(key),
      current: () => this.selected, go: (key, said) => this.#go(key, said),
    });
    this.panel = new Panel(slots.panel, this);
    this.#showErrors();
    this.#listen();
    if (!task.read_only) this.select(this.flow.first, { focus: false, scroll: false });
  }

  /** The next item begins in its text. */
  begin() {
    this.view.focus();
  }

  #listen() {
    this.document.addEventListener("change", ({ detail }) => this.#changed(detail));
    this.selector.addEventListener("mark", ({ detail }) => this.#marked(detail));
    this.selector.addEventListener("point", ({ detail }) => this.#point(detail));
    this.selector.addEventListener("pending", ({ detail }) => {
      if (!detail.range) return;
      this.chosen.clear();
      announce(gettext("Start set. Choose the end."));
    });
    this.caret.addEventListener("moved", ({ detail }) => announce(detail.text));
  }

  get order() {
    // As they stand beside the text: what is asked for, then errors that are asked about, then one's own.
    const asked = [true, false].flatMap((wanted) => this.task.criteria.filter(({ positive }) => positive === wanted));
    return [...asked.map(({ key }) => key), ...this.document.negatives.map(({ key }) => key)];
  }

  titleOf(key) {
    const card = this.cards.get(key);
    return card instanceof CriterionCard ? card.title : card.title.textContent;
  }

  /** A range of code points as UTF-16, or null. */
  #range(words) {
    return words && words.map((place) => this.view.index.toUtf16(place));
  }

  select(key, { focus = true, scroll = true } = {}) {
    const card = this.cards.get(key);
    if (!card) return;
    if (this.reselecting && this.reselecting !== key) this.#endReselect();
    if (this.selected !== key) {
      this.cards.get(this.selected)?.setCurrent(false);
      this.selected = key;
      card.setCurrent(true);
      const range = this.#range(card.words);
      this.painter.show("selected", range);
      // Under the text, scrolling it into view would take the card away from the person; it has a button for that.
      if (scroll && range && this.panel.isBeside) this.view.scrollTo(...range);
    }
    if (focus) {
      card.focus();
      announce(`${this.titleOf(key)}: ${card.criterion?.text ?? card.negative.quote}`);
    }
  }

  /** The focus goes along where it was beside the text; in the text, the person goes on reading. */
  #go(key, said = null) {
    const wasBeside = !this.view.root.contains(document.activeElement);
    this.select(key, { focus: wasBeside });
    const card = this.cards.get(key);
    if (!this.panel.isBeside) showFromStart(this.panel.root);
    else if (!wasBeside) card.root.scrollIntoView({ block: "nearest" });
    announce([said, `${this.titleOf(key)}: ${card.criterion?.text ?? card.negative.quote}`].filter(Boolean).join(". "));
  }

  step(direction) {
    this.flow.step(direction);
  }

  nextUndecided() {
    this.flow.nextUndecided();
  }

  /** Scrolls to the words of a card, where the text stands above the cards. */
  showInText(key) {
    this.select(key, { focus: false, scroll: false });
    const range = this.#range(this.cards.get(key)?.words ?? null);
    if (!range) return;
    this.view.root.focus({ preventScroll: true });
    this.view.scrollTo(...range, this.panel.top);
  }

  /** Decides about the current criterion, or chooses the type of the current error, by the key printed on it. */
  choose(printed) {
    const card = this.cards.get(this.selected);
    if (!card || this.locked || this.task.read_only) return false;
    const { said, moved } = this.flow.decide(() => card.choose(printed.toUpperCase()));
    if (said && !moved) announce(said);
    return Boolean(said);
  }

  /** Adds an error on the words chosen in the text, or on none. */
  addError() {
    if (this.locked || this.task.read_only) return;
    const { key } = this.document.add(this.chosen.take());
    this.select(key, { scroll: false });
    this.cards.get(key).focusField("failure_type");
    announce(interpolate(gettext("%(title)s added. Choose its type with 1 to 6."), { title: this.titleOf(key) }));
  }

  remove(key) {
    if (this.locked || this.task.read_only) return;
    const keys = this.order;
    const neighbour = keys[keys.indexOf(key) - 1] ?? keys[1];
    this.document.remove(key);
    if (neighbour) this.select(neighbour);
    announce(gettext("Deleted. Undo brings it back."));
  }

  removeSelected() {
    if (!this.document.negative(this.selected)) return false;
    this.remove(this.selected);
    return true;
  }

  /** Lets the words of an error be chosen in the text, by any pointer or by keyboard. */
  reselect(key) {
    this.select(key, { focus: false });
    this.chosen.clear();
    this.reselecting = key;
    this.view.root.classList.add("reading--choosing");
    this.view.root.focus({ preventScroll: true });
    this.view.root.scrollIntoView({ block: "nearest" });
    announce(gettext("Choose the words in the text. Escape leaves them as they are."));
  }

  #endReselect() {
    this.reselecting = null;
    this.selector.cancel();
    this.view.root.classList.remove("reading--choosing");
  }

  #marked({ start, end, keyboard }) {
    const { index } = this.view;
    const words = { start: index.toCodePoint(start), end: index.toCodePoint(end), quote: index.text.slice(start, end) };
    if (!this.reselecting) {
      this.chosen.offer(words, [start, end], { keyboard });
      return;
    }
    const key = this.reselecting;
    this.document.update(key, words);
    this.#endReselect();
    this.cards.get(key)?.focus();
  }

  #point({ position, touch }) {
    if (position !== null) this.caret.remember(position);
    const found = position === null || this.reselecting ? [] : this.marks.at(this.view.index.toCodePoint(position));
    const at = found.indexOf(this.selected);
    // Tapped again, a mark gives way to words that begin on it; clicked again, to the mark beneath it.
    const begins = touch && position !== null && (!found.length || at >= 0);
    const unit = begins ? this.selector.unitAt(position) : null;
    if (unit) this.selector.begin(unit);
    else if (found.length) this.select(found[(at + 1) % found.length], { scroll: false });
    else this.chosen.clear();
  }

  /** Escape: one step back, from a start, from chosen words, from choosing anew, from a card to the text. */
  leave() {
    if (this.selector.cancel() || this.chosen.clear()) return true;
    if (this.reselecting) {
      const key = this.reselecting;
      this.#endReselect();
      this.cards.get(key)?.focus();
      return true;
    }
    this.view.root.focus({ preventScroll: true });
    return true;
  }

  undo() {
    this.#returned(!this.locked && this.document.undo(), gettext("Undone"));
  }

  redo() {
    this.#returned(!this.locked && this.document.redo(), gettext("Done again"));
  }

  #returned(step, said) {
    if (!step) return;
    if (this.cards.has(step.touched)) this.select(step.touched, { focus: false });
    this.cards.get(step.touched)?.root.scrollIntoView({ block: "nearest" });
    announce(said);
  }

  comment() {
    return this.panel.writeComment();
  }

  submit() {
    if (this.locked || this.task.read_only) return;
    const problems = problemsOf(this.task.criteria, this.document.serialise(), this.task.failure_types, this.task.rules);
    if (problems.length) this.showProblems(problems);
    else this.dispatchEvent(new CustomEvent("submit"));
  }

  skip() {
    this.dispatchEvent(new CustomEvent("skip"));
  }

  /** Names what stands in the way of submitting and goes to the first of it. */
  showProblems(problems) {
    this.panel.showMissing(problems);
    for (const [key, card] of this.cards) card.showProblems(problems.filter(({ span }) => span === key));
    this.goTo(problems[0]);
    announce(problems[0].message);
  }

  goTo({ span, field }) {
    const card = this.cards.get(span);
    if (!card) {
      this.panel.missing.focus();
      this.panel.missing.scrollIntoView({ block: "nearest" });
      return;
    }
    this.select(span);
    card.focusField?.(field);
  }

  lock(locked) {
    this.locked = locked;
    this.selector.enabled = !locked && !this.task.read_only;
    for (const { root } of this.cards.values()) root.toggleAttribute("inert", locked);
    this.panel.lock(locked);
    if (locked) this.chosen.clear();
  }

  #changed({ before, after }) {
    if (before.negatives !== after.negatives) this.#showErrors();
    if (before.verdicts !== after.verdicts) for (const { key } of this.task.criteria) this.cards.get(key).show();
    const card = this.cards.get(this.selected);
    this.painter.show("selected", this.#range(card?.words ?? null));
  }

  /** Keeps one card per error, in the order they were found, without rebuilding those that stand. */
  #showErrors() {
    const { negatives } = this.document;
    const wanted = new Set(negatives.map(({ key }) => key));
    for (const [key, card] of this.cards) {
      if (card instanceof CriterionCard || wanted.has(key)) continue;
      card.root.remove();
      this.cards.delete(key);
      if (this.reselecting === key) this.#endReselect();
      if (this.selected === key) this.selected = null;
    }
    negatives.forEach(({ key }, place) => {
      const known = this.cards.get(key);
      const card = known ?? new ErrorCard(key, this);
      if (!known) this.cards.set(key, card);
      if (known) card.show();
      card.setNumber(this.asked + place + 1);
      if (this.panel.errors.children[place] !== card.root) this.panel.errors.insertBefore(card.root, this.panel.errors.children[place] ?? null);
    });
  }
}
