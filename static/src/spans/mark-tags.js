// The name of what a mark says, printed above its first word. The tags lie over the text and are no part of it: neither its
// nodes nor the height of its lines change, and they let every press through. Those who hear the page have the list of marks.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { remembered } from "../site/remembered.js";
import { partsOf } from "./parts.js";
import { inRows } from "./tag-rows.js";
import { looksOf, namesOf } from "./words.js";

const shown = remembered("mark-tags", true);
const CHANGED = "mizan:mark-tags";

/** The last part of a category's path ("Accuracy/Addition"), else the type, else how critical it is. @param {object} task @returns {(span: object) => string} */
export function tagsOf(task) {
  const categories = new Map((task.categories ?? []).map(({ value, label }) => [value, label.split("/").at(-1).trim()]));
  const name = namesOf(task);
  return ({ category, type, criticality }) => (category && (categories.get(category) || category)) || (type && name(type)) || (criticality && name(criticality)) || "";
}

/** The switch for the panel: names at marks, or none; the person's own, on this device. */
export function tagSwitch() {
  const box = element("input", { type: "checkbox", on: { change: () => {
    shown.on = box.checked;
    document.dispatchEvent(new Event(CHANGED));
  } } });
  box.checked = shown.on;
  return element("label", { class: "tag-switch small muted" }, box, gettext("Names at the marks"));
}

export class MarkTags {
  /**
   * @param {import("./text-view.js").TextView} view @param {{list: () => object[], get?: (id: string) => object} & EventTarget} marks that says "change" of each that changes
   * @param {object} task with the words for errors
   */
  constructor(view, marks, task) {
    this.view = view;
    this.labelOf = tagsOf(task);
    this.look = looksOf(task);
    this.tags = new Map(); // id -> {span, node, label, width, box, at}
    this.root = element("div", { class: "mark-tags", "aria-hidden": "true", dir: task.dir });
    view.root.after(this.root);
    for (const span of marks.list()) this.#keep(span);
    marks.addEventListener("change", ({ detail: { before, after } }) => {
      if (before && (!after || after.id !== before.id)) this.#drop(before.id);
      if (after) this.#keep(after);
    });
    view.addEventListener("redrawn", () => this.#measureAgain());
    view.root.addEventListener("scroll", () => this.#measureAgain(), { capture: true, passive: true });
    document.addEventListener(CHANGED, () => this.#measureAgain());
    document.fonts?.addEventListener?.("loadingdone", () => {
      for (const tag of this.tags.values()) tag.width = null;
      this.#measureAgain();
    });
    // The tools above the text come later, and move it without changing its size.
    const resized = new ResizeObserver(() => this.#measureAgain());
    for (const each of [view.root, this.root]) resized.observe(each);
    this.#soon();
  }

  #drop(id) {
    this.tags.get(id)?.node.remove();
    if (this.tags.delete(id)) this.#soon();
  }

  #keep(span) {
    const label = span.anchor === "words" ? this.labelOf(span) : "";
    if (!label) return this.#drop(span.id);
    const known = this.tags.get(span.id);
    const isThere = known && known.span.start === span.start && known.span.end === span.end && known.label === label;
    const kind = `mark-tag mark-tag--${this.look(span.criticality) || "unset"}`;
    const tag = known ?? { node: element("span", {}), box: null, width: null, at: "" };
    if (tag.node.className !== kind) tag.node.className = kind;
    if (isThere) {
      tag.span = span;
      return;
    }
    if (tag.label !== label) tag.width = null;
    Object.assign(tag, { span, label, box: null });
    if (!known) this.tags.set(span.id, tag);
    this.#soon();
  }

  #measureAgain() {
    for (const tag of this.tags.values()) tag.box = null;
    this.#soon();
  }

  #soon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#place();
    });
  }

  /** All is read from the page before anything is written to it, and only what changed is written. */
  #place() {
    this.root.hidden = !shown.on;
    if (!shown.on) return;
    const fresh = [...this.tags.values()].filter(({ width }) => width === null);
    for (const tag of fresh) {
      tag.node.dataset.label = tag.label;
      tag.node.style.maxInlineSize = "";
      tag.at = "";
    }
    this.root.append(...fresh.filter(({ node }) => !node.isConnected).map(({ node }) => node));
    for (const tag of fresh) tag.width = Math.ceil(tag.node.getBoundingClientRect().width) + 1;
    const unplaced = [...this.tags.values()].filter(({ box }) => box === null);
    if (unplaced.length) this.ground = this.root.getBoundingClientRect();
    for (const tag of unplaced) tag.box = this.#boxOf(tag.span, this.ground);
    for (const [tag, { start, width }] of inRows([...this.tags.values()].filter(({ box }) => box), this.ground?.width ?? 0)) {
      const at = `${start} ${tag.box.top} ${width}`;
      if (at === tag.at) continue;
      tag.at = at;
      tag.node.style.insetInlineStart = `${start}px`;
      tag.node.style.insetBlockStart = `${tag.box.top}px`;
      tag.node.style.maxInlineSize = `${width}px`;
    }
    for (const { box, node } of this.tags.values()) if (node.hidden === Boolean(box)) node.hidden = !box;
  }

  /** Where the first word of a mark is seen: from the edge at which its line begins and from above, in pixels; false where it is not. */
  #boxOf(span, ground) {
    const { index } = this.view;
    const [{ start, end }] = partsOf(span);
    const boxes = this.view.rectangles(index.toUtf16(start), index.toUtf16(end)).filter(({ width }) => width > 0);
    if (!boxes.length) return false;
    // Of the pieces in its first line, in whichever order the browser names them, the one at which reading begins.
    const line = boxes.filter(({ top }) => Math.abs(top - boxes[0].top) < boxes[0].height / 2);
    const from = this.view.rightToLeft ? ground.right - Math.max(...line.map(({ right }) => right)) : Math.min(...line.map(({ left }) => left)) - ground.left;
    return from < 0 || from > ground.width ? false : { start: Math.round(from), top: Math.round(boxes[0].top - ground.top), height: boxes[0].height };
  }
}
