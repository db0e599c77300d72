// Finding in the texts of a task: a key and a button. What finds (static/src/find/) comes when somebody first asks for it.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { plain } from "./keys.js";
import { icon } from "./icons.js";
import { toolButton } from "./toolbar.js";

const LENS = "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5 20 20";
const FIRST_OF_LATIN = /^[\x20-\x7e]$/;

/** Where the keyboard writes another script, the key that carries the sign counts. */
const isSlash = (event) => plain("/")(event) || (event.code === "Slash" && !event.shiftKey && plain(event.key)(event) && event.key.length === 1 && !FIRST_OF_LATIN.test(event.key));

/** Adds button and key to a screen whose page says where the parts of finding are (workflow/strip.html). */
export function addFind(screen, toolbar, notices, table) {
  const parts = document.getElementById("find-parts");
  if (!parts) return;
  const label = gettext("Find in the text");
  const open = async () => {
    try {
      await (window.mizanFind ?? load(parts.dataset));
      window.mizanFind.open(screen);
    } catch {
      const notice = element("p", { class: "notice notice--warning", role: "alert", text: gettext("Finding could not be loaded just now. Your work is kept; your browser's own search finds the words too.") });
      notices.replaceChildren(...[...notices.children].filter((each) => each.textContent !== notice.textContent), notice);
    }
  };
  const button = toolButton(label, icon(LENS), open);
  button.setAttribute("aria-keyshortcuts", "/");
  const keys = toolbar.querySelector(":scope > .when-mouse");
  if (keys) keys.before(button);
  else toolbar.append(button);
  table.push({ keys: ["/"], label, single: true, once: true, matches: isSlash, run: () => { open(); } });
}

let loading = null;

/** The styles and the texts first, for the script shows both; asked for again where they did not come. */
function load({ script, texts, styles }) {
  loading ??= Promise.all([
    fetched(element("link", { rel: "stylesheet", href: styles })),
    texts && fetched(element("script", { src: texts })),
  ]).then(() => fetched(element("script", { src: script }))).finally(() => { loading = null; });
  return loading;
}

function fetched(part) {
  return new Promise((resolve, reject) => {
    part.addEventListener("load", resolve);
    part.addEventListener("error", () => { part.remove(); reject(new Error(part.href ?? part.src)); });
    document.head.append(part);
  });
}
