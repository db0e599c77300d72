// Answers are saved as they are given; samples to mark are marked as in the work.
import { listen } from "../task_kit/keys.js";
import { plainSwitch } from "../task_kit/plain-switch.js";
import { startSaving } from "./saving.js";

/** @param {() => {commands: import("../task_kit/keys.js").Command[], view: object}} [startSamples] where there are any */
export function startQuiz(startSamples) {
  const samples = startSamples?.();
  const form = document.querySelector("form#quiz");
  if (form) {
    startSaving(form);
    // What is answered on a narrow screen stands just above the bar, however many lines the bar says something in.
    const bar = form.querySelector(".quiz-actions");
    new ResizeObserver(() => form.style.setProperty("--quiz-actions", `${bar.offsetHeight}px`)).observe(bar);
    document.getElementById("missing")?.focus();
  }
  listen([...plainSwitch(samples?.view), ...(samples?.commands ?? [])]);
  document.documentElement.dataset.quiz = "ready";
}
