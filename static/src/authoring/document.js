// A rubric while it is written: scope, prompt, gold answer, criteria, findings kept on purpose. Pure state
// with undo; no page, no network. States are frozen and share what did not change, so a step back costs nothing.
import { StateDocument } from "../task_kit/undo.js";


/**
 * @typedef {{key: string, text: string, weight: ?number, band: string, objectivity: string, explicitness: string, tags: string[]}} Criterion
 * @typedef {{code: string, criterion: string, words: string, reason: string}} Accepted a finding kept, and why
 * @typedef {{scope: string, prompt: string, gold_answer: string, criteria: Criterion[], accepted: Accepted[]}} Draft
 */
const TEXTS = ["scope", "prompt", "gold_answer"];
const CRITERION = ["key", "text", "weight", "band", "objectivity", "explicitness", "tags"];
const ACCEPTED = ["code", "criterion", "words", "reason"];

const unset = (field) => ({ weight: null, tags: [] })[field];
const plain = (fields, value) => Object.freeze(Object.fromEntries(
  fields.map((field) => [field, value[field] ?? (unset(field) === undefined ? "" : unset(field))])));
const sameCriterion = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** A draft with exactly the fields of the contract, in one order, so that two can be compared as text. */
export function plainDraft(draft) {
  return Object.freeze({
    ...Object.fromEntries(TEXTS.map((field) => [field, draft?.[field] ?? ""])),
    criteria: Object.freeze((draft?.criteria ?? []).map((criterion) => plain(CRITERION, criterion))),
    accepted: Object.freeze((draft?.accepted ?? []).map((accepted) => plain(ACCEPTED, accepted))),
  });
}

/** The order of criteria is part of what a draft says; that of accepted findings is not. */
function spelt(draft) {
  const { accepted, ...rest } = plainDraft(draft);
  return JSON.stringify([rest, accepted.map((each) => JSON.stringify(each)).sort()]);
}

export function sameDraft(a, b) {
  return spelt(a) === spelt(b);
}

/** What makes two findings the same one. */
export function sameFinding(a, b) {
  return a.code === b.code && (a.criterion ?? "") === (b.criterion ?? "") && (a.words ?? "") === (b.words ?? "");
}

/**
 * Both drafts together: my words where I wrote some, else theirs; every criterion of both. One that differs stands
 * twice, mine under its key and theirs beside it under a new one, for the author to choose.
 */
export function combine(mine, theirs, newId = () => crypto.randomUUID()) {
  const [own, other] = [plainDraft(mine), plainDraft(theirs)];
  const known = new Map(own.criteria.map((criterion) => [criterion.key, JSON.stringify(criterion)]));
  const extra = other.criteria
    .filter((criterion) => known.get(criterion.key) !== JSON.stringify(criterion))
    .map((criterion) => (known.has(criterion.key) ? { ...criterion, key: newId() } : criterion));
  const texts = Object.fromEntries(TEXTS.map((field) => [field, own[field].trim() ? own[field] : other[field]]));
  const keptByMe = (finding) => own.accepted.some((each) => sameFinding(each, finding));
  const accepted = [...own.accepted, ...other.accepted.filter((finding) => !keptByMe(finding))];
  return plainDraft({ ...texts, criteria: [...own.criteria, ...extra], accepted });
}

const inserted = (list, at, each) => [...list.slice(0, at), each, ...list.slice(at)];

/** Sum of the weights written so far: S_max once all are. */
export function maximum({ criteria }) {
  return criteria.reduce((sum, { weight }) => sum + (weight > 0 ? weight : 0), 0);
}

/** Where two states differ first, for the page to show what undo took back. */
function placeOf(before, after) {
  const field = TEXTS.find((name) => before[name] !== after[name]);
  if (field) return { field };
  const old = new Map(before.criteria.map((criterion) => [criterion.key, criterion]));
  const changed = after.criteria.find((criterion) => old.get(criterion.key) !== criterion);
  if (changed) return { criterion: changed.key };
  const moved = after.criteria.find((criterion, number) => before.criteria[number]?.key !== criterion.key);
  return moved && before.criteria.length === after.criteria.length ? { criterion: moved.key } : { field: "criteria" };
}

