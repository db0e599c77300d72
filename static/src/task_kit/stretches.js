// Stretches of time in which somebody worked, in milliseconds since 1970. Pure: no page, no clock of its own.

// A tick that comes later than this (a sleeping laptop, a page put aside by the browser) brings no time with it.
const LATEST_TICK = 5000;

export class Stretches {
  /** @param {number} idle milliseconds after the last sign of life up to which time counts @param {number[][]} told */
  constructor(idle, told = []) {
    Object.assign(this, { idle, told, lastSign: -Infinity, lastTick: null });
  }

  sign(now) {
    this.lastSign = now;
  }

  /** Counts the time since the last tick, as far as a sign of life lies near enough. @returns {boolean} whether any came */
  tick(now, isVisible) {
    const from = this.lastTick;
    this.lastTick = now;
    // A clock set back counts from where it is.
    if (from === null || now <= from || now - from > LATEST_TICK || !isVisible) return false;
    const end = Math.min(now, this.lastSign + this.idle);
    if (end <= from) return false;
    const last = this.told.at(-1);
    if (last && last[1] === from) last[1] = end;
    else this.told.push([from, end]);
    return true;
  }

  /** Leaves out what was told up to a moment; what has begun before it goes on from there. */
  forget(until) {
    this.told = this.told.filter(([, end]) => end > until).map(([begin, end]) => [Math.max(begin, until), end]);
  }

  get milliseconds() {
    return this.told.reduce((total, [begin, end]) => total + end - begin, 0);
  }
}
