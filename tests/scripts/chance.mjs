// Random but repeatable: every run of a test meets the same cases, and a failure names its seed.

globalThis.window ??= globalThis; // where the scripts look for Django's translations, which Node does without
// Node 18 knows the class but does not offer it.
globalThis.CustomEvent ??= class extends Event {
  constructor(type, { detail = null } = {}) {
    super(type);
    this.detail = detail;
  }
};

/** Numbers in [0, 1) from a seed (mulberry32). */
export function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export class Chance {
  constructor(seed) {
    this.next = numbers(seed);
  }

  below(end) {
    return Math.floor(this.next() * end);
  }

  of(list) {
    return list[this.below(list.length)];
  }

  listOf(length, make) {
    return Array.from({ length: this.below(length + 1) }, make);
  }
}

/** Runs `check` with each of so many seeds; what it throws says which. */
export function forSeeds(count, check) {
  for (let seed = 1; seed <= count; seed += 1) {
    try {
      check(new Chance(seed));
    } catch (error) {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    }
  }
}
