// The project's words for an error as segments to choose from, each with the digit that chooses it.
import { element } from "../site/dom.js";

/**
 * @param {"type"|"criticality"} field @param {import("./words.js").Word[]} options @param {number} firstDigit
 * @param {object} attributes of every radio button, its name among them @param {(value: string) => void} choose
 */
export function wordChoices(field, options, firstDigit, attributes, choose) {
  return element("div", { class: "choices" }, ...options.map(({ value, label: text, definition, look = value }, number) => {
    const digit = firstDigit + number; // only what one key can say is printed
    return element("label", { class: "choice", title: definition || null },
      element("input", { type: "radio", value, ...attributes, on: { change: () => choose(value) } }),
      element("span", {}, digit < 10 ? element("kbd", { "aria-hidden": "true", text: String(digit) }) : null,
        element("span", { class: field === "criticality" ? `severity severity--${look}` : `error-type error-type--${look}`, text })));
  }));
}
