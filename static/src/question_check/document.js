// A question check while it is written. Pure state with undo; no page, no network.

import { StateDocument } from "../task_kit/undo.js";

export const WORDING = ["instruction", "input", "reference"];
const TEXTS = ["answer", "decision", "fault", ...WORDING, "note"];

/**
 * One spelling per draft.
 * @typedef {{answer: string, decision: string, fault: string, is_aligned: ?boolean, instruction: string, input: string, reference: string, note: string}} Draft
 */
export function plainDraft(draft) {
  return { ...Object.fromEntries(TEXTS.map((field) => [field, draft?.[field] ?? ""])), is_aligned: draft?.is_aligned ?? null };
}

export function sameDraft(a, b) {
  return JSON.stringify(plainDraft(a)) === JSON.stringify(plainDraft(b));
}

/** Of each field mine where I filled it in, else theirs. */
export function combine(mine, theirs) {
  const [own, other] = [plainDraft(mine), plainDraft(theirs)];
  return Object.fromEntries(Object.keys(own).map((field) => [field, own[field] === "" || own[field] === null ? other[field] : own[field]]));
}

export class CheckDocument extends StateDocument {
  /** @param {Draft} draft @param {{now?: () => number}} [options] */
  constructor(draft, { now } = {}) {
    super(plainDraft(draft), now);
  }

  /** Typing into one field is one step until there is a pause. */
  write(field, text) {
    if (text !== this.state[field]) this.commit({ ...this.state, [field]: text }, { touched: field, typing: "text" });
  }

  choose(field, value) {
    if (value !== this.state[field]) this.commit({ ...this.state, [field]: value }, { touched: field });
  }

  /** A repair begins with the old words, so that what is right need not be typed again. */
  decide(decision, wording) {
    if (decision === this.state.decision) return;
    const words = decision === "repair" && WORDING.every((part) => !this.state[part])
      ? Object.fromEntries(WORDING.map((part) => [part, wording?.[part] ?? ""])) : {};
    this.commit({ ...this.state, ...words, decision }, { touched: "decision" });
  }

  /** Puts another draft in the place of this one, as one step that undo takes back. */
  replace(draft) {
    if (!sameDraft(draft, this.state)) this.commit(plainDraft(draft));
  }

  /** @returns {Draft} */
  serialise() {
    return plainDraft(this.state);
  }
}
