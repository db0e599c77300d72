// Working time: the page tells the server when somebody worked on it. What it has told is kept on this device until the
// server has answered, so nothing is lost by leaving the page, closing it, or being offline; the server counts each
// moment of a person once, so telling it again adds nothing.
import { keyOf, kept, local, tell } from "../site/untold-time.js";
import { Stretches } from "./stretches.js";

const SIGNS = ["pointerdown", "pointermove", "keydown", "scroll", "wheel", "touchstart", "input"];
const TICK = 1000;
const TELL_EVERY = 30_000;

export class WorkingTime {
  /** @param {{owner: string, assignment: string, idle_seconds: number, urls: {signs: string}}} task @param {string} client this tab */
  constructor(task, client) {
    this.task = task;
    this.key = keyOf(task.owner, task.assignment, client);
    this.stretches = new Stretches(task.idle_seconds * 1000, kept(this.key)?.signs);
    this.stretches.sign(Date.now()); // opening a page is a sign of life
    this.stretches.tick(Date.now(), true);
    for (const sign of SIGNS) {
      window.addEventListener(sign, () => this.stretches.sign(Date.now()), { passive: true, capture: true });
    }
    setInterval(() => this.#tick(), TICK);
    setInterval(() => { this.push(); }, TELL_EVERY);
    window.addEventListener("pagehide", () => this.#leaving());
    window.addEventListener("online", () => { this.push(); });
    document.addEventListener("visibilitychange", () => {
      // The moment it went out of view was still in view.
      if (document.visibilityState === "hidden") this.#leaving();
      else this.stretches.tick(Date.now(), false);
    });
  }

  /** Tells what is untold. */
  async push() {
    this.#tick();
    const signs = this.stretches.told.map((each) => [...each]);
    if (!signs.length || this.isTelling) return;
    this.isTelling = true;
    if (await tell(this.task.urls.signs, signs)) {
      this.stretches.forget(signs.at(-1)[1]);
      this.#keep();
    }
    this.isTelling = false;
  }

  #tick() {
    if (this.stretches.tick(Date.now(), document.visibilityState === "visible")) this.#keep();
  }

  #leaving() {
    if (this.stretches.tick(Date.now(), true)) this.#keep();
    if (this.stretches.told.length) tell(this.task.urls.signs, this.stretches.told);
  }

  #keep() {
    const { told } = this.stretches;
    try {
      if (told.length) local()?.setItem(this.key, JSON.stringify({ url: this.task.urls.signs, signs: told }));
      else local()?.removeItem(this.key);
    } catch {
      // The quota is used up: what is told every half minute must do.
    }
  }
}
