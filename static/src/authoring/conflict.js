// Two versions of one rubric: both summed up, one chosen or both combined; neither is lost.
import { ask, element } from "../site/dom.js";
import { gettext, interpolate, ngettext } from "../site/text.js";
import { maximum, plainDraft } from "./document.js";

function version(title, draft, other, task) {
  const elsewhere = new Set(other.criteria.map((criterion) => JSON.stringify(criterion)));
  const count = draft.criteria.length;
  const line = interpolate(ngettext("%(count)s criterion, at most %(maximum)s points", "%(count)s criteria, at most %(maximum)s points", count),
    { count, maximum: maximum(draft) });
  const text = (name, differs, words) => (words ? element("p", { class: differs ? "conflict__different" : "muted" },
    `${name}: `, element("bdi", { lang: task.lang, dir: task.dir, text: words })) : null);
  return element("section", { class: "surface conflict__version" },
    element("h3", { text: title }),
    text(gettext("Prompt"), draft.prompt !== other.prompt, draft.prompt),
    text(gettext("Gold answer"), draft.gold_answer !== other.gold_answer, draft.gold_answer),
    element("p", { class: "muted small", text: line }),
    element("ol", {}, ...draft.criteria.map((criterion) =>
      element("li", { class: elsewhere.has(JSON.stringify(criterion)) ? "muted" : "conflict__different" },
        element("bdi", { lang: task.lang, text: criterion.text || gettext("(no text yet)") }), ` · ${criterion.weight ?? "–"}`))));
}

/** @returns {Promise<"mine"|"theirs"|"both">} */
export async function chooseVersion(mine, theirs, task) {
  const [here, there] = [plainDraft(mine), plainDraft(theirs)];
  const choice = await ask({
    title: gettext("This rubric was also changed elsewhere"),
    wide: true,
    closable: false,
    content: [
      element("p", { text: gettext("Another tab or device saved a different version. Choose what to go on with. Both are kept on this device, and Undo brings the other one back.") }),
      element("div", { class: "columns conflict" },
        version(gettext("On this page"), here, there, task), version(gettext("Saved elsewhere"), there, here, task)),
    ],
    buttons: [
      { value: "theirs", label: gettext("Use the one saved elsewhere") },
      { value: "both", label: gettext("Combine both") },
      { value: "mine", label: gettext("Keep the one on this page"), kind: "btn-primary" },
    ],
  });
  return choice || "mine";
}
