// The responses themselves: scrolled together or each by itself, and on a phone, where one
// stands below the other, a switch that stays in sight and says which of them is being read.
import { switchTool } from "../task_kit/toolbar.js";
import { element } from "../site/dom.js";
import { remembered } from "../site/remembered.js";
import { gettext, interpolate } from "../site/text.js";

const LETTERS = "ABCDEFGHIJKL";
// Where a narrow screen begins to be read, below what sticks to its top; in pixels.
const READING_LINE = 96;

export class Sides {
  /** @param {HTMLElement} root with a `.side` per response @param {(place: number) => void} onRead */
  constructor(root, onRead) {
    this.sections = [...root.querySelectorAll(".side")];
    this.panes = this.sections.map((section) => section.querySelector(".side__text"));
    this.together = remembered("scroll-together", true);
    this.followed = new WeakMap(); // pane -> where the other has put it
    this.panes.forEach((pane, place) => {
      pane.addEventListener("scroll", () => this.#follow(place), { passive: true });
      pane.addEventListener("focus", () => onRead(place));
      pane.addEventListener("pointerdown", () => onRead(place));
    });
  }

  get isPair() {
    return this.panes.length > 1;
  }

  nameOf(place) {
    return this.isPair ? interpolate(gettext("Response %(letter)s"), { letter: LETTERS[place] }) : gettext("Grade");
  }

  setCurrent(place) {
    this.sections.forEach((section, at) => section.classList.toggle("side--current", this.isPair && at === place));
  }

  focus(place) {
    this.panes[Math.max(place, 0)].focus({ preventScroll: true });
    this.sections[Math.max(place, 0)].scrollIntoView({ block: "nearest" });
  }

  /** The button that has both scroll at once; none where there is one response. */
  get tool() {
    if (!this.isPair) return "";
    this.button = switchTool(gettext("Scroll together"), "T", gettext("Both responses scroll at once"), this.together.on, (isOn) => {
      this.together.on = isOn;
      this.#follow(0);
    }, "tool--together");
    return this.button;
  }

  scrollTogether() {
    this.button?.click();
  }

  /** For a narrow screen: which response one reads, and the way to the others; none where there is one. */
  get switch() {
    if (!this.isPair) return "";
    const places = this.sections.map((section, place) => [LETTERS[place], section]);
    const buttons = places.map(([letter, target], place) => element("button", { type: "button", class: "rate-switch__place", "aria-label": this.nameOf(place), text: letter, on: { click: () => this.#goTo(target) } }));
    const seen = new Map(places.map(([, target], place) => [target, { place, height: 0 }]));
    const observer = new IntersectionObserver((entries) => {
      for (const { target, intersectionRect } of entries) seen.get(target).height = intersectionRect.height;
      const [[read, most]] = [...seen.entries()].sort(([, a], [, b]) => b.height - a.height);
      this.read = most.height > 0 ? read : null;
      buttons.forEach((button, place) => {
        if (place === most.place && this.read) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
      });
    }, { rootMargin: `-${READING_LINE}px 0px 0px 0px`, threshold: Array.from({ length: 21 }, (_, step) => step / 20) });
    for (const [, target] of places) observer.observe(target);
    return element("nav", { class: "rate-switch", "aria-label": gettext("On this page") }, ...buttons);
  }

  #goTo(target) {
    const share = this.together.on && this.read && this.read !== target ? this.#share(this.read) : 0;
    target.scrollIntoView({ block: "start", behavior: "instant" });
    // Of two that are read against each other, the same place.
    if (share > 0) window.scrollBy({ top: share * target.offsetHeight, behavior: "instant" });
    target.querySelector(".side__text").focus({ preventScroll: true });
  }

  /** How far a response has been scrolled past the reading line, as a share of its height. */
  #share(section) {
    const { top, height } = section.getBoundingClientRect();
    return Math.min(Math.max((READING_LINE - top) / height, 0), 1);
  }

  #follow(place) {
    const pane = this.panes[place];
    const expected = this.followed.get(pane);
    this.followed.delete(pane);
    if (!this.isPair || !this.together.on || (expected !== undefined && Math.abs(pane.scrollTop - expected) < 2)) return;
    const room = (one) => one.scrollHeight - one.clientHeight;
    if (room(pane) <= 0) return;
    for (const other of this.panes) {
      if (other === pane || room(other) <= 0) continue;
      const top = Math.round((pane.scrollTop / room(pane)) * room(other));
      if (Math.abs(other.scrollTop - top) < 1) continue;
      this.followed.set(other, top);
      other.scrollTop = top;
    }
  }
}
