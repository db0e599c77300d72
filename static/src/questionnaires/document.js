// What a rater has answered: a value by the key of each part. Pure state with undo; no page, no network.
import { StateDocument } from "../task_kit/undo.js";
import { isOpen } from "./open.js";
import { notAsked } from "./rules.js";

/** @typedef {{answers: Object<string, string|string[]|number|Object<string, number>>}} Draft of a ranking the rank of each response */

/** One spelling of a value: what is chosen in the order offered, ranks by the response's name. */
function plain(value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, rank]) => rank !== null).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One spelling per draft, whatever order its answers come in; what is open says nothing. @returns {Draft} */
export function plainDraft(draft) {
  const said = Object.entries(draft?.answers ?? {}).map(([key, value]) => [key, plain(value)]).filter(([, value]) => !isOpen(value));
  return { answers: Object.fromEntries(said.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

export function sameDraft(a, b) {
  return JSON.stringify(plainDraft(a)) === JSON.stringify(plainDraft(b));
}

/** My answer to each part where I gave one, else theirs. */
export function combine(mine, theirs) {
  return plainDraft({ answers: { ...plainDraft(theirs).answers, ...plainDraft(mine).answers } });
}

/** The ranks with this one given; where none is shared, whoever held it has none any more. */
export function ranked(ranks, response, rank, { ties }) {
  const others = Object.entries(ranks ?? {}).filter(([name, held]) => name !== response && (ties || held !== rank));
  return Object.fromEntries(rank === null ? others : [...others, [response, rank]]);
}

/** The options chosen with this one in or out, in the order offered. */
export function toggled(chosen, option, options) {
  const now = new Set(chosen ?? []);
  if (!now.delete(option)) now.add(option);
  return options.filter((each) => now.has(each));
}

export class PartsDocument extends StateDocument {
  /** @param {Draft} draft @param {{slug: string}[]} parts what is asked; answers to anything else are left out @param {{now?: () => number, rules?: import("./rules.js").Rule[]}} [options] */
  constructor(draft, parts, { now, rules = [] } = {}) {
    super(Object.freeze(known(draft, parts)), now);
    Object.assign(this, { parts, rules });
  }

  /** The parts that are not asked after what was answered so far. What was said to one comes back with it. */
  get hidden() {
    return notAsked(this.rules, this.state);
  }

  get(key) {
    return this.state[key] ?? null;
  }

  /** Typing into one field is one step until there is a pause. */
  give(key, value, { typing = null } = {}) {
    if (JSON.stringify(plain(value)) === JSON.stringify(plain(this.get(key)))) return;
    this.commit(Object.freeze({ ...this.state, [key]: value }), { touched: key, typing });
  }

  /** Puts another draft in the place of this one, as one step that undo takes back. */
  replace(draft) {
    if (!sameDraft(draft, this.serialise())) this.commit(Object.freeze(known(draft, this.parts)));
  }

  /** @returns {Draft} without what was said to parts that are not asked any more */
  serialise() {
    const { hidden } = this;
    return plainDraft({ answers: Object.fromEntries(Object.entries(this.state).filter(([key]) => !hidden.has(key))) });
  }
}

function known(draft, parts) {
  const { answers } = plainDraft(draft);
  return Object.fromEntries(parts.filter(({ slug }) => slug in answers).map(({ slug }) => [slug, answers[slug]]));
}
