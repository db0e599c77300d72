// Steps that can be taken back and done again. Pure: no page, no network.

// Keystrokes in one field closer together than this are undone together, in milliseconds.
const TYPING_PAUSE = 1200;
const UNDO_DEPTH = 500;

/**
 * The steps done and undone. A step is the document's own; its `typing` names the field that is written in, and is
 * empty where the step is no typing.
 */
export class UndoStack {
  constructor(now = () => performance.now()) {
    Object.assign(this, { now, done: [], undone: [] });
  }

  get canUndo() {
    return this.done.length > 0;
  }

  get canRedo() {
    return this.undone.length > 0;
  }

  /**
   * Adds a step; what was undone is gone. `extend(last, step)` makes one step of two that are the same typing and says
   * whether it did.
   */
  add(step, extend) {
    const last = this.done.at(-1);
    const at = this.now();
    const isTyping = step.typing && last?.typing === step.typing && at - last.at < TYPING_PAUSE && !this.undone.length;
    if (isTyping && extend(last, step)) {
      last.at = at;
    } else {
      this.done.push(Object.assign(step, { at }));
      if (this.done.length > UNDO_DEPTH) this.done.shift();
    }
    this.undone.length = 0;
  }

  /** @returns {?object} the step to take back, null where there is none */
  back() {
    return move(this.done, this.undone);
  }

  forward() {
    return move(this.undone, this.done);
  }
}

function move(from, to) {
  const step = from.pop();
  if (!step) return null;
  to.push(step);
  return step;
}

function extendState(last, step) {
  if (last.after !== step.before) return false;
  last.after = step.after;
  return true;
}

/**
 * A draft whose states are whole values that share what did not change. Emits "change" {before, after, touched}, then
 * "state", whenever anything changed; `touched` names the part that the step was about, null for the whole.
 */
export class StateDocument extends EventTarget {
  constructor(state, now) {
    super();
    this.state = state;
    this.steps = new UndoStack(now);
  }

  get canUndo() {
    return this.steps.canUndo;
  }

  get canRedo() {
    return this.steps.canRedo;
  }

  /** Typing into one field, named by `typing`, is one step until there is a pause. */
  commit(after, { touched = null, typing = null } = {}) {
    this.steps.add({ before: this.state, after, touched, typing: typing && `${touched}:${typing}` }, extendState);
    this.#show(after, touched);
  }

  /** @returns {?{before: object, after: object, touched: ?string}} the step taken back, null where there was none */
  undo() {
    const step = this.steps.back();
    if (step) this.#show(step.before, step.touched);
    return step;
  }

  redo() {
    const step = this.steps.forward();
    if (step) this.#show(step.after, step.touched);
    return step;
  }

  #show(after, touched) {
    const before = this.state;
    this.state = after;
    this.dispatchEvent(new CustomEvent("change", { detail: { before, after, touched } }));
    this.dispatchEvent(new CustomEvent("state"));
  }
}
