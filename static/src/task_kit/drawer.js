// What belongs to a text (guidelines, prompt, gold answer) stands beside it where there is room and is a sheet over it
// where there is not; it never pushes the text down. Beside the text it stays as the person left it on this device; as a
// sheet it is closed with every item. It is no dialog: Tab leads out of it, and a sheet that was left closes.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { keyCap } from "./actions.js";
import { keyOf } from "./keys.js";
import { BESIDE, icon } from "./icons.js";

const wide = window.matchMedia("(min-width: 75rem)");
const state = document.documentElement.dataset;

/** Ties the page's drawer to a button at the end of the toolbar; null where the page has nothing to put there. */
export function startDrawer(toolbar) {
  const root = document.getElementById("drawer");
  return root?.firstElementChild ? new Drawer(root, toolbar) : null;
}

class Drawer {
  constructor(root, toolbar) {
    this.root = root;
    this.button = element("button", { type: "button", class: "btn btn-quiet btn-sm tool tool--drawer", "aria-controls": root.id, "aria-keyshortcuts": keyOf("D"), on: { click: () => this.toggle() } },
      icon(BESIDE), element("span", { text: gettext("Background") }), keyCap("D"));
    toolbar.append(this.button);
    root.prepend(element("div", { class: "drawer__head" },
      element("button", { type: "button", class: "btn-close", "aria-label": gettext("Close"), on: { click: () => this.close() } })));
    root.addEventListener("keydown", (event) => this.#escaped(event));
    root.addEventListener("focusout", ({ relatedTarget }) => { if (relatedTarget && !wide.matches && !this.#isPart(relatedTarget)) this.close(); });
    document.addEventListener("pointerdown", ({ target }) => { if (!wide.matches && this.isOpen && !this.#isPart(target)) this.close(); });
    wide.addEventListener("change", () => this.#tell());
    document.addEventListener("click", (event) => this.#follow(event));
    // What was swapped away may have had the focus: it goes on in what came instead.
    root.addEventListener("htmx:afterSwap", ({ target }) => { if (document.activeElement === document.body) target.focus({ preventScroll: true }); });
    // What changed in the guidelines is to be seen, however the drawer was left.
    if (root.querySelector("#guidelines-news")) this.#set(true);
    this.#tell();
  }

  get isOpen() {
    return wide.matches ? state.drawer !== "closed" : state.drawerSheet === "open";
  }

  toggle() {
    if (this.isOpen) this.close();
    else this.open();
  }

  open() {
    this.before = document.activeElement;
    this.#set(true, { kept: true });
    this.root.scrollTop = 0;
    this.root.focus({ preventScroll: true });
  }

  /** The focus goes back where it came from, if it was in the drawer. */
  close() {
    const hadFocus = this.root.contains(document.activeElement);
    this.#set(false, { kept: true });
    if (hadFocus) (this.before?.isConnected && this.before !== document.body ? this.before : this.button).focus({ preventScroll: true });
  }

  #set(isOpen, { kept = false } = {}) {
    if (!wide.matches) state.drawerSheet = isOpen ? "open" : "closed";
    else {
      state.drawer = isOpen ? "open" : "closed";
      if (kept) window.mizanTheme?.keepDrawer(isOpen);
    }
    this.#tell();
  }

  #tell() {
    this.button.setAttribute("aria-expanded", String(this.isOpen));
  }

  /** A link that names a part of the drawer opens it there, with the text in its place; with Ctrl it is any other link. */
  #follow(event) {
    const link = event.target.closest?.("a[data-opens]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && this.openPart(link.dataset.opens)) event.preventDefault();
  }

  /** Opens a part of the drawer by its id, with the focus on its name; false where there is none of that id. */
  openPart(id) {
    const part = id && this.root.querySelector(`details#${CSS.escape(id)}`);
    if (!part) return false;
    this.before = document.activeElement;
    this.#set(true);
    part.open = true;
    this.root.scrollTop = part.offsetTop - this.root.offsetTop;
    part.querySelector("summary").focus({ preventScroll: true });
    return true;
  }

  #isPart(target) {
    return this.root.contains(target) || this.button.contains(target);
  }

  #escaped(event) {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault(); // one step back: the drawer, and not what stands behind it
    this.close();
  }
}
