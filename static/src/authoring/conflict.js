// How a version of a rubric is summed up where two are to be chosen between.
import { element } from "../site/dom.js";
import { gettext, interpolate, ngettext } from "../site/text.js";
import { chooseVersion as choose } from "../task_kit/conflict.js";
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

export const chooseVersion = (mine, theirs, task) =>
  choose(plainDraft(mine), plainDraft(theirs), (title, draft, other) => version(title, draft, other, task),
    gettext("This rubric was also changed elsewhere"));
