// The buttons below a task, each with its key printed on it where there is a keyboard.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { keyOf } from "./keys.js";

const mac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

/** The key as it is printed on a control; the control itself is named without it. */
export function keyCap(key) {
  return element("kbd", { class: "key-cap", "aria-hidden": "true", text: mac ? keyOf(key).replace("Ctrl ", "⌘") : keyOf(key) });
}

/** A button with its key on it: `key` as printed, `shortcut` as assistive technology is told, where that differs. */
export function keyedButton(label, key, run, kind = "btn-secondary", shortcut = key) {
  return element("button", { type: "button", class: `btn ${kind}`, "aria-keyshortcuts": keyOf(shortcut), on: { click: run } },
    element("span", { text: label }), keyCap(key));
}

export const submitButton = (run, label = gettext("Submit")) => keyedButton(label, "Ctrl ⏎", run, "btn-primary", mac ? "Meta+Enter" : "Control+Enter");
export const skipButton = (run) => keyedButton(gettext("Skip"), "S", run, "btn-quiet");
