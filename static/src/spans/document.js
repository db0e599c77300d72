// What a person has marked: spans, or the statement that there are no errors. Pure state with undo; no page, no
// network. Offsets are code points throughout.
import { SpanOrder } from "./order.js";
import { findProblems } from "./validation.js";

// Keystrokes in one field closer together than this are undone together.
const TYPING_PAUSE = 1200;
const UNDO_DEPTH = 500;

/**
 * @typedef {{id: string, anchor: "words"|"paragraph"|"response", start: ?number, end: ?number, quote: string,
 *   paragraph: ?number, type: string, criticality: string, category: string, explanation: string,
 *   correction: string}} Span
 * @typedef {{no_errors: boolean, spans: Span[]}} Draft
 */

const FIELDS = ["id", "anchor", "start", "end", "quote", "paragraph", "type", "criticality", "category",
  "explanation", "correction"];

/** A span with exactly the fields of the contract, so that two drafts can be compared as text. */
export function plainSpan(span) {
  const defaults = { start: null, end: null, paragraph: null };
  return Object.fromEntries(FIELDS.map((field) => [field, span[field] ?? (field in defaults ? null : "")]));
}

/** @returns {Draft} in canonical order: by position, then id */
export function plainDraft(draft) {
  const spans = (draft?.spans ?? []).map(plainSpan);
  spans.sort((a, b) => (a.start ?? Infinity) - (b.start ?? Infinity) || (a.end ?? 0) - (b.end ?? 0) || (a.id < b.id ? -1 : 1));
  return { no_errors: Boolean(draft?.no_errors), spans };
}

export function sameDraft(a, b) {
  return JSON.stringify(plainDraft(a)) === JSON.stringify(plainDraft(b));
}

/** Emits "change" with detail {before: ?Span, after: ?Span} per touched span, and "state" when anything changed. */
export class SpanDocument extends EventTarget {
  /**
   * @param {Draft} draft
   * @param {{asksCategory?: (span: Span) => boolean, now?: () => number, newId?: () => string}} [options]
   */
  constructor(draft, { asksCategory = () => false, now = () => performance.now(), newId = () => crypto.randomUUID() } = {}) {
    super();
    this.asksCategory = asksCategory;
    this.now = now;
    this.newId = newId;
    this.done = [];
    this.undone = [];
    this.#load(draft);
  }

  #load(draft) {
    const plain = plainDraft(draft);
    this.spans = new Map(plain.spans.map((span) => [span.id, Object.freeze(span)]));
    this.noErrors = plain.no_errors;
    this.order = new SpanOrder(plain.spans);
  }

  get(id) {
    return this.spans.get(id);
  }

  get size() {
    return this.spans.size;
  }

  get canUndo() {
    return this.done.length > 0;
  }

  get canRedo() {
    return this.undone.length > 0;
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
    if (FIELDS.every((field) => before[field] === after[field])) return before;
    this.#commit({ changes: [{ before, after }], typing, at: this.now() });
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
    if (changes.length || next.no_errors !== this.noErrors) {
      this.#commit({ changes, noErrors: [this.noErrors, next.no_errors] });
    }
  }

  undo() {
    const step = this.done.pop();
    if (!step) return false;
    this.undone.push(step);
    this.#apply(step.changes.map(({ before, after }) => ({ before: after, after: before })).reverse(), step.noErrors?.[0]);
    return true;
  }

  redo() {
    const step = this.undone.pop();
    if (!step) return false;
    this.done.push(step);
    this.#apply(step.changes, step.noErrors?.[1]);
    return true;
  }

  /** @returns {Draft} */
  serialise() {
    return { no_errors: this.noErrors, spans: this.list().map((span) => ({ ...span })) };
  }

  /** What still stands in the way of submitting; see validation.js. */
  problems() {
    return findProblems(this);
  }

  #commit(step) {
    const last = this.done.at(-1);
    const continues = step.typing && last?.typing === step.typing && last.changes[0].after === step.changes[0].before
      && step.at - last.at < TYPING_PAUSE && !this.undone.length;
    if (continues) {
      last.at = step.at;
      last.changes = [{ before: last.changes[0].before, after: step.changes[0].after }];
    } else {
      this.done.push(step);
      if (this.done.length > UNDO_DEPTH) this.done.shift();
    }
    this.undone.length = 0;
    this.#apply(step.changes, step.noErrors?.[1]);
  }

  #apply(changes, noErrors = this.noErrors) {
    this.noErrors = noErrors;
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
  return a.anchor === b.anchor && a.start === b.start && a.end === b.end && a.paragraph === b.paragraph;
}
