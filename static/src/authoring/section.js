// One step of the page: its heading, whether it is done, what it still lacks, and what is in it.
import { element } from "../site/dom.js";
import { gettext, interpolate, ngettext } from "../site/text.js";

export class Section {
  /** @param {string} id @param {number} number from 1 @param {string} title @param {string} lead one sentence @param {Node[]} content */
  constructor(id, number, title, lead, ...content) {
    this.id = id;
    this.state = element("span", { class: "tag" });
    this.lack = element("p", { class: "step-lack muted small", id: `${id}-lack` });
    this.heading = element("h2", { id: `${id}-title`, tabindex: "-1" },
      element("span", { class: "authoring-step__number", "aria-hidden": "true", text: number }), title);
    this.root = element("section", { class: "authoring-step surface", id, "aria-labelledby": `${id}-title` },
      element("div", { class: "surface__header" }, this.heading, this.state),
      lead ? element("p", { class: "authoring-step__lead", text: lead }) : null, ...content, this.lack);
  }

  /** @param {import("./steps.js").Step} step @param {(lack: object) => string} nameOf what the place of a lack is called */
  show(step, nameOf) {
    const { done, optional } = step;
    const lacks = step.lacks.filter(({ said }) => !said || step.id === "freeze");
    this.state.textContent = done ? gettext("done") : optional ? gettext("optional") : gettext("open");
    this.state.className = done ? "tag tag--good" : "tag";
    const more = lacks.length - 1;
    const first = lacks[0]?.criterion ? `${nameOf(lacks[0])}: ${lacks[0].message}` : lacks[0]?.message;
    this.lack.textContent = !lacks.length || optional ? "" : more
      ? `${first} ${interpolate(ngettext("And %(count)s thing more.", "And %(count)s things more.", more), { count: more })}` : first;
  }
}

/** A labelled field with a place for what is wrong with it. `control` is the element that takes the label. */
export class Field {
  constructor({ name, label, control, root = control, help = "", labelled = true }) {
    this.control = control;
    this.name = name;
    this.error = element("p", { class: "field__error", id: `${control.id}-error`, role: "alert" });
    const helpId = `${control.id}-help`;
    control.setAttribute("aria-describedby", [help && helpId, this.error.id].filter(Boolean).join(" "));
    this.root = element("div", { class: "field", "data-field": name },
      element("label", { for: control.id, class: labelled ? "" : "visually-hidden", text: label }),
      help ? element("p", { class: "field__help", id: helpId, text: help }) : null, root, this.error);
  }

  showProblem(message) {
    this.error.textContent = message;
    this.root.classList.toggle("field--invalid", Boolean(message));
    if (message) this.control.setAttribute("aria-invalid", "true");
    else this.control.removeAttribute("aria-invalid");
  }

  focus() {
    this.control.focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "center" });
  }
}

/** Radio buttons as segments, with the digit that chooses each printed on it where `firstDigit` is given. */
export class Choices {
  constructor({ name, id, label, options, firstDigit = 0, disabled = false, hiddenLegend = false, choose }) {
    this.name = name;
    this.inputs = options.map(({ value }) => element("input", {
      type: "radio", name: id, value, disabled, "aria-describedby": `${id}-error`, on: { change: () => choose(value) },
    }));
    this.error = element("p", { class: "field__error", id: `${id}-error`, role: "alert" });
    const segments = options.map(({ label: text }, number) => element("label", { class: "choice" }, this.inputs[number],
      element("span", {}, firstDigit ? element("kbd", { "aria-hidden": "true", text: String(firstDigit + number) }) : null, element("span", { text }))));
    this.root = element("fieldset", { class: "field", "data-field": name },
      element("legend", { class: hiddenLegend ? "visually-hidden" : "", text: label }), element("div", { class: "choices" }, ...segments), this.error);
  }

  show(value) {
    for (const input of this.inputs) input.checked = input.value === value;
  }

  get value() {
    return this.inputs.find(({ checked }) => checked)?.value ?? "";
  }

  showProblem(message) {
    this.error.textContent = message;
    this.root.classList.toggle("field--invalid", Boolean(message));
  }

  focus() {
    (this.inputs.find(({ checked }) => checked) ?? this.inputs[0]).focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "center" });
  }
}
