// Messages above the text when work cannot reach the server the ordinary way.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";

const REASONS = {
  lease_lost: gettext("Your time for this item ran out and it went to someone else."),
  submitted: gettext("This item was already submitted, perhaps in another tab."),
  reassigned: gettext("This item was given to someone else."),
  "other-person": gettext("Someone else is signed in now. This work belongs to the person who began it and was not sent."),
  gone: gettext("This item is no longer open to you."),
};

/** What happened, what was kept, what to do. @param {{href: string, text: string}} onwards where to go from here */
export function lostNotice({ code, message }, editor, task, onwards = { href: task.urls.next, text: gettext("Next item") }) {
  const download = element("button", { type: "button", class: "btn btn-secondary btn-sm", text: gettext("Save a copy of my work"), on: { click: () => saveCopy(editor, task) } });
  return element("div", { class: "notice notice--error", role: "alert" },
    element("p", {}, message || REASONS[code] || REASONS.gone, " ", gettext("What you wrote is still on this device.")),
    download,
    element("a", { class: "btn btn-primary btn-sm", ...onwards }));
}

export function leftoverNotice(pages) {
  const links = pages.map((page, number) => element("a", { href: page, text: ` ${number + 1} ` }));
  return element("p", { class: "notice notice--warning" },
    gettext("Earlier items have changes that are only on this device. Open them to settle it:"), ...links);
}

function saveCopy(editor, task) {
  const text = JSON.stringify({ assignment: task.assignment, body: editor.document.serialise() }, null, 2);
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = element("a", { href: address, download: `marks-${task.assignment}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
