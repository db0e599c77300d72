// What the check found about one criterion, or about the gold answer: the principle, what is the matter, the words.
// Each remark is mended by writing on, or kept with a reason; a kept one stands in grey and can be taken back.
import { ask, element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { announce } from "../spans/announce.js";

const LONGEST_REASON = 1_000;

export class Findings {
  /** @param {import("./screen.js").AuthoringScreen} screen @param {string} criterion key, or "" for the gold answer */
  constructor(screen, criterion) {
    Object.assign(this, { screen, criterion, shown: "" });
    this.root = element("ul", { class: "findings", "aria-label": gettext("Remarks") });
  }

  /** @returns {string[]} the words remarked on and not kept, to be underlined */
  show() {
    const { document, linter } = this.screen;
    const found = linter.of(this.criterion).map((finding) => ({ finding, accepted: document.acceptedFor(finding) }));
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

  /** Leads to the first remark nobody has answered. */
  focus() {
    const open = this.root.querySelector(".finding:not(.finding--kept)") ?? this.root;
    open.querySelector("button")?.focus({ preventScroll: true });
    open.scrollIntoView({ block: "center" });
  }

  #item(finding, accepted) {
    const { task, document } = this.screen;
    const button = (text, run) => (this.screen.fixed ? null
      : element("button", { type: "button", class: accepted ? "btn btn-sm btn-quiet" : "btn btn-sm btn-secondary", text, on: { click: run } }));
    return element("li", { class: accepted ? "finding finding--kept" : "finding" },
      element("p", { class: "finding__principle" }, element("strong", { text: finding.principle || gettext("Remark") }),
        accepted ? element("span", { class: "tag", text: gettext("kept") }) : null),
      element("p", { text: finding.message }),
      finding.words ? element("p", { class: "finding__words", lang: task.lang, dir: task.dir }, element("mark", { text: finding.words })) : null,
      accepted ? element("p", { class: "muted" }, `${gettext("Your reason")}: `, element("bdi", { text: accepted.reason })) : null,
      accepted ? button(gettext("Take back"), () => document.unaccept(finding)) : button(gettext("Keep it, with a reason"), () => this.#keep(finding)));
  }

  async #keep(finding) {
    const reason = element("textarea", { class: "form-control", id: "keep-reason", rows: 3, dir: "auto", required: true, maxlength: LONGEST_REASON });
    const answer = await ask({
      title: gettext("Keep it as it is?"),
      content: [
        element("p", { text: finding.message }),
        finding.words ? element("p", { class: "finding__words", lang: this.screen.task.lang, dir: this.screen.task.dir }, element("mark", { text: finding.words })) : null,
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
