// The score of the whole response, in the same answer as its marks: a number and a slider, whatever the scale, for the
// digits choose among the marks' types. What is asked and what the grades mean stands on the page already.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { keyCap } from "../task_kit/actions.js";
import { NumberScale } from "../ratings/scale.js";

export class Score {
  /** @param {object} task @param {import("./document.js").SpanDocument} document @param {HTMLElement} root the question as the page asks it */
  constructor(task, document, root) {
    this.document = document;
    this.root = root;
    this.problem = element("p", { class: "field__error", id: "span-score-problem", role: "alert" });
    this.scale = new NumberScale(task.score, {
      name: "span-score-grade", describedBy: "span-score-problem", disabled: task.read_only,
      give: (score, how) => document.setScore(score, how),
    });
    this.field = element("fieldset", { class: "field answer", "data-field": "score" },
      element("legend", {}, gettext("Grade"), " ", task.read_only ? null : keyCap("G")), this.scale.root, this.problem);
    this.answer = this.root.querySelector(".question__answer");
    this.answer.append(this.field);
    document.addEventListener("state", () => this.show());
    this.show();
  }

  show() {
    this.scale.show(this.document.score);
    if (this.document.score !== null) this.#say("");
  }

  focus() {
    this.scale.focus();
    this.field.scrollIntoView({ block: "nearest" });
  }

  showProblem(message) {
    this.#say(message);
  }

  lock(locked) {
    this.answer.toggleAttribute("inert", locked);
  }

  #say(message) {
    if (this.problem.textContent !== message) this.problem.textContent = message;
    this.field.classList.toggle("field--invalid", Boolean(message));
  }
}
