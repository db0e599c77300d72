// The quiz: answers are saved as they are given, and the words of a sample are reached with the arrow keys.
import { listen } from "../task_kit/keys.js";
import { plainSwitch } from "../task_kit/plain-switch.js";
import { startSaving } from "./saving.js";
import { startWords } from "./words.js";

for (const group of document.querySelectorAll("[data-words]")) startWords(group);
const form = document.querySelector("form#quiz");
if (form) {
  startSaving(form);
  // What is answered on a narrow screen stands just above the bar, however many lines the bar says something in.
  const bar = form.querySelector(".quiz-actions");
  new ResizeObserver(() => form.style.setProperty("--quiz-actions", `${bar.offsetHeight}px`)).observe(bar);
  document.getElementById("missing")?.focus();
}
listen(plainSwitch());
document.documentElement.dataset.quiz = "ready";
