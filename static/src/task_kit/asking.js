// Asking about an item without losing one's place: the panel opens with the cursor in its field, and Escape goes back to
// where the focus was. What is chosen or half written on the screen stays as it is.

/** Opens the panel of questions; its words come from the server and may take a moment. */
export function openQuestions() {
  const panel = document.querySelector(".ask");
  if (!panel) return;
  const before = document.activeElement;
  const focus = () => {
    const field = panel.querySelector("textarea");
    field?.focus({ preventScroll: true });
    return Boolean(field);
  };
  const leave = (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    panel.open = false;
    back(); // at once: `toggle` comes later, and keys pressed until then would go to the closed field
  };
  const back = () => {
    if (panel.contains(document.activeElement) || document.activeElement === document.body) before?.focus?.({ preventScroll: true });
  };
  const closed = () => {
    if (panel.open) return;
    panel.removeEventListener("keydown", leave);
    panel.removeEventListener("toggle", closed);
    back();
  };
  panel.open = true;
  panel.addEventListener("keydown", leave);
  panel.addEventListener("toggle", closed);
  if (!focus()) panel.addEventListener("htmx:afterSettle", focus, { once: true });
}
