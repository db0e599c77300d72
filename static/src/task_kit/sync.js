// Keeps the server and this device in step with the draft. Every change is on the device within a moment and on the
// server within seconds; a version guards against overwriting; nothing is dropped on any path.
//
// Events: "status" {state, …} for the line that says where the work is; "invalid" {problems}; "submitted" {next};
// "locked" {locked} while a submission is under way; "leftover" {pages} for earlier items kept only on this device.
import { bringForward, recordFor, sendLeftovers } from "./recovery.js";
import { withoutRemarks } from "./remarks.js";
import { send } from "./transport.js";

const LOCAL_DELAY = 120;
const REMOTE_DELAY = 1000;
const REMOTE_LATEST = 5000;
const RETRY_FIRST = 2000;
const RETRY_LONGEST = 60_000;
const UNANSWERED_KEPT = 5;

export class Sync extends EventTarget {
  /**
   * @param {object} options
   * @param {object} options.task
   * @param {import("./remarks.js").DraftWithRemarks} options.document
   * @param {import("./storage.js").DraftStore} options.store
   * @param {string} options.client id of this tab
   * @param {(mine: object, theirs: object) => Promise<"mine"|"theirs"|"both">} options.decide
   * @param {(a: object, b: object) => boolean} options.same whether two drafts say the same
   * @param {(mine: object, theirs: object) => object} options.combine what both say together
   * @param {(options: {silent: boolean}) => Promise<?{csrf: string, owner: ?string}>} options.signIn
   * @param {import("./as-shown.js").AsShown} options.shown the words that the page shows, whose hash goes with every save
   */
  constructor({ task, document: draft, store, client, decide, signIn, same, combine, shown = null }) {
    super();
    Object.assign(this, { task, draft, store, client, decide, signIn, same, combine, shown });
    this.version = task.version;
    this.seq = 0; // changes so far
    this.acknowledged = 0; // changes the server has
    this.unanswered = []; // bodies sent whose answer was lost: the server may hold any of them
    this.submission = null; // id of a submission begun and not yet answered
    this.failures = 0;
    this.stopped = false;
    draft.addEventListener("state", () => this.changed());
    this.signedOut = false;
    window.addEventListener("online", () => { if (this.unsent && !this.signedOut) this.push(); });
    window.addEventListener("pagehide", () => this.#closing());
    globalThis.document.addEventListener("visibilitychange", () => {
      if (globalThis.document.visibilityState === "hidden") this.#closing();
    });
  }

  get unsent() {
    return this.seq > this.acknowledged || this.submission !== null;
  }

  /** Picks up what an earlier visit left on this device, then what other items left. */
  async start() {
    const records = await this.store.mine();
    await bringForward(this, records);
    if (!this.unsent) this.#status("saved", { at: null });
    sendLeftovers(this, records).then((pages) => {
      if (pages.length) this.dispatchEvent(new CustomEvent("leftover", { detail: { pages } }));
    });
  }

  changed() {
    this.seq += 1;
    if (this.stopped) return;
    this.localTimer ??= setTimeout(() => this.#keep(), LOCAL_DELAY);
    this.firstUnsent ??= performance.now();
    const wait = Math.max(0, Math.min(REMOTE_DELAY, this.firstUnsent + REMOTE_LATEST - performance.now()));
    if (!this.failures && !this.signedOut) this.#schedule(wait);
    if (this.state === "saved") this.#status("unsaved");
  }

  /** Sends what is unsent, once; concurrent calls share the same attempt and a later one follows it. */
  push() {
    clearTimeout(this.remoteTimer);
    if (this.flight) {
      this.again = true;
      return this.flight;
    }
    this.flight = this.#attempt().finally(() => {
      this.flight = null;
      const again = this.again;
      this.again = false;
      if (again && this.unsent && !this.stopped && !this.failures && !this.signedOut) this.push();
    });
    return this.flight;
  }

  /** Submits; survives lost answers and reloads because the submission keeps its id until it is answered. */
  async submit() {
    this.failures = 0;
    this.submission ??= crypto.randomUUID();
    this.#lock(true);
    await this.#keep();
    return this.push();
  }

  /** Back to editing while a submission waits for the network. */
  takeBack() {
    this.submission = null;
    this.failures = 0;
    this.#lock(false);
    this.changed();
  }

  /** Asks to sign in; true when that worked. Closed by the person, it is opened again only on request. */
  async signInAgain({ silent = false } = {}) {
    this.signedOut = true;
    this.#status("signed-out");
    const signedIn = await this.signIn({ silent });
    if (!signedIn) return false;
    this.signedOut = false;
    if (signedIn.owner && signedIn.owner !== this.task.owner) {
      this.#stop("other-person", "");
      return false;
    }
    return true;
  }

