// The page of one's own keys: a field takes the key that is pressed in it, and sends it.
import { isComposing, pressOf } from "../task_kit/keys.js";

// These stay what they are in a field: one leaves it, empties it, sends it.
const OF_FIELDS = new Set(["Tab", "Escape", "Enter", "Backspace", "Delete", "Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Dead", "Unidentified"]);

/** How a press is written: as the key of an act where it can be one, else in words that the server refuses with the reason. */
export function written(event) {
  const modifiers = [["ctrlKey", "Ctrl"], ["altKey", "Alt"], ["metaKey", "Meta"], ["shiftKey", "Shift"]].filter(([name]) => event[name]).map(([, word]) => word);
  return pressOf(event) ?? [...modifiers, event.key === " " ? "Space" : event.key].join("+");
}

for (const field of globalThis.document?.querySelectorAll("input[data-press]") ?? []) {
  field.addEventListener("focus", () => field.select());
  field.addEventListener("keydown", (event) => {
    if (isComposing(event) || OF_FIELDS.has(event.key)) return;
    event.preventDefault();
    if (event.repeat) return;
    field.value = written(event);
    field.form.requestSubmit();
  });
}
