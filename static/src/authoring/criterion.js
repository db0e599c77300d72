// One criterion: what a good answer must contain, how much it is worth, of which kind it is, and what the check says.
import { element } from "../site/dom.js";
import { gettext, interpolate } from "../site/text.js";
import { Findings } from "./findings.js";
import { GrowingText } from "./growing-text.js";
import { DELETE, DOWN, GRIP, icon, UP } from "../task_kit/icons.js";
import { Choices, Field } from "./section.js";
import { lacksOf } from "./steps.js";
import { HEAVIEST, isOutside, readWeight } from "./weights.js";

const LONGEST = 20_000;
// As formats/rubric.py parts them: a tag has none of these in it.
const COMMAS = /[,،、\n]/;

const sameTags = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const readTags = (line) => [...new Set(line.split(COMMAS).map((tag) => tag.trim()).filter(Boolean))];

export class CriterionCard {
  /** @param {import("./document.js").Criterion} criterion @param {import("./screen.js").AuthoringScreen} screen */
  constructor(criterion, screen) {
    Object.assign(this, { key: criterion.key, screen, task: screen.task });
    this.id = `criterion-${criterion.key}`;
    this.findings = new Findings(screen, criterion.key);
    this.fields = this.#fields();
    this.root = this.#build();
  }

  /** Shows a criterion at its place, from 1. A field being typed into already says what it says. */
  show(criterion, number, count) {
    if (this.criterion === criterion && this.number === number && this.count === count) return;
    Object.assign(this, { criterion, number, count });
    this.title.textContent = interpolate(gettext("Criterion %(number)s"), { number });
    this.words.show(criterion.text);
    this.excerpt.textContent = criterion.text || gettext("(no text yet)");
    if (readWeight(this.weight.value) !== criterion.weight) this.weight.value = criterion.weight ?? "";
    this.#showBand(criterion);
    this.fields.objectivity.show(criterion.objectivity);
    this.fields.explicitness.show(criterion.explicitness);
    this.points.textContent = criterion.weight ?? "–";
    if (!sameTags(readTags(this.tags.value), criterion.tags)) this.tags.value = criterion.tags.join(", ");
    this.up.disabled = this.screen.fixed || number === 1;
    this.down.disabled = this.screen.fixed || number === count;
    this.grip.setAttribute("aria-label", interpolate(gettext("Move criterion %(number)s of %(count)s: drag it, or use the arrow keys"), { number, count }));
    const lacking = new Set(lacksOf(criterion).map(({ field }) => field));
    for (const [name, field] of Object.entries(this.fields)) if (!lacking.has(name)) field.showProblem("");
  }

  showFindings() {
    this.words.mark(this.findings.show());
    this.#showWeightHint();
  }

  showProblem(field, message) {
    (this.fields[field] ?? this.fields.text).showProblem(message);
  }

  focus(field = null) {
    if (field === "findings") return this.findings.focus();
    if (field) return (this.fields[field] ?? this.fields.text).focus();
    this.root.focus({ preventScroll: true });
    return this.root.scrollIntoView({ block: "nearest" });
  }

  /** Chooses by the digit printed on a control; false where that digit is on none. */
  chooseDigit(digit) {
    const { objectivities, explicitnesses } = this.task;
    const [name, choice] = digit <= objectivities.length ? ["objectivity", objectivities[digit - 1]]
      : ["explicitness", explicitnesses[digit - objectivities.length - 1]];
    if (!choice) return false;
    this.#update({ [name]: choice.value });
    return true;
  }

