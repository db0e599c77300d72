// Signing in again without leaving the page: the sign-in page in a same-origin frame. The page it ends on posts
// {mizan: "signed-in", csrf, owner}; the draft stays where it is meanwhile.
import { renewCsrfToken } from "../site/csrf.js";
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";

const SILENT_PATIENCE = 4000;

let open = null;

/** @returns {Promise<?{csrf: string, owner: ?string}>} null when the person closed the dialog */
export function signInHere(url, { silent = false } = {}) {
  open ??= showFrame(url, silent).finally(() => { open = null; });
  return open;
}

/** True when something was typed into the frame that must not be thrown away. */
function begunIn(frame) {
  const fields = frame.contentDocument?.querySelectorAll('input:not([type="hidden"], [type="checkbox"])') ?? [];
  return [...fields].some(({ value }) => value);
}

function showFrame(url, silent) {
  const frame = element("iframe", { class: "signin__frame", src: url, title: gettext("Sign in") });
  const dialog = element("dialog", { class: "dialog signin", "aria-labelledby": "signin-title" },
    element("h2", { id: "signin-title", text: gettext("Please sign in again") }),
    element("p", { text: gettext("Your session has ended. Nothing is lost: your work is kept on this device and is saved as soon as you have signed in.") }),
    frame,
    element("form", { method: "dialog", class: "dialog__actions" },
      element("button", { class: "btn btn-secondary", text: gettext("Later") })));
  document.body.append(dialog);
  return new Promise((resolve) => {
    let timer;
    const finish = (result) => {
      clearTimeout(timer);
      window.removeEventListener("message", heard);
      document.removeEventListener("visibilitychange", back);
      dialog.remove();
      resolve(result);
    };
    const heard = (event) => {
      if (event.origin !== window.location.origin || event.source !== frame.contentWindow) return;
      if (event.data?.mizan !== "signed-in" || typeof event.data.csrf !== "string") return;
      renewCsrfToken(event.data.csrf);
      finish({ csrf: event.data.csrf, owner: event.data.owner ?? null });
    };
    window.addEventListener("message", heard);
    document.addEventListener("visibilitychange", back);
    dialog.addEventListener("close", () => finish(null));
    // Back from another tab, where they may have signed in: then the page in the frame leads on by itself.
    function back() {
      if (document.visibilityState === "visible" && !begunIn(frame)) frame.src = url;
    }
    const show = () => { if (dialog.isConnected && !dialog.open) dialog.showModal(); };
    if (silent) {
      // A frame inside a closed dialog still loads; it answers by itself where the session is alive.
      timer = setTimeout(show, SILENT_PATIENCE);
    } else {
      show();
    }
  });
}
