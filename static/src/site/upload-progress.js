// How much of a chosen file has been sent, in forms with data-upload; then that the server is reading it.

import { gettext } from "./text.js";

/** Forms send by htmx, whose events carry the bytes sent and in all. Without scripts the form works as it is. */
export function startUploadProgress(document) {
  document.addEventListener("htmx:beforeRequest", (event) => show(event.target, true));
  document.addEventListener("htmx:xhr:progress", (event) => {
    const { loaded, total, lengthComputable } = event.detail;
    if (lengthComputable && total) advance(event.target, loaded / total);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    show(event.target, false);
    if (event.target.matches("form[data-upload]")) document.querySelector("#outcome")?.focus();
  });
}

function parts(form) {
  if (!form.matches?.("form[data-upload]")) return null;
  const box = form.querySelector("[data-upload-progress]");
  return { box, bar: box.querySelector("progress"), state: box.querySelector("[data-upload-state]") };
}

function show(form, isBusy) {
  const found = parts(form);
  if (!found) return;
  found.box.hidden = !isBusy;
  found.bar.value = 0;
  found.state.textContent = isBusy ? gettext("Sending the file …") : "";
}

function advance(form, share) {
  const found = parts(form);
  if (!found || found.box.hidden) return;
  found.bar.value = share;
  if (share >= 1) {
    found.bar.removeAttribute("value"); // indeterminate: how long reading takes is not known here
    found.state.textContent = gettext("Checking every line …");
  }
}
