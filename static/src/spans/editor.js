// The marking screen: joins the text, the marks on it, the panel beside it and the person's gestures. What is marked
// lives in SpanDocument; how it is kept and sent, in Sync.
import { gettext, interpolate } from "../site/text.js";
import { announce } from "../task_kit/announce.js";
import { Caret } from "./caret.js";
import { Dividing } from "./dividing.js";
import { SpanDocument } from "./document.js";
import { SpanForm, partName } from "./form.js";
import { Painter } from "./highlight.js";
import { SpanList } from "./list.js";
import { MarkTags } from "./mark-tags.js";
import { askWhereMissing } from "./missing.js";
import { Panel } from "./panel.js";
import { partsOf } from "./parts.js";
import { Repeating } from "./repeating.js";
import { Selector } from "./selection.js";
import { stretched } from "./stretching.js";
import { TextView } from "./text-view.js";
import { looksOf } from "./words.js";

const BLANK = { quote: "", paragraph: null, start: null, end: null, type: "", criticality: "", category: "", explanation: "", correction: "", more: null };

export class Editor extends EventTarget {
  /** @param {object} task the JSON block of the page @param {{text: HTMLElement, panel: HTMLElement}} slots
   * @param {{Score?: Function, Questions?: Function, AskedSheet?: Function}} [beside] what shows the score of the whole and the other parts */
  constructor(task, slots, beside = {}) {
    super();
    this.task = task;
    this.selected = null;
    this.reselecting = null;
    this.adding = false; // whether the words chosen anew come beside those of the mark
    this.view = new TextView(slots.text, task);
    this.document = new SpanDocument(task.draft, {
      asks: { type: task.types.length > 0, criticality: task.criticalities.length > 0, score: Boolean(task.score) },
      parts: task.questions ?? [],
      rules: task.rules,
      asksCategory: (span) => this.form?.categoriesFor(span.type).length > 0,
    });
    this.dividing = new Dividing(this);
    this.form = new SpanForm(task, this.document, {
      remove: (id) => this.remove(id), close: () => this.leave(),
      reselect: (id) => this.#reselect(id), again: (id) => this.#again(id),
      add: (id) => this.#reselect(id, true), removePart: (id, number) => this.dividing.remove(id, number),
      repeat: task.repeats ? (id) => this.repeating.begin(id) : null,
    });
    this.painter = new Painter(this.view, this.document, looksOf(task));
    this.tags = new MarkTags(this.view, this.document, task);
    this.selector = new Selector(this.view, this.painter);
    this.caret = new Caret(this.view, this.selector);
    this.list = new SpanList(task, this.document, (id) => this.select(id, { scroll: true }));
    this.score = task.score ? new beside.Score(task, this.document, slots.panel.querySelector(".question")) : null;
    this.questions = task.questions?.length ? new beside.Questions(this) : null;
    this.asked = beside.AskedSheet && !task.read_only ? new beside.AskedSheet(this) : null;
    this.panel = new Panel(slots.panel, this);
    this.repeating = new Repeating(this);
    this.selector.enabled = !task.read_only;
    this.#listen();
    this.#showOmissions();
  }

  /** The next item begins in its text. */
  begin() {
    this.view.focus();
  }

