const STEPS = [["year", 31557600], ["month", 2629800], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60]];

/** "3 minutes ago" in the language of the page, with the digits 0 to 9 that the server writes in every language. */
export function relativeTime(date, now = new Date(), language = document.documentElement.lang || undefined) {
  const seconds = (date - now) / 1000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto", numberingSystem: "latn" });
  for (const [unit, length] of STEPS) {
    if (Math.abs(seconds) >= length) return format.format(Math.round(seconds / length), unit);
  }
  return format.format(Math.round(seconds), "second");
}

function refresh(root) {
  for (const node of root.querySelectorAll("time[data-relative][datetime]")) {
    const date = new Date(node.dateTime);
    if (Number.isNaN(date.valueOf())) continue;
    node.title ||= node.textContent.trim();
    node.textContent = relativeTime(date);
  }
}

let ticking = false;

/** `<time datetime="…" data-relative>` shows how long ago; the full time the server wrote stays as its title. */
export function startRelativeTimes(root) {
  refresh(root);
  if (ticking) return;
  ticking = true;
  setInterval(() => refresh(document), 30_000);
}
