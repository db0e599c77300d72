// The last step: what becomes immutable is named, confirmed, and handed in.
import { submitButton } from "../task_kit/actions.js";
import { ask, element } from "../site/dom.js";
import { gettext, interpolate, ngettext } from "../site/text.js";
import { maximum } from "./document.js";

/** @returns {Promise<boolean>} */
export async function confirmFreeze(state, task) {
  const count = state.criteria.length;
  const facts = [
    interpolate(ngettext("%(count)s criterion with its weight", "%(count)s criteria with their weights and their order", count), { count }),
    interpolate(gettext("the maximum of %(maximum)s points"), { maximum: maximum(state) }),
    gettext("the scope and the gold answer"),
    gettext("the prompt:"),
  ];
  const items = facts.map((text) => element("li", { text }));
  items.at(-1).append(element("p", { class: "freeze__prompt prompt-text", lang: task.lang, dir: task.dir, text: state.prompt }));
  const answer = await ask({
    title: gettext("Freeze this rubric?"),
    wide: true,
    content: [
      element("p", { text: gettext("From then on nobody can change, not even you:") }),
      element("ul", { class: "freeze__facts" }, ...items),
      element("p", { class: "muted", text: gettext("What should be different later becomes a new version. Responses are shown only after the freeze.") }),
    ],
    buttons: [{ value: "", label: gettext("Not yet") }, { value: "freeze", label: gettext("Freeze"), kind: "btn-primary" }],
  });
  return answer === "freeze";
}

export class Freeze {
  /** @param {import("./screen.js").AuthoringScreen} screen */
  constructor(screen) {
    Object.assign(this, { screen, task: screen.task });
    this.missing = element("div", { class: "error-summary", role: "alert", tabindex: "-1", hidden: true });
    this.button = submitButton(() => screen.submit(), gettext("Freeze…"));
    this.discard = element("button", { type: "button", class: "btn btn-quiet", text: gettext("Discard this rubric"), on: { click: () => screen.skip() } });
    this.root = element("div", { class: "stack" }, this.missing,
      element("div", { class: "panel__actions" }, this.button, this.discard));
  }

  lock(locked) {
    this.button.disabled = locked;
    this.discard.disabled = locked;
  }

  /** Names everything that stands in the way, each entry leading to its place. */
  showMissing(problems) {
    this.missing.hidden = !problems.length;
    if (!problems.length) return;
    this.missing.replaceChildren(
      element("h2", { text: gettext("Not frozen yet. Nothing is lost; this is still missing:") }),
      element("ul", {}, ...problems.slice(0, 20).map((problem) => element("li", {},
        element("button", { type: "button", class: "btn btn-link", text: this.screen.placeName(problem), on: { click: () => this.screen.goTo(problem) } }),
        ` ${problem.message}`))));
  }
}
