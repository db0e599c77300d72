// The switch between formatted and plain texts on pages that are no task: a button where the page has a place for it, and
// `V` as everywhere.
import { plainCommand, plainTool } from "./plain.js";

/**
 * @param {{hasSigns: boolean, redraw: () => void}} [view] of texts that answers point into
 * @returns {import("./keys.js").Command[]} for the page's table of keys; none where no text differs
 */
export function plainSwitch(view) {
  const place = document.querySelector("[data-plain-switch]");
  const screen = { view };
  const button = place && plainTool(screen);
  if (!button) return [];
  place.append(button);
  return [plainCommand(screen)];
}
