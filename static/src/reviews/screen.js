// The review screen: joins the text with all errors on it, the cards beside it and the person's gestures. What is
// decided lives in ReviewDocument; how it is kept and sent, in the Sync of the marking screen.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { keyedButton, skipButton, submitButton } from "../task_kit/actions.js";
import { announce } from "../task_kit/announce.js";
import { Flow } from "../task_kit/flow.js";
import { Caret } from "../spans/caret.js";
import { Painter } from "../spans/highlight.js";
import { MarkTags, tagSwitch } from "../spans/mark-tags.js";
import { SpanOrder } from "../spans/order.js";
import { Selector } from "../spans/selection.js";
import { TextView } from "../spans/text-view.js";
import { looksOf } from "../spans/words.js";
import { makeSheet, showFromStart } from "../task_kit/sheet.js";
import { ReviewCard } from "./card.js";
import { ReviewDocument, given, isDecided } from "./document.js";

/** The errors as the painter reads them; they never change here. */
class Claims extends EventTarget {
  constructor(spans) {
    super();
    this.spans = spans;
    this.order = new SpanOrder(spans);
  }

  list() {
    return this.spans;
  }
}

export class ReviewScreen extends EventTarget {
  /** @param {object} task the JSON block of the page @param {{text: HTMLElement, panel: HTMLElement}} slots */
  constructor(task, slots) {
    super();
    this.task = task;
    this.selected = null;
    this.reselecting = null;
    this.view = new TextView(slots.text, task);
    this.document = new ReviewDocument(task.draft);
    const claims = new Claims(task.spans);
    this.painter = new Painter(this.view, claims, looksOf(task));
    new MarkTags(this.view, claims, task);
    this.selector = new Selector(this.view, this.painter);
    this.caret = new Caret(this.view, this.selector);
    this.selector.enabled = false; // words are chosen only while boundaries are corrected
    this.cards = new Map(task.spans.map((span, number) => [span.id, new ReviewCard(span, number + 1, this)]));
    this.flow = new Flow({
      order: () => [...this.cards.keys()], isOpen: (key) => !isDecided(this.document.get(key)),
      current: () => this.selected, go: (key, said) => this.#go(key, said),
    });
    this.#buildPanel(slots.panel);
    this.#listen();
    this.refresh();
    if (!task.read_only) this.select(this.flow.first, { focus: false, scroll: false });
  }

  /** The next item begins in its text. */
  begin() {
    this.view.focus();
  }

  #listen() {
    this.document.addEventListener("change", ({ detail }) => {
      for (const [key, review] of detail.after) {
        if (detail.before.get(key) === review) continue;
        const card = this.cards.get(key);
        card?.show(review);
        if (key === this.selected) this.painter.show("selected", ...card.ranges());
      }
    });
    this.document.addEventListener("state", () => this.refresh());
    this.selector.addEventListener("mark", ({ detail }) => this.#chosen(detail));
    this.selector.addEventListener("point", ({ detail }) => this.#point(detail));
    this.selector.addEventListener("pending", ({ detail }) => {
      if (detail.range) announce(gettext("Start set. Choose the end."));
    });
    this.caret.addEventListener("moved", ({ detail }) => announce(detail.text));
    this.view.root.addEventListener("click", (event) => {
      if (!this.reselecting) this.#selectAt(this.view.positionUnder(event.clientX, event.clientY));
    });
  }

  /** Whether text and cards stand side by side. */
  get isBeside() {
    return getComputedStyle(this.panel).position === "sticky";
  }

  #buildPanel(panel) {
    this.panel = panel;
    const steps = this.task.read_only ? "" : makeSheet(panel, this, { previous: gettext("Back to the error before"), next: gettext("Next error") });
    this.count = element("p", { class: "panel__count", role: "status" });
    this.meter = element("progress", { class: "meter", max: this.document.size || 1, "aria-label": gettext("Decided") });
    this.next = keyedButton(gettext("Next undecided"), "N", () => this.nextUndecided(), "btn-sm btn-secondary");
    this.missing = element("p", { class: "notice notice--error", role: "alert", hidden: true });
    this.submitButton = submitButton(() => this.submit());
    this.skipButton = this.task.skip_reasons?.length ? skipButton(() => this.skip()) : null;
    panel.append(
      element("div", { class: "review-head surface" }, this.count, steps, this.meter, this.task.read_only ? "" : this.next),
      element("ol", { class: "review-cards" }, ...[...this.cards.values()].map(({ root }) => root)),
      tagSwitch(),
      this.missing,
      this.task.read_only ? "" : this.#foot());
  }

  /** Where one decides, whichever card is current: at the bottom, at one place. The choices of each card are there, those of the current one shown. */
  #foot() {
    const foot = element("div", { class: "review-foot" },
      element("div", { class: "review-verdicts" }, ...[...this.cards.values()].map(({ choices }) => choices)),
      element("div", { class: "panel__actions" }, this.submitButton, this.skipButton));
    new ResizeObserver(() => this.panel.style.setProperty("--foot", `${foot.offsetHeight}px`)).observe(foot);
    this.verdicts = foot.firstChild;
    return foot;
  }

