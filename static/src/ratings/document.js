// What a rater has said: of each question a grade a side, a preference, a comment. Pure state with undo; no page, no
// network. `first` and `second` are the pair's, whichever of them stands first on the screen.
import { StateDocument } from "../task_kit/undo.js";
import { notAsked } from "./rules.js";

const OF_PAIR = ["question", "first", "second", "preference", "comment"];
const OF_RESPONSE = ["question", "first", "comment"];
const GRADES = ["first", "second"];

/**
 * @typedef {{question: string, first: ?number, second: ?number, preference: ""|"first"|"second"|"tie", comment: string}} Rating
 * @typedef {{ratings: Rating[]}} Draft of a single response there are `question`, `first` and `comment` alone
 */

/** A rating with exactly these fields, so that two drafts can be compared as text. */
function plainRating(rating, fields = OF_PAIR) {
  return Object.fromEntries(fields.map((field) => [field, rating[field] ?? (GRADES.includes(field) ? null : "")]));
}

/** One spelling per draft, whatever order its ratings come in. */
export function plainDraft(draft) {
  const ratings = (draft?.ratings ?? []).map((rating) => plainRating(rating));
  return { ratings: ratings.sort((a, b) => (a.question < b.question ? -1 : a.question > b.question ? 1 : 0)) };
}

export function sameDraft(a, b) {
  return JSON.stringify(plainDraft(a)) === JSON.stringify(plainDraft(b));
}

/** Of each question what I have said, and theirs where I have said nothing. */
export function combine(mine, theirs) {
  const known = new Map(theirs.ratings.map((rating) => [rating.question, rating]));
  const isEmpty = (value) => value === null || value === undefined || value === "";
  return {
    ratings: mine.ratings.map((rating) => {
      const other = known.get(rating.question) ?? {};
      return Object.fromEntries(Object.entries(rating).map(([field, value]) => [field, isEmpty(value) ? other[field] ?? value : value]));
    }),
  };
}

function stateOf(draft, questions) {
  const given = new Map((draft?.ratings ?? []).map((rating) => [rating.question, rating]));
  return questions.map(({ slug }) => Object.freeze(plainRating({ ...given.get(slug), question: slug })));
}

export class RatingDocument extends StateDocument {
  /**
   * @param {Draft} draft
   * @param {{slug: string}[]} questions what is asked; ratings on anything else are left out
   * @param {boolean} isPair
   * @param {{now?: () => number, rules?: import("./rules.js").Rule[]}} [options]
   */
  constructor(draft, questions, isPair, { now, rules = [] } = {}) {
    super(stateOf(draft, questions), now);
    Object.assign(this, { questions, rules, fields: isPair ? OF_PAIR : OF_RESPONSE });
  }

  /** @returns {Rating} */
  get(slug) {
    return this.state.find(({ question }) => question === slug);
  }

  /** Changes fields of a rating. Typing into one field becomes one undo step until there is a pause. */
  update(slug, values, { typing = null } = {}) {
    const before = this.get(slug);
    const after = Object.freeze(plainRating({ ...before, ...values }));
    if (this.fields.every((field) => before[field] === after[field])) return;
    this.commit(this.state.map((rating) => (rating === before ? after : rating)), { touched: slug, typing });
  }

  /** Puts another draft in the place of this one, as one step that undo takes back. */
  replace(draft) {
    const next = stateOf(draft, this.questions);
    if (!sameDraft({ ratings: next }, { ratings: this.state })) this.commit(next);
  }

  /** The questions that are not asked after what was answered so far. What was said to one comes back with it. */
  get hidden() {
    return notAsked(this.rules, this.state);
  }

  /** @returns {Draft} without what was said to questions that are not asked any more */
  serialise() {
    const { hidden } = this;
    return { ratings: this.state.map((rating) => plainRating(hidden.has(rating.question) ? { question: rating.question } : rating, this.fields)) };
  }
}
