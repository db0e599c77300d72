// The spans as a list of buttons in reading order: the way to every mark without seeing the text, and the overview
// for those who see it. Kept in step span by span, never rebuilt as a whole.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { SpanForm } from "./form.js";
import { sameWords } from "./parts.js";
import { isComplete } from "./validation.js";
import { looksOf, namesOf } from "./words.js";

export class SpanList {
  /** @param {(id: string) => void} select */
  constructor(task, document, select) {
    this.task = task;
    this.document = document;
    this.select = select;
    this.items = new Map();
    this.selected = null;
    this.label = namesOf(task);
    this.look = looksOf(task);
    this.root = element("ol", { class: "span-list", on: { click: (event) => this.#clicked(event) } });
    for (const span of document.list()) this.root.append(this.#item(span));
    document.addEventListener("change", ({ detail }) => this.#change(detail));
  }

  setSelected(id) {
    this.items.get(this.selected)?.firstChild.removeAttribute("aria-current");
    this.selected = id;
    const button = this.items.get(id)?.firstChild;
    button?.setAttribute("aria-current", "true");
    if (button) this.#reveal(button);
  }

  focus(id) {
    this.items.get(id)?.firstChild.focus({ preventScroll: true });
  }

  contains(node) {
    return this.root.contains(node);
  }

  #reveal(button) {
    // Only the list itself scrolls: the page must stay where the person reads.
    const top = button.offsetTop - this.root.offsetTop;
    if (top < this.root.scrollTop || top + button.offsetHeight > this.root.scrollTop + this.root.clientHeight) {
      this.root.scrollTop = top - this.root.clientHeight / 3;
    }
  }

  #clicked(event) {
    const id = event.target.closest("[data-span]")?.dataset.span;
    if (id) this.select(id);
  }

  #item(span) {
    const button = element("button", { type: "button", class: "span-list__item", "data-span": span.id },
      element("bdi", { class: "span-list__quote" }), element("span", { class: "span-list__labels" }));
    const item = element("li", {}, button);
    this.items.set(span.id, item);
    this.#describe(item, span);
    return item;
  }

  #describe(item, span) {
    const [quote, labels] = item.firstChild.children;
    quote.textContent = SpanForm.name(span, this.task);
    if (span.anchor === "words") {
      quote.lang = this.task.lang;
      quote.dir = this.task.dir;
    }
    const parts = [];
    if (span.type) parts.push(element("span", { class: `error-type error-type--${this.look(span.type)}`, text: this.label(span.type) }));
    if (span.criticality) parts.push(element("span", { class: `severity severity--${this.look(span.criticality)}`, text: this.label(span.criticality) }));
    if (!isComplete(span, this.document)) parts.push(element("span", { class: "tag tag--warning", text: gettext("unfinished") }));
    labels.replaceChildren(...parts);
  }

  #change({ before, after }) {
    if (before && !after) {
      this.items.get(before.id)?.remove();
      this.items.delete(before.id);
      return;
    }
    const known = this.items.get(after.id);
    if (known && sameWords(before, after)) {
      this.#describeIfVisible(known, before, after);
      return;
    }
    known?.remove();
    const item = known ?? this.#item(after);
    this.#describe(item, after);
    const next = this.document.order.sorted[this.document.order.indexOf(after) + 1];
    this.root.insertBefore(item, (next && this.items.get(next.id)) ?? null);
  }

  /** Typing changes nothing a list entry shows, except whether the span is finished. */
  #describeIfVisible(item, before, after) {
    const finished = [before, after].map((span) => isComplete(span, this.document));
    if (before.type === after.type && before.criticality === after.criticality && finished[0] === finished[1]) return;
    this.#describe(item, after);
  }
}
