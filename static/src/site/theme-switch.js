/** Buttons `[data-theme-choice="light|dark|auto"]`; the current choice has aria-pressed="true". */
export function startThemeSwitch(root) {
  const buttons = [...root.querySelectorAll("[data-theme-choice]")];
  const show = () => {
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === window.mizanTheme.get()));
    }
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      window.mizanTheme.set(button.dataset.themeChoice);
      show();
    });
  }
  show();
}
