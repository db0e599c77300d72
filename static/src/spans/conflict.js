// Two versions of one draft: both shown, one chosen or both combined; neither is lost.
import { ask, element } from "../site/dom.js";
import { gettext, ngettext, interpolate } from "../site/text.js";
import { SpanForm } from "./form.js";

function version(title, draft, other, task) {
  const elsewhere = new Set(other.spans.map((span) => JSON.stringify(span)));
  const count = interpolate(ngettext("%(count)s error marked", "%(count)s errors marked", draft.spans.length), { count: draft.spans.length });
  const items = draft.spans.map((span) => element("li", { class: elsewhere.has(JSON.stringify(span)) ? "muted" : "conflict__different" },
    element("bdi", { lang: task.lang, text: SpanForm.name(span, task) }),
    span.explanation ? element("p", { class: "small", dir: "auto", text: span.explanation }) : null));
  return element("section", { class: "surface conflict__version" },
    element("h3", { text: title }),
    element("p", { class: "muted small", text: draft.no_errors ? gettext("Says there are no errors") : count }),
    element("ol", {}, ...items));
}

/** @returns {Promise<"mine"|"theirs"|"both">} */
export async function chooseVersion(mine, theirs, task) {
  const choice = await ask({
    title: gettext("This item was also changed elsewhere"),
    wide: true,
    closable: false,
    content: [
      element("p", { text: gettext("Another tab or device saved a different version. Choose what to go on with. Both are kept on this device, and Undo brings the other one back.") }),
      element("div", { class: "columns conflict" },
        version(gettext("On this page"), mine, theirs, task),
        version(gettext("Saved elsewhere"), theirs, mine, task)),
    ],
    buttons: [
      { value: "theirs", label: gettext("Use the one saved elsewhere") },
      { value: "both", label: gettext("Combine both") },
      { value: "mine", label: gettext("Keep the one on this page"), kind: "btn-primary" },
    ],
  });
  return choice || "mine";
}
