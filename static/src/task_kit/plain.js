// The switch between texts with their markdown rendered and texts as they were written: a person's own, the same on
// every screen. A text that answers point into stands in the page once (spans/text-view.js), others in both forms.
import { remembered } from "../site/remembered.js";
import { gettext } from "../site/text.js";
import { letter } from "./keys.js";
import { switchTool } from "./toolbar.js";

export const plainText = remembered("plain-text", false);

function showViews() {
  for (const view of document.querySelectorAll("[data-view]")) view.hidden = (view.dataset.view === "plain") !== plainText.on;
}

/** The button for the toolbar; none where no text on the page has signs of markdown. @param {object} screen with a `view`, where answers point into its text */
export function plainTool(screen) {
  showViews();
  if (!screen.view?.hasSigns && !document.querySelector("[data-view=formatted] :is([hidden], ol)")) return "";
  const button = switchTool(gettext("Plain text"), "V", gettext("Show the responses as they were written, unformatted"), plainText.on, (isOn) => {
    plainText.on = isOn;
    showViews();
    screen.view?.redraw();
  }, "tool--plain");
  screen.togglePlain = () => button.click();
  return button;
}

/** The command for the table of keys. */
export function plainCommand(screen) {
  return { keys: ["V"], label: gettext("Show the responses as they were written, unformatted"), single: true, once: true, matches: letter("V"), run: () => screen.togglePlain?.() };
}
