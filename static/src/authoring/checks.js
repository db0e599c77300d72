// The difficulty checks of a rubric's prompt: which texts were tried, and how the text as it stands did. No page.

/** SHA-256 of a text as the server writes it: hexadecimal, of its UTF-8. */
export async function sha256(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @typedef {{id: number, prompt_sha256: string, model: string, by_hand: boolean, outcome: ""|"perfect"|"partial"|"failed",
 *   asked_at: string}} Check `outcome` is empty until the author has said how the model did
 * Emits "state" when a check came or the prompt turned into another text.
 */
export class Checks extends EventTarget {
  /** @param {Check[]} checks @param {string} prompt @param {?Check} current the one of this prompt, as the server knows */
  constructor(checks, prompt, current = null) {
    super();
    this.all = [...checks];
    this.hash = current?.prompt_sha256 ?? null; // computing it here takes a moment
    this.follow(prompt);
  }

  /** The check of the prompt as it stands, or null. */
  get current() {
    return this.all.findLast((check) => check.prompt_sha256 === this.hash) ?? null;
  }

  /** The last check of any text of this prompt, or null. */
  get last() {
    return this.all.at(-1) ?? null;
  }

  /** Takes note of the prompt as it is now; resolves once its check is known. */
  async follow(prompt) {
    if (this.prompt === prompt) return;
    this.prompt = prompt;
    const hash = await sha256(prompt);
    if (this.prompt !== prompt) return;
    const before = this.current;
    this.hash = hash;
    if (this.current !== before || !this.followed) this.dispatchEvent(new CustomEvent("state"));
    this.followed = true;
  }

  /** @param {Check} check new, or known and now marked */
  put(check) {
    const at = this.all.findIndex(({ id }) => id === check.id);
    if (at >= 0 && JSON.stringify(this.all[at]) === JSON.stringify(check)) return;
    if (at < 0) this.all.push(check);
    else this.all[at] = check;
    this.dispatchEvent(new CustomEvent("state"));
  }

  /** The server knows of no check of this prompt: one that it told of while the model was asked was taken back. */
  withdraw(prompt) {
    const left = this.all.filter((check) => check.outcome || check.prompt_sha256 !== this.hash);
    if (prompt !== this.prompt || left.length === this.all.length) return;
    this.all = left;
    this.dispatchEvent(new CustomEvent("state"));
  }
}