  #listen() {
    this.selector.addEventListener("mark", ({ detail }) => this.mark(detail));
    this.selector.addEventListener("point", ({ detail }) => this.#point(detail));
    this.caret.addEventListener("moved", ({ detail }) => {
      this.asked?.close();
      announce(detail.text);
    });
    this.selector.addEventListener("pending", ({ detail }) => {
      if (!detail.range) return;
      // A sheet over the text would hide the words to choose from.
      this.asked?.close();
      if (this.form.coversText && !this.reselecting) this.deselect();
      announce(gettext("Start set. Choose the end."));
    });
    this.document.addEventListener("change", ({ detail }) => this.#changed(detail));
    this.view.addEventListener("redrawn", () => this.#showOmissions());
    let frame = null;
    this.view.root.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "mouse" || event.buttons) return;
      frame ??= requestAnimationFrame(() => {
        frame = null;
        this.#hover(event.clientX, event.clientY);
      });
    });
    this.view.root.addEventListener("pointerleave", () => this.painter.show("hover", null));
  }

  spansAt(position) {
    return position === null ? [] : this.document.order.at(this.view.index.toCodePoint(position));
  }

  range(span) {
    return span?.anchor === "words" ? [this.view.index.toUtf16(span.start), this.view.index.toUtf16(span.end)] : null;
  }

  nameOf(id) {
    return SpanForm.name(this.document.get(id), this.task);
  }

  #hover(x, y) {
    const [span] = this.spansAt(this.view.positionUnder(x, y));
    if (span?.id === this.hovered) return;
    this.hovered = span?.id;
    this.painter.show("hover", ...this.dividing.ranges(span));
  }

  #point({ position, touch }) {
    const found = this.spansAt(position);
    if (position !== null) this.caret.remember(position);
    if (!found.length) {
      const unit = position === null || !touch ? null : this.selector.unitAt(position);
      if (unit) this.selector.begin(unit);
      else if (!this.reselecting) this.deselect();
      return;
    }
    const at = found.findIndex(({ id }) => id === this.selected);
    // Tapped again, a mark gives way to a new one that begins on its words; clicked again, to the mark beneath it.
    if (touch && at >= 0) this.selector.begin(this.selector.unitAt(position));
    else this.select(found[(at + 1) % found.length].id);
  }

  /** Marks a range chosen by any means; one that is marked already is selected instead. UTF-16 offsets. */
  mark({ start, end, keyboard = false }) {
    const words = this.#words(start, end);
    if (this.reselecting) {
      if (this.adding) this.dividing.add(this.reselecting, [start, end]);
      else this.moveTo(this.reselecting, { ...words, more: null });
      this.select(this.reselecting, { keyboard });
      return;
    }
    const known = this.document.order.overlapping(words.start, words.end)
      .find((span) => partsOf(span).some((part) => part.start === words.start && part.end === words.end));
    const span = known ?? this.document.add({ ...BLANK, ...words, anchor: "words" });
    this.select(span.id, { keyboard });
  }

  /**
   * Moves an edge of the selected mark on (1) or back (-1) by a word, or a letter where letters are marked; its form stays.
   * Of a mark of several parts the one moves that the caret stands in, else the first.
   */
  stretch(edge, step) {
    const ranges = this.dividing.ranges(this.document.get(this.selected));
    if (!ranges.length || this.locked || this.task.read_only) return false;
    const at = this.dividing.current(ranges);
    const moved = stretched(this.view.index, ranges[at], edge, step, this.selector.byLetters);
    if (moved) {
      const others = ranges.filter((_range, number) => number !== at);
      this.moveTo(this.selected, this.dividing.joined([...others, moved]), { typing: "words" });
      if (others.length) this.caret.remember(moved[0]);
      if (!this.form.coversText) this.view.scrollTo(...moved);
    }
    announce(this.view.index.text.slice(...(moved ?? ranges[at])));
    return true;
  }

  /** From now on, the words chosen next come to the selected mark. */
  addToSelected() {
    if (!this.selected || this.locked || this.task.read_only || !this.range(this.document.get(this.selected))) return false;
    this.#reselect(this.selected, true);
    return true;
  }

  /** A mark with other words repeats none any more. */
  moveTo(id, words, how) {
    const isSame = words.quote === this.document.get(id)?.quote && !words.more?.length;
    this.document.update(id, isSame ? words : { ...words, origin: "" }, how);
  }

  /** The same words again, for the selected mark. */
  repeatSelected() {
    if (!this.selected || this.locked || this.repeating.runs) return false;
    this.repeating.begin(this.selected);
    return true;
  }

  /** The mark of this id once more, at other words: all that is said of it is said there too. UTF-16 [start, end]. */
  repeat(id, [start, end]) {
    const from = this.document.get(id);
    this.document.add({ ...from, ...this.#words(start, end), origin: from.origin || id, more: null });
  }

  /** What a mark stores of its words. */
  #words(start, end) {
    const { index } = this.view;
    return { start: index.toCodePoint(start), end: index.toCodePoint(end), quote: index.text.slice(start, end) };
  }

  async addOmission() {
    const where = await askWhereMissing(this.view, this.task);
    if (where) this.select(this.document.add({ ...BLANK, ...where }).id);
  }

  #again(id) {
    const { anchor, start, end, quote, more } = this.document.get(id);
    this.select(this.document.add({ ...BLANK, anchor, start, end, quote, more }).id);
  }

  #reselect(id, adding = false) {
    this.reselecting = id;
    this.adding = adding;
    this.form.root.classList.add("span-form--reselecting");
    this.view.root.focus({ preventScroll: true });
    announce(adding ? gettext("Choose the further words. Escape leaves the error as it is.")
      : gettext("Choose the words anew. Escape leaves them as they are."));
  }

  #endReselect() {
    this.reselecting = null;
    this.adding = false;
    this.form.root.classList.remove("span-form--reselecting");
  }

  select(id, { scroll = false, focus = true } = {}) {
    const span = this.document.get(id);
    if (!span) return;
    this.repeating.stop();
    this.selector.cancel();
    this.#endReselect();
    this.selected = id;
    const number = this.document.order.indexOf(span) + 1;
    this.form.show(span, interpolate(gettext("Error %(number)s"), { number }));
    this.list.setSelected(id);
    const range = this.range(span);
    this.painter.show("selected", ...this.dividing.ranges(span));
    document.documentElement.classList.add("has-span-form");
    if (range && (scroll || this.form.coversText)) this.view.scrollTo(...range, this.form.coversText ? this.form.top : undefined);
    if (focus) this.form.focus();
    const parts = partsOf(span);
    const spoken = parts.length > 1 ? parts.map(({ quote }, at) => `${partName(at, parts.length)}: ${quote}`).join(". ") : this.nameOf(id);
    announce(interpolate(gettext("Error %(number)s: %(name)s"), { number, name: spoken }));
  }

  deselect() {
    if (!this.selected) return;
    if (this.reselecting) this.selector.cancel();
    this.#endReselect();
    this.selected = null;
    this.form.show(null);
    this.list.setSelected(null);
    this.painter.show("selected", null);
    document.documentElement.classList.remove("has-span-form");
  }

  /** Escape: one step back, from a start, from new words, from the form to the text. */
  leave() {
    if (this.repeating.stop() || this.selector.cancel()) return true;
    if (this.reselecting) {
      this.#endReselect();
      return true;
    }
    if (this.asked?.close() || this.questions?.focused) {
      this.view.root.focus({ preventScroll: true });
      return true;
    }
    if (!this.selected) return false;
    const range = this.range(this.document.get(this.selected));
    this.deselect();
    if (range) this.caret.remember(range[0]);
    this.view.root.focus({ preventScroll: true });
    return true;
  }

  /** Selects the next or previous error in reading order. */
  step(direction) {
    const spans = this.document.order.sorted;
    if (!spans.length) return false;
    const at = this.selected ? this.document.order.indexOf(this.document.get(this.selected)) : direction > 0 ? -1 : spans.length;
    const next = spans[Math.max(0, Math.min(at + direction, spans.length - 1))];
    const inList = this.list.contains(document.activeElement);
    this.select(next.id, { scroll: true, focus: !inList });
    if (inList) this.list.focus(next.id);
    return true;
  }

  remove(id) {
    if (this.task.read_only || this.locked) return;
    const name = this.nameOf(id);
    this.document.remove(id);
    announce(interpolate(gettext("Deleted: %(name)s. Undo brings it back."), { name }));
  }

  removeSelected() {
    if (!this.selected) return false;
    this.remove(this.selected);
    return true;
  }

  toggleNoErrors() {
    if (this.document.size || this.locked || this.task.read_only) return false;
    this.document.setNoErrors(!this.document.noErrors);
    announce(this.document.noErrors ? gettext("No errors") : gettext("No errors marked yet"));
    return true;
  }

  /** From wherever one is, to the score. */
  goToScore() {
    if (!this.score || this.locked) return false;
    this.asked?.open(this.score.root);
    this.score.focus();
    return true;
  }

  undo() {
    if (!this.locked && this.document.undo()) announce(gettext("Undone"));
  }

  redo() {
    if (!this.locked && this.document.redo()) announce(gettext("Done again"));
  }

  /** Shows the first thing that is missing and names all; true when nothing is. */
  checkComplete(problems = this.document.problems()) {
    this.panel.showMissing(problems);
    this.questions?.showProblems(problems);
    if (!problems.length) return true;
    this.goTo(problems[0]);
    announce(problems[0].message);
    return false;
  }

  goTo({ span, field, message }) {
    if (!span && field === "score" && this.score) { // a part may be called so as well
      this.score.showProblem(message);
      this.goToScore();
      return;
    }
    if (this.questions?.has(span) && !this.document.get(span)) {
      this.questions.focus(span);
      return;
    }
    if (!span || !this.document.get(span)) {
      this.asked?.close();
      this.panel.missing.focus();
      this.panel.missing.scrollIntoView({ block: "nearest" });
      return;
    }
    this.select(span, { scroll: true, focus: false });
    this.form.showProblems(this.document.problems().filter((problem) => problem.span === span));
    this.form.focusField(field);
  }

  submit() {
    if (this.locked || this.task.read_only) return;
    if (this.checkComplete() && this.#isWarned()) this.dispatchEvent(new CustomEvent("submit"));
  }

  /** True where there is nothing to warn of, or where just that was shown before: who submits again means it. */
  #isWarned() {
    const warnings = this.document.warnings();
    const told = JSON.stringify(warnings.map(({ span, message }) => [span, message]));
    if (!warnings.length || this.warned === told) return true;
    this.warned = told;
    this.asked?.close();
    this.panel.showWarnings(warnings);
    announce(warnings[0].message);
    return false;
  }

  skip() {
    this.dispatchEvent(new CustomEvent("skip"));
  }

  lock(locked) {
    this.locked = locked;
    if (locked) this.repeating.stop();
    this.selector.enabled = !locked && !this.task.read_only;
    this.panel.lock(locked);
    this.score?.lock(locked);
    this.questions?.lock(locked);
    this.form.root.toggleAttribute("inert", locked);
  }

  #changed({ before, after }) {
    if (before && !after && before.id === this.selected) {
      this.deselect();
      this.view.root.focus({ preventScroll: true });
    }
    if (after && after.id === this.selected) this.painter.show("selected", ...this.dividing.ranges(after));
    if ((after ?? before).anchor !== "words") this.#showOmissions();
  }

  #showOmissions() {
    const holed = new Set();
    let whole = false;
    for (const { anchor, paragraph } of this.document.spans.values()) {
      if (anchor === "paragraph") holed.add(paragraph);
      if (anchor === "response") whole = true;
    }
    for (const node of this.view.elements) node.classList.remove("has-omission");
    for (const number of holed) this.view.elements[number]?.classList.add("has-omission");
    this.view.root.classList.toggle("has-omission", whole);
  }
}
