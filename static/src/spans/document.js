// What a person has marked: spans, or the statement that there are no errors. Pure state with undo; no page, no
// network. Offsets are code points throughout.
import { plainDraft as plainAnswers } from "../questionnaires/document.js";
import { notAsked } from "../questionnaires/rules.js";
import { UndoStack } from "../task_kit/undo.js";
import { SpanOrder } from "./order.js";
import { plainMore, sameWords, withAllParts } from "./parts.js";
import { gettext } from "../site/text.js";
import { findProblems, findWarnings } from "./validation.js";

/** Where the task names no rules. */
const everyMarkIsExplained = () => [{ needs: "explanation", message: gettext("Explain what is wrong.") }];

/**
 * @typedef {{id: string, anchor: "words"|"paragraph"|"response", start: ?number, end: ?number, quote: string,
 *   paragraph: ?number, type: string, criticality: string, category: string, explanation: string,
 *   correction: string, origin?: string, more?: import("./parts.js").Part[]}} Span `origin` is the id of the mark that this
 *   one repeats, `more` its further parts
 * @typedef {{no_errors: boolean, spans: Span[], score?: ?number, answers?: object}} Draft `score` and `answers`, a value by
 *   the key of each part, are there where they are asked for
 */

const FIELDS = ["id", "anchor", "start", "end", "quote", "paragraph", "type", "criticality", "category",
  "explanation", "correction"];

/** A span with exactly the fields of the contract, so that two drafts can be compared as text. */
export function plainSpan(span) {
  const defaults = { start: null, end: null, paragraph: null };
  const plain = Object.fromEntries(FIELDS.map((field) => [field, span[field] ?? (field in defaults ? null : "")]));
  const more = plainMore(span.more);
  return { ...plain, ...(span.origin ? { origin: span.origin } : {}), ...(more ? { more } : {}) };
}

/** @returns {Draft} in canonical order: by position, then id */
export function plainDraft(draft) {
  const spans = (draft?.spans ?? []).map(plainSpan);
  spans.sort((a, b) => (a.start ?? Infinity) - (b.start ?? Infinity) || (a.end ?? 0) - (b.end ?? 0) || (a.id < b.id ? -1 : 1));
  return { no_errors: Boolean(draft?.no_errors), spans, ...scoreOf(draft), ...answersOf(draft) };
}

const scoreOf = (draft) => (draft && "score" in draft ? { score: draft.score ?? null } : {});
const answersOf = (draft) => (draft && "answers" in draft ? plainAnswers(draft) : {});

/** The answers of a plain draft to what is asked now: a draft may be older than the layout. */
const known = ({ answers = {} }, parts) => Object.freeze(Object.fromEntries(Object.entries(answers).filter(([key]) => parts.some(({ slug }) => slug === key))));

export function sameDraft(a, b) {
  return JSON.stringify(plainDraft(a)) === JSON.stringify(plainDraft(b));
}

/** Every span of both drafts. Where one span has other words elsewhere in each and is the same besides, it has all of them;
 * where it differs otherwise, mine keeps its id and theirs comes beside it under a new one. Of two scores, and of two answers
 * to a part, mine stays, theirs where I have given none. */
export function combine(mine, theirs) {
  const combined = new Map(mine.spans.map((span) => [span.id, span]));
  // A database gives the fields of theirs in an order of its own.
  for (const span of theirs.spans.map(plainSpan)) {
    const own = combined.has(span.id) ? plainSpan(combined.get(span.id)) : null;
    const together = own && saysTheSame(own, span) ? withAllParts(own, span) : null;
    if (!own) combined.set(span.id, span);
    else if (together) combined.set(span.id, { ...own, ...together });
    else if (JSON.stringify(own) !== JSON.stringify(span)) {
      const id = crypto.randomUUID();
      combined.set(id, { ...span, id });
    }
  }
  const spans = [...combined.values()];
  const score = mine.score ?? theirs.score ?? null;
  const said = answersOf({ answers: { ...answersOf(theirs).answers, ...answersOf(mine).answers } });
  return { no_errors: spans.length === 0 && (mine.no_errors || theirs.no_errors), spans,
    ...("score" in mine || "score" in theirs ? { score } : {}), ...("answers" in mine || "answers" in theirs ? said : {}) };
}

