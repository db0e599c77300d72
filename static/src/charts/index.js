// Charts of the results: every `[data-chart]` draws the table in the JSON block it names.
import { Chart } from "./chart.js";
import { savePng, saveSvg } from "./download.js";
import { paperPalette } from "./palette.js";

const charts = new Map();

function start(root) {
  for (const place of root.querySelectorAll("[data-chart]")) {
    if (charts.has(place)) continue;
    const chart = new Chart(place, JSON.parse(document.getElementById(place.dataset.chart).textContent));
    charts.set(place, chart);
    widths.observe(place);
  }
  for (const button of root.querySelectorAll("[data-chart-save]")) button.hidden = false;
}

const widths = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const chart = charts.get(target);
    // Our own change of the height comes back here too.
    if (!chart || chart.width === contentRect.width) continue;
    chart.width = contentRect.width;
    chart.draw();
  }
});

new MutationObserver(() => charts.forEach((chart) => chart.draw()))
  .observe(document.documentElement, { attributeFilter: ["data-bs-theme"] });

window.addEventListener("beforeprint", () => charts.forEach((chart) => chart.draw(paperPalette())));
window.addEventListener("afterprint", () => charts.forEach((chart) => chart.draw()));

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-chart-save]");
  const chart = button && charts.get(document.getElementById(button.dataset.of));
  if (!chart) return;
  (button.dataset.chartSave === "png" ? savePng : saveSvg)(chart, button.dataset.name);
});

/** Text is measured in its font, so charts wait for those the page has asked for; they never wait long. */
const fonts = Promise.race([document.fonts.ready, new Promise((resolve) => setTimeout(resolve, 1500))]);
fonts.then(() => start(document));
document.addEventListener("htmx:load", (event) => fonts.then(() => start(event.target)));
