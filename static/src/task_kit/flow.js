// Where a person is among what an item asks: errors to review, criteria to grade, sides to rate. A verdict on what was
// open goes on to the next that is open; one that is changed stays where it is, and nothing goes past the end or round
// it. Pure: no page, no network.

/** @param {string[]} order @returns {?string} where work begins: the first that is open, else the first, null of none */
export function firstOpen(order, isOpen) {
  return order.find(isOpen) ?? order[0] ?? null;
}

/** @returns {?string} the next open one after `current`; those before it too where `around`; null where there is none */
export function nextOpen(order, current, isOpen, { around = false } = {}) {
  const from = order.indexOf(current) + 1;
  const places = around ? [...order.slice(from), ...order.slice(0, from)] : order.slice(from);
  return places.find(isOpen) ?? null;
}

/** @param {1|-1} direction @returns {?string} the neighbour of `current`, itself at either end; the first or last where nothing is current */
export function neighbour(order, current, direction) {
  if (!order.length) return null;
  const at = order.includes(current) ? order.indexOf(current) : direction > 0 ? -1 : order.length;
  return order[Math.max(0, Math.min(at + direction, order.length - 1))];
}

export class Flow {
  /**
   * @param {object} screen `order()` all that is asked, `isOpen(key)` whether an answer is missing, `current()` where one is,
   *   `go(key, said)` goes there; `said` is what was decided on the way, to be read out before what is there now
   */
  constructor(screen) {
    this.screen = screen;
  }

  get first() {
    return firstOpen(this.screen.order(), this.screen.isOpen);
  }

  /**
   * Gives a verdict on what is current by `give()`, which returns what was said or a false value where nothing was.
   * @returns {{said: ?string, moved: boolean}} `moved` where it went on
   */
  decide(give) {
    const { order, isOpen, current, go } = this.screen;
    const place = current();
    const wasOpen = place !== null && isOpen(place);
    const said = give();
    if (!said || !wasOpen || isOpen(place)) return { said: said || null, moved: false };
    const next = nextOpen(order(), place, isOpen);
    if (next !== null) go(next, said);
    return { said, moved: next !== null };
  }

  /** To the next or the one before, decided or not. */
  step(direction) {
    const next = neighbour(this.screen.order(), this.screen.current(), direction);
    if (next !== null) this.screen.go(next);
  }

  /** To the next that is open, from the end on to the first. */
  nextUndecided() {
    const { order, isOpen, current, go } = this.screen;
    const next = nextOpen(order(), current(), isOpen, { around: true });
    if (next !== null) go(next);
  }
}
