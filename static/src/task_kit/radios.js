// One choice of several in a dialog.
import { element } from "../site/dom.js";

export function radios(name, label, options) {
  const choices = options.map(({ value, label: text, lang, dir }, number) => element("label", { class: "option" },
    element("input", { type: "radio", name, value, class: "form-check-input", checked: number === 0 }),
    element("bdi", { lang, dir, text })));
  return element("fieldset", { class: "field" }, element("legend", { text: label }), ...choices);
}

export const chosen = (fieldset) => fieldset.querySelector("input:checked")?.value ?? "";
