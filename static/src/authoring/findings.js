// What the check found about one criterion, or about the gold answer: the principle, what is the matter, the words.
// Each remark is mended by writing on, or kept with a reason; a kept one stands in grey and can be taken back.
import { ask, element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { announce } from "../task_kit/announce.js";

const MAX_REASON = 1_000;

export class Findings {
  /** @param {import("./screen.js").AuthoringScreen} screen @param {string} criterion key, or "" for the gold answer */
  constructor(screen, criterion) {
    Object.assign(this, { screen, criterion, shown: "" });
    this.root = element("ul", { class: "findings", "aria-label": gettext("Remarks") });
  }

  /** @returns {string[]} the words remarked on and not kept, to be underlined */
  show() {
    const { document } = this.screen;
    const found = this.#found().map((finding) => ({ finding, accepted: document.acceptedFor(finding) }));
    const spelt = JSON.stringify([found, this.screen.fixed]);
    if (spelt !== this.shown) {
      this.shown = spelt;
      const focused = this.root.contains(globalThis.document.activeElement)
        && [...this.root.children].findIndex((item) => item.contains(globalThis.document.activeElement));
      this.root.replaceChildren(...found.map(({ finding, accepted }) => this.#item(finding, accepted)));
      if (focused !== false) (this.root.children[focused]?.querySelector("button") ?? this.root.closest("[tabindex]"))?.focus({ preventScroll: true });
    }
    return found.filter(({ accepted }) => !accepted).map(({ finding }) => finding.words);
  }

  /** What the check says now; of a rubric that is only read, what was kept. */
  #found() {
    const { document, linter, task } = this.screen;
    return task.read_only ? document.state.accepted.filter(({ criterion }) => criterion === this.criterion) : linter.of(this.criterion);
  }

  /** Leads to the first remark nobody has answered. */
  focus() {
    const open = this.root.querySelector(".finding:not(.finding--kept)") ?? this.root;
    open.querySelector("button")?.focus({ preventScroll: true });
    open.scrollIntoView({ block: "center" });
  }

  #item(finding, accepted) {
    const { document } = this.screen;
    const button = (text, run) => (this.screen.fixed ? null
      : element("button", { type: "button", class: accepted ? "btn btn-sm btn-quiet" : "btn btn-sm btn-secondary", text, on: { click: run } }));
    return element("li", { class: accepted ? "finding finding--kept" : "finding" },
      this.#principle(finding, accepted),
      finding.message ? element("p", { text: finding.message }) : null,
      this.#words(finding),
      accepted ? element("p", { class: "muted" }, `${gettext("Your reason")}: `, element("bdi", { text: accepted.reason })) : null,
      this.#other(finding),
      accepted ? button(gettext("Take back"), () => document.unaccept(finding)) : button(gettext("Keep it, with a reason"), () => this.#keep(finding)));
  }

  /** The principle by its name, and what it asks for on request. */
  #principle({ principle, explanation }, accepted) {
    const name = element("strong", { text: principle || gettext("Remark") });
    const tag = accepted ? element("span", { class: "tag", text: gettext("kept") }) : null;
    if (!explanation) return element("p", { class: "finding__principle" }, name, tag);
    return element("details", { class: "finding__why" }, element("summary", { class: "finding__principle" }, name, tag), element("p", { text: explanation }));
  }

  /** The words as they were written, where the remark does not name them itself; one on a weight has none. */
  #words({ words, message }) {
    const { document, task } = this.screen;
    const text = this.criterion ? document.get(this.criterion)?.text : document.state.gold_answer;
    return words && text?.includes(words) && !message?.includes(words) ? element("p", { class: "finding__words", lang: task.lang, dir: task.dir }, element("mark", { text: words })) : null;
  }

  /** The other criterion of two that overlap. */
  #other({ other }) {
    const card = other && this.screen.criteria.cards.get(other);
    return card ? element("button", { type: "button", class: "btn btn-link btn-sm", text: this.screen.placeName({ criterion: other }), on: { click: () => this.screen.goTo({ criterion: other, field: null }) } }) : null;
  }

  async #keep(finding) {
    const reason = element("textarea", { class: "form-control", id: "keep-reason", rows: 3, dir: "auto", required: true, maxlength: MAX_REASON });
    const answer = await ask({
      title: gettext("Keep it as it is?"),
      content: [
        element("p", { text: finding.message }),
        this.#words(finding),
        element("div", { class: "field" }, element("label", { for: "keep-reason", text: gettext("Why is it right as it is?") }), reason,
          element("p", { class: "field__help", text: gettext("The reason is kept with the rubric.") })),
      ].filter(Boolean),
      buttons: [{ value: "", label: gettext("Cancel") }, { value: "keep", label: gettext("Keep it"), kind: "btn-primary" }],
    });
    if (answer !== "keep" || !reason.value.trim() || this.screen.fixed) return;
    this.screen.document.accept(finding, reason.value.trim());
    announce(interpolate(gettext("Kept: %(principle)s"), { principle: finding.principle || finding.message }));
  }
}
