import { ask, element } from "./dom.js";
import { gettext } from "./text.js";

/** Asks in our own dialog; resolves to true when the person goes ahead. */
export async function confirmed(question, label = gettext("Go ahead")) {
  const answer = await ask({
    title: gettext("Are you sure?"),
    content: [element("p", { text: question })],
    buttons: [
      { value: "", label: gettext("Cancel") },
      { value: "yes", label, kind: "btn-primary" },
    ],
  });
  return answer === "yes";
}

/** `data-confirm="question"` on a form or a submit button; `hx-confirm` on htmx elements. */
export function startConfirmations(root) {
  root.addEventListener("submit", async (event) => {
    const asker = event.submitter?.closest("[data-confirm]") ?? event.target.closest("[data-confirm]");
    if (!asker || event.target.dataset.confirmed) return;
    event.preventDefault();
    if (!(await confirmed(asker.dataset.confirm, asker.dataset.confirmLabel))) return;
    event.target.dataset.confirmed = "yes";
    event.target.requestSubmit(event.submitter);
    delete event.target.dataset.confirmed;
  });
  root.addEventListener("htmx:confirm", async (event) => {
    if (!event.detail.question) return;
    event.preventDefault();
    if (await confirmed(event.detail.question)) event.detail.issueRequest(true);
  });
}