  async #attempt() {
    if (this.stopped || !this.unsent) return;
    const seq = this.seq;
    const body = this.draft.serialise();
    const submission = this.submission;
    this.unanswered = [...this.unanswered, body].slice(-UNANSWERED_KEPT);
    await this.#keep();
    this.#status("saving");
    const shown = (await this.shown?.hash()) ?? undefined;
    const outcome = submission
      ? await send("POST", this.task.urls.submit, { submission, version: this.version, body, shown }, { expects: "submitted_at" })
      : await send("PUT", this.task.urls.draft, { body, client: this.client, shown }, { version: this.version, expects: "version" });
    if (!["offline", "failed", "waiting", "conflict"].includes(outcome.kind)) this.unanswered.pop();
    await this.#handle(outcome, { seq, submission, body });
  }

  async #handle(outcome, attempt) {
    if (!["offline", "busy", "waiting", "failed"].includes(outcome.kind)) this.failures = 0;
    // Remarks are stored whatever becomes of the draft that they came with.
    this.draft.settle(attempt.body, outcome.kind === "conflict" ? outcome.remarks : outcome.data?.remarks);
    switch (outcome.kind) {
      case "ok": return attempt.submission ? this.#submitted(outcome.data) : this.#saved(outcome.data, attempt.seq);
      case "conflict": return this.#conflict(outcome, attempt);
      case "signed-out": return (await this.signInAgain()) ? void (this.again = true) : undefined;
      case "csrf": return this.#renewToken();
      case "blocked": return this.#stop(outcome.code, outcome.message);
      case "invalid": return this.#invalid(outcome);
      default: return this.#retryLater(outcome);
    }
  }

  async #saved(data, seq) {
    this.version = data.version;
    this.unanswered = [];
    this.tokenRenewals = 0;
    this.acknowledged = Math.max(this.acknowledged, seq);
    this.firstUnsent = null;
    if (this.unsent) {
      this.#status("unsaved");
      this.#schedule(REMOTE_DELAY);
    } else {
      clearTimeout(this.localTimer);
      this.localTimer = null;
      await this.store.delete(this.key);
      this.#status("saved", { at: data.saved_at ? new Date(data.saved_at) : new Date() });
    }
  }

  async #submitted(data) {
    this.submission = null;
    this.acknowledged = this.seq;
    this.stopped = true;
    clearTimeout(this.localTimer);
    await this.store.delete(this.key);
    this.#status("submitted");
    this.dispatchEvent(new CustomEvent("submitted", { detail: { next: data.next ?? this.task.urls.next } }));
  }

  async #conflict({ version, body }, attempt) {
    const mine = this.draft.serialise();
    // The other version may be our own whose answer was lost.
    if (this.same(body, mine) || this.unanswered.some((sent) => this.same(body, sent))) {
      this.version = version;
      if (this.same(body, mine) && !attempt.submission) await this.#saved({ version }, this.draft.waits ? attempt.seq : this.seq);
      else this.again = true;
      return;
    }
    await this.resolve(mine, body, version);
    if (this.unsent) this.again = true;
  }

  /** Lets the person choose between two versions; both are set aside first, and undo brings the other back. */
  async resolve(mine, theirs, version) {
    this.#status("conflict");
    this.submission = null;
    this.#lock(false);
    await this.store.keepCopy({ assignment: this.task.assignment, mine, theirs, version });
    const choice = await this.decide(mine, theirs);
    this.version = version;
    this.unanswered = [];
    if (choice === "theirs") {
      this.draft.replace(theirs);
      this.acknowledged = this.seq;
      await this.store.delete(this.key);
      this.#status("saved", { at: null });
      if (this.draft.waits) this.changed();
      return;
    }
    if (choice === "both") this.draft.replace(this.combine(mine, theirs));
    else this.draft.replace(withoutRemarks(mine)); // one that an earlier visit left is not on the page yet
    this.changed();
  }

  async #renewToken() {
    this.tokenRenewals = (this.tokenRenewals ?? 0) + 1;
    // Signed in still, the frame hands over a token at once; shown only if that did not help.
    if (await this.signInAgain({ silent: this.tokenRenewals <= 1 })) this.again = true;
  }

  #invalid({ problems, message }) {
    this.submission = null;
    this.#lock(false);
    this.#status("refused", { message });
    this.dispatchEvent(new CustomEvent("invalid", { detail: { problems, message } }));
  }

  #retryLater(outcome) {
    this.failures += 1;
    const growing = Math.min(RETRY_FIRST * 2 ** (this.failures - 1), RETRY_LONGEST) * (0.8 + Math.random() * 0.4);
    // Never before the server asked for it; and a server that says the same again and again is asked less and less often.
    const asked = (outcome.seconds ?? 0) * 1000;
    const wait = outcome.kind === "busy" ? asked : Math.max(asked, growing);
    const state = ["busy", "waiting"].includes(outcome.kind) ? outcome.kind : "offline";
    this.#status(state, { seconds: Math.ceil(wait / 1000), status: outcome.status });
    this.#schedule(wait);
  }

  #stop(code, message) {
    this.stopped = true;
    this.submission = null;
    this.#lock(true);
    this.#status("blocked", { code, message });
  }

  #schedule(wait) {
    clearTimeout(this.remoteTimer);
    this.remoteTimer = setTimeout(() => this.push(), wait);
  }

  get key() {
    return [this.task.owner, this.task.assignment, this.client].join("|");
  }

  async #keep() {
    clearTimeout(this.localTimer);
    this.localTimer = null;
    if (!this.unsent) return;
    try {
      await this.store.put(recordFor(this));
      this.store.forgetLastWords(this.key);
    } catch {
      this.store.available = false;
    }
  }

  #closing() {
    if (!this.unsent) return;
    this.store.putLastWords(recordFor(this));
    if (!this.stopped && !this.failures && !this.signedOut) this.push();
  }

  #lock(locked) {
    this.dispatchEvent(new CustomEvent("locked", { detail: { locked } }));
  }

  #status(state, detail = {}) {
    this.state = state;
    this.dispatchEvent(new CustomEvent("status", {
      detail: { state, kept: this.store.available, submitting: this.submission !== null, ...detail },
    }));
  }
}
