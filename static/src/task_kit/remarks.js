// What a person says beside an answer: a bookmark, that they are unsure, a note to themselves. Each goes along with the
// draft, through the same queue, until the server has it: only what changed is told. Pure: no page, no network.

const FIELDS = ["bookmarked", "unsure", "note"];

export class Remarks extends EventTarget {
  /** @param {{bookmarked: boolean, unsure: boolean, note: string, is_shared: boolean}} remarks as the server has them */
  constructor({ bookmarked, unsure, note, is_shared: isShared }) {
    super();
    Object.assign(this, { bookmarked, unsure, note, isShared });
    this.noteBefore = note; // the server's when these words were begun: what others wrote since is kept beside them
    this.changed = new Set();
  }

  set(field, value) {
    if (this[field] === value) return;
    this[field] = value;
    this.changed.add(field);
    this.dispatchEvent(new CustomEvent("state"));
  }

  /** What the server is to be told; null where it knows all. */
  get told() {
    if (!this.changed.size) return null;
    const told = Object.fromEntries(FIELDS.filter((field) => this.changed.has(field)).map((field) => [field, this[field]]));
    return "note" in told ? { ...told, note_before: this.noteBefore, note_is_shared: this.isShared } : told;
  }

  /** Takes up what an earlier visit told and no server answered. */
  take(told) {
    const fields = FIELDS.filter((field) => field in told);
    if (!fields.length) return;
    for (const field of fields) {
      this[field] = told[field];
      this.changed.add(field);
    }
    if ("note" in told) this.noteBefore = told.note_before ?? "";
    this.dispatchEvent(new CustomEvent("state"));
  }

  /** The server has `sent` and now holds `stored`. What changed since waits for the next save. */
  settle(sent, stored) {
    if (!sent || !stored) return;
    for (const field of FIELDS) {
      if (field in sent && (field === "note" || this[field] === sent[field])) this.changed.delete(field);
    }
    if ("note" in sent) this.#settleNote(sent.note.trim(), stored.note);
    this.dispatchEvent(new CustomEvent("settled"));
  }

  /** Where others wrote meanwhile their words stand above; what was typed since goes on from there. */
  #settleNote(sent, stored) {
    const typed = this.note;
    this.noteBefore = stored;
    if (typed.trim() === sent) {
      if (stored !== sent) this.note = stored;
      return;
    }
    this.note = stored.endsWith(sent) ? stored.slice(0, stored.length - sent.length) + typed : typed;
    this.changed.add("note");
  }
}

/** A draft with the remarks beside it, as it is kept and sent. */
export class DraftWithRemarks extends EventTarget {
  constructor(draft, remarks) {
    super();
    Object.assign(this, { draft, remarks });
    for (const each of [draft, remarks]) each.addEventListener("state", () => this.dispatchEvent(new CustomEvent("state")));
  }

  serialise() {
    const { told } = this.remarks;
    return told ? { ...this.draft.serialise(), remarks: told } : this.draft.serialise();
  }

  /** Remarks that come along are taken up; without any, those that wait go on waiting. */
  replace(body) {
    this.take(body);
    this.draft.replace(withoutRemarks(body));
  }

  /** Takes up the remarks alone that came with a draft. */
  take({ remarks }) {
    if (remarks) this.remarks.take(remarks);
  }

  settle(sent, stored) {
    this.remarks.settle(sent?.remarks, stored);
  }

  /** Whether remarks wait that no save has told yet. */
  get waits() {
    return this.remarks.told !== null;
  }
}

/** A body as it is compared: without what goes along. */
export function withoutRemarks({ remarks: _remarks, ...draft }) {
  return draft;
}
