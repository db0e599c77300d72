// What a reviewer has decided about each error. Pure state with undo; no page, no network. Offsets are code points.

const TYPING_PAUSE = 1200;
const UNDO_DEPTH = 500;

/**
 * @typedef {{span: string, verdict: ""|"keep"|"reject"|"differs"|"correct", comment: string, start: ?number,
 *   end: ?number, quote: string, type: string, category: string, criticality: string, explanation: string,
 *   correction: string}} Review a corrected field that is empty leaves what was marked
 */
export const CORRECTED = ["start", "end", "quote", "type", "category", "criticality", "explanation", "correction"];
const FIELDS = ["span", "verdict", "comment", ...CORRECTED];

/** A review with exactly the fields of the contract, so that two drafts can be compared as text. */
export function plainReview(review) {
  return Object.fromEntries(FIELDS.map((field) => [field, review[field] ?? (field === "start" || field === "end" ? null : "")]));
}

/** One spelling per draft, whatever order its reviews come in. */
export function plainDraft(draft) {
  const reviews = (draft?.reviews ?? []).map(plainReview);
  return { reviews: reviews.sort((a, b) => (a.span < b.span ? -1 : a.span > b.span ? 1 : 0)) };
}

export function sameDraft(a, b) {
  return JSON.stringify(plainDraft(a)) === JSON.stringify(plainDraft(b));
}

/** Of each error my review where I have decided, else theirs. */
export function combine(mine, theirs) {
  const known = new Map(theirs.reviews.map((review) => [review.span, review]));
  return { reviews: mine.reviews.map((review) => (review.verdict ? review : known.get(review.span) ?? review)) };
}

/** Whether a review can be handed in: decided, and where it corrects, different from what was marked. */
export function isDecided(review) {
  if (review.verdict !== "correct") return review.verdict !== "";
  return CORRECTED.some((field) => review[field] !== "" && review[field] !== null);
}

/** Emits "change" {after} per touched review, and "state" when anything changed. */
export class ReviewDocument extends EventTarget {
  constructor(draft, { now = () => performance.now() } = {}) {
    super();
    this.now = now;
    this.done = [];
    this.undone = [];
    this.reviews = new Map(draft.reviews.map((review) => [review.span, Object.freeze(plainReview(review))]));
  }

  get(key) {
    return this.reviews.get(key);
  }

  get size() {
    return this.reviews.size;
  }

  get decided() {
    let count = 0;
    for (const review of this.reviews.values()) if (isDecided(review)) count += 1;
    return count;
  }

  get canUndo() {
    return this.done.length > 0;
  }

  get canRedo() {
    return this.undone.length > 0;
  }

  /** Changes fields of a review. Typing into one field becomes one undo step until there is a pause. */
  update(key, values, { typing = null } = {}) {
    const before = this.reviews.get(key);
    const after = Object.freeze(plainReview({ ...before, ...values, span: key }));
    if (FIELDS.every((field) => before[field] === after[field])) return;
    const last = this.done.at(-1);
    const at = this.now();
    if (typing && last?.typing === typing && at - last.at < TYPING_PAUSE && !this.undone.length) {
      last.at = at;
      last.changes = [{ before: last.changes[0].before, after }];
    } else {
      this.#remember({ changes: [{ before, after }], typing, at });
    }
    this.undone.length = 0;
    this.#apply([after]);
  }

  /** Puts another draft in the place of this one, as one step that undo takes back. Unknown errors are left out. */
  replace(draft) {
    const changes = [];
    for (const review of plainDraft(draft).reviews) {
      const before = this.reviews.get(review.span);
      if (before && JSON.stringify(before) !== JSON.stringify(review)) changes.push({ before, after: Object.freeze(review) });
    }
    if (!changes.length) return;
    this.#remember({ changes });
    this.undone.length = 0;
    this.#apply(changes.map(({ after }) => after));
  }

  undo() {
    const step = this.done.pop();
    if (!step) return null;
    this.undone.push(step);
    this.#apply(step.changes.map(({ before }) => before));
    return step.changes[0].before.span;
  }

  redo() {
    const step = this.undone.pop();
    if (!step) return null;
    this.done.push(step);
    this.#apply(step.changes.map(({ after }) => after));
    return step.changes[0].after.span;
  }

  serialise() {
    return { reviews: [...this.reviews.values()].map((review) => ({ ...review })) };
  }

  #remember(step) {
    this.done.push(step);
    if (this.done.length > UNDO_DEPTH) this.done.shift();
  }

  #apply(reviews) {
    for (const after of reviews) {
      this.reviews.set(after.span, after);
      this.dispatchEvent(new CustomEvent("change", { detail: { after } }));
    }
    this.dispatchEvent(new CustomEvent("state"));
  }
}
