import { csrfToken } from "./csrf.js";

/** Buttons `[data-theme-choice="light|dark|auto"]`, and `[data-reading="size|leading|width"]` with the percent as value; the
 * current choice of each has aria-pressed="true". How texts are read is kept with the account, where there is one. */
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
      if (button.dataset.reading) {
        theme.reading.set(button.dataset.reading, button.value);
        tellReading();
      } else theme.set(button.dataset.themeChoice);
      show();
    });
  }
  show();
}

let flight = Promise.resolve();

/** Tells the account what it does not know of how its person reads, and no more: another tab or device may have told the
 * rest. What could not be told is told from the next page. */
export function tellReading() {
  const { reading } = window.mizanTheme;
  const address = document.querySelector("[data-keep-reading]")?.dataset.keepReading;
  if (!address || !Object.keys(reading.untold()).length) return;
  flight = flight.then(async () => {
    const parts = reading.untold();
    if (!Object.keys(parts).length) return;
    const headers = { "X-CSRFToken": csrfToken(), Accept: "application/json" };
    const answer = await fetch(address, { method: "POST", headers, body: new URLSearchParams(parts) }).catch(() => null);
    if (answer?.ok && !answer.redirected) reading.told(parts);
  });
}
