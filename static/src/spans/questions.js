// What is asked beside the marks, in the same answer: the cards of a questionnaire over the document of the marks, which
// keeps one undo for both.
import { announce } from "../task_kit/announce.js";
import { PartCard } from "../questionnaires/part-card.js";

export class Questions {
  /** @param {import("./editor.js").Editor} editor with its form and document */
  constructor(editor) {
    const { task, document } = editor;
    Object.assign(this, { editor, task: { ...task, sides: [] }, marks: document });
    this.document = {
      get: (key) => document.answers[key] ?? null,
      give: (key, value, how) => document.setAnswer(key, value, how),
    };
    this.cards = new Map(task.questions.map((part) => [part.slug, new PartCard(part, this)]));
    document.addEventListener("state", () => this.show());
    this.show();
  }

  get roots() {
    return [...this.cards.values()].map(({ root }) => root);
  }

  has(key) {
    return this.cards.has(key);
  }

  nameOf(key) {
    return this.cards.get(key).question.name;
  }

  show() {
    const { hidden } = this.marks;
    for (const [key, card] of this.cards) {
      card.root.hidden = hidden.has(key);
      card.show();
    }
  }

  /** The part that has the focus, null where none has. */
  get focused() {
    return [...this.cards.values()].find(({ root }) => root.contains(document.activeElement)) ?? null;
  }

  /** Chooses what has this digit printed on it in the part that has the focus; false where none has. */
  choose(digit) {
    const card = this.focused;
    if (!card || this.editor.locked || this.task.read_only) return false;
    const { field } = document.activeElement.closest("[data-field]")?.dataset ?? {};
    const said = field ? card.choose(field, digit) : null;
    if (said) announce(said);
    return true;
  }

  /** To the part behind the one that has the focus; from elsewhere to the first that is open, the score before all. */
  next() {
    const { score, locked } = this.editor;
    if (locked) return false;
    const asked = [...this.cards.values()].filter(({ root }) => !root.hidden);
    const at = asked.indexOf(this.focused);
    const isElsewhere = at < 0 && !score?.root.contains(document.activeElement);
    if (isElsewhere && score && this.marks.score === null) return this.editor.goToScore();
    const open = asked.find((card) => card.isMissing(card.slug)) ?? asked[0];
    this.focus((at < 0 ? open : asked[(at + 1) % asked.length])?.slug);
    return true;
  }

  focus(key) {
    const card = this.cards.get(key);
    if (card) this.editor.asked?.open(card.root);
    card?.focusField(key);
  }

  showProblems(problems) {
    for (const [key, card] of this.cards) card.showProblems(problems.filter(({ span }) => span === key));
  }

  lock(locked) {
    for (const card of this.cards.values()) card.lock(locked);
  }

  setCurrent(key, field) {
    for (const card of this.cards.values()) card.setCurrent(card.slug === key ? field : null);
  }

  /** What was pointed at is chosen; the person goes on where they please. */
  point(key, field, give) {
    this.setCurrent(key, field);
    give();
  }
}