  refresh() {
    const { decided, size } = this.document;
    const text = interpolate(gettext("%(decided)s of %(total)s decided"), { decided, total: size });
    if (this.count.textContent !== text) this.count.textContent = text;
    this.meter.value = decided;
    this.next.disabled = decided === size;
    if (decided === size) this.missing.hidden = true;
  }

  select(key, { focus = true, scroll = true } = {}) {
    const card = this.cards.get(key);
    if (!card) return;
    if (this.reselecting && this.reselecting !== card) this.#endReselect();
    const changed = this.selected !== key;
    // The verdicts of the card that is left are hidden: the focus would go with them.
    const wasThere = changed && Boolean(this.verdicts?.contains(document.activeElement));
    if (changed) {
      this.cards.get(this.selected)?.setCurrent(false);
      this.selected = key;
      card.setCurrent(true);
      const range = card.range();
      this.painter.show("selected", ...card.ranges());
      // As a sheet, the card comes to the words and the text stays; a button shows them there.
      if (scroll && range && this.isBeside) this.view.scrollTo(...range);
    }
    if (focus || wasThere) card.focus();
    if (focus) announce(`${card.title}: ${ReviewCard.nameOf(card.span)}`);
  }

  /** The focus goes along where it was beside the text; in the text, the person goes on reading. */
  #go(key, said = null) {
    const wasBeside = !this.view.root.contains(document.activeElement);
    this.select(key, { focus: wasBeside, scroll: this.isBeside });
    const { root, title, span } = this.cards.get(key);
    if (!this.isBeside) showFromStart(this.panel);
    else if (!wasBeside) root.scrollIntoView({ block: "nearest" });
    announce([said, `${title}: ${ReviewCard.nameOf(span)}`].filter(Boolean).join(". "));
  }

  step(direction) {
    this.flow.step(direction);
  }

  nextUndecided() {
    this.flow.nextUndecided();
  }

  /** Gives a verdict on the current error; one that was open goes on to the next. */
  decide(verdict) {
    if (!verdict || !this.selected || this.locked || this.task.read_only) return false;
    const { said, moved } = this.flow.decide(() => {
      this.document.update(this.selected, given(verdict.value, this.document.get(this.selected), this.task));
      return verdict.label;
    });
    if (!moved) announce(said);
    return true;
  }

  /** Decides about the current error by the digit printed on the control. */
  chooseDigit(digit) {
    return this.decide(this.task.verdicts[digit - 1]);
  }

  comment() {
    const card = this.cards.get(this.selected);
    card?.writeComment();
    return Boolean(card);
  }

  skip() {
    this.dispatchEvent(new CustomEvent("skip"));
  }

  /** Scrolls to the words of a card, where the text stands above the cards. */
  showInText(key) {
    this.select(key, { focus: false });
    this.#showWords(key);
  }

  /** As a sheet the panel covers the page from its top down. */
  #showWords(key) {
    const range = this.cards.get(key).range();
    if (range) this.view.scrollTo(...range, this.isBeside ? undefined : this.panel.getBoundingClientRect().top);
  }

  /** Lets the words of an error be chosen anew in the text, by any pointer or by keyboard. */
  reselect(card) {
    this.select(card.span.id, { focus: false });
    this.reselecting = card;
    this.selector.enabled = true;
    this.view.root.classList.add("reading--choosing");
    this.view.root.focus({ preventScroll: true });
    const range = card.range();
    if (range) this.view.scrollTo(...range);
    announce(gettext("Choose the words anew. Escape leaves them as they are."));
  }

  #endReselect() {
    this.reselecting = null;
    this.selector.cancel();
    this.selector.enabled = false;
    this.view.root.classList.remove("reading--choosing");
  }

  #chosen({ start, end }) {
    const card = this.reselecting;
    if (!card) return;
    card.correction.setRange(start, end);
    this.#endReselect();
    card.focus();
  }

  #point({ position, touch }) {
    if (!this.reselecting) return;
    if (position !== null) this.caret.remember(position);
    const unit = position === null || !touch ? null : this.selector.unitAt(position);
    if (unit) this.selector.begin(unit);
  }

  #selectAt(position) {
    if (position === null) return;
    const found = this.painter.document.order.at(this.view.index.toCodePoint(position));
    if (!found.length) return;
    const at = found.findIndex(({ id }) => id === this.selected);
    this.select(found[(at + 1) % found.length].id, { scroll: false });
  }

  /** Escape: one step back, from a start, from choosing words, from a card to the text. */
  leave() {
    if (this.selector.cancel()) return true;
    if (this.reselecting) {
      const card = this.reselecting;
      this.#endReselect();
      card.focus();
      return true;
    }
    this.view.root.focus({ preventScroll: true });
    return true;
  }

  undo() {
    if (this.locked) return;
    const step = this.document.undo();
    if (step) this.#returned(step.touched, gettext("Undone"));
  }

  redo() {
    if (this.locked) return;
    const step = this.document.redo();
    if (step) this.#returned(step.touched, gettext("Done again"));
  }

  #returned(key, said) {
    this.select(key, { focus: false });
    announce(said);
  }

  submit() {
    if (this.locked || this.task.read_only) return;
    const problems = [...this.cards.values()].filter(({ span }) => !isDecided(this.document.get(span.id))).map(({ span }) => ({
      span: span.id,
      message: this.document.get(span.id).verdict ? gettext("Change what should be different, or keep the error as it is.") : gettext("Decide about this error."),
    }));
    if (problems.length) this.showProblems(problems);
    else this.dispatchEvent(new CustomEvent("submit"));
  }

  /** Names what stands in the way of submitting and goes to the first of it. */
  showProblems(problems) {
    const known = problems.filter(({ span }) => this.cards.has(span));
    for (const { span, message } of known) this.cards.get(span).showProblem(message);
    this.missing.hidden = false;
    if (known.length < problems.length) {
      this.missing.replaceChildren(gettext("Errors were added to this item meanwhile. What you decided is kept."), " ",
        element("a", { href: window.location.href, text: gettext("Show them") }));
      this.missing.scrollIntoView({ block: "nearest" });
      return;
    }
    this.missing.textContent = interpolate(gettext("Not submitted yet. Nothing is lost; %(count)s still to be decided."), { count: known.length });
    const [{ span, message }] = known;
    this.select(span, { scroll: false });
    this.#showWords(span); // last, for bringing the card into view may move the page
    announce(message);
  }

  lock(locked) {
    this.locked = locked;
    for (const { root } of this.cards.values()) root.toggleAttribute("inert", locked);
    this.verdicts?.toggleAttribute("inert", locked);
    for (const button of [this.submitButton, this.skipButton]) if (button) button.disabled = locked;
    if (locked) this.#endReselect();
  }
}
