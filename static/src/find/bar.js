// The bar of finding: a field, how many, on and back, and the ways out: back to where one was, or on with the text here.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { remembered } from "../site/remembered.js";
import { icon, DOWN, UP } from "../task_kit/icons.js";
import { isComposing } from "../task_kit/keys.js";
import { toolButton } from "../task_kit/toolbar.js";

export class FindBar {
  /** @param {{changed: () => void, step: (by: number) => void, stay: () => void, close: () => void}} acts */
  constructor(acts) {
    this.acts = acts;
    this.similar = remembered("find-similar", false);
    this.field = element("input", { type: "search", class: "form-control form-control-sm", dir: "auto", autocomplete: "off", spellcheck: "false",
      enterkeyhint: "search", "aria-label": gettext("Find in the text"), on: { input: acts.changed } });
    this.count = element("span", { class: "find__count" });
    this.around = element("span", { class: "visually-hidden" });
    this.box = element("input", { type: "checkbox", class: "form-check-input", id: "find-similar", checked: this.similar.on,
      on: { change: () => { this.similar.on = this.box.checked; acts.changed(); } } });
    this.option = element("div", { class: "form-check" }, this.box, element("label", { class: "form-check-label", for: "find-similar", text: gettext("Similar letters too") }));
    this.root = element("div", { class: "find", role: "search", "aria-label": gettext("Find in the text"), on: { keydown: (event) => this.#key(event) } },
      this.field, element("span", { role: "status", class: "find__status" }, this.count, this.around),
      element("span", { class: "find__steps" },
        toolButton(gettext("The place before"), icon(UP), () => acts.step(-1)), toolButton(gettext("The next place"), icon(DOWN), () => acts.step(1))),
      this.option,
      element("button", { type: "button", class: "btn btn-sm btn-secondary", "aria-keyshortcuts": "ArrowDown", text: gettext("Read on here"), on: { click: acts.stay } }),
      element("button", { type: "button", class: "btn btn-sm btn-quiet", "aria-keyshortcuts": "Escape", text: gettext("Close"), on: { click: acts.close } }));
  }

  /** Keys of the bar are the bar's: none of them gives a verdict or hands in. */
  #key(event) {
    event.stopPropagation();
    if (isComposing(event)) return;
    const inField = event.target === this.field;
    if (event.key === "Escape") this.acts.close();
    else if (inField && event.key === "Enter" && !event.ctrlKey && !event.metaKey && !event.altKey) this.acts.step(event.shiftKey ? -1 : 1);
    else if (inField && event.key === "ArrowDown" && !event.shiftKey) this.acts.stay();
    else return;
    event.preventDefault();
  }

  /** @param {number} number of the place shown, from 0 @param {number} count @param {string} around the words about it, for those who hear the page */
  tell(number, count, around) {
    const isBlank = !this.field.value.trim();
    this.count.textContent = isBlank ? "" : count ? interpolate(gettext("%(number)s of %(count)s"), { number: number + 1, count }) : gettext("Not found");
    this.around.textContent = around && ` ${around}`;
    this.field.classList.toggle("find__field--none", !isBlank && !count);
  }
}
