// On a narrow screen what stands beside the text is a sheet below it that shows one card at a time: the text stays where
// it is, whatever is decided. Where there is room the same panel is a list, and these buttons are not shown.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { icon, DOWN, UP } from "./icons.js";
import { toolButton } from "./toolbar.js";

/** Makes a sheet of a panel. @param {{previous: string, next: string, showsWords: boolean}} of `showsWords` where a card is about words of the text
 * @returns {HTMLElement} for its head: the way to the words, to the card before and to the next */
export function makeSheet(panel, screen, { previous, next, showsWords = true }) {
  panel.classList.add("panel-sheet");
  const show = showsWords ? element("button", { type: "button", class: "btn btn-quiet btn-sm", text: gettext("Show in the text"), on: { click: () => screen.showInText(screen.selected) } }) : "";
  return element("div", { class: "panel-sheet__steps" }, show,
    toolButton(previous, icon(UP), () => screen.step(-1)), toolButton(next, icon(DOWN), () => screen.step(1)));
}

/** A card that has come to the front is read from its beginning. */
export function showFromStart(panel) {
  panel.scrollTop = 0;
}

/** The head of a sheet whose cards are questions or sections: where one is among them, and the steps. */
export class SheetHead {
  /** @param {HTMLElement} panel that becomes the sheet @param {{step: (direction: number) => void}} screen */
  constructor(panel, screen, words) {
    this.place = element("bdi", { class: "panel-sheet__place", dir: "ltr" });
    this.root = element("div", { class: "panel-sheet__head" }, this.place, makeSheet(panel, screen, { ...words, showsWords: false }));
    panel.prepend(this.root);
  }

  show(place, total) {
    this.place.textContent = `${place} / ${total}`;
    this.root.hidden = total < 2;
  }
}

/** Sections of a form as the cards of a sheet: in front is the one that has the focus, or to which one steps. */
export class SectionSheet {
  /** @param {HTMLElement} panel whose own sections are the cards; of those hidden none is shown @param {{previous: string, next: string}} [words] on the steps */
  constructor(panel, words = { previous: gettext("Back to the section before"), next: gettext("Next section") }) {
    this.panel = panel;
    panel.classList.add("panel-sheet--sections");
    this.head = new SheetHead(panel, this, words);
    panel.addEventListener("focusin", ({ target }) => {
      const section = this.sections.find((one) => one.contains(target));
      if (section) this.show(section);
    });
    this.refresh();
  }

  get sections() {
    return [...this.panel.querySelectorAll(":scope > section:not([hidden])")];
  }

  step(direction) {
    const { sections } = this;
    const at = sections.indexOf(this.current) + direction;
    this.show(sections[Math.max(0, Math.min(at, sections.length - 1))]);
    showFromStart(this.panel);
  }

  /** Brings a section to the front. */
  show(section) {
    if (section) this.current = section;
    this.refresh();
  }

  /** After sections came or went. */
  refresh() {
    const { sections } = this;
    if (!sections.includes(this.current)) this.current = sections[0];
    for (const section of sections) section.classList.toggle("is-in-front", section === this.current);
    this.head.show(sections.indexOf(this.current) + 1, sections.length);
  }
}
