// Working time: seconds with the page in view and something done within the last minute. Read as the increment since
// the last save the server acknowledged.

const IDLE_AFTER = 60_000;
const SIGNS = ["pointerdown", "pointermove", "keydown", "scroll", "wheel", "touchstart"];

export class Activity {
  constructor({ now = () => Date.now() } = {}) {
    this.now = now;
    this.milliseconds = 0;
    this.lastSign = now();
    this.lastTick = now();
    for (const sign of SIGNS) {
      window.addEventListener(sign, () => { this.lastSign = this.now(); }, { passive: true, capture: true });
    }
    document.addEventListener("visibilitychange", () => this.tick());
    setInterval(() => this.tick(), 1000);
  }

  tick() {
    const now = this.now();
    // A tick that comes late (a sleeping laptop) adds no more than a moment.
    const passed = Math.min(now - this.lastTick, 2000);
    this.lastTick = now;
    if (document.visibilityState === "visible" && now - this.lastSign < IDLE_AFTER) this.milliseconds += passed;
  }

  get seconds() {
    return Math.floor(this.milliseconds / 1000);
  }

  acknowledge(seconds) {
    this.milliseconds = Math.max(0, this.milliseconds - seconds * 1000);
  }
}