const PLACE = new Set(["start", "end", "quote"]);

/** Whether two versions of a span differ in nothing but where it lies. */
const saysTheSame = (a, b) => FIELDS.every((field) => PLACE.has(field) || a[field] === b[field]) && a.origin === b.origin;

/** What a step says beside its spans, before it (0) or after it (1). */
const saidBy = (step, at) => ({ noErrors: step.noErrors?.[at], score: step.score?.[at], answers: step.answers?.[at] });

/** Typing changes one span, the score or one answer; two such steps are one where the second goes on from what the first
 * left. */
function extendChange(last, step) {
  for (const whole of ["score", "answers"]) {
    if (step[whole]) {
      last[whole] = [last[whole][0], step[whole][1]];
      return true;
    }
  }
  if (last.changes[0].after !== step.changes[0].before) return false;
  last.changes = [{ before: last.changes[0].before, after: step.changes[0].after }];
  return true;
}

/** Emits "change" with detail {before: ?Span, after: ?Span} per touched span, and "state" when anything changed. */
export class SpanDocument extends EventTarget {
  /**
   * @param {Draft} draft
   * @param {{asks?: {type: boolean, criticality: boolean, score?: boolean}, parts?: object[], asksCategory?: (span: Span) => boolean, rules?: import("./rules.js").Rule[], now?: () => number, newId?: () => string}} [options]
   */
  constructor(draft, { asks = { type: true, criticality: true }, parts = [], asksCategory = () => false, rules = everyMarkIsExplained(), now, newId = () => crypto.randomUUID() } = {}) {
    super();
    this.asks = asks;
    this.parts = parts;
    this.asksCategory = asksCategory;
    this.rules = rules;
    this.newId = newId;
    this.steps = new UndoStack(now);
    this.#load(draft);
  }

