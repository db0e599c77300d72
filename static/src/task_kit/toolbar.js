// The tools of every task screen: undo, redo, keys.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { keyCap } from "./actions.js";
import { keyOf } from "./keys.js";
import { icon, REDO, UNDO } from "./icons.js";

/** A quiet button with a sign, whose label is read aloud and shown on pointing. */
export function toolButton(label, sign, run, kind = "") {
  return element("button", {
    type: "button", class: `btn btn-quiet btn-sm tool ${kind}`.trim(), title: label, "aria-label": label, on: { click: run },
  }, sign);
}

/** A button that is pressed or not, with its key; `set(isOn)` is told. */
export function switchTool(label, key, title, isOn, set, kind = "") {
  const button = element("button", {
    type: "button", class: `btn btn-quiet btn-sm tool ${kind}`.trim(), "aria-pressed": String(isOn), "aria-keyshortcuts": keyOf(key), title,
  }, element("span", { text: label }), keyCap(key));
  button.addEventListener("click", () => {
    const next = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(next));
    set(next);
  });
  return button;
}

/** @returns {{undo: HTMLElement, redo: HTMLElement, keys: HTMLElement}} `undo` and `redo` follow the screen's document */
export function standardTools(screen, help) {
  const undo = toolButton(gettext("Undo"), icon(UNDO), () => screen.undo(), "tool--directed");
  const redo = toolButton(gettext("Redo"), icon(REDO), () => screen.redo(), "tool--directed");
  const keys = toolButton(gettext("Keys"), element("kbd", { text: "?" }), help, "when-mouse");
  const refresh = () => {
    undo.disabled = !screen.document.canUndo;
    redo.disabled = !screen.document.canRedo;
  };
  screen.document.addEventListener("state", refresh);
  refresh();
  return { undo, redo, keys };
}

/** The tools in their order; a task that is only read has nothing to undo. */
export function addTools(toolbar, screen, help, ...more) {
  const { undo, redo, keys } = standardTools(screen, help);
  toolbar.append(...(screen.task.read_only ? [] : [undo, redo]), ...more, keys);
}
