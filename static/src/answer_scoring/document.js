// The points of an answer and a note, while they are given. Pure state with undo; no page, no network.
import { StateDocument } from "../task_kit/undo.js";

/** @typedef {{score: ?number, note: string}} Draft */

/** @returns {Draft} with exactly these fields, so that two can be compared as text */
export function plainDraft(draft) {
  return Object.freeze({ score: draft?.score ?? null, note: draft?.note ?? "" });
}

export function sameDraft(a, b) {
  return JSON.stringify(plainDraft(a)) === JSON.stringify(plainDraft(b));
}

/** What I have said, and theirs where I have said nothing. */
export function combine(mine, theirs) {
  const [own, other] = [plainDraft(mine), plainDraft(theirs)];
  return plainDraft({ score: own.score ?? other.score, note: own.note || other.note });
}

export class ScoreDocument extends StateDocument {
  /** @param {Draft} draft @param {{now?: () => number}} [options] */
  constructor(draft, { now } = {}) {
    super(plainDraft(draft), now);
  }

  give(score) {
    if (score !== this.state.score) this.commit(plainDraft({ ...this.state, score }), { touched: "score" });
  }

  /** Typing becomes one step until there is a pause. */
  write(note) {
    if (note !== this.state.note) this.commit(plainDraft({ ...this.state, note }), { touched: "note", typing: "note" });
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
