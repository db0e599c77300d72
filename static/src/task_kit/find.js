// Finding in the texts of a task: a key and a button. What finds (static/src/find/) comes when somebody first asks for it.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { isComposing, plain } from "./keys.js";
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
  let waiting = null;
  const open = async () => {
    if (window.mizanFind) return window.mizanFind.open(screen);
    if (waiting) return waiting.field.focus({ preventScroll: true });
    waiting = waitForWords(label);
    const { before, field } = waiting;
    try {
      await load(parts.dataset);
      const isWanted = field.isConnected;
      field.remove();
      if (isWanted) window.mizanFind.open(screen, { ...before, words: field.value });
    } catch {
      if (field.isConnected) before.focus?.focus?.({ preventScroll: true });
      field.remove();
      const notice = element("p", { class: "notice notice--warning", role: "alert", text: gettext("Finding could not be loaded just now. Your work is kept; your browser's own search finds the words too.") });
      notices.replaceChildren(...[...notices.children].filter((each) => each.textContent !== notice.textContent), notice);
    } finally {
      waiting = null;
    }
  };
  const button = toolButton(label, icon(LENS), open);
  button.setAttribute("aria-keyshortcuts", "/");
  const keys = toolbar.querySelector(":scope > .when-mouse");
  if (keys) keys.before(button);
  else toolbar.append(button);
  table.push({ keys: ["/"], label, single: true, once: true, matches: isSlash, run: () => { open(); } });
}

/** A field that takes what is typed before the bar is there: none of its letters is a verdict, and none is lost. */
function waitForWords(label) {
  const before = { focus: document.activeElement, chosen: String(document.getSelection() ?? "") };
  const leave = (event) => {
    event.stopPropagation();
    if (event.key !== "Escape" || isComposing(event)) return;
    before.focus?.focus?.({ preventScroll: true });
    field.remove();
  };
  // Not of type search: Chromium writes into so narrow a field of that type from its end to its beginning.
  const field = element("input", { type: "text", class: "visually-hidden", dir: "auto", autocomplete: "off", spellcheck: "false", "aria-label": label, on: { keydown: leave } });
  document.body.append(field);
  field.focus({ preventScroll: true });
  return { before, field };
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