  #update(values, typing = null) {
    if (!this.screen.fixed) this.screen.document.update(this.key, values, { typing });
  }

  #fields() {
    const { task, screen } = this;
    const disabled = Boolean(task.read_only);
    this.words = new GrowingText({
      id: `${this.id}-text`, lang: task.lang, dir: task.dir, rows: disabled ? 1 : 2, longest: LONGEST, attributes: { readonly: disabled },
      write: (text) => this.#update({ text }, "text"),
    });
    // Not type=number: that refuses the digits of Arabic and Bengali, and a wheel turned over it changes the weight.
    this.weight = element("input", {
      type: "text", inputmode: "text", autocomplete: "off", dir: "ltr", maxlength: 8, class: "form-control criterion__weight", id: `${this.id}-weight`, readonly: disabled,
      on: {
        input: () => this.#weigh(), change: () => screen.announceMaximum(),
        blur: () => { if (this.criterion.weight !== null) this.weight.value = this.criterion.weight; },
      },
    });
    this.tags = element("input", {
      type: "text", autocomplete: "off", dir: "auto", class: "form-control", id: `${this.id}-tags`, readonly: disabled,
      on: { input: () => this.#update({ tags: readTags(this.tags.value) }, "tags") },
    });
    this.band = element("select", { class: "form-select", id: `${this.id}-band`, disabled, on: { change: () => this.#update({ band: this.band.value }) } },
      element("option", { value: "", text: gettext("No band") }),
      ...task.bands.map(({ slug, label, lowest, highest }) => element("option", { value: slug, text: interpolate(gettext("%(band)s (%(lowest)s to %(highest)s)"), { band: label, lowest, highest }) })));
    const choices = (name, label, options, firstDigit) => new Choices({
      name, id: `${this.id}-${name}`, label, options, firstDigit, disabled, choose: (value) => this.#update({ [name]: value }),
    });
    return {
      text: new Field({ name: "text", label: gettext("A good answer…"), control: this.words.field, root: this.words.root }),
      weight: new Field({ name: "weight", label: gettext("Weight"), control: this.weight, help: gettext("Below 0 for an error: the points that it takes away.") }),
      band: new Field({ name: "band", label: gettext("Band"), control: this.band }),
      tags: new Field({ name: "tags", label: gettext("Tags"), control: this.tags, help: gettext("Parted by commas, such as “axis:accuracy”.") }),
      objectivity: choices("objectivity", gettext("Can it be checked, or is it judged?"), task.objectivities, 1),
      explicitness: choices("explicitness", gettext("Does the prompt ask for it in words?"), task.explicitnesses, task.objectivities.length + 1),
    };
  }

  #weigh() {
    const weight = readWeight(this.weight.value);
    this.#update({ weight }, "weight");
    this.fields.weight.showProblem(this.weight.value.trim() && weight === null ? interpolate(gettext("A whole number from 1 to %(most)s, or with a minus before it."), { most: HEAVIEST }) : "");
  }

  #showBand({ band }) {
    const known = [...this.band.options].some(({ value }) => value === band);
    if (!known) this.band.append(element("option", { value: band, text: interpolate(gettext("%(band)s (no longer there)"), { band }) }));
    this.band.value = band;
  }

  /** Said at once, before the check comes round to it; the place for it is always there. */
  #showWeightHint() {
    const band = this.task.bands.find(({ slug }) => slug === this.criterion.band);
    const remarked = this.screen.linter.of(this.key).some(({ code }) => code === "band-weight");
    const outside = !remarked && isOutside(this.criterion.weight, band);
    const text = outside ? interpolate(gettext("Outside its band: %(band)s goes from %(lowest)s to %(highest)s."), { band: band.label, lowest: band.lowest, highest: band.highest }) : "";
    if (this.hint.textContent !== text) this.hint.textContent = text;
  }

  #build() {
    const { screen } = this;
    const tool = (label, path, run, kind = "btn-quiet") => element("button", { type: "button", class: `btn btn-sm tool ${kind}`, "aria-label": label, title: label, on: { click: run } }, icon(path));
    this.title = element("h3", { id: `${this.id}-title`, class: "criterion__title" });
    this.points = element("span", { class: "criterion__points num", dir: "ltr" });
    this.excerpt = element("p", { class: "criterion__excerpt", lang: this.task.lang, dir: this.task.dir, "aria-hidden": "true" });
    this.hint = element("p", { class: "criterion__hint small", role: "status" });
    this.grip = element("button", { type: "button", class: "criterion__grip btn btn-quiet btn-sm tool", on: { keydown: (event) => this.#gripped(event) } }, icon(GRIP, 3));
    this.up = tool(gettext("Move up"), UP, () => screen.criteria.move(this.key, -1));
    this.down = tool(gettext("Move down"), DOWN, () => screen.criteria.move(this.key, 1));
    const remove = tool(gettext("Delete this criterion"), DELETE, () => screen.criteria.remove(this.key));
    const { text, weight, band, objectivity, explicitness, tags } = this.fields;
    return element("li", { class: "criterion", id: this.id, tabindex: "-1", "aria-labelledby": `${this.id}-title` },
      element("div", { class: "criterion__head" }, screen.task.read_only ? null : this.grip, this.title, this.points, this.excerpt,
        screen.task.read_only ? null : element("div", { class: "criterion__tools" }, this.up, this.down, remove)),
      element("div", { class: "criterion__body" },
        element("div", { class: "criterion__fields" }, text.root,
          element("div", { class: "criterion__weighing" }, weight.root, band.root), this.hint,
          element("div", { class: "criterion__kinds" }, objectivity.root, explicitness.root), tags.root),
        this.findings.root));
  }

  /** On the handle itself the arrows suffice. */
  #gripped(event) {
    const way = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.screen.criteria.move(this.key, way);
  }
}
