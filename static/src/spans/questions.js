// The questions the screen asks in a dialog: where something is missing, why an item is skipped.
import { ask, element } from "../site/dom.js";
import { gettext } from "../site/text.js";

function radios(name, label, options) {
  const choices = options.map(({ value, label: text, lang, dir }, number) => element("label", { class: "option" },
    element("input", { type: "radio", name, value, class: "form-check-input", checked: number === 0 }),
    element("bdi", { lang, dir, text })));
  return element("fieldset", { class: "field" }, element("legend", { text: label }), ...choices);
}

const chosen = (fieldset) => fieldset.querySelector("input:checked")?.value ?? "";

/**
 * Where something is missing.
 * @param {import("./text-view.js").TextView} view
 * @returns {Promise<?{anchor: "paragraph"|"response", paragraph: ?number}>}
 */
export async function askWhereMissing(view, task) {
  const excerpt = (number) => {
    const characters = Array.from(view.nodes[number].data.trim());
    return characters.length > 50 ? `${characters.slice(0, 49).join("").trimEnd()}…` : characters.join("");
  };
  const fieldset = radios("missing", gettext("Where does it belong?"), [
    { value: "response", label: gettext("Somewhere in the response as a whole") },
    ...view.paragraphs.map((_, number) => ({
      value: String(number), label: `${view.paragraphName(number)}: ${excerpt(number)}`, dir: task.dir, lang: task.lang,
    })),
  ]);
  const answer = await ask({
    title: gettext("Something is missing"),
    content: [element("p", { class: "muted", text: gettext("Mark what the response should have said but does not.") }), fieldset],
    buttons: [{ value: "", label: gettext("Cancel") }, { value: "add", label: gettext("Add"), kind: "btn-primary" }],
  });
  if (answer !== "add") return null;
  const where = chosen(fieldset);
  return where === "response" ? { anchor: "response", paragraph: null } : { anchor: "paragraph", paragraph: Number(where) };
}

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
