import { gettext } from "./text.js";

/**
 * `<button data-copy="id">` copies the text of that element as it stands, to the last character; the element named by
 * `data-copy-state` says what became of it. Where the browser refuses, the text is selected for the person to copy.
 */
export function startCopying(root) {
  root.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const source = document.getElementById(button.dataset.copy);
    const state = document.getElementById(button.dataset.copyState);
    const text = source.value ?? source.textContent;
    try {
      await navigator.clipboard.writeText(text);
      state.textContent = gettext("Copied.");
    } catch {
      getSelection().selectAllChildren(source);
      state.textContent = gettext("The browser does not let us copy. The text is selected: copy it with the keyboard.");
    }
  });
}
