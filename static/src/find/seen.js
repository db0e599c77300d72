// What is seen of a text in the page, joined from the pieces that it is drawn in, and from there to the code points of its
// source: signs of markdown that are hidden lie between pieces. Pure.
import { lastAtMost } from "../spans/offsets.js";

const BREAK = "\n"; // between lines, so that no word goes over from one to the next

export class SeenText {
  /** @param {{text: string, source: number, isNewLine?: boolean}[]} pieces in order; `source` is where one begins, in code points */
  constructor(pieces) {
    this.pieces = pieces;
    const starts = [];
    let text = "";
    for (const { text: piece, isNewLine } of pieces) {
      if (isNewLine && text) text += BREAK;
      starts.push(text.length);
      text += piece;
    }
    this.text = text;
    this.starts = Int32Array.from(starts);
  }

  /** The parts of pieces that UTF-16 [start, end) of what is seen touches, as [number of the piece, from, to]. */
  parts(start, end) {
    const parts = [];
    for (let number = Math.max(0, lastAtMost(this.starts, start)); number < this.pieces.length && this.starts[number] < end; number += 1) {
      const from = Math.max(0, start - this.starts[number]);
      const to = Math.min(end - this.starts[number], this.pieces[number].text.length);
      if (to > from) parts.push([number, from, to]);
    }
    return parts;
  }

  /** The range of the source, in code points, from the first to the last character that is seen; null for a break alone. */
  source(start, end) {
    const parts = this.parts(start, end);
    if (!parts.length) return null;
    const place = (number, units) => this.pieces[number].source + codePoints(this.pieces[number].text.slice(0, units));
    const [first, from] = parts[0];
    const [last, , to] = parts.at(-1);
    return [place(first, from), place(last, to)];
  }
}

/** Code points of a text; a half of a surrogate pair counts as one. */
export function codePoints(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
