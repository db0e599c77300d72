// What htmx asked for and did not get: the server's own words above the page, which stays as it is.
import { element } from "./dom.js";
import { gettext } from "./text.js";

export function startFailures(root) {
  root.addEventListener("htmx:responseError", ({ detail }) => show(noticeOf(detail.xhr), isByItself(detail)));
  root.addEventListener("htmx:sendError", ({ detail }) =>
    show(ownNotice(gettext("There is no connection to the server. Nothing was changed; try again.")), isByItself(detail)),
  );
  root.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (!isByItself(detail)) standing()?.remove();
  });
  root.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.successful && isByItself(detail) && standing()?.dataset.byItself) standing().remove();
  });
}

/** Whether the page asked, every second or so, and not a person. */
function isByItself(detail) {
  return !detail.requestConfig?.triggeringEvent;
}

function standing() {
  return document.getElementById("failure");
}

function noticeOf(xhr) {
  const made = new DOMParser().parseFromString(xhr.responseText, "text/html").querySelector(".notice");
  return made ? document.adoptNode(made) : ownNotice(gettext("The server could not do this. Nothing was changed; try again."));
}

function ownNotice(text) {
  return element("div", { class: "notice notice--error", role: "alert" }, element("p", { text }));
}

/** What the page itself did not get is said once, until it gets it: no one is read it, or moved to it, each second. */
function show(notice, byItself) {
  if (byItself && standing()) return;
  standing()?.remove();
  notice.id = "failure";
  if (byItself) notice.dataset.byItself = "yes";
  document.getElementById("main").prepend(notice);
  if (!byItself) notice.scrollIntoView({ block: "nearest" });
}
