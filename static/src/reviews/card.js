// One error to review: what is claimed, and the four verdicts. Who claims it is not known to the page.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { keyCap } from "../task_kit/actions.js";
import { keyOf } from "../task_kit/keys.js";
import { onChoice } from "../task_kit/choosing.js";
import { CorrectionForm } from "./correction.js";
import { given, isDecided } from "./document.js";
import { partsOf, wordsOf } from "../spans/parts.js";
import { looksOf, namesOf } from "../spans/words.js";

export class ReviewCard {
  /**
   * @param {object} span @param {number} number its place in this turn, from 1
   * @param {import("./screen.js").ReviewScreen} screen
   */
  constructor(span, number, screen) {
    Object.assign(this, { span, number, screen, task: screen.task });
    this.title = interpolate(gettext("Error %(number)s of %(total)s"), { number, total: this.task.spans.length });
    this.root = this.#build();
    this.show(screen.document.get(span.id));
  }

  static nameOf(span) {
    if (span.anchor === "response") return gettext("Missing from the whole response");
    if (span.anchor === "paragraph") return interpolate(gettext("Missing from paragraph %(number)s"), { number: span.paragraph + 1 });
    return wordsOf(span);
  }

  show(review) {
    const awaits = this.task.verdict_first && !this.task.read_only && !review.first_verdict;
    for (const words of this.words) words.hidden = awaits;
    this.first.hidden = !awaits;
    for (const input of this.verdicts) input.checked = input.value === review.verdict;
    if (this.comment !== document.activeElement) this.comment.value = review.comment;
    if (review.comment) this.details.open = true;
    const corrects = review.verdict === "correct";
    if (corrects && !this.correction) this.#openCorrection();
    if (this.correction) {
      this.correction.root.hidden = !corrects;
      this.correction.show(review);
    }
    const decided = isDecided(review);
    this.state.textContent = decided ? this.task.verdicts.find(({ value }) => value === review.verdict)?.label ?? gettext("decided") : gettext("undecided");
    this.state.className = `tag ${decided ? "tag--good" : "tag--warning"}`;
    if (decided) this.showProblem("");
  }

  showProblem(message) {
    this.problem.textContent = message;
    this.choices.classList.toggle("field--invalid", Boolean(message));
  }

