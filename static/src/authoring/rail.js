// The steps beside the page, as a strip above it on a phone: which are done, which is in sight, a way to each.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";

export class Rail {
  /** @param {HTMLElement} root @param {import("./steps.js").Step[]} steps @param {(id: string) => void} go */
  constructor(root, steps, go) {
    this.items = new Map(steps.map(({ id, title }, number) => [id, this.#item(id, title, number + 1, go)]));
    this.list = element("ol", { class: "rail__steps" }, ...[...this.items.values()].map(({ root: item }) => item));
    root.append(this.list);
  }

  show(steps) {
    for (const { id, done, optional } of steps) {
      const { link, sign, state, number } = this.items.get(id);
      link.className = done ? "rail__link rail__link--done" : "rail__link";
      sign.textContent = done ? "✓" : number;
      state.textContent = done ? gettext("done") : optional ? gettext("optional") : gettext("open");
    }
  }

  /** Marks the step in sight, and brings it into sight in the strip. */
  setCurrent(id) {
    if (this.current === id) return;
    this.items.get(this.current)?.link.removeAttribute("aria-current");
    this.current = id;
    const link = this.items.get(id)?.link;
    link?.setAttribute("aria-current", "step");
    const { list } = this;
    if (link && list.scrollWidth > list.clientWidth) list.scrollTo({ left: link.parentNode.offsetLeft - list.clientWidth / 3, behavior: "smooth" });
  }

  #item(id, title, number, go) {
    const sign = element("span", { class: "rail__sign", "aria-hidden": "true", text: number });
    const state = element("span", { class: "rail__state small" });
    const link = element("a", { class: "rail__link", href: `#${id}`, on: { click: (event) => { event.preventDefault(); go(id); } } },
      sign, element("span", { class: "rail__title", text: title }), state);
    return { root: element("li", {}, link), link, sign, state, number: String(number) };
  }
}
