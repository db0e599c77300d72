import { element } from "../site/dom.js";

let region;
let timer;

/** Says something to people who hear the page. Later calls within a moment replace earlier ones. */
export function announce(text) {
  if (!region) {
    region = element("div", { class: "visually-hidden", "aria-live": "polite", role: "status", id: "span-announcer" });
    document.body.append(region);
  }
  clearTimeout(timer);
  timer = setTimeout(() => { region.textContent = text; }, 60);
}