  focus() {
    this.root.focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "nearest" });
  }

  writeComment() {
    this.details.open = true;
    this.comment.focus();
  }

  setCurrent(current) {
    this.root.classList.toggle("review-card--current", current);
    if (!this.task.read_only) this.choices.hidden = !current;
    if (current) this.root.setAttribute("aria-current", "true");
    else this.root.removeAttribute("aria-current");
  }

  /** The words this review is about now, part by part as UTF-16; corrected words stand for all parts. None where something is missing. */
  ranges() {
    const review = this.screen.document.get(this.span.id);
    const isMoved = this.span.anchor === "words" && review.verdict === "correct" && review.start !== null;
    const { index } = this.screen.view;
    return (isMoved ? [review] : partsOf(this.span)).map(({ start, end }) => [index.toUtf16(start), index.toUtf16(end)]);
  }

  /** The first of them, or null. */
  range() {
    return this.ranges()[0] ?? null;
  }

  #update(values, options) {
    this.screen.document.update(this.span.id, values, options);
  }

  #openCorrection() {
    this.correction = new CorrectionForm(this.task, this.span, this.screen.view.index, {
      update: (values, options) => this.#update(values, options),
      current: () => this.screen.document.get(this.span.id),
      reselect: () => this.screen.reselect(this),
    });
    this.details.before(this.correction.root);
    if (this.task.read_only) for (const control of this.correction.root.querySelectorAll("button, select, textarea")) control.disabled = true;
  }

  #build() {
    const { span, task } = this;
    const id = `review-${span.id}`;
    this.state = element("span", { class: "tag" });
    this.choices = this.#verdicts(id);
    this.comment = element("textarea", { class: "form-control", id: `${id}-comment`, rows: 2, dir: "auto", maxlength: 10000, readonly: task.read_only,
      on: { input: ({ target }) => this.#update({ comment: target.value }, { typing: `${span.id}:comment` }) } });
    this.details = element("details", { class: "review-card__comment" },
      element("summary", { "aria-keyshortcuts": keyOf("C") }, gettext("Comment"), " ", keyCap("C")),
      element("div", { class: "field" }, element("label", { class: "visually-hidden", for: `${id}-comment`, text: interpolate(gettext("Comment on error %(number)s"), { number: this.number }) }), this.comment));
    this.choices.hidden = !this.task.read_only;
    const root = element("li", { class: "review-card surface", id, tabindex: "-1", "aria-labelledby": `${id}-title` },
      element("div", { class: "surface__header" }, element("h3", { id: `${id}-title`, text: this.title }), this.state),
      this.#claim(), this.task.read_only ? this.choices : null, this.details);
    root.addEventListener("focusin", () => this.screen.select(this.span.id, { focus: false }));
    root.addEventListener("click", () => this.screen.select(this.span.id, { focus: false }));
    return root;
  }

  #claim() {
    const { span, task } = this;
    const label = (list, value) => list.find((choice) => choice.value === value)?.label;
    const [name, look] = [namesOf(task), looksOf(task)];
    const labels = [
      span.type && element("span", { class: `error-type error-type--${look(span.type)}`, text: name(span.type) }),
      span.criticality && element("span", { class: `severity severity--${look(span.criticality)}`, text: name(span.criticality) }),
      span.category && element("span", { text: label(task.categories, span.category) ?? span.category }),
    ].filter(Boolean);
    const quote = span.anchor === "words" ? element("p", { class: "span-form__quote", lang: task.lang, dir: task.dir, text: wordsOf(span) })
      : element("p", { class: "span-form__quote", text: ReviewCard.nameOf(span) });
    this.first = element("p", { class: "muted", hidden: true, text: gettext("The explanation is shown after your first verdict. You can then confirm or change it.") });
    this.words = [
      span.explanation ? element("p", { dir: "auto", class: "review-card__explanation", translate: "no", "data-as-shown": "claim", text: span.explanation })
        : element("p", { class: "muted", text: gettext("No explanation was given.") }),
      span.correction ? element("p", { class: "small" }, element("span", { class: "muted", text: `${gettext("Correction")}: ` }), element("bdi", { text: span.correction })) : null,
    ].filter(Boolean);
    // On a phone a long claim scrolls by itself, so the keyboard has to reach it.
    return element("div", { class: "review-card__claim", tabindex: "0" }, quote,
      labels.length ? element("p", { class: "review-card__labels small" }, ...labels) : null, this.first, ...this.words);
  }

  #verdicts(id) {
    this.problem = element("p", { class: "field__error", id: `${id}-problem`, role: "alert" });
    this.verdicts = this.task.verdicts.map(({ value }) => element("input", {
      type: "radio", name: `${id}-verdict`, value, disabled: this.task.read_only, "aria-describedby": this.problem.id,
    }));
    const labels = this.verdicts.map((input, number) => element("label", { class: "choice" }, input,
      element("span", {}, element("kbd", { "aria-hidden": "true", text: String(number + 1) }), element("span", { text: this.task.verdicts[number].label }))));
    const fieldset = element("fieldset", { class: "field" },
      element("legend", { class: "visually-hidden", text: interpolate(gettext("Your verdict on error %(number)s"), { number: this.number }) }),
      element("div", { class: "choices" }, ...labels), this.problem);
    onChoice(fieldset, (value, { pointed }) => {
      if (pointed) this.screen.decide(this.task.verdicts.find((verdict) => verdict.value === value));
      else this.#update(given(value, this.screen.document.get(this.span.id), this.task));
    });
    return fieldset;
  }
}
