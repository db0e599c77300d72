// The criteria as a list that is written, moved about and summed up.
import { element } from "../site/dom.js";
import { gettext, interpolate, ngettext } from "../site/text.js";
import { announce } from "../task_kit/announce.js";
import { CriterionCard } from "./criterion.js";
import { maximum } from "./document.js";
import { Reorder } from "./reorder.js";

/** Remarks nobody has answered, in words. */
export function remarksInWords(count) {
  return count ? interpolate(ngettext("%(count)s remark", "%(count)s remarks", count), { count }) : gettext("No remarks");
}

export class Criteria {
  /** @param {import("./screen.js").AuthoringScreen} screen */
  constructor(screen) {
    Object.assign(this, { screen, document: screen.document, cards: new Map() });
    this.list = element("ol", { class: "criteria" });
    this.sum = element("p", { class: "criteria__sum num" });
    this.lint = element("p", { class: "criteria__lint small muted" });
    this.limits = element("p", { class: "small muted", hidden: true });
    this.none = element("p", { class: "muted", text: gettext("None yet. A criterion names one thing that a good answer contains, and what it is worth.") });
    this.error = element("p", { class: "field__error", role: "alert" });
    this.addButton = element("button", { type: "button", class: "btn btn-secondary", text: gettext("Add a criterion"), on: { click: () => this.add() } });
    this.root = element("div", { class: "stack" },
      element("div", { class: "criteria__head" }, this.sum, this.lint), this.limits, this.none, this.list, this.error,
      screen.task.read_only ? null : element("div", {}, this.addButton));
    this.reorder = new Reorder(this.list, {
      handle: ".criterion__grip", allowed: () => !screen.fixed, drop: (card, to) => this.moveTo(this.#keyOf(card), to),
    });
    this.show();
  }

  show() {
    const { criteria } = this.document;
    for (const [key, card] of this.cards) {
      if (this.document.get(key)) continue;
      card.root.remove();
      this.cards.delete(key);
    }
    for (const criterion of criteria) if (!this.cards.has(criterion.key)) this.cards.set(criterion.key, new CriterionCard(criterion, this.screen));
    this.#arrange(criteria.map(({ key }) => this.cards.get(key).root));
    criteria.forEach((criterion, number) => {
      const card = this.cards.get(criterion.key);
      card.show(criterion, number + 1, criteria.length);
      card.showFindings();
    });
    this.none.hidden = criteria.length > 0;
    if (criteria.length) this.error.textContent = "";
    this.sum.textContent = this.summary();
  }

  /** What was found stays while it is checked again: a line that changes at every pause would not let one write. */
  showLint(state, count) {
    const { known } = this;
    this.known ||= state === "checked";
    if (state === "checking") this.lint.textContent = known ? this.lint.textContent : gettext("Checking the wording…");
    else this.lint.textContent = { checked: () => remarksInWords(count), away: () => gettext("The wording is checked again when you are back."), off: () => "" }[state]();
  }

  /** What is not checked in this language, so that no remarks are not taken for no faults. */
  showLimits(words) {
    this.limits.textContent = words;
    this.limits.hidden = !words;
  }

  summary() {
    const count = this.document.criteria.length;
    return interpolate(ngettext("%(count)s criterion · maximum %(maximum)s", "%(count)s criteria · maximum %(maximum)s", count),
      { count, maximum: maximum(this.document.state) });
  }

  add(after = null) {
    if (this.screen.fixed) return;
    const card = this.cards.get(this.document.add({}, after));
    card.fields.text.focus();
  }

  remove(key) {
    if (this.screen.fixed) return;
    const at = this.document.indexOf(key);
    if (!this.document.remove(key)) return;
    announce(interpolate(gettext("Criterion %(number)s deleted. Undo brings it back."), { number: at + 1 }));
    const next = this.document.criteria[Math.min(at, this.document.criteria.length - 1)];
    if (next) this.cards.get(next.key).focus();
    else this.addButton.focus();
  }

  /** One place up (-1) or down (1). */
  move(key, way) {
    this.moveTo(key, this.document.indexOf(key) + way);
  }

  moveTo(key, to) {
    if (this.screen.fixed || !this.document.move(key, to)) return;
    const card = this.cards.get(key);
    card.root.scrollIntoView({ block: "nearest" });
    announce(interpolate(gettext("Moved to place %(number)s of %(count)s"), { number: card.number, count: this.document.criteria.length }));
  }

  /** The key of the criterion that a part of the page belongs to. */
  keyAt(node) {
    const card = node?.closest?.(".criterion");
    return card ? this.#keyOf(card) : null;
  }

  #keyOf(root) {
    for (const [key, card] of this.cards) if (card.root === root) return key;
    return null;
  }

  /** Puts the cards into order around the one in use: what holds the focus is never taken out of the page. */
  #arrange(roots) {
    if (roots.length === this.list.children.length && roots.every((root, number) => this.list.children[number] === root)) return;
    const at = Math.max(0, roots.findIndex((root) => root.contains(globalThis.document.activeElement)));
    if (!roots.length) return;
    if (roots[at].parentNode !== this.list) this.list.append(roots[at]);
    roots[at].before(...roots.slice(0, at));
    roots[at].after(...roots.slice(at + 1));
  }
}
