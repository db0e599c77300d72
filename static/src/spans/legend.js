// The words for errors with their keys, in sight while no mark is selected; the form of a mark prints them too.
import { element } from "../site/dom.js";

/** @param {{types: import("./words.js").Word[], criticalities: import("./words.js").Word[], read_only: boolean}} task @returns {HTMLElement|string} */
export function legend({ types, criticalities, read_only: isRead }) {
  const words = [...types.map((word) => [word, "error-type error-type"]), ...criticalities.map((word) => [word, "severity severity"])];
  if (isRead || !words.length) return "";
  return element("ul", { class: "key-legend" }, ...words.slice(0, 9).map(([{ value, label, look = value }, kind], number) =>
    element("li", {}, element("kbd", { text: String(number + 1) }), element("span", { class: `${kind}--${look}`, text: label }))));
}
