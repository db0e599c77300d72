// A localisation while it is written: the translation and the local value of each placeholder. Pure state with undo;
// no page, no network.

const TYPING_PAUSE = 1200;
const UNDO_DEPTH = 500;

/** @typedef {{text: string, values: Object<string, string>}} Draft */

/** One spelling per draft, whatever order its values come in; a value that is empty says nothing. @returns {Draft} */
export function plainDraft(draft) {
  const values = Object.entries(draft?.values ?? {}).filter(([, value]) => value);
  return {
    text: draft?.text ?? "",
    values: Object.fromEntries(values.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

export function sameDraft(a, b) {
  return JSON.stringify(plainDraft(a)) === JSON.stringify(plainDraft(b));
}

/** My words where I wrote some, else theirs. */
export function combine(mine, theirs) {
  const [own, other] = [plainDraft(mine), plainDraft(theirs)];
  return plainDraft({ text: own.text.trim() ? own.text : other.text, values: { ...other.values, ...own.values } });
}

/** Emits "state" when anything changed. */
export class LocalisationDocument extends EventTarget {
  /** @param {Draft} draft @param {{now?: () => number}} [options] */
  constructor(draft, { now = () => performance.now() } = {}) {
    super();
    Object.assign(this, { now, done: [], undone: [], state: plainDraft(draft) });
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

  get canUndo() {
    return this.done.length > 0;
  }

  get canRedo() {
    return this.undone.length > 0;
  }

  /** Typing into one field is one step until there is a pause; `typing` is false for what was put in at once. */
  write(text, { typing = true } = {}) {
    if (text !== this.text) this.#commit({ ...this.state, text }, "text", typing);
  }

  give(name, value) {
    if (value !== this.value(name)) this.#commit(plainDraft({ ...this.state, values: { ...this.values, [name]: value } }), name, true);
  }

  /** Puts another draft in the place of this one, as one step that undo takes back. */
  replace(draft) {
    if (!sameDraft(draft, this.state)) this.#commit(plainDraft(draft), null, false);
  }

  /** @returns {?{touched: ?string}} the step taken back, null where there was none */
  undo() {
    return this.#step(this.done, this.undone, "before");
  }

  redo() {
    return this.#step(this.undone, this.done, "after");
  }

  /** @returns {Draft} */
  serialise() {
    return plainDraft(this.state);
  }

  #step(from, to, side) {
    const step = from.pop();
    if (!step) return null;
    to.push(step);
    this.#show(step[side]);
    return step;
  }

  #commit(after, touched, typing) {
    const before = this.state;
    const at = this.now();
    const last = this.done.at(-1);
    if (typing && last?.typing && last.touched === touched && last.after === before && at - last.at < TYPING_PAUSE && !this.undone.length) {
      Object.assign(last, { after, at });
    } else {
      this.done.push({ before, after, touched, typing, at });
      if (this.done.length > UNDO_DEPTH) this.done.shift();
    }
    this.undone.length = 0;
    this.#show(after);
  }

  #show(after) {
    this.state = after;
    this.dispatchEvent(new CustomEvent("state"));
  }
}
