// What a grader has decided: a verdict per criterion, errors of their own as negative criteria, a comment. Pure state
// with undo; no page, no network. Offsets are code points, weights whole numbers below 0.
import { StateDocument } from "../task_kit/undo.js";

const NOWHERE = { start: null, end: null, quote: "" };

/**
 * @typedef {{key: string, text: string, weight: ?number, failure_type: string, objectivity: string,
 *   explicitness: string, start: ?number, end: ?number, quote: string}} Negative
 * @typedef {{verdicts: Object<string, string>, negatives: Negative[], comment: string}} Draft
 */
const FIELDS = ["key", "text", "weight", "failure_type", "objectivity", "explicitness", "start", "end", "quote"];

/** A negative criterion with exactly the fields of the contract, so that two drafts can be compared as text. */
export function plainNegative(negative) {
  const unset = { weight: null, start: null, end: null };
  return Object.fromEntries(FIELDS.map((field) => [field, negative[field] ?? (field in unset ? null : "")]));
}

/** One spelling per draft, whatever order its verdicts come in. @returns {Draft} */
export function plainDraft(draft) {
  const verdicts = Object.entries(draft?.verdicts ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    verdicts: Object.fromEntries(verdicts),
    negatives: (draft?.negatives ?? []).map(plainNegative),
    comment: draft?.comment ?? "",
  };
}

export function sameDraft(a, b) {
  return JSON.stringify(plainDraft(a)) === JSON.stringify(plainDraft(b));
}

/** My verdicts, theirs where I have none; the errors of both, mine where one differs. */
export function combine(mine, theirs) {
  const known = new Set(mine.negatives.map(({ key }) => key));
  return {
    verdicts: { ...theirs.verdicts, ...mine.verdicts },
    negatives: [...mine.negatives, ...theirs.negatives.filter(({ key }) => !known.has(key))],
    comment: mine.comment || theirs.comment,
  };
}

function stateOf(draft, criteria) {
  const { verdicts, negatives, comment } = plainDraft(draft);
  const decided = criteria.filter(({ key }) => verdicts[key]);
  return {
    verdicts: Object.fromEntries(decided.map(({ key }) => [key, verdicts[key]])),
    negatives: negatives.map((negative) => Object.freeze(negative)),
    comment,
  };
}

export class GradeDocument extends StateDocument {
  /**
   * @param {Draft} draft
   * @param {{key: string}[]} criteria what is asked about; verdicts on anything else are left out
   * @param {{missing?: string[], now?: () => number, newKey?: () => string}} [options] `missing` are the types of
   *   failure that point at no words
   */
  constructor(draft, criteria, { missing = [], now, newKey = () => crypto.randomUUID() } = {}) {
    super(stateOf(draft, criteria), now);
    Object.assign(this, { criteria, newKey, missing });
  }

  verdict(key) {
    return this.state.verdicts[key] ?? "";
  }

  negative(key) {
    return this.state.negatives.find((negative) => negative.key === key);
  }

  get negatives() {
    return this.state.negatives;
  }

  get comment() {
    return this.state.comment;
  }

  get undecided() {
    return this.criteria.filter(({ key }) => !this.verdict(key));
  }

  decide(key, value) {
    if (this.verdict(key) !== value) this.commit({ ...this.state, verdicts: { ...this.state.verdicts, [key]: value } }, { touched: key });
  }

  /** Adds an error, pointing at the words given or at nothing. @returns {Negative} */
  add(words = NOWHERE) {
    const negative = Object.freeze(plainNegative({ ...words, key: this.newKey() }));
    this.commit({ ...this.state, negatives: [...this.state.negatives, negative] }, { touched: negative.key });
    return negative;
  }

  /** Changes fields of an error; one that becomes something missing points at nothing from then on. */
  update(key, values, { typing = null } = {}) {
    const before = this.negative(key);
    if (!before) return;
    const isOmission = this.missing.includes(values.failure_type ?? before.failure_type);
    const after = Object.freeze(plainNegative({ ...before, ...values, ...(isOmission ? NOWHERE : {}) }));
    if (FIELDS.every((field) => before[field] === after[field])) return;
    const negatives = this.state.negatives.map((negative) => (negative === before ? after : negative));
    this.commit({ ...this.state, negatives }, { touched: key, typing });
  }

  remove(key) {
    const negatives = this.state.negatives.filter((negative) => negative.key !== key);
    if (negatives.length < this.state.negatives.length) this.commit({ ...this.state, negatives }, { touched: key });
  }

  setComment(comment) {
    if (comment !== this.state.comment) this.commit({ ...this.state, comment }, { touched: "comment", typing: "comment" });
  }

  /** Puts another draft in the place of this one, as one step that undo takes back. */
  replace(draft) {
    const next = stateOf(draft, this.criteria);
    if (!sameDraft(next, this.state)) this.commit(next);
  }

  /** @returns {Draft} */
  serialise() {
    return plainDraft(this.state);
  }
}
