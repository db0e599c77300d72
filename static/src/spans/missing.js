// Where something is missing, asked in a dialog.
import { ask, element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { chosen, radios } from "../task_kit/radios.js";

/**
 * Where something is missing.
 * @param {import("./text-view.js").TextView} view
 * @returns {Promise<?{anchor: "paragraph"|"response", paragraph: ?number}>}
 */
export async function askWhereMissing(view, task) {
  const excerpt = (number) => {
    const characters = Array.from(view.index.text.slice(...view.shownOf(number)).trim());
    return characters.length > 50 ? `${characters.slice(0, 49).join("").trimEnd()}…` : characters.join("");
  };
  const fieldset = radios("missing", gettext("Where does it belong?"), [
    { value: "response", label: gettext("Somewhere in the response as a whole") },
    ...[...view.paragraphs.keys()].filter((number) => view.shownOf(number)).map((number) => ({
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
