// What stands beside the text: the score as it grows, the criteria, the errors, what is missing, submit.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { keyCap, keyedButton, skipButton, submitButton } from "../task_kit/actions.js";
import { keyOf } from "../task_kit/keys.js";
import { makeSheet } from "../task_kit/sheet.js";
import { problemsOf, warned } from "./problems.js";
import { score, signed, warnings } from "./score.js";

export class Panel {
  /** @param {HTMLElement} root filled @param {import("./screen.js").GradeScreen} screen with its cards */
  constructor(root, screen) {
    this.screen = screen;
    this.root = root;
    const { task, document: draft } = screen;
    const [positive, negative] = [true, false].map((wanted) => task.criteria.filter((one) => one.positive === wanted));
    this.missing = element("div", { class: "error-summary", role: "alert", tabindex: "-1", hidden: true });
    this.warning = element("div", { class: "notice notice--warning", role: "status", hidden: true });
    this.errors = element("ol", { class: "grade-cards" });
    this.none = element("p", { class: "muted", text: gettext("None so far. Mark the words that are wrong, then add the error; what is missing is added without words.") });
    this.add = keyedButton(gettext("Add an error"), "A", () => screen.addError());
    this.submit = submitButton(() => screen.submit());
    this.skip = task.skip_reasons?.length ? skipButton(() => screen.skip()) : null;
    root.append(this.#score(),
      this.#section(gettext("Criteria"), this.#list(positive)),
      negative.length ? this.#section(gettext("Errors to check"), this.#list(negative)) : "",
      this.#section(negative.length ? gettext("Errors you found besides") : gettext("Errors in the response"), this.none, this.errors, task.read_only ? "" : this.add),
      this.#comment(), this.missing, this.warning,
      task.read_only ? "" : element("div", { class: "panel__actions" }, this.submit, this.skip));
    draft.addEventListener("state", () => this.refresh());
    this.refresh();
  }

  /** Whether text and cards stand side by side. */
  get isBeside() {
    return getComputedStyle(this.root).position === "sticky";
  }

  /** Where the text ends that it does not cover; undefined where it covers none. */
  get top() {
    return getComputedStyle(this.root).position === "fixed" ? this.root.getBoundingClientRect().top : undefined;
  }

  refresh() {
    const { task, document: draft } = this.screen;
    const state = draft.serialise();
    const { raw, maximum, percent } = score(task.criteria, state);
    this.raw.textContent = signed(raw);
    this.maximum.textContent = signed(maximum);
    this.percent.textContent = percent === null ? "—" : `${signed(percent, 1)} %`;
    this.percent.classList.toggle("grade-score__value--negative", raw < 0);
    const decided = task.criteria.length - draft.undecided.length;
    const text = interpolate(gettext("%(decided)s of %(total)s decided"), { decided, total: task.criteria.length });
    if (this.count.textContent !== text) this.count.textContent = text;
    this.meter.value = decided;
    this.next.disabled = decided === task.criteria.length;
    this.none.hidden = draft.negatives.length > 0 || task.read_only;
    if (!this.missing.hidden) this.showMissing(problemsOf(task.criteria, state, task.failure_types, task.rules));
    this.#warn(task.read_only ? [] : [...warnings(task.criteria, state), ...warned(task.criteria, state, task.rules)]);
    if (this.comment !== document.activeElement) this.comment.value = draft.comment;
  }

  /** Lists what is missing, each entry leading to its place; nothing where nothing is. */
  showMissing(problems) {
    this.missing.hidden = problems.length === 0;
    const items = problems.slice(0, 20).map((problem) => element("li", {},
      this.screen.cards.has(problem.span)
        ? element("button", { type: "button", class: "btn btn-link", text: this.screen.titleOf(problem.span), on: { click: () => this.screen.goTo(problem) } }) : null,
      element("span", { text: ` ${problem.message}` })));
    this.missing.replaceChildren(
      element("h3", { text: gettext("Not submitted yet. Nothing is lost; this is still missing:") }), element("ul", {}, ...items));
  }

  lock(locked) {
    for (const button of [this.submit, this.skip, this.add]) if (button) button.disabled = locked;
    this.comment.readOnly = locked || this.screen.task.read_only;
  }

  #warn(messages) {
    const text = messages.join(" ");
    this.warning.hidden = !text;
    if (this.warning.textContent !== text) this.warning.textContent = text;
  }

  #score() {
    const value = (name, label, className = "") => {
      this[name] = element("bdi", { class: `grade-score__value ${className}`, dir: "ltr" });
      return element("div", {}, element("dt", { text: label }), element("dd", {}, this[name]));
    };
    this.count = element("p", { class: "panel__count", role: "status" });
    this.meter = element("progress", { class: "meter", max: this.screen.task.criteria.length || 1, "aria-label": gettext("Decided") });
    this.next = keyedButton(gettext("Next undecided"), "N", () => this.screen.nextUndecided(), "btn-sm btn-secondary");
    const steps = this.screen.task.read_only ? null : makeSheet(this.root, this.screen,
      { previous: gettext("Back to the criterion or error before"), next: gettext("Next criterion or error") });
    return element("div", { class: "grade-score surface" },
      element("dl", { class: "grade-score__values" }, value("raw", gettext("Points")), value("maximum", gettext("Maximum")), value("percent", gettext("Score"), "grade-score__value--main")),
      element("div", { class: "grade-score__progress" }, this.count, this.screen.task.read_only ? null : this.next, this.meter), steps);
  }

  #section(title, ...content) {
    return element("section", { class: "grade-section", "aria-label": title }, element("h3", { text: title }), ...content);
  }

  #list(criteria) {
    return element("ol", { class: "grade-cards" }, ...criteria.map(({ key }) => this.screen.cards.get(key).root));
  }

  #comment() {
    this.comment = element("textarea", { class: "form-control", id: "grade-comment", rows: 2, dir: "auto", maxlength: 10000, readonly: this.screen.task.read_only,
      on: { input: ({ target }) => this.screen.document.setComment(target.value) } });
    this.details = element("details", { class: "review-card__comment", open: Boolean(this.screen.document.comment) },
      element("summary", { "aria-keyshortcuts": keyOf("C") }, gettext("Comment"), " ", keyCap("C")),
      element("div", { class: "field" }, element("label", { class: "visually-hidden", for: "grade-comment", text: gettext("Comment") }), this.comment));
    return this.details;
  }

  writeComment() {
    this.details.open = true;
    this.comment.focus();
  }
}
