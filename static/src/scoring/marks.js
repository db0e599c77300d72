// The errors that point at words, as the text's painter reads them: the grader's own, and those asked about.
import { SpanOrder } from "../spans/order.js";

const LOOKS = { present: "high", absent: "low" };

function own({ key, start, end }) {
  return { id: key, anchor: "words", start, end, type: "cultural", criticality: "high" };
}

function asked({ key, start, end }, verdict) {
  return { id: key, anchor: "words", start, end, type: "logical", criticality: LOOKS[verdict] ?? "unset" };
}

function sameMark(a, b) {
  return a.start === b.start && a.end === b.end && a.criticality === b.criticality;
}

/** Emits "change" {before, after} per mark, as the document of the marking screen does. */
export class Marks extends EventTarget {
  /** @param {import("./document.js").GradeDocument} document */
  constructor(document) {
    super();
    this.document = document;
    this.marks = this.#read();
    this.order = new SpanOrder([...this.marks.values()]);
    document.addEventListener("change", () => this.#follow());
  }

  list() {
    return [...this.marks.values()];
  }

  /** Keys of the errors at a code-point position, the shortest first. */
  at(position) {
    return this.order.at(position).map(({ id }) => id);
  }

  #read() {
    const { criteria, negatives } = this.document;
    const found = [
      ...criteria.filter(({ start }) => start !== null).map((one) => asked(one, this.document.verdict(one.key))),
      ...negatives.filter(({ start }) => start !== null).map(own),
    ];
    return new Map(found.map((mark) => [mark.id, mark]));
  }

  #follow() {
    const before = this.marks;
    this.marks = this.#read();
    this.order = new SpanOrder([...this.marks.values()]);
    for (const [id, mark] of before) {
      const after = this.marks.get(id) ?? null;
      if (!after || !sameMark(mark, after)) this.#tell(mark, after);
    }
    for (const [id, mark] of this.marks) if (!before.has(id)) this.#tell(null, mark);
  }

  #tell(before, after) {
    this.dispatchEvent(new CustomEvent("change", { detail: { before, after } }));
  }
}
