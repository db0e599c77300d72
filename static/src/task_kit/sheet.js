// On a narrow screen what stands beside the text is a sheet below it that shows one card at a time: the text stays where
// it is, whatever is decided. Where there is room the same panel is a list, and these buttons are not shown.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { icon, DOWN, UP } from "./icons.js";
import { toolButton } from "./toolbar.js";

/** Makes a sheet of a panel. @returns {HTMLElement} for its head: the way to the words, to the card before and to the next */
export function makeSheet(panel, screen, { previous, next }) {
  panel.classList.add("panel-sheet");
  const show = element("button", { type: "button", class: "btn btn-quiet btn-sm", text: gettext("Show in the text"), on: { click: () => screen.showInText(screen.selected) } });
  return element("div", { class: "panel-sheet__steps" }, show,
    toolButton(previous, icon(UP), () => screen.step(-1)), toolButton(next, icon(DOWN), () => screen.step(1)));
}

/** A card that has come to the front is read from its beginning. */
export function showFromStart(panel) {
  panel.scrollTop = 0;
}
