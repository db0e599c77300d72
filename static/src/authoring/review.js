// A second author's look before the freeze: asked for, answered with approval or with remarks. It holds of the very
// words it was asked for; what is written afterwards has to be looked at again.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { announce } from "../task_kit/announce.js";
import { send } from "../task_kit/transport.js";
import { sameDraft } from "./document.js";

export class Review {
  /** @param {import("./screen.js").AuthoringScreen} screen */
  constructor(screen) {
    Object.assign(this, { screen, task: screen.task, latest: screen.task.review });
    if (this.latest?.holds) this.reviewed = screen.document.state;
    this.state = element("div", { class: "stack", role: "status" });
    this.problem = element("p", { class: "notice notice--error", role: "alert", hidden: true });
    this.ask = element("button", { type: "button", class: "btn btn-secondary", text: gettext("Ask for a review"), on: { click: () => this.#ask() } });
    this.root = element("div", { class: "stack", "data-field": "review" }, this.state, this.problem,
      this.task.read_only ? null : element("div", {}, this.ask));
    this.show();
  }

  /** "": never asked; "asked", "approved", "returned"; "changed": answered or asked, but of other words. */
  get standing() {
    const { latest } = this;
    if (!latest) return "";
    if (latest.decision === "returned") return "returned";
    if (!this.reviewed || !sameDraft(this.reviewed, this.screen.document.state)) return "changed";
    return latest.decision || "asked";
  }

  /** Takes in what the server says of the latest review, and whether it holds `of` this draft. */
  heard(review, of) {
    if (!review) return;
    this.latest = review;
    this.reviewed = review.holds ? of : this.reviewed && sameDraft(this.reviewed, of) ? null : this.reviewed;
  }

  show() {
    const { standing, latest } = this;
    const lacksOthers = this.screen.lacksBeforeReview();
    this.ask.disabled = this.screen.fixed || lacksOthers || standing === "asked" || standing === "approved";
    const spelt = JSON.stringify([standing, latest, lacksOthers]);
    if (spelt === this.shown) return;
    this.shown = spelt;
    this.showProblem("");
    this.state.replaceChildren(...this.#words(standing, latest, lacksOthers));
  }

  showProblem(message) {
    this.problem.textContent = message;
    this.problem.hidden = !message;
  }

  focus() {
    (this.ask.disabled ? this.screen.sections.review.heading : this.ask).focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "center" });
  }

  #words(standing, latest, lacksOthers) {
    const notice = (kind, text, ...more) => element("div", { class: kind }, element("p", { text }), ...more);
    const remarks = latest?.remarks ? element("div", { class: "review-remarks", dir: "auto", text: latest.remarks }) : null;
    if (standing === "approved") return [notice("notice notice--good", gettext("A second author has approved it.")), remarks].filter(Boolean);
    if (standing === "asked") return this.task.read_only ? [] : [notice("notice", gettext("A second author is asked. You can write on meanwhile, but what you change has to be looked at again."))];
    const later = lacksOthers && !this.task.read_only ? element("p", { class: "muted", text: gettext("You can ask once the steps above are written.") }) : null;
    if (standing === "returned") return [notice("notice notice--warning", gettext("A second author sent it back with remarks:")), remarks, later].filter(Boolean);
    if (standing === "changed") return [notice("notice notice--warning", gettext("You have changed the rubric since you asked for the review. Ask again.")), remarks, later].filter(Boolean);
    return [later].filter(Boolean);
  }

  /** The draft as it was last saved is what will be read: it is saved first. */
  async #ask() {
    this.showProblem("");
    if (!(await this.screen.save())) return this.showProblem(gettext("Your draft is not saved yet, so nobody could read it. It is kept on this device; ask again when you are back online."));
    const asked = this.screen.document.serialise();
    const outcome = await send("POST", this.task.urls.ask_review, {});
    if (outcome.kind === "ok") {
      this.heard(outcome.data.review, asked);
      this.screen.refresh();
      return announce(gettext("A second author is asked."));
    }
    if (await this.screen.signedInFor(outcome)) return this.#ask();
    if (outcome.problems?.length) return this.screen.showProblems(outcome.problems);
    return this.showProblem(outcome.message || gettext("The review could not be asked for just now. Your draft is kept; try again."));
  }
}
