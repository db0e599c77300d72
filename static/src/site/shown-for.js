/** `<div data-for-choices="spans rubric" data-of-control="kind">` is shown where the form's control has one of these values. */
export function startShownFor(root) {
  for (const part of root.querySelectorAll("[data-for-choices]")) {
    const choices = new Set(part.dataset.forChoices.split(" "));
    const form = part.closest("form");
    const show = () => {
      const chosen = new FormData(form).get(part.dataset.ofControl);
      part.hidden = chosen !== null && !choices.has(chosen);
    };
    form.addEventListener("change", show);
    show();
  }
}
