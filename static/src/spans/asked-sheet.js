// What is asked beside the marks, where the screen is narrow: a sheet over the text, one part at a time, that opens and
// closes by a button beside Submit. Neither the text nor that button moves. Where there is room the parts stand in the panel.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { SectionSheet } from "../task_kit/sheet.js";

export class AskedSheet {
  /** @param {import("./editor.js").Editor} editor with its score and questions */
  constructor(editor) {
    this.editor = editor;
    const { score, questions, document } = editor;
    this.root = element("div", { class: "panel__asked", id: "span-asked" }, score?.root ?? "", ...(questions?.roots ?? []));
    this.sheet = new SectionSheet(this.root, { previous: gettext("Back to the question before"), next: gettext("Next question") });
    this.root.append(this.sheet.head.root); // below the part: it stays in its place, however tall the part is
    this.count = element("bdi", { dir: "ltr" });
    this.opener = element("button", { type: "button", class: "btn btn-secondary panel__opener", "aria-expanded": "false", "aria-controls": "span-asked",
      on: { click: () => this.close() || this.open() } }, gettext("Questions"), " ", this.count);
    document.addEventListener("state", () => this.refresh());
    this.refresh();
  }

  /** The bar of buttons that it stands upon. */
  standOn(bar) {
    new ResizeObserver(() => this.root.style.setProperty("--actions", `${bar.offsetHeight}px`)).observe(bar);
  }

  /** After something was answered, or came to be asked. */
  refresh() {
    const { score, questions, document } = this.editor;
    const parts = [...(questions?.cards.values() ?? [])].filter(({ root }) => !root.hidden);
    const answered = parts.filter((card) => !card.isEmpty(card.slug)).length + (score && document.score !== null ? 1 : 0);
    this.count.textContent = `${answered} / ${parts.length + (score ? 1 : 0)}`;
    this.sheet.refresh();
  }

  /** Opens where the screen is narrow, at that part. */
  open(part = null) {
    this.sheet.show(part);
    if (getComputedStyle(this.opener).display === "none") return;
    if (this.editor.form.coversText) this.editor.deselect(); // its sheet would lie over this one
    this.#toggle(true);
  }

  /** True where it was open. */
  close() {
    const wasOpen = this.root.classList.contains("is-open");
    this.#toggle(false);
    return wasOpen;
  }

  #toggle(isOpen) {
    this.root.classList.toggle("is-open", isOpen);
    this.opener.setAttribute("aria-expanded", String(isOpen));
  }
}
