// Shows what was found over the text: by the CSS Custom Highlight API, which leaves text and marks as they are; where a
// browser is without it, the current place has boxes laid over it.
import { element } from "../site/dom.js";

const NAMES = ["found", "found-current"];
/** More than these are counted, not painted: so many stand on no screen. */
const MOST = 2000;

export class FoundPainter {
  constructor() {
    this.hasHighlights = typeof Highlight === "function" && Boolean(globalThis.CSS?.highlights);
    this.boxes = element("div", { class: "find-boxes", "aria-hidden": "true" });
  }

  /** @param {{place: object, start: number, end: number}[]} found @param {number} current its number, or -1 */
  show(found, current) {
    if (!this.hasHighlights) {
      this.#lay(found[current]);
      return;
    }
    const first = Math.max(0, Math.min(current - MOST / 2, found.length - MOST));
    const ranges = (some) => some.flatMap(({ place, start, end }) => place.ranges(start, end));
    [ranges(found.slice(first, first + MOST)), ranges(found.slice(current, current + 1))].forEach((each, number) => {
      const highlight = new Highlight(...each);
      highlight.priority = 50 + number;
      CSS.highlights.set(NAMES[number], highlight);
    });
  }

  clear() {
    if (this.hasHighlights) for (const name of NAMES) CSS.highlights.delete(name);
    this.boxes.remove();
  }

  /** Boxes at their places in the page; moved again when something scrolls. */
  #lay(found) {
    this.boxes.replaceChildren();
    if (!found) return;
    document.body.append(this.boxes);
    for (const { left, top, width, height } of found.place.boxes(found.start, found.end)) {
      const box = element("div", { class: "find-box" });
      Object.assign(box.style, { left: `${left + scrollX}px`, top: `${top + scrollY}px`, width: `${width}px`, height: `${height}px` });
      this.boxes.append(box);
    }
  }
}
