// Has the rubric checked as it is written: a moment after the last change, the older request given up for the newer.
// What was found stays until something newer is known, so that nothing flickers while one types.
import { send } from "../task_kit/transport.js";

const DELAY = 600;
const AGAIN = 15_000;

/**
 * Emits "findings" {difficulty, review, limits, of} with what the server said beside them, and "state" {state}: "checked",
 * "checking", "away" (again when back), "off".
 */
export class Linter extends EventTarget {
  /** @param {string} url @param {import("./document.js").RubricDocument} document */
  constructor(url, document, { delay = DELAY } = {}) {
    super();
    Object.assign(this, { url, document, delay, findings: [], state: url ? "checking" : "off" });
    if (!url) return;
    document.addEventListener("state", () => this.soon());
    window.addEventListener("online", () => { if (this.state === "away") this.soon(0); });
    this.soon(0);
  }

  /** Checks after a pause; a later change begins the pause anew. */
  soon(wait = this.delay) {
    if (this.state === "off") return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#check(), wait);
  }

  /** Nothing is written for now; `soon` goes on. */
  pause() {
    clearTimeout(this.timer);
    this.request?.abort();
    this.request = null;
  }

  of(criterion) {
    return this.findings.filter((finding) => (finding.criterion ?? "") === criterion);
  }

  async #check() {
    this.request?.abort();
    const request = new AbortController();
    this.request = request;
    this.#become("checking");
    const body = this.document.serialise();
    const outcome = await send("POST", this.url, { body }, { signal: request.signal });
    if (this.request !== request) return; // a newer one is under way, or none is wanted
    if (outcome.kind === "ok") {
      this.findings = outcome.data.findings ?? [];
      this.#become("checked");
      this.dispatchEvent(new CustomEvent("findings", { detail: { ...outcome.data, of: body } }));
    } else if (outcome.kind === "invalid" || outcome.kind === "blocked") {
      this.#become("checked"); // saving the draft says what is the matter with it
    } else {
      this.#become("away");
      this.soon(outcome.kind === "busy" ? outcome.seconds * 1000 : AGAIN);
    }
  }

  #become(state) {
    if (this.state === state) return;
    this.state = state;
    this.dispatchEvent(new CustomEvent("state", { detail: { state } }));
  }
}
