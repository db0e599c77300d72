// How a version of marked errors is shown where two are to be chosen between.
import { element } from "../site/dom.js";
import { gettext, ngettext, interpolate } from "../site/text.js";
import { chooseVersion as choose } from "../task_kit/conflict.js";
import { answersGiven } from "../questionnaires/conflict.js";
import { plainSpan } from "./document.js";
import { SpanForm } from "./form.js";

const same = (draft, other, key) => JSON.stringify(draft.answers[key]) === JSON.stringify(other.answers?.[key]);

function version(title, draft, other, task) {
  // A database gives the fields of what was saved elsewhere in an order of its own.
  const written = (span) => JSON.stringify(plainSpan(span));
  const elsewhere = new Set(other.spans.map(written));
  const count = interpolate(ngettext("%(count)s error marked", "%(count)s errors marked", draft.spans.length), { count: draft.spans.length });
  const items = draft.spans.map((span) => element("li", { class: elsewhere.has(written(span)) ? "muted" : "conflict__different" },
    element("bdi", { lang: task.lang, text: SpanForm.name(span, task) }),
    span.explanation ? element("p", { class: "small", dir: "auto", text: span.explanation }) : null));
  return element("section", { class: "surface conflict__version" },
    element("h3", { text: title }),
    element("p", { class: "muted small", text: draft.no_errors ? gettext("Says there are no errors") : count }),
    task.score ? element("p", { class: draft.score === other.score ? "muted" : "conflict__different" },
      element("bdi", { text: `${task.score.name}: ` }), element("bdi", { dir: "ltr", text: draft.score ?? "–" })) : null,
    element("ol", {}, ...items),
    draft.answers ? answersGiven(task, draft.answers, (key) => (same(draft, other, key) ? "muted" : "conflict__different")) : null);
}

export const chooseVersion = (mine, theirs, task) =>
  choose(mine, theirs, (title, draft, other) => version(title, draft, other, task));
