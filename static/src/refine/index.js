// Pages that refine errors: digits press the buttons they are printed on, raters are shown and hidden, and an error
// and its words find each other.
import { listen, plain } from "../task_kit/keys.js";
import { plainSwitch } from "../task_kit/plain-switch.js";

function pressDigit(event) {
  const control = document.querySelector(`[data-digit="${event.key}"]`);
  if (!control) return false;
  control.click();
  return true;
}

/** Shows the spans of the raters that are switched on, in the list and over the text. */
function showRaters() {
  const shown = new Set([...document.querySelectorAll("[data-rater-toggle]:checked")].map((box) => box.dataset.raterToggle));
  const spans = new Set();
  for (const card of document.querySelectorAll("[data-rater-span]")) {
    card.hidden = !shown.has(card.dataset.raterSpan);
    if (!card.hidden) spans.add(card.dataset.span);
  }
  for (const mark of document.querySelectorAll("#overlay mark")) {
    const visible = mark.dataset.spans.split(" ").filter((span) => spans.has(span)).length;
    mark.classList.toggle("overlay--deep", visible > 1);
    mark.classList.toggle("overlay--off", visible === 0);
  }
}

function marksOf(span) {
  return [...document.querySelectorAll("#overlay mark")].filter((mark) => mark.dataset.spans.split(" ").includes(span));
}

function point(card) {
  for (const mark of document.querySelectorAll(".overlay--shown")) mark.classList.remove("overlay--shown");
  for (const mark of marksOf(card.dataset.span)) mark.classList.add("overlay--shown");
}

/** The shortest visible error on these words, or the next one where that is the current one already. */
function follow(mark) {
  const cards = mark.dataset.spans.split(" ").map((span) => document.getElementById(`span-${span}`)).filter((card) => card && !card.hidden);
  if (!cards.length) return;
  const card = cards[(cards.indexOf(document.activeElement) + 1) % cards.length];
  card.focus();
  card.scrollIntoView({ block: "nearest" });
}

for (const box of document.querySelectorAll("[data-rater-toggle]")) box.addEventListener("change", showRaters);
for (const card of document.querySelectorAll("[data-rater-span]")) {
  card.addEventListener("focusin", () => point(card));
  card.addEventListener("pointerenter", () => point(card));
}
document.getElementById("overlay")?.addEventListener("click", (event) => {
  const mark = event.target.closest("mark");
  if (mark) follow(mark);
});
listen([{ keys: ["0 – 9"], label: "", single: true, matches: (event) => /^[0-9]$/.test(event.key) && plain(event.key)(event), run: pressDigit }, ...plainSwitch()]);
