// A localisation while it is written: the translation and the local value of each placeholder. Pure state with undo;
// no page, no network.

import { StateDocument } from "../task_kit/undo.js";

/** @typedef {{text: string, values: Object<string, string>, rejected?: boolean}} Draft `rejected`: what a model drafted was put aside */

/** One spelling per draft, whatever order its values come in; a value that is empty says nothing. @returns {Draft} */
export function plainDraft(draft) {
  const values = Object.entries(draft?.values ?? {}).filter(([, value]) => value);
  return {
    text: draft?.text ?? "",
    values: Object.fromEntries(values.sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(draft?.rejected ? { rejected: true } : {}),
  };
}

export function sameDraft(a, b) {
  return JSON.stringify(plainDraft(a)) === JSON.stringify(plainDraft(b));
}

/** My words where I wrote some, else theirs. */
export function combine(mine, theirs) {
  const [own, other] = [plainDraft(mine), plainDraft(theirs)];
  return plainDraft({ text: own.text.trim() ? own.text : other.text, values: { ...other.values, ...own.values }, rejected: own.rejected || other.rejected });
}

export class LocalisationDocument extends StateDocument {
  /** @param {Draft} draft @param {{now?: () => number}} [options] */
  constructor(draft, { now } = {}) {
    super(plainDraft(draft), now);
  }

  get text() {
    return this.state.text;
  }

  get values() {
    return this.state.values;
  }

  value(name) {
    return this.state.values[name] ?? "";
  }

  /** Typing into one field is one step until there is a pause; `typing` is false for what was put in at once. */
  write(text, { typing = true } = {}) {
    if (text !== this.text) this.commit({ ...this.state, text }, { touched: "text", typing: typing && "text" });
  }

  give(name, value) {
    if (value !== this.value(name)) this.commit(plainDraft({ ...this.state, values: { ...this.values, [name]: value } }), { touched: name, typing: "value" });
  }

  /** Empties what a model drafted, as one step that undo takes back. */
  reject() {
    this.replace({ text: "", values: {}, rejected: true });
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
