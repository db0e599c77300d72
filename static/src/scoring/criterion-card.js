// One criterion to decide about: what the rubric asks for, or an error somebody else has named.
import { element } from "../site/dom.js";
import { gettext, interpolate, ngettext } from "../site/text.js";
import { onChoice } from "../task_kit/choosing.js";
import { keyOf } from "../task_kit/keys.js";
import { signed } from "./score.js";

const OF_POSITIVE = [
  { value: "pass", digit: "P", label: gettext("Pass") },
  { value: "fail", digit: "F", label: gettext("Fail") },
];
const SHORT = 120; // code units; a longer text takes the whole width, and the verdicts stand below it
const OF_NEGATIVE = [
  { value: "present", digit: "1", label: gettext("Error present") },
  { value: "absent", digit: "2", label: gettext("No such error") },
];

/** Where the text stands above the cards, the way from a card to its words. */
export function showButton(run) {
  return element("button", { type: "button", class: "btn btn-quiet btn-sm grade-card__show", text: gettext("Show in the text"),
    on: { click: (event) => { event.stopPropagation(); run(); } } });
}

export class CriterionCard {
  /**
   * @param {object} criterion as of the task @param {number} number its place among its kind, from 1
   * @param {import("./screen.js").GradeScreen} screen
   */
  constructor(criterion, number, screen) {
    Object.assign(this, { criterion, screen, key: criterion.key });
    this.choices = criterion.positive ? OF_POSITIVE : OF_NEGATIVE;
    this.title = interpolate(criterion.positive ? gettext("Criterion %(number)s") : gettext("Error %(number)s"), { number });
    this.root = this.#build();
    this.show();
  }

  show() {
    const verdict = this.screen.document.verdict(this.key);
    for (const input of this.inputs) input.checked = input.value === verdict;
    this.root.dataset.verdict = verdict;
    if (verdict) this.showProblems([]);
  }

  /** Decides by the key printed on the control; false where it stands on none. */
  choose(printed) {
    const choice = this.choices.find(({ digit }) => digit === printed);
    if (!choice) return null;
    this.screen.document.decide(this.key, choice.value);
    return choice.label;
  }

  showProblems(problems) {
    this.problem.textContent = problems[0]?.message ?? "";
    this.fieldset.classList.toggle("field--invalid", problems.length > 0);
  }

  focus() {
    this.root.focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "nearest" });
  }

  setCurrent(current) {
    this.root.classList.toggle("grade-card--current", current);
    if (current) this.root.setAttribute("aria-current", "true");
    else this.root.removeAttribute("aria-current");
  }

  /** The words it points at in code points, or null. */
  get words() {
    const { start, end } = this.criterion;
    return start === null ? null : [start, end];
  }

  #build() {
    const { criterion, screen: { task } } = this;
    const id = `criterion-${criterion.key}`;
    this.problem = element("p", { class: "field__error", id: `${id}-problem`, role: "alert" });
    this.inputs = this.choices.map(({ value }) => element("input", {
      type: "radio", name: id, value, disabled: task.read_only, "aria-describedby": this.problem.id,
    }));
    const labels = this.inputs.map((input, at) => element("label", { class: `choice choice--${this.choices[at].value}` }, input,
      element("span", {}, element("kbd", { "aria-hidden": "true", text: keyOf(this.choices[at].digit) }), element("span", { text: this.choices[at].label }))));
    this.fieldset = element("fieldset", { class: "field" },
      element("legend", { class: "visually-hidden", text: interpolate(gettext("Your verdict: %(title)s"), { title: this.title }) }),
      element("div", { class: "choices" }, ...labels), this.problem);
    onChoice(this.fieldset, (value, { pointed }) => {
      if (pointed) this.screen.choose(this.choices.find((choice) => choice.value === value).digit);
      else this.screen.document.decide(this.key, value);
    });
    const isShort = criterion.positive && !criterion.quote && criterion.text.length <= SHORT;
    const root = element("li", { class: `grade-card grade-card--criterion${isShort ? " grade-card--short" : ""} surface`, id, tabindex: "-1", "aria-labelledby": `${id}-title ${id}-text` },
      element("div", { class: "surface__header" }, element("h4", { id: `${id}-title`, text: this.title }), this.#points()),
      element("p", { class: "grade-card__text", id: `${id}-text`, dir: "auto", lang: task.criteria_lang, text: criterion.text }),
      criterion.quote ? element("p", { class: "span-form__quote", lang: task.lang, dir: task.dir, text: criterion.quote }) : null,
      criterion.quote ? showButton(() => this.screen.showInText(this.key)) : null,
      element("p", { class: "grade-card__labels" }, [criterion.band, criterion.objectivity, criterion.explicitness, ...criterion.tags].filter(Boolean).join(" · ")),
      this.fieldset);
    root.addEventListener("focusin", () => this.screen.select(this.key, { focus: false }));
    root.addEventListener("click", () => this.screen.select(this.key, { focus: false }));
    return root;
  }

  #points() {
    const { weight } = this.criterion;
    const [before, after] = interpolate(ngettext("%(count)s point", "%(count)s points", Math.abs(weight)), { count: "\u0000" }).split("\u0000");
    return element("span", { class: "tag" }, before, element("bdi", { dir: "ltr", text: signed(weight) }), after ?? "");
  }
}