export class RubricDocument extends StateDocument {
  /** @param {Draft} draft @param {{now?: () => number, newId?: () => string}} [options] */
  constructor(draft, { now, newId = () => crypto.randomUUID() } = {}) {
    super(plainDraft(draft), now);
    this.newId = newId;
  }

  get criteria() {
    return this.state.criteria;
  }

  get(key) {
    return this.state.criteria.find((criterion) => criterion.key === key) ?? null;
  }

  indexOf(key) {
    return this.state.criteria.findIndex((criterion) => criterion.key === key);
  }

  /** Changes scope, prompt or gold answer. Typing into one of them is one undo step until there is a pause. */
  write(field, value, { typing = false } = {}) {
    if (!TEXTS.includes(field) || this.state[field] === value) return;
    this.#commit({ ...this.state, [field]: value }, typing ? field : null);
  }

  /** Adds an empty criterion after another, or at the end. @returns {string} its key */
  add(values = {}, after = null) {
    const criterion = plain(CRITERION, { ...values, key: this.newId() });
    const at = after === null ? this.criteria.length : this.indexOf(after) + 1;
    this.#commit({ ...this.state, criteria: inserted(this.criteria, at, criterion) });
    return criterion.key;
  }

  update(key, values, { typing = null } = {}) {
    const before = this.get(key);
    if (!before) return;
    const after = plain(CRITERION, { ...before, ...values, key });
    if (sameCriterion(before, after)) return;
    this.#commit({ ...this.state, criteria: this.criteria.map((each) => (each.key === key ? after : each)) }, typing && `${key}:${typing}`);
  }

  /** Takes a criterion out, and with it what was accepted about it. */
  remove(key) {
    if (!this.get(key)) return false;
    this.#commit({
      ...this.state,
      criteria: this.criteria.filter((criterion) => criterion.key !== key),
      accepted: this.state.accepted.filter(({ criterion }) => criterion !== key),
    });
    return true;
  }

  /** Moves a criterion to another place, from 0. @returns {boolean} whether anything moved */
  move(key, to) {
    const from = this.indexOf(key);
    const place = Math.max(0, Math.min(to, this.criteria.length - 1));
    if (from < 0 || from === place) return false;
    const others = this.criteria.filter((criterion) => criterion.key !== key);
    this.#commit({ ...this.state, criteria: inserted(others, place, this.criteria[from]) });
    return true;
  }

  /** Keeps a finding on purpose, or changes why. */
  accept(finding, reason) {
    if (this.acceptedFor(finding)?.reason === reason) return;
    const accepted = this.state.accepted.filter((each) => !sameFinding(each, finding));
    this.#commit({ ...this.state, accepted: [...accepted, plain(ACCEPTED, { ...finding, reason })] });
  }

  unaccept(finding) {
    const accepted = this.state.accepted.filter((each) => !sameFinding(each, finding));
    if (accepted.length < this.state.accepted.length) this.#commit({ ...this.state, accepted });
  }

  acceptedFor(finding) {
    return this.state.accepted.find((each) => sameFinding(each, finding)) ?? null;
  }

  /** Puts another draft in the place of this one, as one step that undo takes back. */
  replace(draft) {
    if (!sameDraft(draft, this.state)) this.#commit(draft);
  }

  /** @returns {?{field?: string, criterion?: string}} where it changed, or null where there was nothing to undo */
  undo() {
    const step = super.undo();
    return step && placeOf(step.after, step.before);
  }

  redo() {
    const step = super.redo();
    return step && placeOf(step.before, step.after);
  }

  /** @returns {Draft} */
  serialise() {
    return structuredClone(this.state);
  }

  /** What says the same stays the same object, so that a screen can tell what to redraw. */
  #commit(next, field = null) {
    const fresh = plainDraft(next);
    const known = new Map(this.state.criteria.map((criterion) => [criterion.key, criterion]));
    const criteria = fresh.criteria.map((criterion) => {
      const old = known.get(criterion.key);
      return old && sameCriterion(old, criterion) ? old : criterion;
    });
    this.commit(Object.freeze({ ...fresh, criteria: Object.freeze(criteria) }), { touched: field, typing: field && "typing" });
  }
}
