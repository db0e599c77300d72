// Why an item is skipped, asked in a dialog.
import { ask, element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { chosen, radios } from "./radios.js";

/** @param {{title?: string, explanation?: string, go?: string}} [words] @returns {Promise<?{reason: string, note: string}>} */
export async function askWhySkip(task, {
  title = gettext("Skip this item?"), go = gettext("Skip"),
  explanation = gettext("It goes to someone else. Your marks on it stay on record but are not counted."),
} = {}) {
  const fieldset = radios("reason", gettext("Why?"), task.skip_reasons);
  const note = element("textarea", { class: "form-control", id: "skip-note", rows: 3, dir: "auto", maxlength: 2000 });
  const optional = element("span", { class: "field__optional", text: ` ${gettext("(optional)")}` });
  const askNote = () => {
    note.required = Boolean(task.skip_reasons.find(({ value }) => value === chosen(fieldset))?.needs_note);
    optional.hidden = note.required;
  };
  fieldset.addEventListener("change", askNote);
  askNote();
  const answer = await ask({
    title,
    content: [
      element("p", { class: "muted", text: explanation }),
      fieldset,
      element("div", { class: "field" },
        element("label", { for: "skip-note" }, gettext("Anything to add?"), optional), note),
    ],
    buttons: [{ value: "", label: gettext("Cancel") }, { value: "skip", label: go, kind: "btn-primary" }],
  });
  return answer === "skip" ? { reason: chosen(fieldset), note: note.value.trim() } : null;
}
