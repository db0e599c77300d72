// The review screen: joins the text with all errors on it, the cards beside it and the person's gestures. What is
// decided lives in ReviewDocument; how it is kept and sent, in the Sync of the marking screen.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { announce } from "../task_kit/announce.js";
import { Caret } from "../spans/caret.js";
import { Painter } from "../spans/highlight.js";
import { SpanOrder } from "../spans/order.js";
import { Selector } from "../spans/selection.js";
import { TextView } from "../spans/text-view.js";
import { ReviewCard } from "./card.js";
import { ReviewDocument, isDecided } from "./document.js";

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
    this.painter = new Painter(this.view, new Claims(task.spans));
    this.selector = new Selector(this.view, this.painter);
    this.caret = new Caret(this.view, this.selector);
    this.selector.enabled = false; // words are chosen only while boundaries are corrected
    this.cards = new Map(task.spans.map((span, number) => [span.id, new ReviewCard(span, number + 1, this)]));
    this.#buildPanel(slots.panel);
    this.#listen();
    this.refresh();
  }

  #listen() {
    this.document.addEventListener("change", ({ detail }) => {
      for (const [key, review] of detail.after) {
        if (detail.before.get(key) === review) continue;
        const card = this.cards.get(key);
        card?.show(review);
        if (key === this.selected) this.painter.show("selected", card.range());
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

  #buildPanel(panel) {
    this.count = element("p", { class: "panel__count", role: "status" });
    this.meter = element("progress", { class: "meter", max: this.document.size || 1, "aria-label": gettext("Decided") });
    this.next = element("button", { type: "button", class: "btn btn-sm btn-secondary", text: gettext("Next undecided"), on: { click: () => this.nextUndecided() } });
    this.missing = element("p", { class: "notice notice--error", role: "alert", hidden: true });
    this.submitButton = element("button", { type: "button", class: "btn btn-primary", on: { click: () => this.submit() } },
      element("span", { text: gettext("Submit") }), element("kbd", { "aria-hidden": "true", text: /Mac/.test(navigator.platform) ? "⌘⏎" : "Ctrl ⏎" }));
    this.skipButton = this.task.skip_reasons?.length
      ? element("button", { type: "button", class: "btn btn-quiet", text: gettext("Skip"), on: { click: () => this.dispatchEvent(new CustomEvent("skip")) } }) : null;
    panel.append(
      element("div", { class: "review-head surface" }, this.count, this.meter, this.task.read_only ? "" : this.next),
      element("ol", { class: "review-cards" }, ...[...this.cards.values()].map(({ root }) => root)),
      this.missing,
      this.task.read_only ? "" : element("div", { class: "panel__actions" }, this.submitButton, this.skipButton));
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
    if (changed) {
      this.cards.get(this.selected)?.setCurrent(false);
      this.selected = key;
      card.setCurrent(true);
      const range = card.range();
      this.painter.show("selected", range);
      if (scroll && range) this.view.scrollTo(...range);
    }
    if (focus) {
      card.focus();
      announce(`${card.title}: ${ReviewCard.nameOf(card.span)}`);
    }
  }

  step(direction) {
    const keys = [...this.cards.keys()];
    if (!keys.length) return;
    const at = this.selected ? keys.indexOf(this.selected) : direction > 0 ? -1 : keys.length;
    this.select(keys[Math.max(0, Math.min(at + direction, keys.length - 1))]);
  }

  nextUndecided() {
    const keys = [...this.cards.keys()];
    const from = keys.indexOf(this.selected) + 1;
    const key = [...keys.slice(from), ...keys.slice(0, from)].find((each) => !isDecided(this.document.get(each)));
    if (key) this.select(key);
  }

  /** Decides about the current error by the digit printed on the control. */
  chooseDigit(digit) {
    const verdict = this.task.verdicts[digit - 1]?.value;
    if (!verdict || !this.selected || this.locked || this.task.read_only) return false;
    this.document.update(this.selected, { verdict });
    announce(this.task.verdicts[digit - 1].label);
    return true;
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
    this.select(known[0].span);
    announce(known[0].message);
  }

  lock(locked) {
    this.locked = locked;
    for (const { root } of this.cards.values()) root.toggleAttribute("inert", locked);
    for (const button of [this.submitButton, this.skipButton]) if (button) button.disabled = locked;
    if (locked) this.#endReselect();
  }
}
