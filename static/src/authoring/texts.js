// The three fields beside the criteria: scope, prompt, gold answer. Each can be shown, marked as wrong, and focused.
import { element } from "../site/dom.js";
import { gettext } from "../site/text.js";
import { GrowingText } from "./growing-text.js";
import { Choices, Field } from "./section.js";

const MAX_PROMPT = 10_000;
const MAX_GOLD = 20_000;

export function scopeField({ task, document }) {
  return new Choices({
    name: "scope", id: "rubric-scope", label: gettext("Scope"), options: task.scopes, hiddenLegend: true,
    disabled: task.read_only, choose: (value) => document.write("scope", value),
  });
}

/** A long text in the variety of the rubric. `mark(words)` underlines words in it. */
class TextField extends Field {
  constructor({ screen, name, id, label, rows, longest, readonly, ...more }) {
    const { task, document } = screen;
    const text = new GrowingText({
      id, lang: task.lang, dir: task.dir, rows, longest, attributes: { readonly },
      write: (value) => { if (!screen.fixed) document.write(name, value, { typing: true }); },
    });
    super({ name, label, control: text.field, root: text.root, labelled: false, ...more });
    this.text = text;
  }

  show(value) {
    this.text.show(value);
  }

  mark(words) {
    this.text.mark(words);
  }
}

export function promptField(screen) {
  const { task } = screen;
  const field = new TextField({
    screen, name: "prompt", id: "rubric-prompt", label: gettext("Prompt"), rows: task.read_only ? 1 : 3, longest: MAX_PROMPT,
    readonly: Boolean(task.read_only || task.prompt_is_fixed),
    help: task.prompt_is_fixed && !task.read_only ? gettext("A new version keeps its prompt. Another prompt is another rubric.") : "",
  });
  field.root.prepend(element("p", { class: "small muted", text: task.variety }));
  return field;
}

export function goldField(screen) {
  return new TextField({
    screen, name: "gold_answer", id: "rubric-gold", label: gettext("Gold answer"), rows: screen.task.read_only ? 1 : 6, longest: MAX_GOLD,
    readonly: Boolean(screen.task.read_only),
  });
}
