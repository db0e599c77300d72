// A long list of check boxes with a field to find one: `<div data-search-choices>` around what Django draws.
import { element } from "./dom.js";
import { gettext } from "./text.js";

/** As it is compared: without case, marks on letters, and the forms of alef. */
export function folded(text) {
  return text.normalize("NFKD").replace(/\p{Mn}/gu, "").replace(/[إأآٱ]/g, "ا").toLowerCase();
}

/** Whether every word that was typed begins or stands within what is offered. */
export const fits = (offered, typed) => folded(typed).split(/\s+/).every((word) => folded(offered).includes(word));

export function startSearchChoices(root) {
  for (const list of root.querySelectorAll("[data-search-choices]")) {
    const labels = [...list.querySelectorAll("label")];
    const nothing = element("p", { class: "muted small", role: "status" });
    const find = () => {
      let shown = 0;
      for (const label of labels) {
        const found = fits(label.textContent, field.value.trim());
        (label.closest("li, div div") ?? label).hidden = !found && !label.querySelector("input").checked;
        if (found) shown += 1;
      }
      nothing.textContent = shown ? "" : gettext("Nothing fits. Try fewer letters, or the language's own name.");
    };
    const field = element("input", { type: "search", class: "form-control field__choices__search", "aria-label": gettext("Find in this list"), placeholder: gettext("Find in this list"), dir: "auto", autocomplete: "off",
      on: { input: find, keydown: (event) => { if (event.key === "Enter") event.preventDefault(); } } }); // Enter would send the form
    list.prepend(field);
    list.append(nothing);
    list.addEventListener("change", find);
  }
}
