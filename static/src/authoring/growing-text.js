// A text field as tall as what is written in it, with words underlined beneath the letters. The mirror behind the
// field holds the same text in the same type: it gives the height, and carries the marks a field cannot show.
import { element } from "../site/dom.js";

export class GrowingText {
  /**
   * @param {object} of `id`, `lang`, `dir`, `rows`, `longest` in UTF-16 units, further `attributes` of the field, `write(value)`
   *   on every change
   */
  constructor({ id, lang, dir, rows = 2, longest, attributes = {}, write }) {
    this.field = element("textarea", {
      class: "form-control grow__field", id, lang, dir, rows, maxlength: longest, ...attributes,
      on: { input: () => { this.#mirror(); write(this.field.value); } },
    });
    this.mirror = element("div", { class: "form-control grow__mirror", lang, dir, "aria-hidden": "true" });
    this.root = element("div", { class: "grow" }, this.mirror, this.field);
    this.words = [];
    this.#mirror();
  }

  show(text) {
    if (this.field.value !== text) this.field.value = text;
    this.#mirror();
  }

  /** Underlines the first place of each of these words, as long as they stand in the text. */
  mark(words) {
    const before = this.words.join("\n");
    this.words = words.filter(Boolean);
    if (this.words.join("\n") !== before) this.#mirror();
  }

  #ranges(text) {
    const ranges = this.words.map((words) => [text.indexOf(words), words.length]).filter(([start]) => start >= 0);
    return ranges.map(([start, length]) => [start, start + length]).sort(([a], [b]) => a - b);
  }

  #mirror() {
    const text = this.field.value;
    const parts = [];
    let at = 0;
    for (const [start, end] of this.#ranges(text)) {
      if (start < at) continue; // the earlier of two that overlap stands
      parts.push(text.slice(at, start), element("mark", { text: text.slice(start, end) }));
      at = end;
    }
    this.mirror.replaceChildren(...parts, text.slice(at), "\n");
  }
}
