// Words chosen in the text that no error points at yet: shown there, and offered to be added where thumbs are.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { announce } from "../task_kit/announce.js";

export class Chosen {
  /** @param {import("./screen.js").GradeScreen} screen */
  constructor(screen) {
    this.screen = screen;
    this.words = null;
    this.text = element("span", {});
    this.add = element("button", { type: "button", class: "btn btn-sm btn-primary", text: gettext("Add an error"), on: { click: () => screen.addError() } });
    const cancel = element("button", { type: "button", class: "btn btn-sm btn-secondary", text: gettext("Cancel"), on: { click: () => this.clear() } });
    this.root = element("div", { class: "pending-hint pending-hint--in-text", role: "group", "aria-label": gettext("Chosen words"), hidden: true }, this.text, this.add, cancel);
    document.body.append(this.root);
  }

  /** @param {{start: number, end: number, quote: string}} words @param {[number, number]} range the same in UTF-16 */
  offer(words, range, { keyboard = false } = {}) {
    this.words = words;
    this.screen.painter.show("pending", range);
    this.text.textContent = `“\u2068${shortened(words.quote)}\u2069”`;
    this.root.hidden = false;
    announce(interpolate(gettext("Chosen: %(words)s. Add an error, or Escape."), { words: words.quote }));
    if (keyboard) this.add.focus();
  }

  /** The words, which are chosen no longer; undefined where none were. */
  take() {
    const { words } = this;
    this.clear();
    return words ?? undefined;
  }

  /** True where words had been chosen. */
  clear() {
    if (!this.words) return false;
    const hadFocus = this.root.contains(document.activeElement);
    this.words = null;
    this.root.hidden = true;
    this.screen.painter.show("pending", this.screen.selector.pending);
    if (hadFocus) this.screen.view.root.focus({ preventScroll: true });
    return true;
  }
}

function shortened(quote) {
  const characters = Array.from(quote);
  return characters.length > 40 ? `${characters.slice(0, 38).join("")}…` : quote;
}
