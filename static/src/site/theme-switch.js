/** Buttons `[data-theme-choice="light|dark|auto"]`, and `[data-reading="size|leading|width"]` with the percent as value; the
 * current choice of each has aria-pressed="true". */
export function startThemeSwitch(root) {
  const theme = window.mizanTheme;
  const buttons = [...root.querySelectorAll("[data-theme-choice], [data-reading]")];
  const isCurrent = ({ value, dataset: { themeChoice, reading } }) =>
    reading ? Number(value) === theme.reading.get(reading) : themeChoice === theme.get();
  const show = () => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(isCurrent(button)));
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      if (button.dataset.reading) theme.reading.set(button.dataset.reading, button.value);
      else theme.set(button.dataset.themeChoice);
      show();
    });
  }
  show();
}
