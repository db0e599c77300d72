// What a reviewer has decided about each error. Pure state with undo; no page, no network. Offsets are code points.
import { StateDocument } from "../task_kit/undo.js";


/**
 * @typedef {{span: string, verdict: ""|"keep"|"reject"|"differs"|"correct", first_verdict: string, comment: string, start: ?number,
 *   end: ?number, quote: string, type: string, category: string, criticality: string, explanation: string,
 *   correction: string}} Review a corrected field that is empty leaves what was marked
 */
export const CORRECTED = ["start", "end", "quote", "type", "category", "criticality", "explanation", "correction"];
const FIELDS = ["span", "verdict", "first_verdict", "comment", ...CORRECTED];

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

/** What a verdict changes. Where the explanation is shown after a first one, the first is kept and decides nothing yet. */
export function given(verdict, review, { verdict_first: asksFirst }) {
  return asksFirst && !review.first_verdict ? { first_verdict: verdict } : { verdict };
}

/** Whether a review can be handed in: decided, and where it corrects, different from what was marked. */
export function isDecided(review) {
  if (review.verdict !== "correct") return review.verdict !== "";
  return CORRECTED.some((field) => review[field] !== "" && review[field] !== null);
}

/** Its state is a Map from an error to its review; `touched` of a step is the error it was about, of several the first. */
export class ReviewDocument extends StateDocument {
  /** @param {{reviews: Review[]}} draft @param {{now?: () => number}} [options] */
  constructor(draft, { now } = {}) {
    super(new Map(draft.reviews.map((review) => [review.span, Object.freeze(plainReview(review))])), now);
  }

  get(key) {
    return this.state.get(key);
  }

  get size() {
    return this.state.size;
  }

  get decided() {
    return [...this.state.values()].filter(isDecided).length;
  }

  /** Changes fields of a review. Typing into one field becomes one undo step until there is a pause. */
  update(key, values, { typing = null } = {}) {
    const before = this.get(key);
    const after = Object.freeze(plainReview({ ...before, ...values, span: key }));
    if (FIELDS.every((field) => before[field] === after[field])) return;
    this.commit(new Map(this.state).set(key, after), { touched: key, typing });
  }

  /** Puts another draft in the place of this one, as one step that undo takes back. Unknown errors are left out. */
  replace(draft) {
    const changed = plainDraft(draft).reviews.filter((review) => {
      const before = this.get(review.span);
      return before && JSON.stringify(before) !== JSON.stringify(review);
    });
    if (!changed.length) return;
    this.commit(new Map([...this.state, ...changed.map((review) => [review.span, Object.freeze(review)])]), { touched: changed[0].span });
  }

  serialise() {
    return { reviews: [...this.state.values()].map((review) => ({ ...review })) };
  }
}