  #load(draft) {
    const plain = plainDraft(draft);
    this.spans = new Map(plain.spans.map((span) => [span.id, Object.freeze(span)]));
    this.noErrors = plain.no_errors;
    this.score = plain.score ?? null;
    this.answers = known(plain, this.parts);
    this.order = new SpanOrder(plain.spans);
  }

  get(id) {
    return this.spans.get(id);
  }

  get size() {
    return this.spans.size;
  }

  get canUndo() {
    return this.steps.canUndo;
  }

  get canRedo() {
    return this.steps.canRedo;
  }

  /** All spans in reading order; those on words first by position, then paragraphs, then the response. */
  list() {
    return this.order.ids.map((id) => this.spans.get(id));
  }

  /** @returns {Span} the span added; any claim of "no errors" is withdrawn with it, in the same undo step */
  add(values) {
    const span = Object.freeze(plainSpan({ ...values, id: this.newId() }));
    this.#commit({ changes: [{ before: null, after: span }], noErrors: [this.noErrors, false] });
    return span;
  }

  /** Changes fields of a span. Typing into one field of one span becomes one undo step until there is a pause. */
  update(id, values, { typing = null } = {}) {
    const before = this.spans.get(id);
    if (!before) return null;
    const after = Object.freeze(plainSpan({ ...before, ...values, id }));
    if (FIELDS.every((field) => before[field] === after[field]) && sameWords(before, after)) return before;
    this.#commit({ changes: [{ before, after }], typing });
    return after;
  }

  remove(id) {
    const before = this.spans.get(id);
    if (before) this.#commit({ changes: [{ before, after: null }] });
    return before ?? null;
  }

  setNoErrors(value) {
    if (this.noErrors !== value) this.#commit({ changes: [], noErrors: [this.noErrors, value] });
  }

  /** @param {?number} score null while it is none @param {{typing?: string}} [how] what is written in goes on as one step */
  setScore(score, { typing = null } = {}) {
    if (this.score !== score) this.#commit({ changes: [], score: [this.score, score], typing: typing && `score:${typing}` });
  }

  /** @param {string} key of a part that is asked beside the marks @param {*} value null while there is none */
  setAnswer(key, value, { typing = null } = {}) {
    const before = this.answers;
    if (JSON.stringify(before[key] ?? null) === JSON.stringify(value ?? null)) return;
    const answers = Object.freeze({ ...before, [key]: value });
    this.#commit({ changes: [], answers: [before, answers], typing: typing && `answer ${key}:${typing}` });
  }

  /** The parts that are not asked after what was answered so far. What was said to one comes back with it. */
  get hidden() {
    return notAsked(this.rules, this.answers);
  }

  /** What is answered to the parts that are asked. */
  get given() {
    const { hidden } = this;
    return plainAnswers({ answers: Object.fromEntries(Object.entries(this.answers).filter(([key]) => !hidden.has(key))) }).answers;
  }

  /** Puts another draft in the place of this one, as one step that undo takes back. */
  replace(draft) {
    const next = plainDraft(draft);
    const wanted = new Map(next.spans.map((span) => [span.id, Object.freeze(span)]));
    const changes = [];
    for (const [id, before] of this.spans) {
      if (!wanted.has(id)) changes.push({ before, after: null });
    }
    for (const [id, after] of wanted) {
      const before = this.spans.get(id) ?? null;
      if (!before || JSON.stringify(before) !== JSON.stringify(after)) changes.push({ before, after });
    }
    const score = next.score ?? null;
    const answers = known(next, this.parts);
    const isOther = next.no_errors !== this.noErrors || score !== this.score || JSON.stringify(answers) !== JSON.stringify(this.given);
    if (changes.length || isOther) {
      this.#commit({ changes, noErrors: [this.noErrors, next.no_errors], score: [this.score, score], answers: [this.answers, answers] });
    }
  }

  undo() {
    const step = this.steps.back();
    if (!step) return false;
    this.#apply(step.changes.map(({ before, after }) => ({ before: after, after: before })).reverse(), saidBy(step, 0));
    return true;
  }

  redo() {
    const step = this.steps.forward();
    if (!step) return false;
    this.#apply(step.changes, saidBy(step, 1));
    return true;
  }

  /** @returns {Draft} */
  serialise() {
    const marks = { no_errors: this.noErrors, spans: this.list().map((span) => ({ ...span })) };
    return { ...marks, ...(this.asks.score ? { score: this.score } : {}), ...(this.parts.length ? { answers: this.given } : {}) };
  }

  /** What still stands in the way of submitting; see validation.js. */
  problems() {
    return findProblems(this);
  }

  /** What the rules of the stage find fault with and let pass. */
  warnings() {
    return findWarnings(this);
  }

  #commit(step) {
    this.steps.add(step, extendChange);
    this.#apply(step.changes, saidBy(step, 1));
  }

  #apply(changes, { noErrors = this.noErrors, score = this.score, answers = this.answers }) {
    Object.assign(this, { noErrors, score, answers });
    for (const { before, after } of changes) {
      if (before) this.order.remove(before, Boolean(after) && sameAnchor(before, after));
      if (after) this.spans.set(after.id, after);
      else this.spans.delete(before.id);
      if (after) this.order.insert(after);
      this.dispatchEvent(new CustomEvent("change", { detail: { before, after } }));
    }
    this.dispatchEvent(new CustomEvent("state"));
  }
}

export function sameAnchor(a, b) {
  return a.anchor === b.anchor && a.paragraph === b.paragraph && sameWords(a, b);
}
